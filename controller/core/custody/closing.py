"""Closing: the machine is unloaded; chief supervisor and room manager end what cannot be mended (pt.bj.55, 57)."""

from typing import Any

from controller.core.custody.books import all_outside, move
from controller.core.custody.damage import decks_go_at_closing
from controller.core.custody.game import discard_set_aside, game_of
from controller.core.custody.opening import NOTHING_IS_INSIDE
from controller.core.custody.state import Book, CardState, CardStateT, CardTrigger, Join
from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.house.act_rule import CHIEF, DEALER, FINAL_MS, ActRule, S
from controller.core.house.guard import ActGuard, Guard
from controller.core.house.hold_table import BEYOND_MENDING, P
from controller.core.house.holds import ask_for_recount, end_holds, open_duty
from controller.core.house.people import end_presence
from controller.core.house.people_guards import CHIEF_PRESENT_FOR_UNLOADING
from controller.core.house.session_table import SessionTrigger
from controller.core.house.state import session_moved, without_round
from controller.core.house.step_guards import round_is_over
from controller.core.words import Closing, DutyKind, HoldKind, Operation, Role, SessionPhase, TableMs


class IndicateClosing(Act, frozen=True):
    pass


class BeginUnloading(Act, frozen=True):
    pass


class CompleteUnloading(Act, frozen=True):
    pass


class ProposeIrregularClosing(Act, frozen=True):
    pass


class ConfirmIrregularClosing(Act, frozen=True):
    pass


ROUND_IS_OVER_AT_THE_CLOSING = round_is_over("pt.bj.57a")

CLOSING_IS_INDICATED = Guard[CardState](
    "closing_is_indicated",
    "pt.bj.55a",
    lambda state: state.house.session in {SessionPhase.CLOSING, SessionPhase.UNLOADING, SessionPhase.CHECKING},
)

A_COUNT_CANNOT_BE_MENDED = Guard[CardState](
    "a_count_cannot_be_mended",
    "pt.bj.55b",
    lambda state: any(hold.kind in BEYOND_MENDING for hold in state.house.holds),
)

IRREGULAR_CLOSING_IS_PROPOSED = Guard[CardState](
    "irregular_closing_is_proposed", "pt.bj.55b", lambda state: state.house.irregular_proposed_by is not None
)


def _two_people(state: CardState, act: Act | None) -> bool:
    return act is None or act.person != state.house.irregular_proposed_by


TWO_PEOPLE_CLOSE = ActGuard[CardState, Act]("two_people_close", "pt.bj.55b", _two_people)

SOMETHING_WAS_PLAYED = Guard[CardState](
    "something_was_played",
    "pt.bj.55a",
    lambda state: state.game.number > 0 or state.house.session not in {SessionPhase.MIXED, SessionPhase.CUT},
)


def begin_unloading(state: CardStateT, _act: BeginUnloading, _at_ms: TableMs) -> CardStateT:
    return ask_for_recount(state)


def complete_unloading(state: CardStateT, _act: CompleteUnloading, at_ms: TableMs) -> CardStateT:
    return decks_go_at_closing(
        replace(
            state, custody=replace(state.custody, book=all_outside(state.custody.book, state.custody.read_out_foreign))
        ),
        at_ms,
    )


def propose_irregular_closing(state: CardStateT, act: ProposeIrregularClosing, _at_ms: TableMs) -> CardStateT:
    return replace(state, house=replace(state.house, irregular_proposed_by=act.person))


def indicate_closing(state: CardStateT, _act: IndicateClosing, _at_ms: TableMs) -> CardStateT:
    return _tidied(state)


def _tidied(state: CardStateT) -> CardStateT:
    """No round comes any more: what lies aside for one, or on the table yet, joins the rack's cards (pt.bj.55b)."""
    state = discard_set_aside(state)
    return replace(
        state, custody=replace(state.custody, book=move(state.custody.book, "table", "rack", state.custody.book.table))
    )


def confirm_irregular_closing(state: CardStateT, _act: ConfirmIrregularClosing, at_ms: TableMs) -> CardStateT:
    """Chief supervisor and room manager end what cannot be mended: a duty to report, the deck set refused."""
    causes = "; ".join(
        " ".join(value for key, value in hold.details if value and key != "cause") or hold.kind.value
        for hold in state.house.holds
        if hold.kind in BEYOND_MENDING
    )
    state = open_duty(
        state,
        DutyKind.REPORT_IRREGULAR_CLOSING,
        Role.ROOM_MANAGER,
        at_ms,
        (("deck_set", str(state.custody.deck_set or "-")), ("causes", causes)),
    )
    if state.custody.damaged is not None:  # its report is owed all the same (pt.bj.51b)
        card = (("card", state.custody.damaged),)
        state = open_duty(state, DutyKind.REPORT_DAMAGED_CARD, Role.ROOM_MANAGER, at_ms, card)
    game = game_of(state)
    state = game.stakes_go_back(discard_set_aside(_end_holds_of_cards(game.complaints_owed(state, at_ms))))
    refused = (
        state.custody.refused_deck_sets
        if state.custody.deck_set is None
        else (*state.custody.refused_deck_sets, state.custody.deck_set)
    )
    was_checking = state.house.session is SessionPhase.CHECKING
    state = without_round(state, over=True)
    state = replace(
        state,
        house=replace(state.house, irregular=True, irregular_proposed_by=None),
        custody=replace(
            state.custody,
            refused_deck_sets=refused,
            damaged=None,
            damaged_at_check=False,
            authorised="",
            packet_open=False,
            join=Join(),
        ),
    )
    if not was_checking:
        return state
    return session_closed(session_moved(state, CardTrigger.DECK_CHECK_CONFIRMED))


def lapse_proposal(_before: CardStateT, state: CardStateT, _at_ms: TableMs) -> CardStateT:
    """A proposed irregular closing is over when the holds that called for it are."""
    if state.house.irregular_proposed_by is None or any(hold.kind in BEYOND_MENDING for hold in state.house.holds):
        return state
    return replace(state, house=replace(state.house, irregular_proposed_by=None))


def _end_holds_of_cards(state: CardStateT) -> CardStateT:
    """What held for cards of this session is over with it; machine and journal are still to be mended."""
    outliving = (HoldKind.JAM, HoldKind.LID, HoldKind.DEVICE_LOST, HoldKind.JOURNAL_FAULT)
    return end_holds(state, lambda hold: hold.kind not in outliving)


def session_closed(state: CardStateT) -> CardStateT:
    """The session is over; the report is final only when no duty is open (pt.bj.51b)."""
    state = end_presence(_end_holds_of_cards(state), Operation.UNLOADING)
    return replace(
        state,
        house=replace(
            state.house,
            last_closing=Closing.IRREGULAR if state.house.irregular else Closing.REGULAR,
            closing_final=not state.house.duties,
            irregular=False,
            irregular_proposed_by=None,
        ),
        custody=replace(
            state.custody,
            packets=(),
            burned=0,
            book=replace(Book(), outside=state.setup.cards, foreign=state.custody.book.foreign),
        ),
    )


UNLOADING_ACTS: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "indicate-closing",
        IndicateClosing,
        (Role.DEALER, Role.CHIEF_SUPERVISOR, Role.ROOM_MANAGER),
        "pt.bj.55a",
        indicate_closing,
        (ROUND_IS_OVER_AT_THE_CLOSING, SOMETHING_WAS_PLAYED),
        session=SessionTrigger.CLOSING_INDICATED,
        needs=P.CLOSE,
        hold_ms=FINAL_MS,
    ),
    ActRule(
        "begin-unloading",
        BeginUnloading,
        DEALER,
        "pt.bj.55a",
        begin_unloading,
        (CLOSING_IS_INDICATED, CHIEF_PRESENT_FOR_UNLOADING),
        session=CardTrigger.UNLOADING_BEGUN,
        needs=P.UNLOAD,
        hold_ms=FINAL_MS,
    ),
    ActRule(
        "complete-unloading",
        CompleteUnloading,
        DEALER,
        "pt.bj.55a",
        complete_unloading,
        (CHIEF_PRESENT_FOR_UNLOADING, NOTHING_IS_INSIDE),
        session=CardTrigger.UNLOADING_COMPLETED,
        needs=P.UNLOAD,
        despite_all_if_irregular=True,
        hold_ms=FINAL_MS,
    ),
)

IRREGULAR_CLOSING_ACTS: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "propose-irregular-closing",
        ProposeIrregularClosing,
        CHIEF,
        "pt.bj.55b",
        propose_irregular_closing,
        (A_COUNT_CANNOT_BE_MENDED,),
        in_session=tuple(phase for phase in S if phase is not S.CLOSED),
        hold_ms=FINAL_MS,
    ),
    ActRule(
        "confirm-irregular-closing",
        ConfirmIrregularClosing,
        (Role.ROOM_MANAGER,),
        "pt.bj.55b",
        confirm_irregular_closing,
        (IRREGULAR_CLOSING_IS_PROPOSED, A_COUNT_CANNOT_BE_MENDED, TWO_PEOPLE_CLOSE),
        session=CardTrigger.IRREGULAR_CLOSING_CONFIRMED,
        hold_ms=FINAL_MS,
    ),
)
