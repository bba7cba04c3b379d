"""Finds plugged-in USB devices that no rule of the installation authorises (60-sabot.rules)."""

from pathlib import Path
from typing import Final, NamedTuple

MOST: Final = 32
"""The most devices that are reported per start, since a longer list would not be read."""

_LONGEST: Final = 64  # bytes of a name that the device chose


class UsbDevice(NamedTuple):
    """A USB device. `name`: `vendor:product/serial` as the device reports them, without `/serial` if it reports none.
    `port`: the USB port where the device is plugged in.
    """

    name: str
    port: str


def kept_out(sysfs: Path = Path("/sys")) -> tuple[UsbDevice, ...]:
    """Returns the plugged-in devices that are not authorised. Reads small files, opens no device, and never waits."""
    found = sorted((sysfs / "bus/usb/devices").glob("*/authorized"))
    refused = [file.parent for file in found if _text(file) == "0"]
    return tuple(UsbDevice(_name(device), device.name) for device in refused)


class UsbWatch:
    """Finds new USB devices that are not authorised. Reports each device once at each port, and at most MOST in one
    run.
    """

    def __init__(self, sysfs: Path = Path("/sys")) -> None:
        self._sysfs = sysfs
        self._told: set[UsbDevice] = set()

    def news(self) -> tuple[UsbDevice, ...]:
        new = [one for one in kept_out(self._sysfs) if one not in self._told][: MOST - len(self._told)]
        self._told.update(new)
        return tuple(new)


def _name(device: Path) -> str:
    maker, product, serial = (_text(device / file) for file in ("idVendor", "idProduct", "serial"))
    return f"{maker}:{product}/{serial}" if serial else f"{maker}:{product}"


def _text(path: Path) -> str:
    """Returns the text of a small file, with "?" for each character that is not printable ASCII. The device chose the
    text.

    Returns "" for a file that cannot be read.
    """
    try:
        with path.open("rb") as file:
            said = file.read(_LONGEST).decode("ascii", "replace").strip()
    except OSError:
        return ""
    return "".join(letter if letter.isprintable() and letter.isascii() else "?" for letter in said)
