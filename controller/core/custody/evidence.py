"""The evidence needed to clear or confirm a hold at a table of cards, with a guard for each kind of evidence."""

from functools import partial
from typing import Any, Final

from controller.core.custody.books import can_be_compared, differences
from controller.core.custody.damage import round_comes_first
from controller.core.custody.doubt import cards_to_name, says_doubted
from controller.core.custody.game import impossible_cards
from controller.core.custody.state import CardState
from controller.core.engine.act import Act
from controller.core.engine.decision import Values
from controller.core.house.evidence import evidence_guard
from controller.core.house.hold_table import Evidence
from controller.core.house.rule import AnyGuard
from controller.core.house.state import Hold, link_of
from controller.core.words import Device, Outage

_OF_A_SHUFFLER: Final = frozenset({Evidence.PATH_IS_CLEAR, Evidence.LID_IS_CLOSED, Evidence.DEVICE_RUNS_AGAIN})


def _evidence(kind: Evidence, state: CardState, hold: Hold) -> bool:  # noqa: C901 - one case a word
    status = state.devices.shuffler.status
    if kind in _OF_A_SHUFFLER and not state.setup.has_shuffler:
        return True  # it was taken away between two sessions
    match kind:
        case Evidence.PATH_IS_CLEAR:
            return status is not None and not status.path_blocked
        case Evidence.LID_IS_CLOSED:
            return status is not None and not status.lid_open
        case Evidence.JAMMED_CARDS_ARE_STATED:
            return state.custody.book.jammed == 0
        case Evidence.NO_CARD_IS_IN_HAND:
            return state.custody.book.in_hand == 0
        case Evidence.NO_CARD_IS_PENDING:
            return state.custody.book.pending == (0 if state.custody.set_aside is None else 1)
        case Evidence.DEVICE_IS_CONNECTED:
            return _device_connected(state, hold)
        case Evidence.DEVICE_OBEYS:
            return hold.device is None or not link_of(state, hold.device).undone
        case Evidence.DEVICE_RUNS_AGAIN:
            return status is not None and not status.jammed
        case Evidence.RECOUNT_IS_DONE:
            return hold.recount_request is None or not state.setup.has_shuffler or _recounted(state)
        case Evidence.COUNT_IS_STATED:
            return hold.counted or not hold.needs_count
        case Evidence.COUNTS_AGREE:
            return can_be_compared(state) and not differences(state)
        case Evidence.CARD_IS_REPLACED:
            return state.custody.damaged is None or round_comes_first(state)
        case Evidence.JOURNAL_IS_WRITING:
            return not state.house.journal_failed
        case Evidence.OUTAGE_IS_STATED:
            return state.house.outage is not Outage.TO_BE_STATED
        case Evidence.FACES_ARE_POSSIBLE:
            return not impossible_cards(state)
        case Evidence.DOUBTED_CARDS_ARE_NAMED:
            return not cards_to_name(state)


def is_met(kind: Evidence, state: CardState, hold: Hold) -> bool:
    """True if the state has this kind of evidence for the next step of the hold."""
    return _evidence(kind, state, hold)


def _recounted(state: CardState) -> bool:
    status = state.devices.shuffler.status
    return status is not None and status.recounts == state.devices.recount_request and status.inside is not None


def _device_connected(state: CardState, hold: Hold) -> bool:
    is_needed = hold.device is Device.SHUFFLER or (hold.device is Device.SHOE and state.setup.has_reader)
    return not is_needed or hold.device is None or link_of(state, hold.device).connected


def _figures(state: CardState, _act: Act | None) -> Values:
    found = "; ".join(f"{d.what} {d.book}/{d.evidence}" for d in differences(state))
    return (
        ("differences", found),
        ("jammed", str(state.custody.book.jammed)),
        ("in_hand", str(state.custody.book.in_hand)),
        ("pending", str(state.custody.book.pending)),
        ("impossible", ", ".join(impossible_cards(state))),
        *says_doubted(state),
    )


EVIDENCE_GUARDS: tuple[AnyGuard[Any, Any], ...] = tuple(
    evidence_guard(kind, partial(is_met, kind), _figures) for kind in Evidence
)
