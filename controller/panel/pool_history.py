"""The jackpot's pool over an evening, as steps for a plot: one step for each movement."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from msgspec import Struct

from controller.protocol.jackpot import JackpotStatus, PoolPoint

MOST_STEPS: Final = 2000
"""The most steps of a plot: enough for a busy evening of twelve hours."""

WIDTH: Final = 240.0
HEIGHT: Final = 48.0
_MARKED: Final = frozenset(("jackpot-hit", "jackpot-paid", "jackpot-reset"))


class Step(NamedTuple):
    """A movement of the pool, and the pool's cents after it."""

    at_s: float
    kind: str
    cents: int


class Mark(NamedTuple):
    """A point of the plot where a prize was won or paid, or the pool was reset."""

    x: str
    y: str
    kind: str


class PoolPlot(Struct, frozen=True):
    """The pool's level as an SVG polyline, from `least_cents` to `most_cents`. `paid`: the number of paid prizes."""

    line: str
    marks: tuple[Mark, ...]
    least_cents: int
    most_cents: int
    paid: int


class PoolHistory:
    """The movements of the pool, by number. The controller reports new ones; earlier ones come from the journal."""

    def __init__(self) -> None:
        self._steps: dict[int, Step] = {}
        self._moved = 0
        self.lacks = False  # True while movements are missing that the journal contains

    def take(self, now_s: float, jackpot: JackpotStatus | None) -> None:
        """Adds the new movements at the time `now_s`. Sets `lacks` if the status does not contain all of them.

        A lower count of movements, or no jackpot, means another pool: the old steps are then removed.
        """
        moved = 0 if jackpot is None else jackpot.moved
        if moved < self._moved:
            self._steps.clear()
        known, self._moved = self._moved, moved
        if jackpot is None or moved <= known:
            return
        new = jackpot.moves[-(moved - known) :]
        self.lacks = self.lacks or moved - known > len(new) or (known == 0 and moved > 1)
        self._put({moved - len(new) + at: Step(now_s, one.kind, one.pool_cents) for at, one in enumerate(new, 1)})

    def fill(self, points: Sequence[PoolPoint]) -> None:
        """Adds the points of the pool that were read from the journal for the present session."""
        self._put({one.number: Step(one.wall_ms / 1000, one.kind, one.pool_cents) for one in points})

    def _put(self, steps: Mapping[int, Step]) -> None:
        every = sorted((self._steps | dict(steps)).items())
        self._steps = dict(every[-MOST_STEPS:])

    def plot(self) -> PoolPlot | None:
        """Returns the plot. Returns None if there are fewer than two movements."""
        steps = [step for step in self._steps.values() if step.kind != "jackpot-parameters-set"]
        if len(steps) < 2:
            return None
        levels = [step.cents for step in steps]
        least, most = min(levels), max(levels)
        places = [(_x(step, steps), _y(step, least, most)) for step in steps]
        corners = [places[0]]
        for (_x_before, y_before), (x, y) in pairwise(places):
            corners += [(x, y_before), (x, y)]
        marks = (Mark(x, y, step.kind) for (x, y), step in zip(places, steps, strict=True) if step.kind in _MARKED)
        paid = sum(step.kind == "jackpot-paid" for step in steps)
        return PoolPlot(" ".join(f"{x},{y}" for x, y in corners), tuple(marks), least, most, paid)


def _x(step: Step, steps: list[Step]) -> str:
    """Returns the step's time as an x coordinate, from the first step at the left edge to the last at the right."""
    first_s, last_s = steps[0].at_s, steps[-1].at_s
    return f"{WIDTH * (step.at_s - first_s) / (last_s - first_s) if last_s > first_s else 0:.1f}"


def _y(step: Step, least: int, most: int) -> str:
    share = (step.cents - least) / (most - least) if most > least else 0
    return f"{HEIGHT - 2 - (HEIGHT - 4) * share:.1f}"
