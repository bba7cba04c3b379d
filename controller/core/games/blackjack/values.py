"""The points of cards: their own number, court cards 10, an ace 1 or 11."""

from collections.abc import Sequence
from typing import Final

from controller.core.custody.state import DECK, Card, rank_of

BEST: Final = 21
_COURT: Final = {"J": 10, "Q": 10, "K": 10, "A": 1}
_VALUE_OF: Final = {card: _COURT.get(rank_of(card)) or int(rank_of(card)) for card in DECK}.__getitem__


def card_value(card: Card) -> int:
    """The points of a card: an ace 1 (see `hand_points`), a court card 10. KeyError for a foreign card."""
    return _VALUE_OF(card)


def hard_points(cards: Sequence[Card]) -> int:
    """The points with every ace as 1."""
    return sum(map(_VALUE_OF, cards))


def hand_points(cards: Sequence[Card]) -> int:
    """The points with one ace as 11 unless the sum exceeds 21, and every other ace as 1."""
    hard = sum(map(_VALUE_OF, cards))
    return hard + 10 if hard + 10 <= BEST and 1 in map(_VALUE_OF, cards) else hard


def is_soft(cards: Sequence[Card]) -> bool:
    """True where an ace counts 11."""
    return hand_points(cards) != hard_points(cards)
