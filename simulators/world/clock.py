"""Virtual time: one clock, one queue of scheduled calls, and one random generator for each name.

Times are seconds, in multiples of 2^-20 s. Sums of such numbers are exact, so events happen at the same times whatever
the order of additions. Calls for the same moment run in the order in which they were scheduled.
"""

from collections.abc import Callable
from heapq import heappop, heappush
from math import ceil
from random import Random
from typing import Final, TypeAlias

Call: TypeAlias = Callable[[], None]

_TICKS = float(1 << 20)


MOST_AT_ONCE: Final = 10_000


class NeverRestsError(Exception):
    """More than MOST_AT_ONCE calls have run at the same virtual time."""


def on_tick(time_s: float) -> float:
    """Returns `time_s`, rounded up to a multiple of the clock's resolution, 2^-20 s."""
    return ceil(time_s * _TICKS) / _TICKS


def chance(seed: int, *names: object) -> Random:
    """Returns the random generator for these names in the world of `seed`, independent of every other generator."""
    return Random(":".join(map(str, (seed, *names))))


class VirtualClock:
    """Runs scheduled calls in order of time; the time jumps from one call to the next."""

    def __init__(self, start_s: float) -> None:
        self.now_s = on_tick(start_s)
        self.calls = 0
        self._at_once = 0  # calls since the last advance of time
        self._heap: list[Entry] = []
        self._asked = 0

    def at(self, time_s: float, call: Call) -> "Entry":
        """Schedules a call for `time_s`, or for now if `time_s` is past, and returns its entry. To prevent the call,
        set `is_cancelled` of the entry.
        """
        self._asked += 1
        on_tick_s = ceil(time_s * _TICKS) / _TICKS
        entry = Entry((on_tick_s if on_tick_s > self.now_s else self.now_s, self._asked, call))
        heappush(self._heap, entry)
        return entry

    def after(self, delay_s: float, call: Call) -> "Entry":
        """Schedules a call `delay_s` seconds from now."""
        return self.at(self.now_s + delay_s, call)

    def step(self) -> None:
        """Advances the time to the next scheduled call and runs that call. Raises IndexError if no call is scheduled,
        NeverRestsError after too many calls at one time.
        """
        while True:
            entry = heappop(self._heap)
            if not entry.is_cancelled:
                break
        time_s, _, call = entry
        self._at_once = self._at_once + 1 if time_s == self.now_s else 0
        if self._at_once > MOST_AT_ONCE:
            raise NeverRestsError(f"more than {MOST_AT_ONCE} calls in one moment")
        self.now_s = time_s
        self.calls += 1
        call()


class Entry(tuple[float, int, Call]):
    """One scheduled call: the tuple of its time, its number and the call. Entries sort by time, then by number."""

    is_cancelled = False


class ShiftedClock:
    """The clock of a machine that was switched on at `origin_s` of the world's clock, which is 0 in the times of this
    clock.
    """

    def __init__(self, clock: VirtualClock, origin_s: float) -> None:
        self.of_world = clock
        self.origin_s = origin_s

    @property
    def now_s(self) -> float:
        return self.of_world.now_s - self.origin_s

    def at(self, time_s: float, call: Call) -> Entry:
        return self.of_world.at(time_s + self.origin_s, call)

    def after(self, delay_s: float, call: Call) -> Entry:
        return self.of_world.at(self.of_world.now_s + delay_s, call)


Clock: TypeAlias = VirtualClock | ShiftedClock


class Alarm:
    """One scheduled call. Each `set` moves it to another time."""

    def __init__(self, clock: Clock, call: Call) -> None:
        self._clock = clock
        self._call = call
        self._set_s = 0.0  # the time of the entry
        self._entry: Entry | None = None
        self._wanted_s: float | None = None

    def set(self, due_s: float | None) -> None:
        """Replaces the scheduled time of the call by `due_s`; None cancels the call."""
        self._wanted_s = due_s
        if self._entry is not None and (due_s is None or due_s < self._set_s):
            self._entry.is_cancelled = True
            self._entry = None
        if self._entry is None and due_s is not None:
            self._set_s = due_s
            self._entry = self._clock.at(due_s, self._ring)

    def _ring(self) -> None:
        self._entry = None
        wanted_s = self._wanted_s
        if wanted_s is None:
            return
        if wanted_s > self._clock.now_s:  # the time was put off meanwhile; a new entry for each change would cost more
            self.set(wanted_s)
            return
        self._wanted_s = None
        self._call()
