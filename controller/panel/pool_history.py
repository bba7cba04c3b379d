"""The jackpot's pool over an evening, for the picture of it: a step for each movement that the panel has heard of."""

from collections import deque
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from controller.protocol.jackpot import JackpotMoveStatus, JackpotStatus

MOST_STEPS: Final = 2000
"""Of a busy evening of twelve hours."""

WIDTH: Final = 240.0
HEIGHT: Final = 48.0
_MARKED: Final = frozenset(("jackpot-hit", "jackpot-paid", "jackpot-reset"))


class Step(NamedTuple):
    """A movement, and what the pool held behind it."""

    at_s: float
    kind: str
    cents: int


class Mark(NamedTuple):
    """Where somebody won or was paid, or the pool began anew."""

    x: str
    y: str
    kind: str


@dataclass(frozen=True, slots=True)
class PoolPlot:
    """The level as an SVG polyline takes it, `least_cents` at the bottom and `most_cents` at the top."""

    line: str
    marks: tuple[Mark, ...]
    least_cents: int
    most_cents: int
    paid: int


class PoolHistory:
    """What the panel has heard of the pool since it started."""

    def __init__(self) -> None:
        self._steps: deque[Step] = deque(maxlen=MOST_STEPS)
        self._moved = 0

    def take(self, now_s: float, jackpot: JackpotStatus | None) -> None:
        """The movements that are new; another pool than before begins another picture."""
        moved = 0 if jackpot is None else jackpot.moved
        if moved < self._moved:
            self._steps.clear()
        known, self._moved = self._moved, moved
        if jackpot is not None and moved > known:
            self._steps.extend(_step(now_s, move) for move in jackpot.moves[-(moved - known) :])

    def plot(self) -> PoolPlot | None:
        """None before the second movement: there is nothing to see."""
        steps = [step for step in self._steps if step.kind != "jackpot-parameters-set"]
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


def _step(now_s: float, move: JackpotMoveStatus) -> Step:
    return Step(now_s, move.kind, move.pool_cents)


def _x(step: Step, steps: list[Step]) -> str:
    """By time, the first step at the left edge and the last at the right."""
    first_s, last_s = steps[0].at_s, steps[-1].at_s
    return f"{WIDTH * (step.at_s - first_s) / (last_s - first_s) if last_s > first_s else 0:.1f}"


def _y(step: Step, least: int, most: int) -> str:
    share = (step.cents - least) / (most - least) if most > least else 0
    return f"{HEIGHT - 2 - (HEIGHT - 4) * share:.1f}"
