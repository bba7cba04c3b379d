"""Cards that are known late, or by another name: a card or a decision that the rules did not allow, as is seen now.

Only people can say what becomes of it (make-ruling), or take the decision back (correct-entry).
"""

from typing import Final

from controller.core.custody.state import BANK, Card, Dealt
from controller.core.games.blackjack.bank import is_below_its_total
from controller.core.games.blackjack.decisions.doubling import may_double
from controller.core.games.blackjack.decisions.even_money import EVEN_MONEY_IS_OFFERED, may_take_even_money
from controller.core.games.blackjack.decisions.five_cards import may_claim_five_cards
from controller.core.games.blackjack.decisions.surrender import may_surrender_unseen
from controller.core.games.blackjack.decisions.turns import TOTAL_SUFFICES_TO_STAND, may_stand
from controller.core.games.blackjack.hand import ACE, Hand, HandEnd, is_pair
from controller.core.games.blackjack.hands import HandId, PlayedHand
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.values import BEST, card_value, hand_points
from controller.core.games.blackjack.worth import Table
from controller.core.words import HoldCause

_TWO: Final = 2


def ruled_on(state: BlackjackState, shown: Dealt) -> HoldCause | None:
    """Returns the cause for a ruling if, by the cards known now, the hand of `shown` had no right to one of its cards,
    or a decision on it was not open; None otherwise. A card of the bank concerns the decisions on all hands.
    """
    table = state.table
    if table is None:
        return None
    cards = table.cards(HandId(shown.seat, shown.hand)) or ()
    before = [cards[:count] for count in range(_TWO, len(cards))]
    if shown.seat == BANK and any(not is_below_its_total(some, table.rules.figures) for some in before):
        return HoldCause.EXTRA_CARD
    least = BEST + 1 if table.rules.figures.draws_at_21 else BEST
    if shown.seat != BANK and any(hand_points(some) >= least for some in before):
        return HoldCause.DRAWN_ON_21
    meant = table.stakes.hands if shown.seat == BANK else table.at(shown.seat)
    return HoldCause.DECISION_NOT_OPEN if any(_is_unfounded(table, played) for played in meant) else None


def _is_unfounded(table: Table, played: PlayedHand) -> bool:
    """True if a decision on this hand was not open by the cards known now; False while they are not known."""
    up, cards = table.up, table.cards(played.id)
    if up is not None and _goes_against(up, played, table):
        return True
    if cards and played.is_split and not _comes_from_a_pair(table, played, cards[0]):
        return True
    if not cards or len(cards) < _TWO:
        return False
    as_played = Hand(cards, played.is_split, played.is_doubled)
    return (
        (played.is_doubled and may_double(Hand(cards[:_TWO], played.is_split), table.rules) is not None)
        or (played.has_stood and may_stand(as_played, table.rules) == TOTAL_SUFFICES_TO_STAND)
        or (up is not None and _is_no_claim(as_played, up, played, table))
    )


def _goes_against(up: Card, played: PlayedHand, table: Table) -> bool:
    """True for an insurance without an ace of the bank, and for a surrender against one where the law has none."""
    is_given_up = played.end is HandEnd.SURRENDERED
    against = may_surrender_unseen(up, table.rules, is_as_dealt=True, somebody_has_drawn=False)
    return (bool(played.insurances) and card_value(up) != ACE) or (is_given_up and against is not None)


def _is_no_claim(hand: Hand, up: Card, played: PlayedHand, table: Table) -> bool:
    """True for five cards that the hand could not claim, and for even money that the bank's card did not give; a hand
    that was no blackjack plays on.
    """
    match played.end:
        case HandEnd.EVEN_MONEY:
            return may_take_even_money(hand, up, table.rules, second_is_known=False) == EVEN_MONEY_IS_OFFERED
        case HandEnd.FIVE_CARDS:
            return may_claim_five_cards(hand, up, table.rules) is not None
        case _:
            return False


def _comes_from_a_pair(table: Table, played: PlayedHand, first: Card) -> bool:
    others = [cards[0] for one in table.at(played.id.seat) if (cards := table.cards(one.id))]
    return all(is_pair((first, other), table.rules.figures) for other in others)
