"""Fixed strategies, written out: a player's decision on a total, a pair or a surrender, against each open card.

They are the usual basic strategy of a game in which the bank looks at no second card. They take no insurance and no
even money, and ignore the cards that are gone.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

UP: Final = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)
"""The bank's open card in each line below, an ace as 1."""

HARD: Final = """
      2 3 4 5 6 7 8 9 T A
 4-8  h h h h h h h h h h
 9    h d d d d h h h h h
 10   d d d d d d d d h h
 11   d d d d d d d d h h
 12   h h s s s h h h h h
 13   s s s s s h h h h h
 14   s s s s s h h h h h
 15   s s s s s h h h h h
 16   s s s s s h h h h h
 17-21 s s s s s s s s s s
"""

SOFT: Final = """
      2 3 4 5 6 7 8 9 T A
 12-17 h h h h h h h h h h
 18   s s s s s s s h h h
 19-21 s s s s s s s s s s
"""

SOFT_DOUBLED: Final = """
      2 3 4 5 6 7 8 9 T A
 12   h h h h h h h h h h
 13   h h h d d h h h h h
 14   h h h d d h h h h h
 15   h h d d d h h h h h
 16   h h d d d h h h h h
 17   h d d d d h h h h h
 18   s d d d d s s h h h
 19-21 s s s s s s s s s s
"""
"""Soft totals where any two cards may be doubled. A total that cannot be doubled is drawn to; soft 18 stands."""

PAIRS: Final = """
      2 3 4 5 6 7 8 9 T A
 1    p p p p p p p p p -
 2-3  p p p p p p - - - -
 4    - - - p p - - - - -
 5    - - - - - - - - - -
 6    p p p p p - - - - -
 7    p p p p p p - - - -
 8    p p p p p p p p - -
 9    p p p p p - p p - -
 10   - - - - - - - - - -
"""

GIVEN_UP: Final = """
      2 3 4 5 6 7 8 9 T A
 4-13 - - - - - - - - - -
 14   - - - - - - - - r -
 15   - - - - - - - - r -
 16   - - - - - - - r r -
 17-21 - - - - - - - - - -
"""
"""Surrendered hard totals; not a pair of eights as 16 against a 9, which is separated."""

FIVE_CARDS: Final = """
      2 3 4 5 6 7 8 9 T A
 7-18 c c c c c c c c c -
 19   c c c c c - - c c -
 20   - - - - - - - - c -
 21   - - - - - - - - - -
"""
"""Five cards that are paid half the stake instead of played on."""

_TEXT: Final = {"T": 10, "A": 1}


def _grid(text: str) -> dict[tuple[int, int], str]:
    """Reads a grid: for each total and open card of the bank the letter of the decision."""
    _head, *lines = text.strip().splitlines()
    found: dict[tuple[int, int], str] = {}
    for line in lines:
        label, *letters = line.split()
        least, _, most = label.partition("-")
        for total in range(int(least), int(most or least) + 1):
            found |= {(total, up): letter for up, letter in zip(UP, letters, strict=True)}
    return found


@dataclass(frozen=True)
class Strategy:
    """The grids of one player; a player with an empty grid never makes that grid's decision."""

    hard_text: str = HARD
    soft_text: str = SOFT
    pairs_text: str = PAIRS
    given_up_text: str = ""
    five_cards_text: str = ""

    @cached_property
    def hard(self) -> dict[tuple[int, int], str]:
        """Reads the grid of hard hands: `h` a card, `s` stand, `d` double.

        Where doubling is closed, `d` means a card; on soft 18 it means stand.
        """
        return _grid(self.hard_text)

    @cached_property
    def soft(self) -> dict[tuple[int, int], str]:
        return _grid(self.soft_text)

    @cached_property
    def pairs(self) -> dict[tuple[int, int], str]:
        """The grid of pairs; `p`: the player separates the pair."""
        return _grid(self.pairs_text)

    @cached_property
    def given_up(self) -> dict[tuple[int, int], str]:
        """The grid of surrenders; `r`: the player surrenders if the rules permit it."""
        return _grid(self.given_up_text) if self.given_up_text else {}

    @cached_property
    def five_cards(self) -> dict[tuple[int, int], str]:
        """The grid of claims of five cards; `c`: the player is paid without the bank's cards."""
        return _grid(self.five_cards_text) if self.five_cards_text else {}


BASIC: Final = Strategy()
WITH_SURRENDER: Final = replace(BASIC, given_up_text=GIVEN_UP)
MACAU: Final = replace(WITH_SURRENDER, soft_text=SOFT_DOUBLED, five_cards_text=FIVE_CARDS)

STRATEGIES: Final = {"pt": WITH_SURRENDER, "house": WITH_SURRENDER, "mo": MACAU, "br": BASIC}
"""By law."""
