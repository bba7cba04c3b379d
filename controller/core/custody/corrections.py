"""Corrections of the card that was dealt last, possible until the next card or the next act of the round.

A correction is an event of its own. The card stays in the counts; its place or owner changes. The profile names the
card's new place (pt.bj.18d-f, mo.5.1.2a). If the profile demands a decision, or if the error can no longer be
corrected, a ruling is owed. The ruling's outcome and author are recorded (br.inc.1, mo.5.1.2b).
"""

from typing import Any, Final

from controller.core.choices import BankSecond, ExtraCard, FaceUpCard, Misdealt
from controller.core.custody.agreement import corrects
from controller.core.custody.dealing_by_word import NO_SHUFFLER_COUNTS
from controller.core.custody.game import (
    SEAT_PLAYS,
    bank_has_begun,
    discard_set_aside,
    game_of,
    hands_that_lie,
    is_further_card,
    seats_in_play,
)
from controller.core.custody.round import NO_CARD_IS_OWED
from controller.core.custody.rulings import DUE_TO_THE_BANK, face_up_place, no_other_ruling, ruling_owed
from controller.core.custody.set_aside import (
    A_CARD_CAN_BE_CORRECTED,
    AN_EXTRA_CARD_CAN_BE_CORRECTED,
    LAST_CARD_IS_PROVISIONAL,
    corrected,
    discarded,
    is_pending_alone,
    laid_aside,
    last_can_change,
    next_to_be_drawn,
    was_not_due,
)
from controller.core.custody.state import BANK, CardState, CardStateT, last_dealt, with_last
from controller.core.custody.taking_back import LAST_CARD_WAS_SAID, card_not_dealt, last_at, owed_again, take_back
from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import CARDS_LIE, DEALER_OR_CHIEF, DELIBERATE_MS, PROBE, ActGuard, ActRule, Guard, R
from controller.core.house.undoing import BY_ENTRY
from controller.core.words import HoldCause, Purpose, RoundPhase, TableMs


class ReportMisdealt(Act, frozen=True):
    """The card that came last was dealt by mistake. `seen`: True if a person has seen its face."""

    seen: bool


class MoveCard(Act, frozen=True):
    """The card dealt last lies in the wrong place: the card belongs to `seat`, or to the bank (seat 0). `hand`: the
    number of the seat's hand; None for the seat's first hand.
    """

    seat: int
    hand: int | None = None


class ReportHoleExposed(Act, frozen=True):
    """The bank's second card was turned while it was dealt."""


class ReportExtraCard(Act, frozen=True):
    """The bank's last card should not have been drawn. `seen`: True if a person has seen its face."""

    seen: bool


class ReportFaceUpCard(Act, frozen=True):
    """The card dealt last came face up out of the machine."""


class RetractCard(Act, frozen=True):
    """The last card that people stated as dealt is still in the machine. Only for a table without a shuffler."""


def _hand_of(act: MoveCard) -> int:
    """The number of the hand that gets the card; the bank has only one."""
    return 1 if act.seat == BANK else act.hand or 1


def move_card(state: CardStateT, act: MoveCard, _at_ms: TableMs) -> CardStateT:
    seat, last = act.seat, last_dealt(state)
    purpose = last.purpose if last.purpose is Purpose.HOLE else Purpose.BANK if seat == BANK else Purpose.SEAT
    moved = replace(last, seat=seat, hand=_hand_of(act), purpose=purpose)
    return corrected(game_of(state).card_lost(with_last(state, moved), last, last_at(state)))


def report_misdealt(state: CardStateT, act: ReportMisdealt, at_ms: TableMs) -> CardStateT:
    """Returns the state after a misdeal (pt.bj.18d-f). By the profile the card is laid aside for the next request or
    discarded, or a ruling is owed. A card that was laid aside before is discarded: the report means that card.
    """
    if state.custody.set_aside is not None:  # the card laid aside was turned
        return corrected(discard_set_aside(state))
    procedure = state.setup.procedure
    match procedure.misdealt_seen if act.seen else procedure.misdealt_unseen:
        case Misdealt.NEXT_WHO_ASKS:
            return corrected(laid_aside(state))
        case Misdealt.DISCARD:
            return corrected(discarded(state))
        case Misdealt.INSPECTOR_DECIDES:
            return ruling_owed(state, act, at_ms, HoldCause.MISDEALT_SEEN if act.seen else HoldCause.MISDEALT_UNSEEN)
        case Misdealt.RECTIFY:
            return state  # the guard has refused it


def report_extra_card(state: CardStateT, act: ReportExtraCard, at_ms: TableMs) -> CardStateT:
    """The state after the bank's extra card. By the profile the card is discarded (pt.bj.19b), is kept unseen as the
    next card to be drawn (mo.6.1b), or a ruling is owed.
    """
    match state.setup.procedure.bank_extra_card:
        case ExtraCard.DISCARD:
            return corrected(discarded(state))
        case ExtraCard.VALID_IF_UNSEEN:
            return corrected(discarded(state) if act.seen else next_to_be_drawn(laid_aside(state)))
        case ExtraCard.INSPECTOR_DECIDES:
            return ruling_owed(state, act, at_ms, HoldCause.EXTRA_CARD)


def report_face_up_card(state: CardStateT, act: ReportFaceUpCard, at_ms: TableMs) -> CardStateT:
    """The state without the face-up card, in whose place another card is owed (mo.5.1.1).

    The first card dealt after the filling stays, if the profile says so. If the rules obliged the hand to take the
    card, a ruling is owed instead.
    """
    first = state.game.number == state.custody.shoe_game.first_round and len(state.game.dealt) == 1
    if first and state.setup.procedure.face_up_card is FaceUpCard.VALID_IF_FIRST:
        return corrected(state)
    if not was_not_due(state):
        return ruling_owed(state, act, at_ms, HoldCause.FACE_UP_CARD)
    return corrected(owed_again(state, face_up_place(state)))


def report_hole_exposed(state: CardStateT, _act: ReportHoleExposed, _at_ms: TableMs) -> CardStateT:
    """The state with the bank's second card moved to the rack, and another card owed in its place (pt.bj.17c)."""
    return corrected(take_back(state, "rack"))


def retract_card(state: CardStateT, _act: RetractCard, _at_ms: TableMs) -> CardStateT:
    return corrected(card_not_dealt(state))


def _choice_for(state: CardState, *, seen: bool) -> Misdealt:
    procedure = state.setup.procedure
    return procedure.misdealt_seen if seen else procedure.misdealt_unseen


def _came_while_players_ask(state: CardState, *, seen: bool) -> bool:
    """True if the last card came while players asked for cards, as clauses 18d to 18f demand. False for a card of the
    initial deal or of the bank. Once the bank has begun, a card that was not owed counts as the bank's.

    Always True where the clauses do not apply: at other steps than dealing and playing, while a card is laid aside, and
    if the profile neither discards a misdealt card nor gives it to the next seat that asks (br.inc.1).
    """
    if (
        _choice_for(state, seen=seen) not in {Misdealt.NEXT_WHO_ASKS, Misdealt.DISCARD}
        or state.custody.set_aside is not None
    ):
        return True
    if state.game.phase is not RoundPhase.PLAYING:
        return state.game.phase is not RoundPhase.DEALING  # at any other step the row's own step guard refuses
    if last_can_change(state):
        return last_dealt(state).seat != BANK and is_further_card(state)
    return not bank_has_begun(state)


CARD_CAME_WHILE_PLAYERS_ASK = ActGuard[CardState, ReportMisdealt](
    "card_came_while_players_ask",
    lambda state, act: _came_while_players_ask(state, seen=act.seen),
    possible=lambda state: (
        not _reportable(state) or any(_came_while_players_ask(state, seen=seen) for seen in _reportable(state))
    ),
)


def _reportable(state: CardState) -> tuple[bool, ...]:
    """The values of `seen` with which the profile permits the act `report-misdealt`."""
    return tuple(seen for seen in (False, True) if _choice_for(state, seen=seen) is not Misdealt.RECTIFY)


ERROR_IS_NOT_TO_BE_RECTIFIED = ActGuard[CardState, ReportMisdealt](
    "error_is_not_to_be_rectified",
    lambda state, act: _choice_for(state, seen=act.seen) is not Misdealt.RECTIFY,
    possible=lambda state: bool(_reportable(state)),
)


def _may_be_moved(state: CardState) -> bool:
    """True if the profile permits moving the last card, or no card is dealt. A card of the initial deal may be moved
    unless the inspector decides, since the order of the deal gives each card its owner (pt.bj.17a).

    If people may move only unseen cards, they may also move a card with a known face: the act then states that no
    person saw its face.
    """
    if not state.game.dealt:
        return True
    procedure, last = state.setup.procedure, last_dealt(state)
    is_hidden = last.face_down is not None and last.card is None
    choices = (procedure.misdealt_unseen,) if is_hidden else (procedure.misdealt_seen, procedure.misdealt_unseen)
    is_ruled_on = is_further_card(state) or choices[0] is Misdealt.INSPECTOR_DECIDES
    return Misdealt.RECTIFY in choices or not is_ruled_on


ERROR_IS_RECTIFIED_HERE = Guard[CardState]("error_is_rectified_here", _may_be_moved)


def _lies_at_the_bank(state: CardState) -> bool:
    """True if the last card is the bank's third or a later one; the deal owes the bank only two (mo.5.2.2.2).

    A card that was not owed counts as the bank's if the bank has two cards and has begun, and always outside of play.
    """
    banks = sum(dealt.seat == BANK for dealt in state.game.dealt)
    if is_pending_alone(state) and not state.game.provisional:
        is_banks = banks >= DUE_TO_THE_BANK and bank_has_begun(state)
        return is_banks or state.game.phase is not RoundPhase.PLAYING  # where the row's own step guard refuses
    return banks > DUE_TO_THE_BANK and last_dealt(state).seat == BANK


LAST_CARD_IS_THE_BANKS = Guard[CardState]("last_card_is_the_banks", _lies_at_the_bank)


BANKS_CARD_WAS_NOT_DUE = Guard[CardState]("banks_card_was_not_due", was_not_due, rule="last_card_is_the_banks")
HAND_COULD_BE_WITHOUT_IT = Guard[CardState](
    "hand_could_be_without_it",
    lambda state: state.setup.procedure.misdealt_seen is Misdealt.INSPECTOR_DECIDES or was_not_due(state),
    rule="card_came_while_players_ask",
)


def _seat_may_have_it(state: CardState, act: MoveCard) -> bool:
    """True if the last card may go to the hand that the act names: in the deal, the hand to which the order owes it
    (pt.bj.17a); later, the bank's hand or a hand in play that the rules let take it.
    """
    dealt, hand = state.game.dealt, _hand_of(act)
    if not is_further_card(state):
        return bool(dealt) and (act.seat, hand) == (last_dealt(state).seat, 1)
    lies = any((one.seat, one.hand) == (act.seat, hand) for one in dealt)
    is_in_play = act.seat == BANK or (lies and act.seat in seats_in_play(state))
    return is_in_play and game_of(state).may_take_last(state, act.seat, hand)


CARD_GOES_WHERE_IT_IS_OWED = ActGuard[CardState, MoveCard]("card_goes_where_it_is_owed", _seat_may_have_it)


def _lies_elsewhere(state: CardState, act: MoveCard) -> bool:
    """True if the last card is recorded at another hand than the act names. Always True in the deal."""
    last = last_dealt(state) if is_further_card(state) else None
    return last is None or (act.seat, _hand_of(act)) != (last.seat, last.hand)


CARD_LIES_ELSEWHERE = ActGuard[CardState, MoveCard](
    "card_lies_elsewhere",
    _lies_elsewhere,
    lambda state, _act: (("seat", str(last_dealt(state).seat) if state.game.dealt else ""),),
)


def _hole_can_be_replaced(state: CardState) -> bool:
    last = last_dealt(state) if last_can_change(state) else None
    return last is not None and last.purpose is Purpose.HOLE and last.card is None


HOLE_CARD_IS_THE_LAST = Guard[CardState]("hole_card_is_the_last", _hole_can_be_replaced)
EXPOSED_CARD_IS_DISCARDED = Guard[CardState](
    "exposed_card_is_discarded",
    lambda state: (
        state.setup.procedure.misdealt_seen is Misdealt.DISCARD
        or state.setup.procedure.bank_second_card is not BankSecond.HOLE
    ),
)


def _nothing_lies_aside(state: CardState, act: Act | None) -> bool:
    """True if no card is laid aside, or the act reports that the card laid aside was seen (pt.bj.18f).

    While two cards are pending, such a report could mean either card and is refused. People then first state the place
    of the other card (`state-cards-moved`).
    """
    return state.custody.set_aside is None or (
        isinstance(act, ReportMisdealt) and act.seen and state.custody.book.pending == 1
    )


NO_CARD_IS_SET_ASIDE = ActGuard[CardState, Act](
    "no_card_is_set_aside", _nothing_lies_aside, possible=lambda state: state.custody.set_aside is None
)
NO_RULING_WAITS_WITH_MISDEALT: Final[ActGuard[CardState, ReportMisdealt]] = no_other_ruling(
    lambda state, act: _choice_for(state, seen=act.seen) is Misdealt.INSPECTOR_DECIDES
)
NO_RULING_WAITS_WITH_EXTRA_CARD: Final[ActGuard[CardState, ReportExtraCard]] = no_other_ruling(
    lambda state, _act: state.setup.procedure.bank_extra_card is ExtraCard.INSPECTOR_DECIDES
)
NO_RULING_WAITS_FACE_UP: Final[ActGuard[CardState, Any]] = no_other_ruling(lambda state, _act: not was_not_due(state))


CORRECTION_ACTS: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "report-misdealt",
        ReportMisdealt,
        DEALER_OR_CHIEF,
        corrects(report_misdealt),
        (
            NO_CARD_IS_OWED,
            NO_CARD_IS_SET_ASIDE,
            A_CARD_CAN_BE_CORRECTED,
            CARD_CAME_WHILE_PLAYERS_ASK,
            ERROR_IS_NOT_TO_BE_RECTIFIED,
            HAND_COULD_BE_WITHOUT_IT,
            NO_RULING_WAITS_WITH_MISDEALT,
        ),
        in_round=CARDS_LIE,
        probes=lambda _state: (ReportMisdealt(*PROBE, seen=False), ReportMisdealt(*PROBE, seen=True)),
        hold_ms=DELIBERATE_MS,
        undone=BY_ENTRY,
        money=Money.CORRECTED,
        manner=Manner.DOES,
    ),
    ActRule(
        "move-card",
        MoveCard,
        DEALER_OR_CHIEF,
        corrects(move_card),
        (
            LAST_CARD_IS_PROVISIONAL,
            SEAT_PLAYS,
            CARD_GOES_WHERE_IT_IS_OWED,
            ERROR_IS_RECTIFIED_HERE,
            CARD_LIES_ELSEWHERE,
        ),
        in_round=CARDS_LIE,
        probes=lambda state: tuple(MoveCard(*PROBE, seat, hand) for seat, hand in hands_that_lie(state)),
        undone=BY_ENTRY,
        money=Money.CORRECTED,
        manner=Manner.DOES,
    ),
    ActRule(
        "report-hole-exposed",
        ReportHoleExposed,
        DEALER_OR_CHIEF,
        corrects(report_hole_exposed),
        (EXPOSED_CARD_IS_DISCARDED, HOLE_CARD_IS_THE_LAST),
        in_round=(R.PLAYING,),
        undone=BY_ENTRY,
        money=Money.CORRECTED,
        manner=Manner.DOES,
    ),
    ActRule(
        "report-extra-card",
        ReportExtraCard,
        DEALER_OR_CHIEF,
        corrects(report_extra_card),
        (
            NO_CARD_IS_OWED,
            NO_CARD_IS_SET_ASIDE,
            AN_EXTRA_CARD_CAN_BE_CORRECTED,
            LAST_CARD_IS_THE_BANKS,
            BANKS_CARD_WAS_NOT_DUE,
            NO_RULING_WAITS_WITH_EXTRA_CARD,
        ),
        in_round=(R.PLAYING,),
        probes=lambda _state: (ReportExtraCard(*PROBE, seen=True),),
        undone=BY_ENTRY,
        money=Money.CORRECTED,
        manner=Manner.DOES,
    ),
    ActRule(
        "report-face-up-card",
        ReportFaceUpCard,
        DEALER_OR_CHIEF,
        corrects(report_face_up_card),
        (LAST_CARD_IS_PROVISIONAL, NO_RULING_WAITS_FACE_UP),
        in_round=CARDS_LIE,
        probes=lambda _state: (ReportFaceUpCard(*PROBE),),
        undone=BY_ENTRY,
        money=Money.CORRECTED,
        manner=Manner.DOES,
    ),
    ActRule(
        "retract-card",
        RetractCard,
        DEALER_OR_CHIEF,
        corrects(retract_card),
        (NO_SHUFFLER_COUNTS, LAST_CARD_IS_PROVISIONAL, LAST_CARD_WAS_SAID),
        undone=BY_ENTRY,
        money=Money.CORRECTED,
        manner=Manner.DOES,
    ),
)
