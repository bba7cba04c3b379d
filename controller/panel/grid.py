"""The grid of the deck check: the count of each of the 52 cards, and the differences from a full set."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Self

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS: Final = "shdc"
CODES: Final = tuple(rank + suit for suit in "CDHS" for rank in RANKS)
"""The cards in the order in which the status gives their counts."""

MOST: Final = 99


@dataclass(frozen=True)
class Grid:
    """Counts by card. `expected`: the count of each card in a full set. `selected`: the card being changed."""

    counts: Mapping[str, int]
    expected: int
    selected: str = ""

    @classmethod
    def found(cls, counts: list[int], expected: int) -> Self:
        """Returns a grid with the 52 `counts` that the status reports as found. Raises ValueError for more or fewer
        counts.
        """
        return cls(dict(zip(CODES, counts, strict=True)), expected)

    @classmethod
    def full(cls, expected: int) -> Self:
        """Returns the grid with the count `expected` for each card, from which a dealer who counts by hand starts."""
        return cls(dict.fromkeys(CODES, expected), expected)

    def select(self, code: str) -> Self:
        """Returns the grid with the card `code` selected, or with no card selected for an unknown code."""
        return replace(self, selected=code if code in self.counts else "")

    def change(self, by: int) -> Self:
        """Returns the grid with `by` added to the selected card's count, within 0 to MOST. Returns the same grid
        without a selected card.
        """
        if not self.selected:
            return self
        count = max(0, min(MOST, self.counts[self.selected] + by))
        return replace(self, counts={**self.counts, self.selected: count})

    @property
    def text(self) -> str:
        """Returns the counts in the form that the act expects: "AC=6,2C=6,…"."""
        return ",".join(f"{code}={self.counts[code]}" for code in CODES)

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @property
    def missing(self) -> dict[str, int]:
        return {code: self.expected - count for code, count in self.counts.items() if count < self.expected}

    @property
    def surplus(self) -> dict[str, int]:
        return {code: count - self.expected for code, count in self.counts.items() if count > self.expected}
