"""The wall clock, with the check that a time service synchronises it. Wall times label entries and decide nothing."""

import time
from pathlib import Path
from typing import Final

from controller.machine.clock import SYNCHRONISED
from controller.runtime.clock import WallTime

_SYNCHRONISED: Final = Path(SYNCHRONISED)
_ASKED_EVERY_S: Final = 1.0  # a look at the file costs as much as an entry's encoding


class WallClock:
    """The wall clock of one run. The synchronisation of the clock is checked at most once a second."""

    def __init__(self) -> None:
        self._is_synced = False
        self._ask_at_s = 0.0

    def read(self) -> WallTime:
        """Returns the time now, with a flag: True if systemd-timesyncd says that the clock is synchronised."""
        now_s = time.monotonic()
        if now_s >= self._ask_at_s:
            self._ask_at_s = now_s + _ASKED_EVERY_S
            self._is_synced = _SYNCHRONISED.exists()
        return WallTime(time.time_ns() // 1_000_000, self._is_synced)
