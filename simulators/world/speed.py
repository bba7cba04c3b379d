"""Measures the speed of worlds with a sampler, and the share of each part of the program in the processor time.

Every few milliseconds of processor time the sampler records which code is running. The sampler changes no object of the
world, so a world has the same digest with and without the sampler.
"""

import gc
import signal
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

from msgspec import Struct, field

SECONDS_AN_HOUR: Final = 3600.0
EVERY_S: Final = 0.004

PRODUCTION: Final = "production code"
DEVICES: Final = "devices"
WIRES: Final = "clock, wires and disk"
PEOPLE: Final = "people"
ORACLES: Final = "oracles and watches"
OTHER: Final = "faults and the rest"
PARTS: Final = (PRODUCTION, DEVICES, WIRES, PEOPLE, ORACLES, OTHER)

_ROOT: Final = str(Path(__file__).parents[2]) + "/"
_WORLD: Final = {
    WIRES: "card_host clock device_end equipment host installation machine quiet wires",
    PEOPLE: "crew pace screen",
    ORACLES: "card_game outputs record watches",
}
_WHEEL: Final = {WIRES: "host", PEOPLE: "crew people players", ORACLES: "judge"}
_PLACES: Final = (
    *(("controller/", PRODUCTION), ("drivers/", PRODUCTION), ("simulators/devices/", DEVICES)),
    *(("simulators/people/", PEOPLE), ("simulators/oracles/", ORACLES), ("simulators/disk.py", WIRES)),
    *((f"simulators/world/{name}.py", part) for part, names in _WORLD.items() for name in names.split()),
    *((f"simulators/wheel/{name}.py", part) for part, names in _WHEEL.items() for name in names.split()),
    *(("simulators/wheel/", OTHER), ("simulators/world/", OTHER)),
)
"""Path prefixes and their parts; the first match counts. Time in firmware_protocols counts for its caller."""


class Played(Struct, frozen=True):
    """The simulated time of one or more worlds, the processor time spent on it, and the rounds and entries in it."""

    virtual_s: float = 0.0
    cpu_s: float = 0.0
    rounds: int = 0
    entries: int = 0

    def __add__(self, other: "Played") -> "Played":
        return Played(
            self.virtual_s + other.virtual_s,
            self.cpu_s + other.cpu_s,
            self.rounds + other.rounds,
            self.entries + other.entries,
        )

    @property
    def hours(self) -> float:
        return self.virtual_s / SECONDS_AN_HOUR

    def of_cpu(self, what: float) -> float:
        """Returns `what`, a number counted in the worlds, per second of processor time; 0 if no time was used."""
        return what / self.cpu_s if self.cpu_s else 0.0

    @property
    def rounds_an_hour(self) -> float:
        """The rounds in each hour of simulated time, with opening, closing and empty times included."""
        return self.rounds / self.hours if self.virtual_s else 0.0


class Samples(Struct):
    """The number of samples taken in each part of the program."""

    counts: Counter[str] = field(default_factory=Counter)

    def take(self, _signal: int, frame: FrameType | None) -> None:
        """Adds 1 to the count of the part of the program that runs in `frame`. The timer's signal calls this method. A
        frame of another program counts for its nearest caller that belongs to a part.
        """
        while frame is not None:
            part = _part_of(frame.f_code.co_filename)
            if part is not None:
                self.counts[part] += 1
                return
            frame = frame.f_back

    def shares(self) -> dict[str, float]:
        """Returns the share of each part in all samples, from 0 to 1; empty without samples."""
        whole = self.counts.total()
        return {part: round(self.counts[part] / whole, 3) for part in PARTS} if whole else {}


@contextmanager
def sampled() -> Iterator[Samples]:
    """Takes samples of this process while the context is open, and yields them. Takes none outside the main thread."""
    samples = Samples()
    if threading.current_thread() is not threading.main_thread():
        yield samples
        return
    before = signal.signal(signal.SIGPROF, samples.take)
    signal.setitimer(signal.ITIMER_PROF, EVERY_S, EVERY_S)
    try:
        yield samples
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


SELDOM: Final = 100_000
"""The collector's first threshold: a world makes many objects, and few of them in cycles."""


@contextmanager
def collected_seldom() -> Iterator[None]:
    """Makes garbage collection rare while the context is open, and excludes the objects that already exist. Worker
    processes that start meanwhile inherit both settings.
    """
    before, was_left_out = gc.get_threshold(), gc.get_freeze_count()
    gc.freeze()
    gc.set_threshold(SELDOM, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        if not was_left_out:
            gc.unfreeze()


class Speed(Struct, frozen=True):
    """The speed of a whole batch. `wall_s`: the real seconds that it took with all jobs."""

    played: Played
    wall_s: float
    shares: dict[str, float]


def report(speed: Speed) -> Iterable[str]:
    """Yields the lines of the report on speed, for people."""
    played = speed.played
    yield f"{played.hours:.1f} table-hours, {played.of_cpu(played.hours):.2f} for each second of one core"
    yield (
        f"{played.rounds} rounds, {played.rounds_an_hour:.1f} an hour of table time, opening and waiting included; "
        f"{played.of_cpu(played.rounds):.1f} rounds and {played.of_cpu(played.entries):.0f} journal entries "
        "for each second of one core"
    )
    for part, share in speed.shares.items():
        yield f"  {share:6.1%}  {part}"


def _part_of(filename: str) -> str | None:
    if not filename.startswith(_ROOT):
        return None
    path = filename[len(_ROOT) :]
    return next((part for place, part in _PLACES if path.startswith(place)), None)
