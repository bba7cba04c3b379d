"""The name that finds a USB device: vendor, product and serial number, never the socket into which it is plugged."""

import re
from typing import Final

from msgspec import Struct

USB: Final = "usb"
USB_URL: Final = re.compile(r"usb://([0-9a-fA-F]{4}):([0-9a-fA-F]{4})/([!-.0-~]{1,64})")


class UsbName(Struct, frozen=True, gc=False):
    """A USB device's vendor number, product number and serial number."""

    vendor: int
    product: int
    serial: str

    def __str__(self) -> str:
        return f"{USB}://{self.vendor:04x}:{self.product:04x}/{self.serial}"


def usb_name(port: str) -> UsbName | None:
    """Returns the name of the device in the URL `port`; None for a text that is not `usb://VID:PID/SERIAL`."""
    found = USB_URL.fullmatch(port)
    return None if found is None else UsbName(int(found[1], 16), int(found[2], 16), found[3])
