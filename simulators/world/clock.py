"""Virtual time: one clock, one heap of calls, and chance that is split by name.

Times are seconds, multiples of 2^-20 s: sums of such numbers are exact, so that the same things happen at the
same times however they are reached. Calls of the same moment happen in the order in which they were asked for.
"""

from collections.abc import Callable
from heapq import heappop, heappush
from math import ceil
from random import Random
from typing import Protocol, TypeAlias

Call: TypeAlias = Callable[[], None]

_TICKS = float(1 << 20)


def on_tick(time_s: float) -> float:
    """The first moment of virtual time that is not before `time_s`."""
    return ceil(time_s * _TICKS) / _TICKS


def chance(seed: int, *names: object) -> Random:
    """The generator of one thing in the world of `seed`; what others draw from theirs changes nothing here."""
    return Random(":".join(map(str, (seed, *names))))


class VirtualClock:
    """Calls what is due, in order; time jumps from call to call."""

    def __init__(self, start_s: float) -> None:
        self.now_s = on_tick(start_s)
        self.calls = 0
        self._heap: list[tuple[float, int, Call]] = []
        self._asked = 0

    def at(self, time_s: float, call: Call) -> None:
        """Calls once, at `time_s` or at once where that is over."""
        self._asked += 1
        heappush(self._heap, (max(self.now_s, on_tick(time_s)), self._asked, call))

    def after(self, delay_s: float, call: Call) -> None:
        """Calls once, `delay_s` from now."""
        self.at(self.now_s + delay_s, call)

    def next_s(self) -> float | None:
        """When the next call is due."""
        return self._heap[0][0] if self._heap else None

    def step(self) -> None:
        """Goes to the next call and makes it. IndexError when there is none."""
        self.now_s, _, call = heappop(self._heap)
        self.calls += 1
        call()

    def run_until(self, end_s: float) -> None:
        """Makes every call that is due up to `end_s`, which it then is."""
        while self._heap and self._heap[0][0] <= end_s:
            self.step()
        self.now_s = max(self.now_s, on_tick(end_s))


class Clock(Protocol):
    """What asks the time and asks to be called."""

    @property
    def now_s(self) -> float: ...

    def at(self, time_s: float, call: Call) -> None: ...

    def after(self, delay_s: float, call: Call) -> None: ...


class ShiftedClock:
    """The same clock for a machine whose own seconds began at `origin_s`: a monotonic clock begins anew with power."""

    def __init__(self, clock: VirtualClock, origin_s: float) -> None:
        self._clock = clock
        self._origin_s = origin_s

    @property
    def now_s(self) -> float:
        return self._clock.now_s - self._origin_s

    def at(self, time_s: float, call: Call) -> None:
        self._clock.at(time_s + self._origin_s, call)

    def after(self, delay_s: float, call: Call) -> None:
        self._clock.at(self._clock.now_s + delay_s, call)


class Alarm:
    """One wish to be called at a time that changes often. It is never late; it may be called too early."""

    def __init__(self, clock: Clock, call: Call) -> None:
        self._clock = clock
        self._call = call
        self._set_s: float | None = None  # the earliest call that waits in the heap
        self._wanted_s: float | None = None

    def set(self, due_s: float | None) -> None:
        """The next call is wanted at `due_s`; None: none is."""
        self._wanted_s = due_s
        if due_s is not None and (self._set_s is None or due_s < self._set_s):
            self._set_s = due_s
            self._clock.at(due_s, lambda: self._ring(due_s))

    def _ring(self, set_s: float) -> None:
        if set_s != self._set_s:
            return  # another one was set before this
        self._set_s = None
        if self._wanted_s is None:
            return
        if self._wanted_s > self._clock.now_s:
            self.set(self._wanted_s)
            return
        self._wanted_s = None
        self._call()
