"""The simulated people at a card table and their reaction times: each looks, does one deed, and looks again.

simulators/people decides on a person's next deed, from screen and sight alone. This module decides when the deed is
done (pace.py). A person looks after a change that may concern that person, and at times that the person has set.
Mistakes are in missteps.py.
"""

from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from controller.core.house.manner import Credential
from controller.core.house.state import State
from controller.core.setup import Procedure
from controller.core.words import Device, Role, SessionPhase
from controller.runtime.answers import Answer, Done, Refused
from controller.runtime.gate import Asked, BadValues
from simulators.people import hands as h
from simulators.people.chief import supervise
from simulators.people.choices import Choices
from simulators.people.dealer import deal
from simulators.people.doing import OUT_OF_TURN, Ask, Doing, Recall, Touch, View
from simulators.people.inspector import inspect
from simulators.people.manager import manage
from simulators.people.room import Room
from simulators.people.sight import Sight
from simulators.people.technician import repair
from simulators.world.card_host import CardHost
from simulators.world.clock import Alarm, VirtualClock, chance
from simulators.world.installation import Person
from simulators.world.missteps import Instead, Later, Misstep, WrongPin
from simulators.world.pace import COMES, NOTICE_S, STAYS_S, pause_s, work_s
from simulators.world.playable import People

AGAIN_S: Final = 0.2


DECIDE: Final[Mapping[Role, Callable[[View], Doing]]] = {
    Role.DEALER: deal,
    Role.CHIEF_SUPERVISOR: supervise,
    Role.ROOM_MANAGER: manage,
    Role.TECHNICIAN: repair,
    Role.TABLE_INSPECTOR: inspect,
}


class Plan(Struct, frozen=True):
    """The aim of the people's play. `rounds`: the number of rounds in each session."""

    choices: Choices
    rounds: int
    procedure: Procedure
    offers: bool = False  # the machine presents the next card in advance
    sessions: int = 1

    @property
    def decks(self) -> int:
        return self.choices.cards // 52


_NOTHING: Final = Recall()


class Memory(Struct):
    """The controller's answers to people since the last change of the state, in common for all people at the table."""

    recall: Recall = field(default_factory=Recall)
    state: State | None = None

    def of(self, state: State) -> Recall:
        """Returns the answers given in `state`; empty if there were none."""
        if self.state is state:
            return self.recall
        if self.state is not None and self.state == state:
            self.state = state
            return self.recall
        return _NOTHING

    def note(self, ask: Ask, answer: Answer | BadValues | None) -> None:
        match answer:
            case Done():
                self.state, self.recall = answer.state, Recall(last_done=ask.act, last_words=ask.words)
            case Refused() if answer.refusal.guard == "role_may":
                pass  # a refusal by role says nothing about other roles
            case Refused():
                known = self.of(answer.state)
                self.state = answer.state
                self.recall = replace(known, refused={**known.refused, ask.words: answer.refusal.guard})
            case _:
                pass


class Crew(People):
    """All simulated people at one card table."""

    def __init__(
        self, clock: VirtualClock, seed: int, host: CardHost, room: Room, plan: Plan, people: tuple[Person, ...]
    ) -> None:
        super().__init__()
        self.clock = clock
        self.host = host
        self.room = room
        self.plan = plan
        self.memory = Memory()
        self.on_hand: Callable[[], None] = lambda: None  # called after hands touched cards or machine
        self.on_touched: Callable[[h.HandAct], None] = lambda _hand: None
        self.on_mistyped: Callable[[], None] = lambda: None  # called when the table has accepted a mistyped value
        # called when the technician brings a spare device
        self.on_spare: Callable[[Device], None] = lambda _device: None
        self.maybe_err: Callable[[View, Role, Ask | Touch], Misstep | None] = lambda _view, _role, _doing: None
        self.changed_s = clock.now_s
        self.work_until_s = clock.now_s  # until then a person is on his way or at work
        self.slow_until_s = clock.now_s  # until then a person takes longer than he should
        self._shown: State | None = None
        self._is_plugged = True  # every cable is in
        self._sight: Sight | None = None  # one look for all people, until a visible change
        self._at_faces = False  # True if that look included the faces of the piles
        self.members = tuple(Member(self, one, chance(seed, "pace", one.number)) for one in people)
        self._dealers = tuple(member for member in self.members if member.person.role is Role.DEALER)

    def screen_changed(self) -> None:
        """Makes people look soon after a change on the screen; in plain play only the dealers. Called after a new
        entry, and again when that entry has become durable.
        """
        run = self.host.run
        shown = None if run is None else run.runtime.ledger.latest
        before, self._shown = self._shown, shown
        if shown is not before:
            if (before and before.house.session) is not (shown and shown.house.session):
                self._sight = None  # each step has its own objects to look at
            if shown != before:
                self.changed_s = self.clock.now_s
        self._stir()

    def sight_changed(self) -> None:
        """Makes people look soon after a visible change of cards, cables or machine."""
        self._is_plugged = all(cable.plugged for cable in self.room.cables.values())
        self.machine_changed()

    def machine_changed(self) -> None:
        """Makes people look soon after a visible change of the machine, other than a change of its cables."""
        self._sight = None
        self.changed_s = self.clock.now_s
        self._stir()

    def _stir(self) -> None:
        soon_s = self.clock.now_s + NOTICE_S[1]
        for member in self._dealers if self._is_plain_play() else self.members:
            looks_anyhow = member.look_s is not None and member.look_s <= soon_s
            if not looks_anyhow:
                member.stir()

    def _is_plain_play(self) -> bool:
        """True if the table is in play, nothing is wrong, no hold is open and no act waits for a second person.

        In plain play only the dealer acts.
        """
        shown, room = self._shown, self.room
        return (
            shown is not None
            and shown.house.session is SessionPhase.IN_PLAY
            and not shown.house.holds
            and not shown.house.waiting
            and not room.technician_here
            and not room.mislaid.concerns_people
            and self._is_plugged
        )

    @property
    def see_the_end(self) -> bool:
        view = self.look(self.members[0].person)
        return view is not None and view.is_over and not view.status.holds

    @property
    def is_first_round(self) -> bool:
        return self._shown is not None and not self._shown.game.number

    def look(self, person: Person) -> View | None:
        """Returns the view of this person; None while the screen is dark."""
        shown = self.host.look()
        run = self.host.run
        if shown is None or run is None:
            return None
        at_faces = shown.session is SessionPhase.CHECKING
        if self._sight is None or at_faces is not self._at_faces:
            self._sight, self._at_faces = self.room.look(at_faces=at_faces), at_faces
        return View(
            status=shown,
            sight=self._sight,
            choices=self.plan.choices,
            person=person.number,
            rounds=self.plan.rounds,
            sessions=self.plan.sessions,
            quiet_s=self.clock.now_s - self.changed_s,
            recall=self.memory.of(run.runtime.ledger.latest),
            procedure=self.plan.procedure,
            offers=self.plan.offers,
            at_work_s=self.work_until_s - self.clock.now_s,
            log=run.runtime.ledger.durable.log,
        )

    def note_mistyped(self, ask: Ask, answer: Answer | BadValues | None) -> None:
        """Notes the answer to `ask` if the act was mistyped; ignores any other act. If the table accepted the act,
        stores the number of the act's entry in the round's list. If the table refused the act, forgets the mistyping.
        """
        mislaid = self.room.mislaid
        wrong = mislaid.mistyped
        if wrong is None or wrong.is_entered or (ask.act, ask.values) != (wrong.entered.act, wrong.entered.values):
            return
        if isinstance(answer, Done):
            wrong.is_entered, wrong.number = True, answer.state.log.entries
            self.on_mistyped()
        else:
            mislaid.mistyped = None

    def touch(self, hand: h.HandAct) -> None:
        """Does the deed of a person's hands, and makes people look soon."""
        if hand is h.AtTable.BRING_SPARE and self.room.mislaid.spare_for is not None:
            self.on_spare(self.room.mislaid.spare_for)
        self.room.do(hand, self.clock.now_s)
        self.on_touched(hand)
        self.on_hand()
        self.sight_changed()


class Member:
    """One simulated person, who is free, or busy until a time or an answer."""

    def __init__(self, crew: Crew, person: Person, rng: Random) -> None:
        self.crew = crew
        self.person = person
        self.rng = rng
        self._here_until_s = crew.clock.now_s
        self._worked_for: set[str] = set()  # deeds whose work is done
        self._wrong_pins = 0  # the number of wrong PINs still to be typed
        self._again = 0  # the number of repeated presses of the same key still to come
        self._waits = False  # True while he waits for the controller's answer
        self._meant: Ask | Touch | None = None  # the deed that a misstep has delayed
        self._free_s = crew.clock.now_s
        self.look_s: float | None = None  # the time of the next look
        self._alarm = Alarm(crew.clock, self._look)
        self._look_at(crew.clock.now_s + rng.uniform(*NOTICE_S))

    def stir(self) -> None:
        """Makes the person look soon; does nothing while the person waits for an answer."""
        if not self._waits:
            self._look_at(self.crew.clock.now_s + self.rng.uniform(*NOTICE_S))

    def busy(self, for_s: float) -> None:
        """Keeps the person from looking and acting for `for_s` seconds."""
        self._free_s = self.crew.clock.now_s + for_s
        self.look_s = None
        self._look_at(self._free_s)

    def _look_at(self, at_s: float) -> None:
        at_s = max(at_s, self._free_s)
        if self.look_s is None or at_s < self.look_s:
            self.look_s = at_s
            self._alarm.set(at_s)

    def _look(self) -> None:
        self.look_s = None
        if self._waits:
            return
        meant, self._meant = self._meant, None
        if meant is not None:
            self.do(meant)
            return
        view = self.crew.look(self.person)
        doing = None if view is None else DECIDE[self.person.role](view)
        if view is None:
            return  # a relit screen counts as a change
        if doing is None:
            self._wait(view)
        elif not self._works(doing):
            self._act(view, doing)

    def _wait(self, view: View) -> None:
        if (until_s := view.patience.until_s) is not None:
            self._look_at(self.crew.changed_s + until_s)

    def _works(self, doing: Ask | Touch) -> bool:
        """Begins the person's way to the table and the work before `doing`. Returns False if no way and no work is
        left.
        """
        crew, what = self.crew, _name(doing)
        now_s = crew.clock.now_s
        if what in self._worked_for:
            return False
        comes = COMES.get(self.person.role)
        way_s = comes.draw(self.rng, 1) if comes is not None and now_s >= self._here_until_s else 0.0
        needs_s = way_s + work_s(what, self.rng, decks=crew.plan.decks, is_first_round=crew.is_first_round)
        if needs_s == 0.0:
            return False
        self._worked_for.add(what)
        self._here_until_s = now_s + needs_s + STAYS_S
        crew.work_until_s = max(crew.work_until_s, now_s + needs_s)
        self.busy(needs_s)
        return True

    def _act(self, view: View, doing: Ask | Touch) -> None:
        match self.crew.maybe_err(view, self.person.role, doing):
            case Later(wait_s, then):
                self._meant = then
                self.crew.slow_until_s = max(self.crew.slow_until_s, self.crew.clock.now_s + wait_s)
                self.busy(wait_s)
            case WrongPin(asked, times):
                self._wrong_pins = times
                self.do(asked)
            case Instead(other, times, then):
                self._again, self._meant = times - 1, then
                self.do(other)
            case None:
                self.do(doing)

    def do(self, doing: Ask | Touch) -> None:
        """Does a deed at once, then pauses. If `doing` is an act, asks for it, waits for the answer, then pauses."""
        self.crew.on_deed(self.person, doing)
        self._worked_for.discard(_name(doing))
        self._here_until_s = max(self._here_until_s, self.crew.clock.now_s + STAYS_S)
        if isinstance(doing, Touch):
            self.crew.touch(doing.hand)
            self.busy(pause_s(_name(doing), self.rng))
        else:
            self._ask(doing)

    def _ask(self, ask: Ask) -> None:
        self._waits = True
        person = self.person
        pin, vouched = (self._pin(), None) if ask.gives_pin else (None, person.role)
        credential = Credential.POST if vouched is Role.DEALER else Credential.SHARED_SCREEN
        asked = Asked(ask.act, person.number, pin, ask.values, vouched=vouched, credential=credential)
        self.crew.host.ask(asked, partial(self._answered, ask))

    def _answered(self, ask: Ask, answer: Answer | BadValues | None) -> None:
        self._waits = False
        self.crew.memory.note(ask, answer)
        self.crew.note_mistyped(ask, answer)
        self.crew.on_answer(self.person, ask, answer)
        if isinstance(answer, Refused) and answer.refusal.guard == OUT_OF_TURN:
            self.crew.room.mislaid.look_again()
            self.crew.sight_changed()
        if self._again > 0:
            self._again -= 1
            self.crew.clock.after(AGAIN_S, partial(self.do, ask))
            return
        wait_s = (getattr(answer, "wait_ms", None) or 0) / 1000
        self.busy(wait_s + pause_s(ask.act, self.rng))

    def _pin(self) -> str:
        if self._wrong_pins == 0:
            return self.person.pin
        self._wrong_pins -= 1
        return "9" + self.person.pin


def _name(doing: Ask | Touch) -> str:
    """Returns the deed's name, as a key of the tables in pace.py."""
    return doing.act if isinstance(doing, Ask) else h.name_of(doing.hand)
