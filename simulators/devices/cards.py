"""Physical cards in mechanisms, hands and racks. This module knows no device and no protocol."""

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import cache
from operator import attrgetter

import msgspec

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("C", "D", "H", "S")
JOKER = "JOKER"
WARNING_CARD = "CUT"
"""The face of the blank card that ends a shoe (makers call it cut card). It is not one of the decks' cards."""

# A casino keeps a table's decks in two back colours; a card of any other colour is foreign.
DEFAULT_BACK = "blue"
SECOND_BACK = "green"
"""The back of half the decks if the deck set has two back colours; a card of any other back is foreign."""


class Place(StrEnum):
    """A place in a shuffler where a card can be."""

    HOPPER = "hopper"
    SLOTS = "slots"
    BUFFER = "buffer"
    JAMMED = "jammed"
    TRAY = "tray"


class PhysicalCard(msgspec.Struct, frozen=True):
    """One physical card. `number` distinguishes two cards of equal face; no real device can see the number."""

    number: int
    face: str
    back: str = DEFAULT_BACK


CARDS_LOADED = 10
"""Number of cards that hands lay into a device for the conformance checks."""


@cache
def make_cards(decks: int, back: str = DEFAULT_BACK, first_number: int = 1) -> tuple[PhysicalCard, ...]:
    """Returns `decks` full decks of 52 cards in new-deck order, numbered from `first_number`."""
    faces = [rank + suit for _ in range(decks) for suit in SUITS for rank in RANKS]
    return tuple(PhysicalCard(number, face, back) for number, face in enumerate(faces, first_number))


OF_THE_SET = (DEFAULT_BACK, SECOND_BACK)


FIRST_SPARE = 1001


def spare_deck(backs: int) -> tuple[PhysicalCard, ...]:
    """Returns one spare card of each face with the first back colour. If `backs` is 2, returns one of each face with
    the second back colour as well.
    """
    second = make_cards(1, SECOND_BACK, FIRST_SPARE + 52) if backs > 1 else ()
    return (*make_cards(1, first_number=FIRST_SPARE), *second)


def is_like(one: PhysicalCard, other: PhysicalCard) -> bool:
    """True if both cards have the same face and back, so that one can replace the other."""
    return (one.face, one.back) == (other.face, other.back)


_LOOKS = attrgetter("back", "face")


def faces_by_back(cards: Iterable[PhysicalCard]) -> dict[str, tuple[tuple[str, int], ...]]:
    """Returns, for each back colour, pairs of a face and the number of its cards, sorted by face."""
    found: dict[str, list[tuple[str, int]]] = {}
    for (back, face), count in sorted(Counter(map(_LOOKS, cards)).items()):
        found.setdefault(back, []).append((face, count))
    return {back: tuple(faces) for back, faces in found.items()}


def deck_set(decks: int, backs: int) -> tuple[PhysicalCard, ...]:
    """Returns all cards of a table's decks, numbered from 1. If `backs` is 2, the second half of the cards has the
    second back colour.
    """
    cards = make_cards(decks)
    if backs == 1:
        return cards
    first = len(cards) // 2
    return (*cards[:first], *(PhysicalCard(card.number, card.face, SECOND_BACK) for card in cards[first:]))


def numbers(cards: Sequence[PhysicalCard]) -> tuple[int, ...]:
    """The cards' numbers, in order."""
    return tuple(card.number for card in cards)
