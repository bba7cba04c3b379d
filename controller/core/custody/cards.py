"""Cards as the core writes them: rank then suit (`10H`, `AS`, `QD`); anything else is `FOREIGN`."""

from typing import NewType

Card = NewType("Card", str)

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("C", "D", "H", "S")
DECK: tuple[Card, ...] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
"""The 52 cards of one deck in the order of the closing grid."""

FOREIGN = Card("FOREIGN")
"""A joker, a card of another back, a special card: nothing that belongs to the deck set (pt.bj.3b, pt.bj.52b)."""

_KNOWN = frozenset(DECK)


def rank_of(card: Card) -> str:
    """What stands before the suit: `10` of `10H`."""
    return card[:-1]


def suit_of(card: Card) -> str:
    return card[-1]


def parse_card(text: str) -> Card | None:
    """The card that `text` names, `FOREIGN` for a joker, None where it names no card."""
    upper = text.strip().upper()
    if upper in {"JOKER", "FOREIGN"}:
        return FOREIGN
    return Card(upper) if upper in _KNOWN else None
