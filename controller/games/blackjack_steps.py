"""The steps by which people end each kind of hold at a blackjack table."""

from collections.abc import Sequence
from typing import Final

from controller.core.custody.damage import deck_goes, deck_may_go, round_comes_first
from controller.core.custody.evidence import is_met
from controller.core.custody.game import impossible_cards
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import TABLE
from controller.core.house.deciding import refused
from controller.core.house.hold_acts import ClearHold
from controller.core.house.hold_table import Evidence, hold_rule
from controller.core.house.state import Hold
from controller.core.words import HoldCause, HoldKind, HoldPhase, Outage, Person, SessionPhase
from controller.screen.steps import (
    CALL,
    CLEAR,
    CONFIRM,
    HOUSE_STEPS,
    MAY_CALL,
    TAKE_CHARGE,
    TECHNICIAN,
    Step,
    Steps,
    Test,
    Ways,
    acts,
    attended,
    cleared,
    never,
)
from controller.screen.suggestions import Way

_P = HoldPhase
_NOBODY: Final = Person(0)

# --- tests that a step was done


def _shown_by(*evidence: Evidence) -> Test[BlackjackState]:
    return lambda state, hold: attended(state, hold) and all(is_met(one, state, hold) for one in evidence)


def _freed_are_stated(state: BlackjackState, hold: Hold) -> bool:
    is_free = cleared(state, hold) or _shown_by(*_FREED)(state, hold)
    return is_free and is_met(Evidence.JAMMED_CARDS_ARE_STATED, state, hold)


def _may_be_cleared(state: BlackjackState, hold: Hold) -> bool:
    return any(refused(TABLE, state, ClearHold(_NOBODY, role, hold.id)) is None for role in hold_rule(hold.kind).clear)


# --- conditions of a step


def _cards_in_hand(state: BlackjackState, _hold: Hold) -> bool:
    return state.custody.book.in_hand > 0


def _cards_pending(state: BlackjackState, hold: Hold) -> bool:
    return not is_met(Evidence.NO_CARD_IS_PENDING, state, hold)


def _has_shuffler(state: BlackjackState, _hold: Hold) -> bool:
    return state.setup.has_shuffler


def _count_is_wanted(_state: BlackjackState, hold: Hold) -> bool:
    return hold.needs_count


def _outage_is_open(state: BlackjackState, _hold: Hold) -> bool:
    return state.house.outage is Outage.TO_BE_STATED


def _deck_check(state: BlackjackState, _hold: Hold) -> bool:
    return state.house.session is SessionPhase.CHECKING


def _nothing_is_loaded(state: BlackjackState, _hold: Hold) -> bool:
    return state.setup.has_shuffler and state.custody.book.inside > 0 and state.house.session not in _CARDS_INSIDE


_CARDS_INSIDE: Final = (
    SessionPhase.LOADING,
    SessionPhase.TAKING_OUT,
    SessionPhase.LOADED,
    SessionPhase.IN_PLAY,
    SessionPhase.CLOSING,
    SessionPhase.UNLOADING,
)


def _nothing_lies_outside(state: BlackjackState, _hold: Hold) -> bool:
    return state.house.session in {SessionPhase.LOADED, SessionPhase.IN_PLAY, SessionPhase.CLOSING}


def _cards_lie_outside(state: BlackjackState, hold: Hold) -> bool:
    return not _nothing_lies_outside(state, hold)


def _shoe_may_be_counted(state: BlackjackState, hold: Hold) -> bool:
    is_shoe = state.setup.has_reader and not state.setup.has_shuffler
    return is_shoe and not _count_is_wanted(state, hold)


def _not_clear_yet(state: BlackjackState, hold: Hold) -> bool:
    return not _may_be_cleared(state, hold)


def _faces_are_wrong(state: BlackjackState, _hold: Hold) -> bool:
    return bool(impossible_cards(state))


# --- acts


def _moved(source: str, **known: str) -> Ways[BlackjackState]:
    """Returns a function that suggests the act "state-cards-moved" for all cards in the place `source`, or no act if
    the book has no card there.

    `known`: further values of the act. For "inside" the act gets no count, since people cannot see how many cards are
    there.
    """

    def ways(state: BlackjackState, _hold: Hold) -> Sequence[Way]:
        count = int(getattr(state.custody.book, source))
        counted = {} if source == "inside" else {"count": str(count)}
        return [Way("state-cards-moved", {"source": source, **known, **counted})] if count else []

    return ways


def _replacement(state: BlackjackState, _hold: Hold) -> Sequence[Way]:
    return [Way("replace-card", {"replacement": state.custody.damaged})] if state.custody.damaged else []


# --- the rows

_FREED: Final = (Evidence.PATH_IS_CLEAR, Evidence.LID_IS_CLOSED)
_FREED_TO: Final = (
    Step[BlackjackState]("freed", _P.ATTENDED, _freed_are_stated, _moved("jammed"), here=_nothing_lies_outside),
    Step[BlackjackState]("freed-outside", _P.ATTENDED, _freed_are_stated, _moved("jammed"), here=_cards_lie_outside),
)
"""Two texts of one step: if cards of the deck set lie outside, a freed card may be put with them."""
_PUT_DOWN: Final = Step[BlackjackState]("put-down", _P.ATTENDED, None, _moved("in_hand"), here=_cards_in_hand)
_COUNT: Final = Step[BlackjackState](
    "count",
    _P.ATTENDED,
    lambda _state, hold: hold.counted,
    acts("state-count", "state-whole-count"),
    here=_count_is_wanted,
)
_COUNT_OF_A_SHOE: Final = Step[BlackjackState](
    "count",
    _P.ATTENDED,
    lambda _state, hold: hold.counted,
    acts("state-whole-count"),
    here=_shoe_may_be_counted,
    optional=True,
)
"""A shoe's reader may count a card that is only held before it; people's count shows that."""
_OUTAGE: Final = Step[BlackjackState](
    "outage", _P.ATTENDED, None, acts("state-outage", "confirm-outage"), here=_outage_is_open
)
_RECOUNT: Final = Step[BlackjackState](
    "recount",
    _P.CLEARED,
    lambda state, hold: cleared(state, hold) and is_met(Evidence.RECOUNT_IS_DONE, state, hold),
    here=_has_shuffler,
)
_IRREGULAR: Final = Step[BlackjackState](
    "irregular-closing",
    _P.CLEARED,
    None,
    acts("propose-irregular-closing", "confirm-irregular-closing"),
    optional=True,
)

STEPS: Final[Steps[BlackjackState]] = {
    HoldKind.JAM: (
        CALL,
        TAKE_CHARGE,
        *TECHNICIAN,
        Step[BlackjackState]("free", _P.ATTENDED, _shown_by(*_FREED), lasting=True),
        *_FREED_TO,
        _PUT_DOWN,
        MAY_CALL,
        CLEAR,
        _RECOUNT,
        CONFIRM,
    ),
    HoldKind.LID: (
        CALL,
        TAKE_CHARGE,
        *TECHNICIAN,
        Step[BlackjackState]("look", _P.ATTENDED, _shown_by(Evidence.LID_IS_CLOSED), lasting=True),
        Step[BlackjackState]("taken-out", _P.ATTENDED, None, _moved("inside", target="in_hand"), optional=True),
        _PUT_DOWN,
        MAY_CALL,
        CLEAR,
        _RECOUNT,
        CONFIRM,
    ),
    HoldKind.COUNT: (
        CALL,
        TAKE_CHARGE,
        _OUTAGE,
        Step[BlackjackState]("look", _P.ATTENDED, None, here=_not_clear_yet, along=True),
        Step[BlackjackState]("empty", _P.ATTENDED, None, here=_nothing_is_loaded, optional=True),
        _COUNT,
        Step[BlackjackState]("grid", _P.ATTENDED, None, acts("enter-grid", "confirm-deck-check"), here=_deck_check),
        _PUT_DOWN,
        CLEAR,
        CONFIRM,
        _IRREGULAR,
    ),
    HoldKind.UNEXPECTED_CARD: (
        CALL,
        TAKE_CHARGE,
        _OUTAGE,
        Step[BlackjackState]("pending", _P.ATTENDED, None, _moved("pending"), here=_cards_pending),
        Step[BlackjackState]("rename", _P.ATTENDED, None, acts("rename-card", "correct-entry"), here=_faces_are_wrong),
        _COUNT,
        _COUNT_OF_A_SHOE,
        _PUT_DOWN,
        CLEAR,
        CONFIRM,
        _IRREGULAR,
    ),
    HoldKind.UNREAD_CARD: (
        Step("name", _P.RAISED, never, acts("name-card")),
        Step[BlackjackState]("retract", _P.RAISED, None, acts("retract-card"), optional=True),
        _IRREGULAR,
    ),
    HoldKind.DAMAGED_CARD: (
        Step[BlackjackState]("mistake", _P.RAISED, None, acts("correct-entry"), optional=True),
        Step[BlackjackState]("replaced-by-mistake", _P.CLEARED, None, acts("correct-entry"), optional=True),
        CALL,
        TAKE_CHARGE,
        Step[BlackjackState](
            "replace",
            _P.ATTENDED,
            _shown_by(Evidence.CARD_IS_REPLACED),
            _replacement,
            here=lambda state, _hold: not deck_goes(state) and not round_comes_first(state),
        ),
        Step[BlackjackState](
            "deck",
            _P.ATTENDED,
            _shown_by(Evidence.CARD_IS_REPLACED),
            lambda state, hold: [
                *acts("replace-deck", "record-authorisation")(state, hold),
                *_replacement(state, hold),
            ],
            here=lambda state, _hold: deck_may_go(state) and not round_comes_first(state),
        ),
        Step[BlackjackState](
            "deck-after-the-round",
            _P.ATTENDED,
            None,
            lambda state, hold: [*acts("record-authorisation")(state, hold), *_replacement(state, hold)],
            here=lambda state, _hold: round_comes_first(state),
            optional=True,
        ),
        _PUT_DOWN,
        CLEAR,
        CONFIRM,
        Step[BlackjackState]("report", _P.CLEARED, None, acts("report-duty"), optional=True),
        _IRREGULAR,
    ),
    HoldKind.DEVICE_LOST: (
        TAKE_CHARGE,
        *TECHNICIAN,
        Step[BlackjackState]("check", _P.ATTENDED, _shown_by(Evidence.DEVICE_IS_CONNECTED), lasting=True),
        MAY_CALL,
        _PUT_DOWN,
        CLEAR,
        CONFIRM,
        _IRREGULAR,
    ),
    HoldKind.COMPLAINT: (
        Step[BlackjackState]("call", _P.RAISED, along=True),
        Step[BlackjackState](
            "deck-check", _P.RAISED, None, acts("confirm-deck-check"), here=_deck_check, optional=True
        ),
        Step[BlackjackState]("decide", _P.RAISED, never, acts("decide-complaint")),
    ),
    HoldKind.SUPERVISOR_ABSENT: HOUSE_STEPS[HoldKind.SUPERVISOR_ABSENT],
    HoldKind.RULING: (
        Step("call", _P.RAISED, along=True),
        Step[BlackjackState](
            "entry",
            _P.RAISED,
            None,
            acts("correct-entry"),
            here=lambda _state, hold: hold.cause == HoldCause.DECISION_NOT_OPEN,
            optional=True,
        ),
        Step("rule", _P.RAISED, never, acts("make-ruling")),
    ),
    HoldKind.JOURNAL_FAULT: HOUSE_STEPS[HoldKind.JOURNAL_FAULT],
    HoldKind.JACKPOT_OWED: (
        Step[BlackjackState](
            "rename", _P.RAISED, None, acts("rename-card", "report-misdealt", "make-ruling"), optional=True
        ),
        Step("chip", _P.RAISED, None, acts("correct-entry"), optional=True),
        Step(
            "pay",
            _P.RAISED,
            never,
            acts("pay-jackpot", "pay-jackpot-by-hand", "lay-into-jackpot", "state-unseen-cards"),
        ),
    ),
    HoldKind.LINKED_HIT: (
        Step[BlackjackState]("release", _P.RAISED, None, acts("release-linked-hit"), optional=True),
        Step("pay", _P.RAISED, never, acts("pay-linked-prize")),
    ),
    HoldKind.JACKPOT_DOUBTED: (Step("state", _P.RAISED, never, acts("state-jackpot", "show-export")),),
}
