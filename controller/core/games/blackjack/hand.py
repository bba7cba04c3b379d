"""One hand as the rules see it: its cards in the order in which they came, and what became of it."""

from enum import StrEnum, unique

from msgspec import Struct

from controller.core.custody.state import Card, rank_of, suit_of
from controller.core.games.blackjack.values import BEST, card_value, hand_points, hard_points
from controller.core.hand_rules import HandFigures

ACE = 1
SEVEN = 7
TEN = 10
_STRAIGHT = (6, 7, 8)
_PRIZE_CARDS = 3


@unique
class HandEnd(StrEnum):
    """How a hand ended before the bank's."""

    SURRENDERED = "surrendered"
    EVEN_MONEY = "even-money"
    BLACKJACK_PAID = "blackjack-paid"  # at once
    FIVE_CARDS = "five-cards"


class Hand(Struct, frozen=True, gc=False):
    """A place's first hand, or one of those that came of a pair. Only cards that were shown are in it."""

    cards: tuple[Card, ...]
    is_split: bool = False
    is_doubled: bool = False
    has_declined: bool = False  # a pair that was not separated before
    end: HandEnd | None = None

    @property
    def is_of_aces(self) -> bool:
        """One of two separated aces."""
        return self.is_split and bool(self.cards) and card_value(self.cards[0]) == ACE


def points(hand: Hand, figures: HandFigures) -> int:
    """What it counts. The ace of a doubled hand may have to stay 1 (pt.bj.32, house.13)."""
    if not (hand.is_doubled and figures.doubled_ace_stays_one):
        return hand_points(hand.cards)
    hard, first = hard_points(hand.cards), hand.cards[:2]
    free = [card for card in hand.cards[2:] if card_value(card) == ACE]
    if not any(card_value(card) == ACE for card in first):
        return hand_points(hand.cards)
    return hard + 10 if free and hard + 10 <= BEST else hard


def is_blackjack(hand: Hand, figures: HandFigures) -> bool:
    """An ace and a ten as the two cards dealt (pt.bj.1a, mo.10.1, br.values.2, house.2)."""
    return has_blackjack(hand.cards) and (figures.split_21_is_blackjack or not hand.is_split)


def has_blackjack(cards: tuple[Card, ...]) -> bool:
    """The bank's two cards, or two that were dealt."""
    return len(cards) == 2 and hand_points(cards) == BEST


def is_bust(hand: Hand) -> bool:
    """Beyond 21, however its aces count."""
    return hard_points(hand.cards) > BEST


def is_live(hand: Hand) -> bool:
    """It is still decided against the bank's cards."""
    return hand.end is None and not is_bust(hand)


def has_special_prize(hand: Hand, figures: HandFigures) -> bool:
    """Three cards, and no more: 6, 7 and 8 of one suit, or three sevens (pt.bj.35, mo.15)."""
    cards = hand.cards
    if len(cards) != _PRIZE_CARDS or figures.special_prize_pays.is_none:
        return False
    values = tuple(sorted(map(card_value, cards)))
    is_suited = len({suit_of(card) for card in cards}) == 1
    return values == (SEVEN,) * _PRIZE_CARDS or (values == _STRAIGHT and is_suited)


def is_rank_pair(first: Card, second: Card) -> bool:
    """Of one rank: two jacks, not a jack and a queen (mo.13.1.1)."""
    return rank_of(first) == rank_of(second)
