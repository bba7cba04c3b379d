"""The card dealt last, while it can be corrected, and the card laid aside for the next request (pt.bj.18d)."""

from controller.core.custody.books import move
from controller.core.custody.drawing import lay
from controller.core.custody.game import discard_set_aside, game_of, is_further_card, lies_face_up, next_owed
from controller.core.custody.state import (
    BANK,
    CardState,
    CardStateT,
    Dealt,
    Join,
    SetAside,
    laid_at,
    last_dealt,
    with_custody,
    with_last,
    with_round,
)
from controller.core.custody.taking_back import take_back
from controller.core.engine.replacing import replace
from controller.core.house.holds import raise_hold
from controller.core.house.rule import Guard
from controller.core.house.state import with_tally
from controller.core.words import HoldKind, Purpose, TableMs


def corrected(state: CardStateT) -> CardStateT:
    """The state with the number of corrections one higher. The card dealt last then cannot be corrected again."""
    return with_tally(with_round(state, provisional=False), corrections=state.house.tally.corrections + 1)


def is_pending_alone(state: CardState) -> bool:
    """True if exactly one card is pending, and no person has reported on it. A pending card came without being owed."""
    return state.custody.book.pending == 1 and state.custody.set_aside is None


def last_can_change(state: CardState) -> bool:
    """True if the card dealt last can be corrected: no card and no act of the round has come since."""
    return state.game.provisional and bool(state.game.dealt) and state.custody.join == Join()


def was_not_due(state: CardState) -> bool:
    """True if no rule made the hand get the card dealt last: the card is laid aside, belongs to the initial deal, or is
    a further card that was not owed.
    """
    is_further = state.custody.set_aside is None and last_can_change(state) and is_further_card(state)
    return not (is_further and game_of(state).was_due(state))


def has_a_card(state: CardState) -> bool:
    """True if people can report on a card: a card laid aside, a card that was not owed, or the card dealt last. The
    bank's face-down card does not count as dealt last.
    """
    attributed = last_can_change(state) and last_dealt(state).purpose is not Purpose.HOLE
    return attributed or is_pending_alone(state) or state.custody.set_aside is not None


def discarded(state: CardStateT, place: str = "rack") -> CardStateT:
    """The state with one card moved to the rack: the card laid aside, or a card that was not owed if no card is laid
    aside. If there is no such card, the last dealt card is moved to `place`.
    """
    if state.custody.set_aside is not None:
        return discard_set_aside(state)
    if not state.game.provisional and is_pending_alone(state):
        return with_custody(state, book=move(state.custody.book, "pending", "rack"))
    return take_back(state, place)


def laid_aside(state: CardStateT) -> CardStateT:
    """The state with the card dealt last, or a card that was not owed, laid aside for the next seat that asks."""
    if not state.game.provisional and is_pending_alone(state):
        return with_custody(state, set_aside=SetAside())
    last = last_dealt(state)
    state = take_back(state, "pending")
    return with_custody(state, set_aside=SetAside(last.card, last.commitment))


def next_to_be_drawn(state: CardStateT) -> CardStateT:
    """The state in which the card laid aside will be the first card of the next round (mo.6.1b)."""
    waiting = state.custody.set_aside
    return state if waiting is None else with_custody(state, set_aside=replace(waiting, outlives_round=True))


def deal_set_aside(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """The state in which the card laid aside in the last round is the first of this round. Unchanged without such a
    card. A face-up card without a face raises a hold until people name it.
    """
    waiting, owed = state.custody.set_aside, next_owed(state)
    if waiting is None or owed is None:
        return state
    state = lay(with_custody(state, set_aside=None), owed, "pending")
    if owed.seat is None:
        return state
    if lies_face_up(state, owed.purpose):
        state = with_last(state, replace(last_dealt(state), card=waiting.card))
        details = (("seat", str(owed.seat)),)
        return state if waiting.card else raise_hold(state, HoldKind.UNREAD_CARD, at_ms, details=details)
    number = state.custody.face_down + 1
    hidden = replace(last_dealt(state), face_down=number, commitment=waiting.commitment)
    return with_custody(with_last(state, hidden), face_down=number)


def give_set_aside(state: CardStateT, seat: int, at_ms: TableMs, hand: int = 1) -> CardStateT:
    """The state in which this seat, the next to ask, gets the card laid aside instead of a drawn one (pt.bj.18d-e). A
    card without a face raises a hold until people name it.
    """
    waiting, state = state.custody.set_aside, turn_taken(state, seat)
    if waiting is None:
        return state
    purpose = Purpose.BANK if seat == BANK else Purpose.SEAT
    given = Dealt(seat, purpose, card=waiting.card, commitment=waiting.commitment, hand=hand)
    state = with_custody(state, book=move(state.custody.book, "pending", "table"), set_aside=None)
    state = with_round(laid_at(state, given, len(state.game.dealt)), provisional=True)
    if waiting.card is not None:
        return state
    return raise_hold(state, HoldKind.UNREAD_CARD, at_ms, details=(("seat", str(seat)),))


def turn_taken(state: CardStateT, seat: int) -> CardStateT:
    """The state after this seat has asked for a card. A seat that got its turn back by a ruling keeps it until another
    seat asks (br.inc.1).
    """
    return with_round(state, turn_back=seat if state.game.turn_back == seat else None)


LAST_CARD_IS_PROVISIONAL = Guard[CardState]("last_card_is_provisional", last_can_change)
A_CARD_CAN_BE_CORRECTED = Guard[CardState]("a_card_can_be_corrected", has_a_card)
AN_EXTRA_CARD_CAN_BE_CORRECTED = Guard[CardState](
    "a_card_can_be_corrected", has_a_card, rule="an_extra_card_can_be_corrected"
)
