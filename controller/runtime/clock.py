"""The three times of an entry: the shell's monotonic seconds, the wall clock, and table time.

The core knows only table time. Table time continues from the last entry of the journal, never goes back, and stands
still while no controller runs. The wall clock labels entries and decides nothing.
"""

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from controller.core.words import TableMs

_ROUNDING_MS = 1e-6  # covers rounding errors: a timer set for a millisecond must be due at that millisecond
_STEP_MS = 1000
_DRIFT = 1000  # one thousandth: more than a clock drifts while it is slewed


class WallTime(Struct, frozen=True, gc=False):
    """A reading of the wall clock: milliseconds since 1970 UTC. `is_synced`: True if a time service set the clock."""

    ms: int
    is_synced: bool


ReadWall: TypeAlias = Callable[[], WallTime]


class TableClock:
    """Converts the shell's monotonic seconds into table time, for one run.

    The run begins at the monotonic second `now_s`. Table time is then `last_ms`, the time of the journal's last entry.
    From there both run equally fast.
    """

    def __init__(self, last_ms: int, now_s: float) -> None:
        self._began_ms = last_ms
        self._began_s = now_s
        self._last_ms = last_ms

    def read(self, now_s: float) -> TableMs:
        elapsed_ms = int((now_s - self._began_s) * 1000 + _ROUNDING_MS)
        self._last_ms = max(self._last_ms, self._began_ms + elapsed_ms)
        return TableMs(self._last_ms)

    def when_s(self, at_ms: TableMs) -> float:
        """Returns the monotonic second at which table time will be `at_ms`."""
        return self._began_s + (at_ms - self._began_ms) / 1000


class WallWatch:
    """Reads the wall clock for each entry, and detects that the clock was set between two readings."""

    def __init__(self, read_wall: ReadWall) -> None:
        self._read = read_wall
        self._last: tuple[WallTime, float] | None = None

    def read(self, now_s: float) -> tuple[WallTime, int]:
        """Returns the wall time, and the milliseconds by which the wall clock was set since the last reading.

        The second value is 0 at the first reading, and for a difference of up to about a second.
        """
        wall, before = self._read(), self._last
        self._last = (wall, now_s)
        if before is None:
            return wall, 0
        elapsed_ms = round((now_s - before[1]) * 1000)
        by_ms = wall.ms - before[0].ms - elapsed_ms
        return wall, by_ms if abs(by_ms) > _STEP_MS + elapsed_ms // _DRIFT else 0
