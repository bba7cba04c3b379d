"""Computes every bet of American roulette and its gain by number from the order of the wheel alone (pt.rou.2 to 28).

The law knows two orders of the same 37 numbers, without a double zero, so a wheel of 38 pockets is refused. Chips and
gains are counted in chips of one value. A gain is the number of chips that a bet wins beyond its own chips, or loses.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Final, NamedTuple

_PRINTED: Final = (
    "0-32-15-19-4-21-2-25-17-34-6-27-13-36-11-30-8-23-10-5-24-16-33-1-20-14-31-9-22-18-29-7-28-12-35-3-26",
    "0-28-9-26-30-11-7-20-32-17-5-22-34-15-3-24-36-13-1-27-10-25-29-12-8-19-31-18-6-21-33-16-4-23-35-14-2",
)
FRENCH, AMERICAN = (tuple(int(number) for number in order.split("-")) for order in _PRINTED)  # clockwise (pt.rou.2)
RED: Final = frozenset((1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36))  # on the cloth (pt.rou.6)

_ODDS = "straight 35 split 17 street 11 corner 8 line 5 dozen 2 column 2 dozen-split 1/2 column-split 1/2 simple 1"
PAYS: Final = {chance: Fraction(odds) for chance, odds in re.findall(r"(\S+) (\S+)", _ODDS)}  # for one (pt.rou.27a-b)

LAST: Final = 36
_CLOTH: Final = range(1, LAST + 1)
_SIMPLE: Final = {
    "even": _CLOTH[1::2], "odd": _CLOTH[::2], "low": _CLOTH[:18], "high": _CLOTH[18:],
    "red": RED, "black": frozenset(_CLOTH) - RED,
}  # fmt: skip


class Chips(NamedTuple):
    """A number of chips, `amount`, on one chance (pt.rou.24)."""

    chance: str
    numbers: frozenset[int]
    amount: int = 1


class Bet(NamedTuple):
    """One bet: chips on a single chance, on a series, or on a number and its neighbours."""

    kind: str
    parts: tuple[Chips, ...]

    @property
    def stake(self) -> int:
        return sum(part.amount for part in self.parts)

    def gain(self, number: int) -> Fraction:
        """Returns the number of chips won, without the bet's own chips; negative for a loss. If 0 comes, a bet without
        0 loses (pt.rou.27, 28).
        """
        won = (PAYS[part.chance] if number in part.numbers else Fraction(-1) for part in self.parts)
        return sum((each * part.amount for each, part in zip(won, self.parts, strict=True)), Fraction(0))


def all_bets(order: tuple[int, ...], *, with_trio_and_first_four: bool = False) -> Iterator[Bet]:
    """Yields every bet that is possible on a wheel of this order. Raises ValueError for an order outside the law.

    `with_trio_and_first_four`: the table also accepts 0-1-2 as a street and 0-1-2-3 as a corner, which no clause names.
    """
    if order not in (FRENCH, AMERICAN):
        raise ValueError(f"no wheel of the law: {order}")
    for chance, numbers in (*_multiples(), *_outside()):
        yield Bet(chance, (Chips(chance, frozenset(numbers)),))
    for name, half in _SIMPLE.items():
        yield Bet(name, (Chips("simple", frozenset(half)),))
    if with_trio_and_first_four:
        yield Bet("street", (Chips("street", frozenset((0, 1, 2))),))
        yield Bet("corner", (Chips("corner", frozenset((0, 1, 2, 3))),))
    if order == FRENCH:
        yield from _series()
        yield from _neighbours(order)


def _multiples() -> Iterator[tuple[str, tuple[int, ...]]]:
    yield from (("straight", (number,)) for number in range(LAST + 1))
    yield from (("split", (0, number)) for number in (1, 2, 3))
    yield from (("split", (number, number + 3)) for number in _CLOTH if number + 3 <= LAST)
    yield from (("split", (number, number + 1)) for number in _CLOTH if number % 3)
    yield from (("street", (number, number + 1, number + 2)) for number in _CLOTH if number % 3 == 1)
    yield "street", (0, 2, 3)  # named in pt.rou.25a1
    squares = (number for number in _CLOTH if number % 3 and number + 4 <= LAST)
    yield from (("corner", (number, number + 1, number + 3, number + 4)) for number in squares)
    yield from (("line", tuple(range(number, number + 6))) for number in _CLOTH if number % 3 == 1 and number < 34)


def _outside() -> Iterator[tuple[str, tuple[int, ...]]]:
    dozens = [tuple(range(first, first + 12)) for first in (1, 13, 25)]
    columns = [tuple(range(first, LAST + 1, 3)) for first in (1, 2, 3)]  # they end in 34, 35, 36
    for chance, three in (("dozen", dozens), ("column", columns)):
        yield from ((chance, one) for one in three)
        yield from ((f"{chance}-split", one + other) for one, other in pairwise(three))


def _series() -> Iterator[Bet]:
    """Yields the bets on a series (pt.rou.25a1 to 25a3)."""
    text = {
        "large-series": "0-2-3x2 4-7 12-15 18-21 19-22 25-26-28-29x2 32-35",
        "small-series": "5-8 10-11 13-16 23-24 27-30 33-36",
        "orphans": "1 6-9 14-17 17-20 31-34",
    }
    chances = {1: "straight", 2: "split", 3: "street", 4: "corner"}
    for name, parts in text.items():
        split = [part.partition("x") for part in parts.split()]
        numbers = [(frozenset(map(int, head.split("-"))), int(count or 1)) for head, _, count in split]
        yield Bet(name, tuple(Chips(chances[len(ones)], ones, count) for ones, count in numbers))


def _neighbours(order: tuple[int, ...]) -> Iterator[Bet]:
    """Yields the bets on a number with one, two or three neighbours to each side of it on the wheel (pt.rou.25b)."""
    for at in range(len(order)):
        for reach in (1, 2, 3):
            numbers = (order[(at + step) % len(order)] for step in range(-reach, reach + 1))
            yield Bet("neighbours", tuple(Chips("straight", frozenset((number,))) for number in numbers))
