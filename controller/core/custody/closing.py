"""The closing of a session with cards: the unloading, and the irregular closing by two people (pt.bj.55, 57)."""

from typing import Any

from msgspec import UNSET

from controller.core.custody.agreement import discards
from controller.core.custody.books import all_outside, move
from controller.core.custody.complaints import complaints_owed
from controller.core.custody.damage import decks_go_at_closing
from controller.core.custody.game import burns_at_start, discard_set_aside, stakes_go_back
from controller.core.custody.opening import NOTHING_IS_INSIDE
from controller.core.custody.state import Book, CardState, CardStateT, CardTrigger, Join, with_custody, with_shoe_game
from controller.core.engine.act import Act
from controller.core.house.attendance import CHIEF_PRESENT_FOR_UNLOADING
from controller.core.house.duties import open_duty
from controller.core.house.hold_table import P, hold_rule
from controller.core.house.holds import ask_for_recount, end_holds
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.people import end_presence
from controller.core.house.plain_session import IndicateClosing, TakeBackClosing
from controller.core.house.rule import (
    CHIEF,
    DEALER,
    FINAL_MS,
    ROUND_IS_OVER,
    SUPERVISORS,
    WHILE_OPEN,
    ActGuard,
    ActRule,
    Guard,
    unchanged,
)
from controller.core.house.session_table import SessionTrigger
from controller.core.house.state import Hold, session_moved, with_house, without_round
from controller.core.house.undoing import Never, by, never
from controller.core.words import Closing, DutyKind, Operation, Role, SessionPhase, TableMs


class BeginUnloading(Act, frozen=True):
    pass


class CompleteUnloading(Act, frozen=True):
    pass


class ProposeIrregularClosing(Act, frozen=True):
    pass


class ConfirmIrregularClosing(Act, frozen=True):
    pass


def _unresolvable(state: CardState) -> tuple[Hold, ...]:
    return tuple(hold for hold in state.house.holds if hold_rule(hold.kind).unresolvable)


CLOSING_IS_INDICATED = Guard[CardState](
    "closing_is_indicated",
    lambda state: state.house.session in {SessionPhase.CLOSING, SessionPhase.UNLOADING, SessionPhase.CHECKING},
)
PLAY_CAN_GO_ON = Guard[CardState](
    "play_can_go_on",
    lambda state: state.custody.book.outside == 0 and state.custody.burned >= burns_at_start(state.setup),
)
A_COUNT_CANNOT_BE_MENDED = Guard[CardState](
    "a_count_cannot_be_mended",
    lambda state: bool(_unresolvable(state)),
)
IRREGULAR_CLOSING_IS_PROPOSED = Guard[CardState](
    "irregular_closing_is_proposed", lambda state: state.house.irregular_proposed_by is not None
)


TWO_PEOPLE_CLOSE = ActGuard[CardState, ConfirmIrregularClosing](
    "two_people_close", lambda state, act: act.person != state.house.irregular_proposed_by
)
SOMETHING_WAS_PLAYED = Guard[CardState](
    "something_was_played",
    lambda state: state.game.number > 0 or state.house.session not in {SessionPhase.MIXED, SessionPhase.CUT},
)


def indicate_closing(state: CardStateT, _act: IndicateClosing, _at_ms: TableMs) -> CardStateT:
    """The state with all cards of the table, and a card laid aside, moved to the rack (pt.bj.55b)."""
    state = discard_set_aside(state)
    return with_custody(state, book=move(state.custody.book, "table", "rack", state.custody.book.table))


def begin_unloading(state: CardStateT, _act: BeginUnloading, _at_ms: TableMs) -> CardStateT:
    return ask_for_recount(state)


def complete_unloading(state: CardStateT, _act: CompleteUnloading, at_ms: TableMs) -> CardStateT:
    book = all_outside(state.custody.book, state.custody.read_out_foreign)
    return decks_go_at_closing(with_custody(state, book=book), at_ms)


def propose_irregular_closing(state: CardStateT, act: ProposeIrregularClosing, _at_ms: TableMs) -> CardStateT:
    return with_house(state, irregular_proposed_by=act.person)


def confirm_irregular_closing(state: CardStateT, _act: ConfirmIrregularClosing, at_ms: TableMs) -> CardStateT:
    """The state after play has ended irregularly: reports are owed, stakes go back, and the deck set is barred.

    The holds of this session's cards end. In the deck check the session is closed at once. At any other step the
    machine is unloaded first.
    """
    causes = "; ".join(
        " ".join(value for key, value in hold.details if value and key != "cause") or hold.kind.value
        for hold in _unresolvable(state)
    )
    deck_set = state.custody.deck_set
    figures = (("deck_set", str(deck_set or "-")), ("causes", causes))
    state = open_duty(state, DutyKind.REPORT_IRREGULAR_CLOSING, Role.ROOM_MANAGER, at_ms, figures)
    if state.custody.damaged is not None:  # the report of a damaged card is owed in any case (pt.bj.51b)
        card = (("card", state.custody.damaged),)
        state = open_duty(state, DutyKind.REPORT_DAMAGED_CARD, Role.ROOM_MANAGER, at_ms, card)
    state = discard_set_aside(_end_holds_of_cards(complaints_owed(state, at_ms)))
    state = stakes_go_back(state)
    was_checking = state.house.session is SessionPhase.CHECKING
    state = with_house(without_round(state, over=True), irregular=True, irregular_proposed_by=None)
    state = with_custody(
        state,
        refused_deck_sets=(*state.custody.refused_deck_sets, *(() if deck_set is None else (deck_set,))),
        damaged=None,
        damaged_at_check=False,
        authorised="",
        packet_open=False,
        join=Join(),
    )
    if not was_checking:
        return state
    return session_closed(session_moved(state, CardTrigger.DECK_CHECK_CONFIRMED))


def lapse_proposal(_before: CardStateT, state: CardStateT, _at_ms: TableMs) -> CardStateT:
    """The state without the proposed irregular closing if no unresolvable hold is open; else unchanged."""
    return state if _unresolvable(state) else with_house(state, irregular_proposed_by=None)


def _end_holds_of_cards(state: CardStateT) -> CardStateT:
    """The state without the holds of this session's cards. Holds for faults of machine and journal stay open."""
    return end_holds(state, lambda hold: not hold_rule(hold.kind).outlives_session)


def session_closed(state: CardStateT) -> CardStateT:
    """The state at the end of a session, with all cards outside. The caller has already moved the session's step.

    The presence for unloading and the holds of this session's cards end. The kind of closing is noted. The session's
    report is final if no duty is open (pt.bj.51b).
    """
    state = end_presence(_end_holds_of_cards(state), Operation.UNLOADING)
    last = Closing.IRREGULAR if state.house.irregular else Closing.REGULAR
    final = not state.house.duties
    state = with_house(state, last_closing=last, closing_final=final, irregular=False, irregular_proposed_by=None)
    book = Book(outside=state.setup.cards, foreign=state.custody.book.foreign)
    return with_custody(with_shoe_game(state, cut_turn=UNSET), packets=(), burned=0, book=book)


UNLOADING_ACTS: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "indicate-closing",
        IndicateClosing,
        (Role.DEALER, Role.CHIEF_SUPERVISOR, Role.ROOM_MANAGER),
        discards(indicate_closing),
        (ROUND_IS_OVER, SOMETHING_WAS_PLAYED),
        session=SessionTrigger.CLOSING_INDICATED,
        needs=P.CLOSE,
        hold_ms=FINAL_MS,
        undone=by("take-back-closing"),
        money=Money.NOBODYS,
        manner=Manner.DECIDES,
    ),
    ActRule(
        "take-back-closing",
        TakeBackClosing,
        SUPERVISORS,
        unchanged,
        last=(PLAY_CAN_GO_ON,),
        session=SessionTrigger.CLOSING_TAKEN_BACK,
        needs=P.BET,
        undone=by("indicate-closing"),
        money=Money.NONE,
        manner=Manner.DECIDES,
    ),
    ActRule(
        "begin-unloading",
        BeginUnloading,
        DEALER,
        begin_unloading,
        (CLOSING_IS_INDICATED, CHIEF_PRESENT_FOR_UNLOADING),
        session=CardTrigger.UNLOADING_BEGUN,
        needs=P.UNLOAD,
        hold_ms=FINAL_MS,
        undone=never(Never.ENDED),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    ActRule(
        "complete-unloading",
        CompleteUnloading,
        DEALER,
        complete_unloading,
        (CHIEF_PRESENT_FOR_UNLOADING, NOTHING_IS_INSIDE),
        session=CardTrigger.UNLOADING_COMPLETED,
        needs=P.UNLOAD,
        despite_all_if_irregular=True,
        hold_ms=FINAL_MS,
        undone=never(Never.ENDED),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
)
IRREGULAR_CLOSING_ACTS: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "propose-irregular-closing",
        ProposeIrregularClosing,
        CHIEF,
        propose_irregular_closing,
        (A_COUNT_CANNOT_BE_MENDED,),
        in_session=WHILE_OPEN,
        hold_ms=FINAL_MS,
        undone=never(Never.SAID),
        money=Money.HALVES,
        manner=Manner.DECIDES,
    ),
    ActRule(
        "confirm-irregular-closing",
        ConfirmIrregularClosing,
        (Role.ROOM_MANAGER,),
        confirm_irregular_closing,
        (IRREGULAR_CLOSING_IS_PROPOSED, A_COUNT_CANNOT_BE_MENDED, TWO_PEOPLE_CLOSE),
        session=CardTrigger.IRREGULAR_CLOSING_CONFIRMED,
        hold_ms=FINAL_MS,
        own_pin=True,
        undone=never(Never.ENDED),
        money=Money.HALVES,
        manner=Manner.ATTESTS,
    ),
)
