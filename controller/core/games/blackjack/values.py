"""What cards count: their own number, court cards 10, an ace 1 or 11. One row a rule, with its clauses."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from controller.core.custody.cards import SUITS, Card


@dataclass(frozen=True, slots=True)
class Computation:
    """Something that is worked out from cards, by these clauses."""

    name: str
    clauses: tuple[str, ...]


COMPUTATIONS: Final = (
    Computation("card_value", ("pt.bj.6b", "pt.bj.6c", "br.values.1", "house.3", "mo.8")),
    Computation("hand_points", ("pt.bj.6a1", "br.values.1", "house.3", "mo.8")),
)

BEST: Final = 21
_COURT: Final = {"J": 10, "Q": 10, "K": 10, "A": 1}


def card_value(card: Card) -> int:
    """An ace counts 1 here (see `hand_points`); a court card 10, any other its number."""
    rank = card.rstrip("".join(SUITS))
    return _COURT[rank] if rank in _COURT else int(rank)


def hand_points(cards: Sequence[Card]) -> int:
    """One ace counts 11 where that does not go beyond 21, every other 1."""
    points = sum(map(card_value, cards))
    soft = any(card.startswith("A") for card in cards) and points + 10 <= BEST
    return points + 10 if soft else points
