"""Physical cards: the pieces of card that mechanisms, hands and racks hold. No device, no protocol."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("C", "D", "H", "S")
JOKER = "JOKER"
WARNING_CARD = "CUT"
"""The face of the blank card that ends a shoe (makers call it cut card). It is no card of the decks."""

# A casino keeps the decks of a table in two back colours; a card of the other colour is foreign to the set.
DEFAULT_BACK = "blue"


class Place(StrEnum):
    """Where in a shuffler a card can be. A card that is in none of these is outside it."""

    HOPPER = "hopper"
    SLOTS = "slots"
    BUFFER = "buffer"
    JAMMED = "jammed"
    TRAY = "tray"


@dataclass(frozen=True, slots=True)
class PhysicalCard:
    """One piece of card. `number` tells two cards of the same face apart; no real device can see it."""

    number: int
    face: str
    back: str = DEFAULT_BACK


def make_cards(decks: int, back: str = DEFAULT_BACK, first_number: int = 1) -> tuple[PhysicalCard, ...]:
    """`decks` full decks of 52 in new-deck order, numbered from `first_number`."""
    faces = [rank + suit for _ in range(decks) for suit in SUITS for rank in RANKS]
    return tuple(PhysicalCard(number, face, back) for number, face in enumerate(faces, first_number))


def numbers(cards: Sequence[PhysicalCard]) -> tuple[int, ...]:
    """The cards' own numbers, in order: what a book of physical cards compares."""
    return tuple(card.number for card in cards)
