"""A bench's rows: repetitions of floor, subject and peer, their ratios, and the goal beside them."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TypeAlias

QUICK_REPETITIONS = 5


@dataclass(frozen=True, slots=True)
class Plan:
    """The size of the measurement. `scale` 1.0 is the whole; smaller scales are for trying a bench out."""

    repetitions: int = QUICK_REPETITIONS
    scale: float = 1.0

    def count(self, whole: int) -> int:
        """The share of `whole` in this plan, at least ten."""
        return max(10, round(whole * self.scale))


@dataclass(frozen=True, slots=True)
class Spread:
    """Median, smallest and largest over the repetitions."""

    median: float
    low: float
    high: float


def spread(values: Sequence[float]) -> Spread:
    return Spread(median(values), min(values), max(values))


def ratios(subject: Sequence[float], base: Sequence[float]) -> Spread:
    """Subject over base, repetition by repetition."""
    return spread([one / other for one, other in zip(subject, base, strict=True)])


@dataclass(frozen=True, slots=True)
class Goal:
    """`bound` for the row's figure. `gates` False: reported only."""

    bound: float
    at_most: bool = True
    gates: bool = True

    def is_met(self, figure: float) -> bool:
        return figure <= self.bound if self.at_most else figure >= self.bound

    def text(self) -> str:
        return f"{'<=' if self.at_most else '>='} {self.bound:g}{'' if self.gates else ' (reported)'}"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table. `figure` is what the goal bounds; `beside` are the measured values behind it."""

    id: str
    what: str
    figure: Spread
    beside: Mapping[str, Spread]
    unit: str
    goal: Goal | None = None
    note: str = ""

    @property
    def is_met(self) -> bool | None:
        """True where the row meets its goal; None without a goal."""
        return None if self.goal is None else self.goal.is_met(self.figure.median)


Bench: TypeAlias = Callable[[Plan], list[Row]]
Variant: TypeAlias = Callable[[], float]


def interleave(variants: Mapping[str, Variant], repetitions: int) -> dict[str, list[float]]:
    """Runs the variants A B C, A B C ...; the measurements of each."""
    measured: dict[str, list[float]] = {name: [] for name in variants}
    for repetition in range(repetitions):
        for name, run in variants.items():
            measured[name].append(run())
            say(f"  {repetition + 1}/{repetitions} {name}: {measured[name][-1]:.4g}")
    return measured


def say(line: str) -> None:
    """Prints progress for people."""
    print(line, file=sys.stderr, flush=True)
