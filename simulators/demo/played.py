"""Runs one demo at a card table: sets the table up, welcomes the visitor, plays, clears the table, and judges the
result.
"""

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar, Final

from controller.core.words import Role
from simulators.demo.child import ControllerChild, PanelChild
from simulators.demo.equipment import set_up
from simulators.demo.forms import Forms
from simulators.demo.heard import Heard
from simulators.demo.house import CHIEF_GUEST, DEALER_GUEST, GUESTS, SEATS, House
from simulators.demo.incidents import plan
from simulators.demo.killer import Killer
from simulators.demo.narrator import Narrator, Reporter, Storyteller
from simulators.demo.options import DemoOptions
from simulators.demo.report import Evening, document, print_document
from simulators.demo.stage import Played, Stage
from simulators.demo.talk import Ink, Talk
from simulators.demo.usual_socket import UsualSocket
from simulators.people.choices import Choices

KILL_TAKES_S: Final = 0.05

PLANNED_SESSIONS: Final = 200
"""Sessions of an endless demo with planned faults; in later sessions no device fails."""


def _nothing() -> None:
    """Does nothing; the default value of `at_the_end`."""


class Demo:
    """One demo, from its set-up to its judgement. `guests`: the posts that a visitor can take, each with the key of its
    message, the visitor's number at the post, and an example of an act with its values.
    """

    guests: ClassVar[Sequence[tuple[str, int, str, Mapping[str, str]]]] = (
        ("welcome.guest", CHIEF_GUEST, "attend-hold", {"hold": "H1"}),
        ("welcome.dealer", DEALER_GUEST, "attend-hold", {"hold": "H1"}),
    )

    teller: ClassVar[type[Storyteller]] = Storyteller

    def __init__(self, options: DemoOptions, house: House, is_stopping: Callable[[], bool]) -> None:
        self.options = options
        self.house = house
        self.is_stopping = is_stopping
        self._talk = Talk(sys.stderr if options.as_json else sys.stdout, os.environ)
        is_at_the_page = bool(options.you) and options.panel_port is not None
        is_chief = Role.CHIEF_SUPERVISOR in options.you
        self.heard = Heard(self._talk, DEALER_GUEST, is_chief=is_chief) if is_at_the_page else None
        self._began_s = time.monotonic()
        self.at_the_end: Callable[[], None] = _nothing
        """Called once the controller has ended, while the panel still serves its page."""

    def run(self) -> int:
        """Plays the demo and judges it. Returns 1 for a violation, else 0. A practice, and an endless demo that a
        person has stopped, are judged only if the play got stuck. Raises LinkInUseError.
        """
        return self._end(self.play())

    def play(self) -> Evening:
        """Plays the demo to its end, ends all processes, removes all links, keeps the files, and returns the results.
        Raises LinkInUseError.
        """
        options, house = self.options, self.house
        choices = Choices(options.seed, cards=52 * house.decks, seats_at_table=SEATS)
        sessions = options.sessions or PLANNED_SESSIONS
        incidents = plan(choices, options.rounds_a_session, sessions, options.shoe, options.profile, options.faults)
        wires = {device: (protocol, house.link(device)) for device, protocol in options.protocols.items()}
        child = ControllerChild(house.config, house.log)
        with (
            contextlib.closing(child),
            set_up(
                house.profile, wires, house.part_links, choices, incidents, options.tempo.machine, options.shuffler
            ) as equipment,
            Killer(house.journal, options.kill_at, child) as killer,
            UsualSocket(house.socket) as usual,
            self._panel() as panel,
        ):
            equipment.deal_by(options.stack)
            self._welcome(usual, panel)
            forms, narrator = self.forms(panel), self._narrator()
            stage = Stage(options, house, equipment, incidents, child, narrator, self.is_stopping, forms)
            played, exit_code = self._play(stage, child, killer)
            self.at_the_end()
            return Evening(
                played,
                equipment.book(),
                equipment.deck,
                house.decks,
                jackpot_cents=equipment.shown_cents,
                seed=options.seed,
                kills=killer.kills,
                starts=child.starts,
                exit_code=exit_code,
                began_s=self._began_s,
                wall_seconds=time.monotonic() - self._began_s,
            )

    def _play(self, stage: Stage, child: ControllerChild, killer: Killer) -> tuple[Played, int | None]:
        """Plays to the end; returns the result and the controller's exit code. If the controller was killed just at the
        end, starts it once more for an orderly end.
        """
        played = stage.play()
        killer.stop()
        if played.is_over and child.ended_within(KILL_TAKES_S):
            played = stage.play()
        self._talk.say("ending")
        return played, child.stop()

    @contextlib.contextmanager
    def _panel(self) -> Iterator[str | None]:
        """Serves the panel while the context is open, and yields its address; None if the demo has no panel."""
        if self.options.panel_port is None:
            yield None
            return
        child = PanelChild(self.house.config, self.house.directory / "panel.log", self.options.panel_port)
        with contextlib.closing(child):
            child.start()
            yield child.url()

    def forms(self, panel: str | None) -> Forms:
        """Returns a Forms that asks the panel at the address `panel`. With `--json` and without a visitor returns a
        Forms that asks no panel, so that the script never waits for a form.
        """
        return Forms(None if self.options.as_json and not self.options.you else panel)

    def _narrator(self) -> Narrator:
        if self.options.as_json:
            return Reporter(self._talk, self.heard)
        return self.teller(self._talk, CHIEF_GUEST, DEALER_GUEST, self.heard)

    def _welcome(self, usual: UsualSocket, panel: str | None) -> None:
        if not usual.is_placed:
            self._talk.name_socket(self.house.socket)
        if panel is not None:
            self._talk.plain(f"panel: {panel}")
        for role in self.options.you:
            somebody = self.house.people[GUESTS[role]]
            self._talk.plain(f"you: {role.value} {somebody.number} {somebody.pin}")
        if self.options.as_json:
            return
        talk, people = self._talk, self.house.people
        if self.options.is_practice:
            guest = people[DEALER_GUEST]
            talk.say("welcome.practice", Ink.GUEST, panel=panel or "", person=str(guest.number), pin=guest.pin)
            return
        talk.say("welcome", Ink.STEP, table=self.options.table)
        if not usual.is_placed:
            talk.say("socket.taken")
        if self.options.you and panel is not None:
            talk.say("welcome.you", Ink.GUEST, panel=panel)
        talk.say("welcome.look", Ink.GUEST, command=talk.command("status"))
        held = {GUESTS[role] for role in self.options.you}
        for key, number, act, values in (one for one in self.guests if one[1] not in held):
            command = talk.act_command(act, number, values)
            talk.say(key, Ink.GUEST, person=str(number), pin=people[number].pin, command=command)

    def _show_log(self) -> None:
        """Prints the end of the controller's log. The log's directory may be deleted later."""
        lines = self.house.log.read_text("utf-8", "replace").splitlines()[-12:]
        self._talk.say("controller.log", Ink.ALERT, tail="\n".join(lines))

    def _end(self, evening: Evening) -> int:
        """Lets the oracles judge the demo, and prints the result. Returns the exit code: 1 for a violation, else 0.

        A practice, and an endless demo that a person has stopped, are judged only if they got stuck.
        """
        if evening.played.stalled:
            self._show_log()
        elif self._ends_unjudged():
            return 0
        made = document(self.house, evening)
        found = made["violations"]
        if self.options.as_json:
            print_document(made)
        else:
            self._tell(made)
        return 1 if found else 0

    def _ends_unjudged(self) -> bool:
        return self.options.is_practice or (self.options.rounds is None and self.is_stopping())

    def _tell(self, made: dict[str, object]) -> None:
        found = made["violations"]
        for text in found if isinstance(found, list) else []:
            self._talk.say("end.violation", Ink.ALERT, text=str(text))
        if not found:
            figures = {"rounds": "rounds", "jams": "jams_raised", "entries": "journal_entries"}
            values = {name: str(made[key]) for name, key in figures.items()}
            self._talk.say("end.well", Ink.GOOD, **values)
