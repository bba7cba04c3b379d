"""The name of a USB device: vendor, product and serial number, never its place on the bus."""

import re
from typing import Final

from msgspec import Struct

USB: Final = "usb"
USB_URL: Final = re.compile(r"usb://([0-9a-fA-F]{4}):([0-9a-fA-F]{4})/([!-.0-~]{1,64})")


class UsbName(Struct, frozen=True, gc=False):
    """The name of one USB device: the numbers of its vendor and product, and its serial number."""

    vendor: int
    product: int
    serial: str

    def __str__(self) -> str:
        return f"{USB}://{self.vendor:04x}:{self.product:04x}/{self.serial}"


def usb_name(port: str) -> UsbName | None:
    """Returns the device named in a port's URL; None for any other text than `usb://VID:PID/SERIAL`."""
    found = USB_URL.fullmatch(port)
    return None if found is None else UsbName(int(found[1], 16), int(found[2], 16), found[3])
