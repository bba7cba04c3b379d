"""`sabot-sim demo` at a wheel: the real controller and panel, a wheel on a pseudo-terminal, scripted people.

A person who signs in as dealer or chief supervisor takes over that post. The script still moves the wheel and the ball.
"""

import contextlib
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.core.words import Device, Role
from controller.protocol.status import Status
from simulators.demo.child import ControllerChild
from simulators.demo.house import CHIEF, CHIEF_GUEST, DEALER, DEALER_GUEST, GUESTS, MANAGER, TECHNICIAN
from simulators.demo.line import Line
from simulators.demo.narrator import Storyteller
from simulators.demo.parts import plug_parts
from simulators.demo.played import Demo
from simulators.demo.report import journal_command, print_document
from simulators.demo.segments import SegmentTail
from simulators.demo.takeover import Takeover
from simulators.demo.talk import Ink
from simulators.demo.usual_socket import UsualSocket
from simulators.device_kinds import BAUD_RATES
from simulators.devices.faults import NO_FAULTS, BadSpin, FaultPlan, SpinGoesWrong
from simulators.devices.value_display import SimulatedValueDisplay
from simulators.devices.wheel import SimulatedWheel
from simulators.oracles.export_reader import read_export_file
from simulators.oracles.spins import check_spins
from simulators.oracles.wheel import FRENCH
from simulators.people.status import TableStatus, read_status
from simulators.pty_port import PtyHost
from simulators.wheel.people import Ask, Doing, Touch, View, deal, manage, repair, supervise
from simulators.wheel.players import VALUES, Players
from simulators.wheel.room import SpinKey, WheelRoom

_STATUS: Final = msgspec.json.Decoder(Status)
STALLED_S: Final = 120.0
HURRY: Final = 0.1
"""The factor on the wheel's own times if the demo writes JSON."""

POSTED: Final = ("10",)
"""The values of chips that a person at the page hears of, since the table has posted its minimum alone."""

GOES_WRONG: Final = FaultPlan(
    (
        BadSpin(2, SpinGoesWrong.SAME_DIRECTION),
        BadSpin(6, SpinGoesWrong.NO_BALL),
        BadSpin(11, SpinGoesWrong.BALL_WITH_ROTOR),
        BadSpin(17, SpinGoesWrong.SENSOR_BROKEN),
    )
)

DECIDE: Final = (
    (Role.TECHNICIAN, TECHNICIAN, repair),
    (Role.CHIEF_SUPERVISOR, CHIEF, supervise),
    (Role.DEALER, DEALER, deal),
    (Role.ROOM_MANAGER, MANAGER, manage),
)


class SpinTeller(Storyteller):
    """A storyteller that also prints the notices that the controller gives to people at the table."""

    _told = 0

    def hear(self, status: Status) -> None:
        """Prints each new notice to people at the table once."""
        for notice in status.notices:
            if notice.id > self._told:
                self._told = notice.id
                self._talk.say("wheel.heard", Ink.PLAIN, text=notice.text)


def _as_of_cards(status: Status) -> TableStatus:
    """Converts the wheel's status into a card table's status without counts of cards, for code that can read only the
    latter.
    """
    return read_status(msgspec.json.encode(msgspec.structs.replace(status, counts={})))


class WheelEvening(Struct):
    """The result of the demo's sessions at a wheel. `stalled`: the reason why the demo got stuck; "" otherwise."""

    is_over: bool = False
    stalled: str = ""
    rounds: int = 0


class WheelStage:
    """Plays the demo of a wheel: in a loop, each person decides on the next deed or act and does it."""

    def __init__(
        self, demo: "WheelDemo", host: PtyHost, room: WheelRoom, child: ControllerChild, panel: str | None
    ) -> None:
        self._demo, self._host, self._room, self._child = demo, host, room, child
        self._forms = demo.forms(panel)
        self._line = Line(demo.house.socket)
        self._tail = SegmentTail(demo.house.journal)
        is_watched = demo.heard is not None and not demo.options.as_json
        is_practice = demo.options.is_practice
        self._players = Players(demo.options.seed, POSTED if is_watched or is_practice else VALUES, is_practice)
        self._takeovers = {role: Takeover(role, number) for role, number, _ in DECIDE if role in GUESTS}
        self._digest, self._changed_s = "", time.monotonic()
        self._refused: set[tuple[str, ...]] = set()
        self._spin: SpinKey | None = None
        self._done: set[tuple[str, ...]] = set()
        self._told: dict[tuple[int, str], tuple[str, ...]] = {}  # the last hint to each guest, by act
        self._held_since_s: float | None = None
        self.evening = WheelEvening()

    def play(self) -> WheelEvening:
        """Plays until the evening is over, the demo is stopped, or nothing has moved for STALLED_S seconds."""
        try:
            while not (self._demo.is_stopping() or self.evening.is_over or self.evening.stalled):
                if not self._step():
                    time.sleep(self._demo.options.tempo.look_s)
        finally:
            self._line.hang_up()
        return self.evening

    def _step(self) -> bool:
        if self._child.pid is None:
            self._child.start()
        now_s = time.monotonic()
        if now_s - self._changed_s > STALLED_S and not any(self._guest(role, now_s) for role in GUESTS):
            self.evening.stalled = f"nothing has moved for {STALLED_S:.0f} s"
        document = self._line.status()
        if document is None:
            return False
        status = _STATUS.decode(document)
        self._notice(status, _as_of_cards(status), now_s, document)
        if self._view(status, DEALER).is_over:
            self.evening.is_over = True
            return True
        return any(self._acts(role, number, status, decide) for role, number, decide in DECIDE)

    def _notice(self, status: Status, shown: TableStatus, now_s: float, document: bytes) -> None:
        entries = self._tail.new_entries()
        for entry in entries:
            if (words := self._told.pop((entry.number("person"), entry.kind), None)) is not None:
                self._done.add(words)
        self.evening.rounds = max(self.evening.rounds, status.tally.get("rounds", 0))
        if status.state_digest != self._digest:
            self._digest, self._changed_s, self._refused = status.state_digest, now_s, set()
        self._held_since_s = (self._held_since_s or now_s) if status.holds else None
        for takeover in self._takeovers.values():
            takeover.look(shown, entries, now_s)
        if self._demo.heard is not None:
            self._demo.heard.at(document)
            self._demo.heard.look(entries)
        if isinstance(self._demo.narrator, SpinTeller):
            self._demo.narrator.hear(status)
        self._demo.narrator.look(shown, entries)

    def _view(self, status: Status, person: int) -> View:
        sight = self._host.look(self._room.look)
        options = self._demo.options
        view = View(status, sight, self._players, person, options.rounds_a_session, options.sessions)
        if self._spin != view.spin:
            self._spin, self._done = view.spin, set()
        quiet_s = time.monotonic() - self._changed_s
        return replace(view, quiet_s=quiet_s, done=frozenset(self._done), refused=frozenset(self._refused))

    # ---- people

    def _guest(self, role: Role, now_s: float) -> int | None:
        if role in self._demo.options.you:
            return GUESTS[role]
        takeover = self._takeovers.get(role)
        return None if takeover is None else takeover.in_charge(now_s)

    def _acts(self, role: Role, number: int, status: Status, decide: Callable[[View], Doing]) -> bool:
        """Lets the person at this post do the next deed or act. Returns True if it is done.

        If a visitor holds the post, the script still does the deeds. It prints an act as a hint and returns False.
        """
        guest = self._guest(role, time.monotonic())
        present = [one.person for one in status.present if one.role == Role.DEALER]
        if guest is None and role is Role.DEALER and present:
            number = present[0] if not (status.wheel and status.wheel.dealer_due) else self._other(present[0])
        doing = decide(self._view(status, guest or number))
        if doing is None or (guest is None and self._is_still_walking(role)):
            return False
        if self._forms.are_waited_for(time.monotonic()):
            self._changed_s = time.monotonic()
            return False
        if isinstance(doing, Touch):
            self._host.call(lambda now_s: self._room.do(doing.hand, now_s))
            return True
        if guest is not None:
            self._told[guest, doing.act] = doing.words
            if self._demo.heard is not None and role is Role.DEALER:
                self._demo.heard.wish(doing)
            self._demo.narrator.your_turn(guest, doing)
            return False
        self._ask(role, number, doing)
        return True

    def _other(self, dealer: int) -> int:
        return DEALER_GUEST if dealer == DEALER else DEALER

    def _is_still_walking(self, role: Role) -> bool:
        """True while the scripted chief supervisor is still on the way to the table because of a hold."""
        walk_s = self._demo.options.tempo.walk_s / 3
        is_called = role is Role.CHIEF_SUPERVISOR and self._held_since_s is not None
        return is_called and time.monotonic() - (self._held_since_s or 0.0) < walk_s

    def _ask(self, role: Role, person: int, ask: Ask) -> None:
        somebody = self._demo.house.people[person]
        answer = self._line.act(ask.act, somebody.number, somebody.pin, ask.values, stays=not ask.gives_pin)
        self._done.add(ask.words)
        if answer is None:
            return
        if answer.refusal is not None:
            self._refused.add(ask.words)
        self._demo.narrator.act(role, ask, answer)
        self._line.wait_until_known(answer)
        time.sleep(self._demo.options.tempo.act_s)


class WheelDemo(Demo):
    """The demo of one roulette table."""

    guests = (
        ("wheel.dealer", DEALER_GUEST, "sign-in", {"operation": "table"}),
        ("wheel.guest", CHIEF_GUEST, "rule-on-spin", {"outcome": "goes-on"}),
    )
    teller = SpinTeller

    def run(self) -> int:
        """Runs the demo and returns the exit code. Verifies the journal at the end, unless the demo ends without a
        judgement.
        """
        self.narrator = self._narrator()
        began_s = time.monotonic()
        child = ControllerChild(self.house.config, self.house.log)
        with (
            contextlib.closing(child),
            self._wheel() as (host, room),
            UsualSocket(self.house.socket) as usual,
            self._panel() as panel,
        ):
            self._welcome(usual, panel)
            evening = WheelStage(self, host, room, child, panel).play()
            self._talk.say("ending")
            child.stop()
            self.at_the_end()
        if not evening.stalled and self._ends_unjudged():
            return 0
        return self._close(evening, room.wheel, time.monotonic() - began_s)

    @contextlib.contextmanager
    def _wheel(self) -> Iterator[tuple[PtyHost, WheelRoom]]:
        """Serves the wheel, the value display and the table's parts on pseudo-terminals while the context is open."""
        host, options = PtyHost(), self.options
        wheel = SimulatedWheel(
            rng=Random(f"{options.seed}:wheel"),
            now_s=host.clock(),
            faults=GOES_WRONG if options.faults else NO_FAULTS,
            waits_for_hands=True,
            hurry=HURRY if options.as_json else 1.0,
        )
        with contextlib.closing(host):
            host.add(self.house.link(Device.ROULETTE_WHEEL), wheel, baud_rate=BAUD_RATES["cammegh"])
            host.add(self.house.link(Device.VALUE_DISPLAY), SimulatedValueDisplay(now_s=host.clock()))
            plug_parts(host, self.house.part_links)
            host.start()
            yield host, WheelRoom(wheel)

    def _close(self, evening: WheelEvening, wheel: SimulatedWheel, wall_s: float) -> int:
        """Verifies and exports the journal with `sabot journal`, checks its spins with the oracle, and prints the
        result.

        Returns the exit code: 1 for a violation, else 0.
        """
        house, found = self.house, [evening.stalled] if evening.stalled else []
        found += [] if journal_command(house, "verify", str(house.journal), "--json") else ["journal: does not verify"]
        journal_command(house, "export", str(house.journal), "--out", str(house.export))
        entries = read_export_file(house.export).entries if house.export.exists() else []
        found += [str(one) for one in check_spins(entries, [], FRENCH)]
        announced = [one.number("number") for one in entries if one.kind == "announce-number" and not one.refused]
        played = iter([spin.number for spin in wheel.spins])
        found += [] if all(number in played for number in announced) else [f"numbers that no ball gave: {announced}"]
        if self.options.as_json:
            document = {"rounds": evening.rounds, "numbers": announced, "seed": self.options.seed}
            document |= {"physical": {"spins": len(wheel.spins), "faults": dict(wheel.faults_met)}, "violations": found}
            document |= {"journal": str(house.journal), "journal_entries": len(entries), "passed": not found}
            print_document(document | {"journal_head": entries[-1].chain if entries else "", "wall_seconds": wall_s})
        for text in found:
            self._talk.say("end.violation", Ink.ALERT, text=text)
        if not found and not self.options.as_json:
            self._talk.say("wheel.end", Ink.GOOD, rounds=str(evening.rounds), entries=str(len(entries)))
        return 1 if found else 0
