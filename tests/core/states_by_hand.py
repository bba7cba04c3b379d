"""States made by hand: for cases that no course of events reaches, and for looking at one change alone."""

from typing import Final

from controller.config.profile_file import law
from controller.core.custody.state import Book, Card, Dealt, Ruling, SetAside
from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.state import BlackjackState, Round, initial_state
from controller.core.games.blackjack.table import TABLE
from controller.core.house.deciding import decide_by
from controller.core.house.facts import ControllerStarted, ShufflerStatus
from controller.core.house.state import Hold, Link, Presence, ReaderKnown, ShufflerKnown
from controller.core.setup import Setup
from controller.core.words import (
    HoldId,
    HoldKind,
    HoldPhase,
    Operation,
    Outcome,
    Purpose,
    Role,
    RoundPhase,
    SessionPhase,
    TableMs,
)
from tests.core.parts import changed
from tests.core.table import CHIEF, DEALER, SETUP

D: Final = (DEALER, Role.DEALER)
C: Final = (CHIEF, Role.CHIEF_SUPERVISOR)
SEAT_CARD: Final = Dealt(1, Purpose.SEAT, card=Card("4D"))
LAST: Final = Dealt(1, Purpose.SEAT, card=Card("9D"))
DEAL: Final = (SEAT_CARD, Dealt(0, Purpose.BANK, card=Card("5D")), SEAT_CARD, Dealt(0, Purpose.HOLE, face_down=1))
STATUS: Final = ShufflerStatus(312, 1, 311, 0, 0, True, False, False, False)


def in_play() -> BlackjackState:
    """Makes a table in play: one card burnt, all devices connected and in agreement with the book."""
    link = Link(connected=True)
    state = initial_state(SETUP)
    shuffler, reader = ShufflerKnown(link, 312, 1, status=STATUS), ReaderKnown(link=link)
    book = Book(inside=311, rack=1)
    return changed(state, session=SessionPhase.IN_PLAY, book=book, shuffler=shuffler, reader=reader)


def with_profile(profile: str) -> Setup:
    return replace(SETUP, profile=profile, procedure=law(profile).procedure)


def present(state: BlackjackState) -> BlackjackState:
    """The state with a dealer at the table and a chief supervisor at the loading."""
    at = TableMs(0)
    here = (Presence(*D, Operation.TABLE, at, at), Presence(*C, Operation.LOADING, at, at))
    return changed(state, present=here)


def dealt(*cards: Dealt, phase: RoundPhase = RoundPhase.PLAYING, profile: str = "pt-csm") -> BlackjackState:
    """A state in play, with these cards on the table and the last of them correctable."""
    state = replace(present(in_play()), setup=with_profile(profile))
    book = replace(state.custody.book, inside=311 - len(cards), table=len(cards))
    return changed(state, phase=phase, number=2, seats=(1,), dealt=cards, provisional=True, book=book)


def after(state: BlackjackState, act: Act) -> BlackjackState:
    """Decides the act, which must be allowed, and returns the state after it."""
    decision = decide_by(TABLE, state, act, TableMs(5))
    assert decision.refusal is None, decision.refusal
    return decision.state


def waiting(state: BlackjackState, *, pending: int, card: Card | None = None, outlives: bool = False) -> BlackjackState:
    """Returns the state with `pending` cards laid aside; `card`, if given, is the known card among them."""
    book = replace(state.custody.book, inside=state.custody.book.inside - pending, pending=pending)
    return changed(state, book=book, set_aside=SetAside(card, None, outlives))


DIRTY = Round(
    seats=(1, 2),
    dealt=(LAST,),
    collected=(1,),
    asked=(1,),
    turn_back=1,
    requested=1,
    burned=1,
    provisional=True,
    last_ruling=Ruling(Outcome.CONTINUE, CHIEF, Role.CHIEF_SUPERVISOR),
    put_back_due=3,
    put_back=2,
)
"""A round with every field set, unlike any beginning round."""


def dirty(state: BlackjackState) -> BlackjackState:
    """Returns the state with every field of the round set, but with its own phase and number."""
    return replace(state, game=replace(DIRTY, phase=state.game.phase, number=state.game.number))


def is_fresh(state: BlackjackState) -> bool:
    """True where only phase and number are left of a round."""
    return state.game == Round(phase=state.game.phase, number=state.game.number)


def held(state: BlackjackState, kind: HoldKind = HoldKind.COUNT, **changes: object) -> BlackjackState:
    """The state with one hold that the chief supervisor attends, and that only a count ends."""
    hold = Hold(HoldId(1), kind, HoldPhase.ATTENDED, TableMs(0), attended_by=CHIEF, needs_count=True)
    here = Presence(CHIEF, Role.CHIEF_SUPERVISOR, Operation.HOLD, TableMs(0), TableMs(5))
    return changed(state, holds=(replace(hold, **changes),), last_hold=HoldId(1), present=(*state.house.present, here))


def started(state: BlackjackState) -> ControllerStarted:
    known = dict.fromkeys(ControllerStarted.__struct_fields__, "")
    return ControllerStarted(**known | {"start_number": 2, "setup": state.setup, "findings": ()})
