"""The simulated people at a roulette table in virtual time, and the durations of their deeds.

Each person looks at the table, does one deed or act, and looks again.
"""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from controller.core.house.manner import Credential
from controller.core.house.people import dealer_at_table
from controller.core.house.state import State
from controller.core.words import Role
from controller.runtime.answers import Answer, Done, Refused
from controller.runtime.gate import Asked, BadValues
from simulators.wheel.host import WheelHost
from simulators.wheel.people import Ask, Doing, Touch, View, deal, manage, repair, supervise
from simulators.wheel.players import Players
from simulators.wheel.room import Hand, SpinKey, WheelRoom
from simulators.world.clock import Alarm, VirtualClock, chance
from simulators.world.installation import PEOPLE, Person
from simulators.world.playable import People

DECIDE: Final[dict[Role, Callable[[View], Doing]]] = {
    Role.DEALER: deal,
    Role.CHIEF_SUPERVISOR: supervise,
    Role.ROOM_MANAGER: manage,
    Role.TECHNICIAN: repair,
}
COMES_S: Final = {
    Role.CHIEF_SUPERVISOR: (30.0, 120.0),
    Role.ROOM_MANAGER: (60.0, 200.0),
    Role.TECHNICIAN: (60.0, 300.0),
}
"""Seconds that a person of this role takes to come to the table, before each deed; a dealer is there already."""

TAKES_S: Final = {
    "open-session": (60.0, 180.0),
    "launch": (1.0, 3.0),
    "launch-ball": (6.0, 20.0),  # players place their bets
    "announce-nothing-more": (3.0, 8.0),
    "announce-number": (1.0, 3.0),
    "pay-prizes": (3.0, 15.0),
    "confirm-payments": (1.0, 4.0),
    "clear-wheel": (5.0, 20.0),
    "indicate-closing": (5.0, 20.0),
    "report-duty": (60.0, 200.0),
}
"""Seconds of work before a deed; any other deed takes USUAL_S."""

USUAL_S: Final = (0.3, 1.5)
LOOKS_AGAIN_S: Final = 5.0
"""The seconds after which a person who had nothing to do looks again."""

MaybeErr: TypeAlias = Callable[[View, Role, Ask | Touch, Random], Ask | Touch | float | None]
"""A person's mistake: another deed, or seconds of delay. None if the person does the deed that he decided on."""


class Memory(Struct):
    """The controller's answers to all people: the acts refused in the present state, and the acts asked for in this
    spin.
    """

    state: State | None = None
    refused: set[tuple[str, ...]] = field(default_factory=set)
    spin: SpinKey | None = None
    done: set[tuple[str, ...]] = field(default_factory=set)

    def refused_in(self, state: State) -> frozenset[tuple[str, ...]]:
        return frozenset(self.refused) if self.state is not None and self.state == state else frozenset()

    def done_in(self, spin: SpinKey) -> frozenset[tuple[str, ...]]:
        return frozenset(self.done) if self.spin == spin else frozenset()

    def note(self, spin: SpinKey, words: tuple[str, ...], answer: Answer | BadValues | None) -> None:
        if self.spin != spin:
            self.spin, self.done = spin, set()
        self.done.add(words)
        if isinstance(answer, Refused) and answer.refusal.guard != "role_may":
            if self.state != answer.state:
                self.state, self.refused = answer.state, set()
            self.refused.add(words)


class WheelCrew(People):
    """All simulated people at one roulette table."""

    def __init__(
        self, clock: VirtualClock, seed: int, host: WheelHost, room: WheelRoom, spins: int, people: tuple[Person, ...]
    ) -> None:
        super().__init__()
        self.clock, self.host, self.room, self.spins = clock, host, room, spins
        self.players = Players(seed)
        self.memory = Memory()
        self.on_hand: Callable[[], None] = lambda: None  # called after hands touched the wheel
        self.on_plug: Callable[[], None] = lambda: None
        self.on_mistyped: Callable[[], None] = lambda: None  # called when the table has accepted a mistyped value
        self.maybe_err: MaybeErr = lambda _view, _role, _doing, _rng: None
        self.changed_s = clock.now_s
        self._members = tuple(_Member(self, one, chance(seed, "pace", one.number)) for one in people)

    def stir(self) -> None:
        """Makes every person look at the table soon. Called after a visible change."""
        self.changed_s = self.clock.now_s
        for member in self._members:
            member.look_soon()

    def look(self, person: int) -> View | None:
        """Returns the view of the person with this number; None while the screen is dark."""
        run, status = self.host.run, self.host.look()
        if run is None or status is None:
            return None
        view = View(
            status, self.room.look(), self.players, person, self.spins, quiet_s=self.clock.now_s - self.changed_s
        )
        ledger = run.runtime.ledger
        refused = self.memory.refused_in(ledger.latest)
        return replace(view, done=self.memory.done_in(view.spin), refused=refused, log=ledger.durable.log)

    @property
    def see_the_end(self) -> bool:
        view = self.look(PEOPLE[0].number)
        return view is not None and view.is_over and not view.status.holds

    def press_again(self, ask: Ask) -> None:
        """Asks for the act `ask` once more as the dealer at the table, and ignores the answer. Does nothing without a
        dealer.
        """
        run = self.host.run
        dealer = None if run is None else dealer_at_table(run.runtime.ledger.latest)
        if dealer is not None:
            asked = Asked(ask.act, dealer, None, ask.values, vouched=Role.DEALER, credential=Credential.POST)
            self.host.ask(asked, lambda _answer: None)

    def note_mistyped(self, ask: Ask, answer: Answer | BadValues | None) -> None:
        """Notes the answer to `ask` if its values were mistyped; ignores any other act. If the table accepted the act,
        counts the intended act as done and lets people notice the mistake. If the table refused the act, forgets the
        mistake.
        """
        wrong = self.room.mistyped
        if wrong is None or wrong.is_entered or (ask.act, ask.values) != (wrong.entered.act, wrong.entered.values):
            return
        if not isinstance(answer, Done):
            self.room.mistyped = None
            return
        wrong.is_entered, wrong.number = True, answer.state.log.entries
        if wrong.meant is not None:
            self.memory.done.add(Ask(wrong.meant.act, wrong.meant.values).words)
        self.on_mistyped()

    def touch(self, touch: Touch) -> None:
        if touch.hand is Hand.PLUG:
            self.on_plug()
        self.room.do(touch.hand, self.clock.now_s)
        self.on_hand()
        self.stir()


class _Member:
    """One simulated person, who is free, busy with a deed, or waiting for an answer."""

    def __init__(self, crew: WheelCrew, person: Person, rng: Random) -> None:
        self._crew, self._person, self._rng = crew, person, rng
        self._is_busy = False
        self._alarm = Alarm(crew.clock, self._look)
        self.look_soon()

    def look_soon(self) -> None:
        if not self._is_busy:
            self._look_in(self._rng.uniform(*USUAL_S))

    def _look_in(self, wait_s: float) -> None:
        self._alarm.set(self._crew.clock.now_s + wait_s)

    def _look(self) -> None:
        doing, view = self._decided()
        if view is None:
            return  # a relit screen counts as a change
        if doing is None:
            self._look_in(LOOKS_AGAIN_S)
            return
        takes_s = self._rng.uniform(*TAKES_S.get(doing.act, USUAL_S))
        comes_s = self._rng.uniform(*COMES_S.get(self._person.role, (0.0, 0.0)))
        self._busy(takes_s + comes_s, partial(self._done_coming, doing))

    def _decided(self) -> tuple[Doing, View | None]:
        view = self._crew.look(self._person.number)
        return (None if view is None else DECIDE[self._person.role](view)), view

    def _busy(self, for_s: float, then: Callable[[], None]) -> None:
        self._is_busy = True
        self._alarm.set(None)
        self._crew.clock.after(for_s, then)

    def _done_coming(self, meant: Ask | Touch) -> None:
        """Does the deed `meant` once the person has arrived, or a simulated mistake in its place. If the person would
        by now decide on another deed, does nothing and looks again.
        """
        doing, view = self._decided()
        if view is None or doing is None or doing != meant:
            self._free()
            return
        match self._crew.maybe_err(view, self._person.role, doing, self._rng):
            case None:
                self._do(doing, view)
            case float(wait_s):
                self._busy(wait_s, self._free)
            case other:
                self._do(other, view)

    def _free(self) -> None:
        self._is_busy = False
        self.look_soon()

    def _do(self, doing: Ask | Touch, view: View) -> None:
        crew, person = self._crew, self._person
        crew.on_deed(person, doing)
        if isinstance(doing, Touch):
            crew.touch(doing)
            self._free()
            return
        pin, vouched = (person.pin, None) if doing.gives_pin else (None, person.role)
        credential = Credential.POST if vouched is Role.DEALER else Credential.SHARED_SCREEN
        asked = Asked(doing.act, person.number, pin, doing.values, vouched=vouched, credential=credential)
        crew.host.ask(asked, partial(self._answered, doing, view.spin))

    def _answered(self, ask: Ask, spin: SpinKey, answer: Answer | BadValues | None) -> None:
        if answer is not None:
            self._crew.memory.note(spin, ask.words, answer)
        self._crew.note_mistyped(ask, answer)
        self._crew.on_answer(self._person, ask, answer)
        wait_s = (getattr(answer, "wait_ms", None) or 0) / 1000
        self._busy(wait_s + self._rng.uniform(*USUAL_S), self._free)
