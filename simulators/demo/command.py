"""`sabot-sim demo`: its options, the set-up and clearing of a table, and the end of a demo."""

import argparse
import contextlib
import os
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import ClassVar, Final

from controller.catalogue import Language, language_of
from controller.config.model import TRACKS_OF, Tracks
from controller.config.profile import GAME_OF, PROFILES, USUAL_PROFILE, GameName
from controller.core.jackpot_rules import Marking
from controller.core.words import Role
from simulators.c.build import CompilerMissing
from simulators.demo.child import ControllerChild, PanelChild
from simulators.demo.equipment import set_up
from simulators.demo.forms import Forms
from simulators.demo.heard import Heard
from simulators.demo.house import (
    CHIEF_GUEST,
    DEALER_GUEST,
    GUESTS,
    NO_JACKPOT,
    SEATS,
    DirectoryInUseError,
    House,
    furnish,
    markings_at,
)
from simulators.demo.incidents import NAMES, Kind, plan
from simulators.demo.killer import Killer, KillPlace
from simulators.demo.narrator import Narrator, Reporter, Storyteller
from simulators.demo.options import DISPLAYS, SHOES, DemoOptions
from simulators.demo.report import Evening, document, print_document
from simulators.demo.stage import Played, Stage
from simulators.demo.talk import Ink, Talk, qr_code
from simulators.demo.usual_socket import UsualSocket
from simulators.device_kinds import Firmware
from simulators.people.choices import Choices
from simulators.pty_port import LinkInUseError
from simulators.spoken import spoken, system_said

KILL_TAKES_S: Final = 0.05

USUAL_PORT: Final = 8021

USUAL_TRACKS: Final = {GameName.BLACKJACK: Tracks.HANDS, GameName.ROULETTE: Tracks.BETS}

PLANNED_SESSIONS: Final = 200
"""Sessions of an endless demo with planned faults; in later sessions no device fails."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the subcommand's options."""
    said = spoken()

    def known(key: str, names: Iterable[str]) -> str:
        return said[f"help.{key}"].format(known=", ".join(names))

    tracks = [f"{'|'.join(of)} ({game.value})" for game, of in TRACKS_OF.items()]
    parser.add_argument("--rounds", type=_positive, metavar="N", help=said["help.rounds"])
    parser.add_argument("--seed", type=int, default=0, metavar="S", help=said["help.seed"])
    parser.add_argument("--profile", default=USUAL_PROFILE, metavar="P", help=known("profile", PROFILES))
    parser.add_argument("--tracks", metavar="WHAT", help=known("tracks", tracks))
    jackpots = known("jackpot", (*Marking, NO_JACKPOT))
    parser.add_argument("--jackpot", metavar="MARKING", help=jackpots)
    parser.add_argument("--shoe", default=SHOES[0], metavar="PROTOCOL", help=known("shoe", SHOES))
    parser.add_argument("--display", default=DISPLAYS[0], metavar="PROTOCOL", help=known("display", DISPLAYS))
    parser.add_argument("--shuffler", default=Firmware.PYTHON, metavar="FIRMWARE", help=known("shuffler", Firmware))
    parser.add_argument("--json", action="store_true", help=said["help.json"])
    parser.add_argument("--no-panel", action="store_true", help=said["help.no-panel"])
    parser.add_argument("--panel-port", type=int, metavar="N", help=said["help.panel-port"])
    kinds = known("faults", NAMES)
    parser.add_argument("--faults", type=_kinds, default=tuple(Kind), metavar="KIND,...", help=kinds)
    parser.add_argument("--you", type=_roles, default=(), metavar="ROLE,...", help=said["help.you"])
    parser.add_argument("--state-dir", type=Path, metavar="DIR", help=said["help.state-dir"])
    parser.add_argument("--kill-at", type=_places, default=(), metavar="N,KIND:N+K,...", help=said["help.kill-at"])
    parser.set_defaults(run=run)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(spoken()["wrong.least"])
    return number


def _kinds(text: str) -> tuple[Kind, ...]:
    words = [word for word in text.split(",") if word]
    if any(word not in NAMES for word in words):
        raise argparse.ArgumentTypeError(spoken()["wrong.of"].format(known=", ".join(NAMES)))
    return tuple(NAMES[word] for word in words)


def _roles(text: str) -> tuple[Role, ...]:
    known = {role.value: role for role in GUESTS}
    if any(word not in known for word in text.split(",")):
        raise argparse.ArgumentTypeError(spoken()["wrong.of"].format(known=", ".join(known)))
    return tuple(known[word] for word in text.split(","))


def _places(text: str) -> tuple[KillPlace, ...]:
    try:
        return tuple(KillPlace.read(item) for item in text.split(",") if item)
    except ValueError as error:
        raise argparse.ArgumentTypeError(spoken()["wrong.place"].format(detail=error)) from error


def run(arguments: argparse.Namespace) -> int:
    """Plays a demo; 0: no violation, 1: at least one, 2: a demo that cannot be played."""
    game = GAME_OF.get(arguments.profile, GameName.BLACKJACK)
    tracks = arguments.tracks or USUAL_TRACKS[game]
    markings = markings_at(arguments.profile) if tracks == Tracks.HANDS else (NO_JACKPOT,)
    jackpot = arguments.jackpot or markings[0]
    for what, given, known in (
        ("profile", arguments.profile, PROFILES),
        ("tracks", tracks, TRACKS_OF[game]),
        ("jackpot", jackpot, markings),
        ("shoe", arguments.shoe, SHOES),
        ("display", arguments.display, DISPLAYS),
        ("shuffler", arguments.shuffler, tuple(Firmware)),
    ):
        if given not in known:
            text = spoken()["wrong.not-available"].format(what=what, given=given, known=", ".join(known))
            print(text, file=sys.stderr)
            return 2
    options = DemoOptions(
        rounds=arguments.rounds or (50 if arguments.json else None),
        seed=arguments.seed,
        profile=arguments.profile,
        tracks=Tracks(tracks),
        jackpot=None if jackpot == NO_JACKPOT else Marking(jackpot),
        as_json=arguments.json,
        state_dir=arguments.state_dir,
        shoe=arguments.shoe,
        display=arguments.display,
        shuffler=Firmware(arguments.shuffler),
        kill_at=arguments.kill_at,
        panel_port=None if arguments.no_panel else panel_port(arguments.panel_port),
        faults=arguments.faults,
        you=arguments.you,
    )
    try:
        with _directory(options) as directory, stop_signals() as is_stopping:
            return demo_of(options.profile)(
                options,
                furnish(directory, _language(), options),
                is_stopping,
            ).run()
    except (DirectoryInUseError, LinkInUseError) as error:
        print(f"sabot-sim demo: {error}", file=sys.stderr)
    except CompilerMissing:
        print(f"sabot-sim demo: {spoken()['wrong.no-compiler']}", file=sys.stderr)
    except OSError as error:
        print(f"sabot-sim demo: {system_said(error)}", file=sys.stderr)
    return 2


def demo_of(profile: str) -> "type[Demo]":
    if GAME_OF[profile] is GameName.BLACKJACK:
        return Demo
    from simulators.wheel.demo import WheelDemo

    return WheelDemo


def panel_port(wanted: int | None) -> int:
    """The port wanted, else the usual one, or 0 (any) where the usual port is taken."""
    if wanted is not None:
        return wanted
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", USUAL_PORT))
        except OSError:
            return 0
    return USUAL_PORT


def _language() -> Language:
    return language_of(os.environ)


@contextlib.contextmanager
def _directory(options: DemoOptions) -> Iterator[Path]:
    """The given directory, or a temporary one; of the latter `--json` keeps the journal and its keys."""
    if options.state_dir is not None:
        yield options.state_dir
        return
    directory = Path(tempfile.mkdtemp(prefix="sabot-demo-"))
    try:
        yield directory
    finally:
        for path in directory.iterdir():
            if not (options.as_json and path.name in {"journal", "journal.key", "journal.pub"}):
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        with contextlib.suppress(OSError):
            directory.rmdir()


@contextlib.contextmanager
def stop_signals() -> Iterator[Callable[[], bool]]:
    """A context in which SIGINT, SIGTERM and SIGHUP ask for an orderly end; it gives a test for such a request."""
    asked: list[int] = []

    def stop(number: int, _frame: FrameType | None) -> None:
        asked.append(number)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield lambda: bool(asked)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Demo:
    """One demo. `guests`: key of a message, person and act that are offered to somebody who watches."""

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

    def run(self) -> int:
        """Plays the demo, judges it, and gives the exit code."""
        return self._end(self.play())

    def play(self) -> Evening:
        """Plays the evening and clears everything away but the files. Raises LinkInUseError."""
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
            equipment.favour(options.favours)
            self._welcome(usual, panel)
            forms, narrator = self.forms(panel), self._narrator()
            stage = Stage(options, house, equipment, incidents, child, narrator, self.is_stopping, forms)
            played, exit_code = self._play(stage, child, killer)
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
        """Plays to the end. A controller killed at the very end is started once more, to end in order."""
        played = stage.play()
        killer.stop()
        if played.is_over and child.ended_within(KILL_TAKES_S):
            played = stage.play()
        self._talk.say("ending")
        return played, child.stop()

    @contextlib.contextmanager
    def _panel(self) -> Iterator[str | None]:
        """A context with the panel's address while it is served; None without a panel."""
        if self.options.panel_port is None:
            yield None
            return
        child = PanelChild(self.house.config, self.house.directory / "panel.log", self.options.panel_port)
        with contextlib.closing(child):
            child.start()
            yield child.url()

    def forms(self, panel: str | None) -> Forms:
        """The forms at this panel; none are waited for where no person is meant to play along."""
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
        if panel is not None:
            self._talk.plain(qr_code(panel))
        talk, people = self._talk, self.house.people
        if self.options.is_practice:
            guest = people[DEALER_GUEST]
            talk.say("welcome.practice", Ink.GUEST, panel=panel or "", person=str(guest.number), pin=guest.pin)
            return
        talk.say("welcome", Ink.STEP, table=self.options.table)
        if not usual.is_placed:
            talk.say("socket.taken")
        talk.say("welcome.look", Ink.GUEST, command=talk.command("status"))
        for key, number, act, values in self.guests:
            command = talk.act_command(act, number, values)
            talk.say(key, Ink.GUEST, person=str(number), pin=people[number].pin, command=command)

    def _show_log(self) -> None:
        """Shows the end of the controller's log, since the directory may be gone later."""
        lines = self.house.log.read_text("utf-8", "replace").splitlines()[-12:]
        self._talk.say("controller.log", Ink.ALERT, tail="\n".join(lines))

    def _end(self, evening: Evening) -> int:
        """Asks the oracles, unless a person has stopped an endless demo, and gives the exit code."""
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
