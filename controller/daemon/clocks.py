"""The wall clock, and whether anything keeps it right. It labels entries and decides nothing."""

import time
from pathlib import Path
from typing import Final

from controller.runtime.clock import WallTime

_SYNCHRONISED: Final = Path("/run/systemd/timesync/synchronized")
"""systemd-timesyncd makes this file once it has set the clock. adjtimex(2) would say it of any time service, but a
sandboxed service (ProtectClock=) may not call it."""


def read_wall() -> WallTime:
    """Now; synchronised only where somebody says so."""
    return WallTime(time.time_ns() // 1_000_000, is_synced=_SYNCHRONISED.exists())
