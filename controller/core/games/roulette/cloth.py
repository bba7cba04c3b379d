"""All bets that the cloth and the wheel offer, by name: `straight-26`, `split-26-29`, `orphans` (pt.rou.24, 25)."""

from collections.abc import Iterator
from enum import StrEnum, unique
from functools import cache
from itertools import pairwise
from typing import Final

from msgspec import Struct

from controller.core.choices import NumberOrder

LAST: Final = 36
RED: Final = (1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36)
"""The red numbers of the cloth, whatever the wheel's order is (pt.rou.6)."""


@unique
class Chance(StrEnum):
    """The kind of place on the cloth where a chip can lie, such as a number or the line between two numbers."""

    STRAIGHT = "straight"
    SPLIT = "split"
    STREET = "street"
    CORNER = "corner"
    LINE = "line"
    DOZEN = "dozen"
    COLUMN = "column"
    DOZEN_SPLIT = "dozen_split"
    COLUMN_SPLIT = "column_split"
    SIMPLE = "simple"


@unique
class Group(StrEnum):
    """Bets whose prizes are paid together. The members stand in the order of payment (pt.rou.29b)."""

    COLUMNS = "columns"
    SIMPLE = "simple"
    DOZENS = "dozens"
    NEIGHBOURS = "neighbours"
    SERIES = "series"
    LINES = "lines"
    STREETS = "streets"
    CORNERS = "corners"
    SPLITS = "splits"
    STRAIGHTS = "straights"


@unique
class Colour(StrEnum):
    RED = "red"
    BLACK = "black"
    NEITHER = "neither"  # zero


class Part(Struct, frozen=True, gc=False):
    """The chips of a bet that lie together in one place on the cloth."""

    name: str  # the name of the bet of these chips alone
    chance: Chance
    numbers: tuple[int, ...]
    chips: int = 1


class Bet(Struct, frozen=True, gc=False):
    """A bet, made of one part or several: a series, or a number with its neighbours, has its chips
    in several places.
    """

    name: str
    group: Group
    parts: tuple[Part, ...]

    @property
    def chips(self) -> int:
        """Returns the smallest number of chips that makes up the bet."""
        return sum(part.chips for part in self.parts)


OF_THE_WHEEL: Final = (Group.SERIES, Group.NEIGHBOURS)
"""The groups of bets on numbers by their place on the wheel; only with the French order."""

_GROUP_OF: Final = {
    Chance.STRAIGHT: Group.STRAIGHTS,
    Chance.SPLIT: Group.SPLITS,
    Chance.STREET: Group.STREETS,
    Chance.CORNER: Group.CORNERS,
    Chance.LINE: Group.LINES,
    Chance.DOZEN: Group.DOZENS,
    Chance.COLUMN: Group.COLUMNS,
    Chance.DOZEN_SPLIT: Group.DOZENS,  # paid with the dozens, since the order of payment does not name their splits
    Chance.COLUMN_SPLIT: Group.COLUMNS,
    Chance.SIMPLE: Group.SIMPLE,
}
OUTSIDE: Final = (Chance.SIMPLE, Chance.DOZEN, Chance.COLUMN, Chance.DOZEN_SPLIT, Chance.COLUMN_SPLIT)
"""The chances that chips with face value may be on (pt.rou.16a), and that lose by 0 (pt.rou.28)."""

SERIES: Final = {
    "large-series": "0-2-3x2 4-7 12-15 18-21 19-22 25-26-28-29x2 32-35",  # pt.rou.25a1
    "small-series": "5-8 10-11 13-16 23-24 27-30 33-36",  # pt.rou.25a2
    "orphans": "1 6-9 14-17 17-20 31-34",  # pt.rou.25a3
}
NEIGHBOURS: Final = (3, 5, 7)
"""The possible numbers of chips of a bet on a number and its neighbours (pt.rou.25b)."""


def colour_of(number: int) -> Colour:
    """Returns the colour of the number on the cloth; NEITHER for 0 (pt.rou.6)."""
    if number == 0:
        return Colour.NEITHER
    return Colour.RED if number in RED else Colour.BLACK


@cache
def bets_of(order: NumberOrder, *, first_four: bool = False) -> dict[str, Bet]:
    """Returns all bets at a wheel with this order of numbers, by name. `first_four`: 0-1-2 and 0-1-2-3 are included."""
    single = [Bet(part.name, _GROUP_OF[part.chance], (part,)) for part in _chances(first_four=first_four)]
    of_the_wheel = {NumberOrder.FRENCH: (*_series(), *_neighbours(order)), NumberOrder.AMERICAN: ()}[order]
    return {bet.name: bet for bet in (*single, *of_the_wheel)}


def is_of_the_wheel(name: str) -> bool:
    """True for the name of a series, or of a number with its neighbours, even if the wheel does
    not take such bets.
    """
    return name in SERIES or name.startswith("neighbours-")


def _named(chance: Chance, *numbers: int) -> Part:
    """Returns a part of one chip on these numbers, named by chance and numbers; a line by its first and last number."""
    told = (numbers[0], numbers[-1]) if chance is Chance.LINE else numbers
    return Part("-".join((chance.value, *map(str, told))), chance, numbers)


def _chances(*, first_four: bool) -> Iterator[Part]:
    yield from (_named(Chance.STRAIGHT, number) for number in range(LAST + 1))
    yield from _on_lines()
    if first_four:
        yield _named(Chance.STREET, 0, 1, 2)
        yield _named(Chance.CORNER, 0, 1, 2, 3)
    yield from _outside()


def _on_lines() -> Iterator[Part]:
    """Yields each place on a line between numbers: the cloth has three numbers to a row, and 0 above the first row."""
    rows = range(1, LAST + 1, 3)
    yield from (_named(Chance.SPLIT, 0, number) for number in (1, 2, 3))
    yield from (_named(Chance.SPLIT, row + at, row + at + 1) for row in rows for at in (0, 1))
    yield from (_named(Chance.SPLIT, number, number + 3) for number in range(1, LAST - 2))
    yield _named(Chance.STREET, 0, 2, 3)  # named in pt.rou.25a1
    yield from (_named(Chance.STREET, row, row + 1, row + 2) for row in rows)
    for row in rows[:-1]:
        yield from (_named(Chance.CORNER, one, one + 1, one + 3, one + 4) for one in (row, row + 1))
        yield _named(Chance.LINE, *range(row, row + 6))


def _outside() -> Iterator[Part]:
    dozens = [Part(f"dozen-{n}", Chance.DOZEN, tuple(range(12 * n - 11, 12 * n + 1))) for n in (1, 2, 3)]
    columns = [Part(f"column-{end}", Chance.COLUMN, tuple(range(end - 33, end + 1, 3))) for end in (34, 35, 36)]
    for split, three in ((Chance.DOZEN_SPLIT, dozens), (Chance.COLUMN_SPLIT, columns)):
        yield from three
        for one, other in pairwise(three):
            name = f"{split.value.replace('_', '-')}-{one.name.split('-')[1]}-{other.name.split('-')[1]}"
            yield Part(name, split, (*one.numbers, *other.numbers))
    cloth = range(1, LAST + 1)
    simple = {
        "even": tuple(cloth[1::2]),
        "odd": tuple(cloth[::2]),
        "low": tuple(cloth[:18]),
        "high": tuple(cloth[18:]),
        "red": RED,
        "black": tuple(number for number in cloth if number not in RED),
    }
    yield from (Part(name, Chance.SIMPLE, numbers) for name, numbers in simple.items())


_BY_COUNT: Final = {1: Chance.STRAIGHT, 2: Chance.SPLIT, 3: Chance.STREET, 4: Chance.CORNER}


def _series() -> Iterator[Bet]:
    for name, text in SERIES.items():
        parts = []
        for word in text.split():
            told, _, chips = word.partition("x")
            numbers = tuple(map(int, told.split("-")))
            one = _named(_BY_COUNT[len(numbers)], *numbers)
            parts.append(Part(one.name, one.chance, one.numbers, int(chips or 1)))
        yield Bet(name, Group.SERIES, tuple(parts))


def _neighbours(order: NumberOrder) -> Iterator[Bet]:
    """Yields all bets on a number and its neighbours: `neighbours-17-5` is 17 with two numbers on each side on the
    wheel.
    """
    wheel = tuple(map(int, order.split("-")))
    for at, number in enumerate(wheel):
        for chips in NEIGHBOURS:
            reach = range(at - chips // 2, at + chips // 2 + 1)
            parts = tuple(_named(Chance.STRAIGHT, wheel[place % len(wheel)]) for place in reach)
            yield Bet(f"neighbours-{number}-{chips}", Group.NEIGHBOURS, parts)
