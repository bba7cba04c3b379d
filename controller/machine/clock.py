"""Checks if the wall clock can be trusted. A period of days counts only from a trusted first day to a trusted last day.

The clock of a computer without a battery begins in the past at each start, until a time service sets it.
"""

from pathlib import Path
from typing import Final

ROOT: Final = Path("/")
SYNCHRONISED: Final = "/run/systemd/timesync/synchronized"
"""The file that systemd-timesyncd makes once it has set the clock.

adjtimex(2) would tell this for any time service, but a sandboxed service (ProtectClock=) may not call it.
"""


def is_trusted() -> bool:
    """True if a time service has set the wall clock, or if a clock with a battery set it at the start."""
    battery = ROOT.glob("sys/class/rtc/rtc*/hctosys")
    return (ROOT / SYNCHRONISED.lstrip("/")).exists() or any(one.read_text("ascii").strip() == "1" for one in battery)
