"""Checks if the computer's supply voltage is too low. Only the firmware of a Raspberry Pi reports a low voltage."""

from pathlib import Path
from typing import Final

from controller.screen.surroundings import Undervoltage

THROTTLED: Final = "devices/platform/soc/soc:firmware/get_throttled"
VOLT_ALARM: Final = "class/hwmon/hwmon*/in0_lcrit_alarm"  # of the driver named rpi_volt
_NOW: Final = 1 << 0
_EARLIER: Final = 1 << 16


def read_undervoltage(sysfs: Path = Path("/sys")) -> Undervoltage:
    """Returns the undervoltage that the firmware reports, or UNKNOWN if the firmware reports none. Reads small files
    and never waits.
    """
    flags = _read(sysfs / THROTTLED, 16)
    if flags is not None:
        return Undervoltage.NOW if flags & _NOW else Undervoltage.EARLIER if flags & _EARLIER else Undervoltage.NO
    for alarm in sorted(sysfs.glob(VOLT_ALARM)):
        if _text(alarm.with_name("name")) == "rpi_volt" and (value := _read(alarm, 10)) is not None:
            return Undervoltage.NOW if value else Undervoltage.NO
    return Undervoltage.UNKNOWN


def _read(path: Path, base: int) -> int | None:
    try:
        return int(_text(path), base)
    except ValueError:
        return None


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(64).decode("ascii", "replace").strip()
    except OSError:
        return ""
