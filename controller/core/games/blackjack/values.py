"""The points of cards: 2 to 10 count their number, court cards 10, an ace 1 or 11."""

from collections.abc import Sequence
from typing import Final

from controller.core.custody.state import DECK, Card, rank_of

BEST: Final = 21
_COURT: Final = {"J": 10, "Q": 10, "K": 10, "A": 1}
_VALUE_OF: Final = {card: _COURT.get(rank_of(card)) or int(rank_of(card)) for card in DECK}.__getitem__


def card_value(card: Card) -> int:
    """Returns the points of one card, an ace as 1. Raises KeyError for a foreign card."""
    return _VALUE_OF(card)


def hard_points(cards: Sequence[Card]) -> int:
    """Returns the sum of the cards' points, each ace as 1."""
    return sum(map(_VALUE_OF, cards))


def hand_points(cards: Sequence[Card]) -> int:
    """Returns the sum of the cards' points, one ace as 11 unless the sum exceeds 21, any other ace as 1."""
    hard = sum(map(_VALUE_OF, cards))
    return hard + 10 if hard + 10 <= BEST and 1 in map(_VALUE_OF, cards) else hard


def is_soft(cards: Sequence[Card]) -> bool:
    """True if one ace counts 11."""
    return hand_points(cards) != hard_points(cards)
