"""One player's hand, as the rules judge it, with the rules for drawing, splitting and payments before the bank plays.

The rules for other decisions are in decisions/.
"""

from enum import StrEnum, unique
from typing import Final, NewType, TypeAlias

from msgspec import Struct

from controller.core import choices as c
from controller.core.custody.state import Card, rank_of, suit_of
from controller.core.games.blackjack.money import Payment
from controller.core.games.blackjack.values import BEST, card_value, hand_points, hard_points
from controller.core.hand_rules import HandFigures, HandRules

ACE = 1
SEVEN = 7
TEN = 10
_STRAIGHT = (6, 7, 8)
_PRIZE_CARDS = 3


PlayRule = NewType("PlayRule", str)
"""The name of a statement about bets and hands that must be true."""
Answer: TypeAlias = PlayRule | None
"""The first rule that forbids an act, which a refusal names; None if the act is allowed."""

HAND_IS_LIVE: Final = PlayRule("hand_is_live")
GIVING_UP_STANDS: Final = PlayRule("giving_up_stands")
HAND_IS_NO_BLACKJACK: Final = PlayRule("hand_is_no_blackjack")
TOTAL_IS_BELOW_21: Final = PlayRule("total_is_below_21")
DOUBLED_HAND_LACKS_ITS_CARD: Final = PlayRule("doubled_hand_lacks_its_card")
SPLIT_ACE_LACKS_ITS_CARD: Final = PlayRule("split_ace_lacks_its_card")
CARDS_ARE_A_PAIR: Final = PlayRule("cards_are_a_pair")
PAIR_MAY_BE_SPLIT_AGAIN: Final = PlayRule("pair_may_be_split_again")
ACES_MAY_BE_SPLIT_AGAIN: Final = PlayRule("aces_may_be_split_again")
PAIR_WAS_NOT_DECLINED: Final = PlayRule("pair_was_not_declined")
HANDS_ARE_FEW_ENOUGH: Final = PlayRule("hands_are_few_enough")


@unique
class HandEnd(StrEnum):
    """The ways in which a hand can end before the bank plays."""

    SURRENDERED = "surrendered"
    EVEN_MONEY = "even-money"
    BLACKJACK_PAID = "blackjack-paid"  # at once
    FIVE_CARDS = "five-cards"


class Hand(Struct, frozen=True, gc=False):
    """A hand as the rules judge it, with its visible cards in the order of their arrival. A split gives two hands."""

    cards: tuple[Card, ...]
    is_split: bool = False
    is_doubled: bool = False
    has_declined: bool = False  # an earlier pair was not separated
    end: HandEnd | None = None

    @property
    def is_of_aces(self) -> bool:
        """True for a hand that came from two separated aces."""
        return self.is_split and bool(self.cards) and card_value(self.cards[0]) == ACE


def points(hand: Hand, figures: HandFigures) -> int:
    """Returns the points of the hand.

    If the profile has `doubled_ace_stays_one`, an ace among a doubled hand's first two cards counts 1 (pt.bj.32,
    house.13).
    """
    if not (hand.is_doubled and figures.doubled_ace_stays_one):
        return hand_points(hand.cards)
    hard, first = hard_points(hand.cards), hand.cards[:2]
    free = [card for card in hand.cards[2:] if card_value(card) == ACE]
    if not any(card_value(card) == ACE for card in first):
        return hand_points(hand.cards)
    return hard + 10 if free and hard + 10 <= BEST else hard


def is_blackjack(hand: Hand, figures: HandFigures) -> bool:
    """True if the hand is an ace and a card worth ten, and nothing else (pt.bj.1a, mo.10.1, br.values.2, house.2).
    After a split, such a hand is a blackjack only if the profile says so.
    """
    return has_blackjack(hand.cards) and (figures.split_21_is_blackjack or not hand.is_split)


def has_blackjack(cards: tuple[Card, ...]) -> bool:
    """True for exactly two cards with 21 points together, of the bank or of any hand."""
    return len(cards) == 2 and hand_points(cards) == BEST


def is_bust(hand: Hand) -> bool:
    """True if the hand exceeds 21 even with each ace as 1."""
    return hard_points(hand.cards) > BEST


def is_live(hand: Hand) -> bool:
    """True if the hand is still to be compared with the bank's: the hand has not ended, and is at 21 or below."""
    return hand.end is None and not is_bust(hand)


def has_special_prize(hand: Hand, figures: HandFigures) -> bool:
    """True if the hand is three sevens, or 6, 7 and 8 of one suit, and the profile has a prize for such a hand
    (pt.bj.35, mo.15).
    """
    cards = hand.cards
    if len(cards) != _PRIZE_CARDS or figures.special_prize_pays.is_none:
        return False
    values = tuple(sorted(map(card_value, cards)))
    is_suited = len({suit_of(card) for card in cards}) == 1
    return values == (SEVEN,) * _PRIZE_CARDS or (values == _STRAIGHT and is_suited)


def is_rank_pair(first: Card, second: Card) -> bool:
    """True for two cards of one rank: two jacks, not a jack and a queen (mo.13.1.1)."""
    return rank_of(first) == rank_of(second)


def may_draw(hand: Hand, rules: HandRules) -> Answer:
    """Returns the rule that forbids a further card for the hand; None if the hand may draw (pt.bj.18b, pt.bj.26c,
    pt.bj.29b, mo.6.4, br.play.4, house.9a).
    """
    return against_drawing(hand, rules.figures)


def ended(hand: Hand) -> PlayRule:
    """Returns the rule that forbids any act on an ended hand. A surrendered hand has another rule than the others
    (pt.bj.36c).
    """
    return GIVING_UP_STANDS if hand.end is HandEnd.SURRENDERED else HAND_IS_LIVE


def against_drawing(hand: Hand, figures: HandFigures) -> Answer:
    """Returns the rule that forbids a further card for the hand under `figures`; None if the hand may draw."""
    if not is_live(hand):
        return ended(hand)
    count = len(hand.cards)
    if hand.is_doubled and count >= 2 + figures.double_cards:
        return DOUBLED_HAND_LACKS_ITS_CARD
    if hand.is_of_aces and count > figures.split_ace_cards:
        return SPLIT_ACE_LACKS_ITS_CARD
    if count == 2 and is_blackjack(hand, figures):
        return HAND_IS_NO_BLACKJACK
    if points(hand, figures) >= BEST and not figures.draws_at_21:
        return TOTAL_IS_BELOW_21
    return None


def is_pair(cards: tuple[Card, ...], figures: HandFigures) -> bool:
    """True for two cards that the profile allows a player to split."""
    if len(cards) != 2:
        return False
    first, second = cards
    if figures.pair is c.Pair.SAME_RANK:
        return is_rank_pair(first, second)
    return card_value(first) == card_value(second)


def may_split(hand: Hand, hands: int, rules: HandRules) -> Answer:
    """Returns the rule that forbids splitting this hand; None if the split is permitted (pt.bj.26, pt.bj.27, mo.16,
    br.pairs, house.10a). `hands`: the number of hands that the seat has.
    """
    return _against_splitting(hand, hands, rules.figures)


def _against_splitting(hand: Hand, hands: int, figures: HandFigures) -> Answer:
    if not is_live(hand) or hand.is_doubled:
        return ended(hand)
    if not is_pair(hand.cards, figures):
        return CARDS_ARE_A_PAIR
    if hand.is_split and hand.is_of_aces and not figures.split_aces_again:
        return ACES_MAY_BE_SPLIT_AGAIN
    if hand.is_split and not hand.is_of_aces and not figures.split_again:
        return PAIR_MAY_BE_SPLIT_AGAIN
    if hand.has_declined and not (hand.is_of_aces or figures.split_after_declining):
        return PAIR_WAS_NOT_DECLINED
    if figures.split_hands and hands >= figures.split_hands:
        return HANDS_ARE_FEW_ENOUGH
    return None


def due_at_once(hand: Hand, up: Card, rules: HandRules) -> Payment | None:
    """Returns the payment or loss that ends the hand before the bank plays; None if the hand plays on. A bust is lost
    at once. A blackjack is paid at once if the law says so and the bank's open card `up` is neither an ace nor worth
    ten.
    """
    if is_bust(hand):
        return Payment.BUST
    if not rules.figures.blackjack_paid_at_once or card_value(up) in (ACE, TEN):
        return None
    return Payment.BLACKJACK if hand.end is None and is_blackjack(hand, rules.figures) else None


def prize_at_once(hand: Hand, rules: HandRules) -> Payment | None:
    """Returns the special prize, which is paid while the hand plays on (pt.bj.35, mo.15). None if the hand has no
    special prize.
    """
    return Payment.SPECIAL_PRIZE if has_special_prize(hand, rules.figures) else None


ENDS: dict[HandEnd, Payment] = {
    HandEnd.SURRENDERED: Payment.SURRENDERED,
    HandEnd.EVEN_MONEY: Payment.EVEN_MONEY,
    HandEnd.BLACKJACK_PAID: Payment.BLACKJACK,
    HandEnd.FIVE_CARDS: Payment.FIVE_CARDS,
}
"""The payment for each way in which a hand ends before the bank's hand does."""
