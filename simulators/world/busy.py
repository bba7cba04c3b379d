"""Busy time: seconds in which something happens at a table. Faults come in busy time.

A table waits for most of its time: for players, for a technician, while decks are displayed. Faults that came at any
second would fall into nothing. So a pause between two entries of the journal counts for a few seconds at the most.
"""

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Final

from simulators.world.clock import Alarm, VirtualClock
from simulators.world.faults import PlannedFault

MOST_OF_A_PAUSE_S: Final = 4.0


class BusyTime:
    """Begins faults at busy seconds."""

    def __init__(self, clock: VirtualClock, begin: Callable[[PlannedFault], None]) -> None:
        self._clock = clock
        self._begin = begin
        self._last_s = clock.now_s  # when something last happened
        self._busy_s = 0.0  # up to then
        self._asked = 0
        self._waiting: list[tuple[float, int, PlannedFault]] = []
        self._alarm = Alarm(clock, self._come)

    def at(self, busy_s: float, fault: PlannedFault) -> None:
        """Begins the fault at this busy second, or soon where that is over."""
        self._asked += 1
        heappush(self._waiting, (busy_s, self._asked, fault))
        self._set()

    def after(self, fault: PlannedFault, delay_s: float) -> None:
        """Begins it so many busy seconds from now."""
        self.at(self._busy_s + self._pause_s() + delay_s, fault)

    def go_on(self) -> None:
        """Something has happened: an entry of the journal has become durable."""
        self._busy_s += self._pause_s()
        self._last_s = self._clock.now_s
        self._set()

    def _pause_s(self) -> float:
        return min(MOST_OF_A_PAUSE_S, self._clock.now_s - self._last_s)

    def _set(self) -> None:
        left_s = self._waiting[0][0] - self._busy_s if self._waiting else None
        is_soon = left_s is not None and left_s <= MOST_OF_A_PAUSE_S
        self._alarm.set(self._last_s + left_s if left_s is not None and is_soon else None)

    def _come(self) -> None:
        _, _, fault = heappop(self._waiting)
        self._set()
        self._begin(fault)
