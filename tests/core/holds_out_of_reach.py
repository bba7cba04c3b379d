"""Prohibitions, permissions and conditions of holds in steps that no course of events brings together with the hold.

An unread card, for example, keeps its round from being settled, so that no such hold is open when cards are put back.
The table of holds has the row all the same, in case another row changes.
"""

from typing import Final

from controller.core.custody.opening import OpenPacket, TakeOutLoading
from controller.core.custody.putting_back import EndPuttingBack
from controller.core.custody.state import Card
from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.decisions.turns import DrawCard
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.hold_acts import ConfirmHold
from controller.core.house.plain_session import IndicateClosing
from controller.core.house.state import Hold
from controller.core.words import HoldId, HoldKind, HoldPhase, RoundPhase, SessionPhase, TableMs
from tests.core.parts import changed
from tests.core.rows_out_of_reach import Case
from tests.core.states_by_hand import DEAL, STATUS, C, D, dealt, in_play, present


def _held(kind: HoldKind, state: BlackjackState, phase: HoldPhase = HoldPhase.RAISED) -> BlackjackState:
    return replace(state, house=replace(state.house, holds=(Hold(HoldId(1), kind, phase, TableMs(0)),)))


_LOADING: Final = changed(present(in_play()), session=SessionPhase.LOADING)
_PUTTING_BACK: Final = changed(present(in_play()), phase=RoundPhase.PUTTING_BACK)
_ABSENT: Final = HoldKind.SUPERVISOR_ABSENT
_CONFIRM: Final = ConfirmHold(*C, HoldId(1))


def _forbids(kind: HoldKind, state: BlackjackState, act: Act) -> Case:
    return Case("no_hold_forbids_it", _held(kind, state), act)


def _leaves(kind: HoldKind, state: BlackjackState, act: Act) -> Case:
    return Case("", _held(kind, state), act)


_OPEN: Final = OpenPacket(*C)
_TAKE_OUT: Final = TakeOutLoading(*C)
_END: Final = EndPuttingBack(*D)
_CLOSE: Final = IndicateClosing(*D)
_LID_OPEN: Final = replace(in_play().devices.shuffler, status=replace(STATUS, lid_open=True))


def _leaving(kind: HoldKind) -> tuple[Case, ...]:
    """Returns cases of cards drawn, loaded and taken out, and of bets, during a hold of this kind."""
    return (
        _leaves(kind, _LOADING, _OPEN),
        _leaves(kind, _LOADING, _TAKE_OUT),
        _leaves(kind, dealt(*DEAL), DrawCard(*D, 1)),
        _leaves(kind, present(in_play()), TakeBets(*D, (1,))),
    )


HOLD_CASES: Final = (
    _forbids(HoldKind.UNREAD_CARD, _PUTTING_BACK, _END),
    _forbids(HoldKind.UNREAD_CARD, present(in_play()), _CLOSE),
    _leaves(HoldKind.UNREAD_CARD, _LOADING, _OPEN),
    _leaves(HoldKind.UNREAD_CARD, _LOADING, _TAKE_OUT),
    _forbids(HoldKind.COMPLAINT, _PUTTING_BACK, _END),
    _leaves(HoldKind.COMPLAINT, _LOADING, _OPEN),
    _leaves(HoldKind.COMPLAINT, _LOADING, _TAKE_OUT),
    _forbids(_ABSENT, _LOADING, _OPEN),
    _forbids(_ABSENT, _LOADING, _TAKE_OUT),
    _leaves(_ABSENT, dealt(*DEAL), DrawCard(*D, 1)),
    _leaves(_ABSENT, present(in_play()), TakeBets(*D, (1,))),
    _leaves(_ABSENT, _PUTTING_BACK, _END),
    _leaves(_ABSENT, present(in_play()), _CLOSE),
    _forbids(HoldKind.RULING, _LOADING, _TAKE_OUT),
    _forbids(HoldKind.JACKPOT_OWED, _PUTTING_BACK, _END),
    _forbids(HoldKind.JACKPOT_OWED, present(in_play()), _CLOSE),
    *_leaving(HoldKind.JACKPOT_OWED),
    _leaves(HoldKind.LINKED_HIT, _LOADING, _OPEN),
    _leaves(HoldKind.LINKED_HIT, _LOADING, _TAKE_OUT),
    *_leaving(HoldKind.JACKPOT_DOUBTED),
    _leaves(HoldKind.JACKPOT_DOUBTED, _PUTTING_BACK, _END),
    _leaves(HoldKind.JACKPOT_DOUBTED, present(in_play()), _CLOSE),
    Case(
        "lid_is_closed",
        changed(_held(HoldKind.LID, present(in_play()), HoldPhase.CLEARED), shuffler=_LID_OPEN),
        _CONFIRM,
    ),
    Case(
        "card_is_replaced",
        changed(_held(HoldKind.DAMAGED_CARD, present(in_play()), HoldPhase.CLEARED), damaged=Card("4D")),
        _CONFIRM,
    ),
    Case(
        "journal_is_writing",
        changed(_held(HoldKind.JOURNAL_FAULT, present(in_play()), HoldPhase.CLEARED), journal_failed=True),
        _CONFIRM,
    ),
)
