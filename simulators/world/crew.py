"""The people at the table, with human latencies: they look, do one thing, and look again.

What each does next, simulators/people decides from screen and sight alone. Here is when: a person notices a change
after a moment, a deed takes its time, an answer is waited for. What people do wrong is in missteps.py.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Final

from controller.core.state import State
from controller.core.words import Role
from controller.runtime.answers import Answer, Done, Refused
from controller.runtime.gate import Asked, BadValues
from simulators.people import hands as h
from simulators.people.choices import Choices
from simulators.people.doing import Ask, Doing, Recall, Touch, View
from simulators.people.room import Room
from simulators.people.sight import Sight
from simulators.world.clock import Alarm, VirtualClock, chance
from simulators.world.host import Host, Person
from simulators.world.missteps import Instead, Later, Misstep, WrongPin

NOTICE_S: Final = (0.15, 0.9)
"""How long it takes a person to notice that something has changed."""

PAUSES_S: Final[dict[str, tuple[float, float]]] = {
    "take-bets": (14.0, 26.0),  # players lay their bets
    "announce-no-more-bets": (0.8, 1.5),
    "draw-card": (0.3, 0.8),
    "turn-hole-card": (1.0, 2.0),
    "confirm-settled": (2.0, 4.0),
    "collect-cards": (1.0, 2.5),
    "PullCard": (0.5, 1.1),
    "FeedPacket": (1.0, 2.0),
    "FreeJam": (4.0, 15.0),
    "CallTechnicianOver": (20.0, 60.0),
    "RepairMachine": (30.0, 90.0),
    "Plug": (2.0, 6.0),
    "state-count": (5.0, 20.0),
}
"""After a deed, before the next look."""

PAUSE_S: Final = (0.6, 2.0)

LOOKS_AGAIN_S: Final = (0.55, 5.05, 8.05, 30.05)
"""When somebody who found nothing to do looks again though nothing has changed: people wait for such times."""

LOOKS_EVERY_S: Final = 15.0
AGAIN_S: Final = 0.2


@dataclass(frozen=True, slots=True)
class Post:
    """One scripted person."""

    person: Person
    decide: Callable[[View], Doing]


@dataclass(frozen=True, slots=True)
class Plan:
    """How long they play."""

    choices: Choices
    rounds: int
    sessions: int = 1


@dataclass(slots=True)
class Memory:
    """What the controller has answered in exactly this state, for all of them: they talk to each other."""

    recall: Recall = field(default_factory=Recall)
    state: State | None = None

    def of(self, state: State) -> Recall:
        """What is remembered of this state."""
        if self.state is state:
            return self.recall
        if self.state is not None and self.state == state:
            self.state = state
            return self.recall
        return Recall()

    def note(self, ask: Ask, answer: Answer | BadValues | None) -> None:
        match answer:
            case Done():
                self.state, self.recall = answer.state, Recall(last_done=ask.act)
            case Refused():
                known = self.of(answer.state)
                self.state = answer.state
                self.recall = Recall({**known.refused, ask.words: answer.refusal.guard}, known.last_done)
            case _:
                pass


class Crew:
    """Everybody at one table."""

    def __init__(
        self, clock: VirtualClock, seed: int, host: Host, room: Room, plan: Plan, posts: tuple[Post, ...]
    ) -> None:
        self.clock = clock
        self.host = host
        self.room = room
        self.plan = plan
        self.memory = Memory()
        self.on_deed: Callable[[Person, Ask | Touch], None] = lambda _person, _deed: None
        self.on_answer: Callable[[Person, Ask, Answer | BadValues | None], None] = lambda _person, _ask, _answer: None
        self.on_hand: Callable[[], None] = lambda: None  # cards or machine were touched
        self.on_touched: Callable[[h.HandAct], None] = lambda _hand: None
        self.tempt: Callable[[View, Role, Ask | Touch], Misstep | None] = lambda _view, _role, _doing: None
        self.changed_s = clock.now_s
        self._shown: State | None = None
        self._sight: Sight | None = None  # one look for all, until something looks different
        self.members = tuple(Member(self, post, chance(seed, "pace", post.person.number)) for post in posts)

    def screen_changed(self) -> None:
        """The controller has recorded something, or made it durable."""
        run = self.host.run
        shown = None if run is None else run.runtime.ledger.latest
        if shown is not self._shown:
            if shown != self._shown:
                self.changed_s = self.clock.now_s
            self._shown = shown
        self._stir()

    def sight_changed(self) -> None:
        """Cards or machine look different."""
        self._sight = None
        self.changed_s = self.clock.now_s
        self._stir()

    def _stir(self) -> None:
        for member in self.members:
            member.stir()

    def look(self, person: Person) -> View | None:
        """What a person goes by; None while the screen is dark."""
        shown = self.host.look()
        run = self.host.run
        if shown is None or run is None:
            return None
        if self._sight is None:
            self._sight = self.room.look()
        return View(
            status=shown,
            sight=self._sight,
            choices=self.plan.choices,
            person=person.number,
            rounds=self.plan.rounds,
            sessions=self.plan.sessions,
            quiet_s=self.clock.now_s - self.changed_s,
            recall=self.memory.of(run.runtime.ledger.latest),
        )

    def touch(self, hand: h.HandAct) -> None:
        """Hands do something."""
        self.room.do(hand, self.clock.now_s)
        self.on_touched(hand)
        self.on_hand()
        self.sight_changed()


class Member:
    """One person: free, or busy until a time or an answer."""

    def __init__(self, crew: Crew, post: Post, rng: Random) -> None:
        self.crew = crew
        self.post = post
        self.rng = rng
        self._wrong_pins = 0  # still to be typed
        self._again = 0  # presses of the same key still to come
        self._waits = False  # for an answer
        self._free_s = crew.clock.now_s
        self._look_s: float | None = None
        self._alarm = Alarm(crew.clock, self._look)
        self._look_at(crew.clock.now_s + rng.uniform(*NOTICE_S))

    def stir(self) -> None:
        """Something has changed: the next look comes soon."""
        is_soon = self._look_s is not None and self._look_s <= self.crew.clock.now_s + NOTICE_S[1]
        if not self._waits and not is_soon:
            self._look_at(self.crew.clock.now_s + self.rng.uniform(*NOTICE_S))

    def busy(self, for_s: float) -> None:
        """Does nothing else for so long."""
        self._free_s = self.crew.clock.now_s + for_s
        self._look_s = None
        self._look_at(self._free_s)

    def _look_at(self, at_s: float) -> None:
        at_s = max(at_s, self._free_s)
        if self._look_s is None or at_s < self._look_s:
            self._look_s = at_s
            self._alarm.set(at_s)

    def _look(self) -> None:
        self._look_s = None
        if self._waits:
            return
        view = self.crew.look(self.post.person)
        doing = None if view is None else self.post.decide(view)
        if view is None or doing is None:
            self._look_again()
            return
        match self.crew.tempt(view, self.post.person.role, doing):
            case Later(wait_s):
                self.busy(wait_s)
            case WrongPin(asked, times):
                self._wrong_pins = times
                self.do(asked)
            case Instead(other, times):
                self._again = times - 1
                self.do(other)
            case None:
                self.do(doing)

    def _look_again(self) -> None:
        quiet_s = self.crew.clock.now_s - self.crew.changed_s
        wait_s = next((at_s - quiet_s for at_s in LOOKS_AGAIN_S if at_s > quiet_s), LOOKS_EVERY_S)
        self._look_at(self.crew.clock.now_s + wait_s)

    def do(self, doing: Ask | Touch) -> None:
        """Does it now; the pause after it begins when it is done or answered."""
        self.crew.on_deed(self.post.person, doing)
        if isinstance(doing, Touch):
            self.crew.touch(doing.hand)
            self.busy(self._pause_s(type(doing.hand).__name__))
        else:
            self._ask(doing)

    def _ask(self, ask: Ask) -> None:
        self._waits = True
        person = self.post.person
        number, pin = (None, None) if ask.as_dealer_at_table else (person.number, self._pin())
        self.crew.host.ask(Asked(ask.act, number, pin, ask.values), partial(self._answered, ask))

    def _answered(self, ask: Ask, answer: Answer | BadValues | None) -> None:
        self._waits = False
        self.crew.memory.note(ask, answer)
        self.crew.on_answer(self.post.person, ask, answer)
        if self._again > 0:
            self._again -= 1
            self.crew.clock.after(AGAIN_S, partial(self.do, ask))
            return
        wait_s = (getattr(answer, "wait_ms", None) or 0) / 1000
        self.busy(wait_s + self._pause_s(ask.act))

    def _pin(self) -> str:
        if self._wrong_pins == 0:
            return self.post.person.pin
        self._wrong_pins -= 1
        return "9" + self.post.person.pin

    def _pause_s(self, what: str) -> float:
        return self.rng.uniform(*PAUSES_S.get(what, PAUSE_S))
