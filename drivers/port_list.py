"""Lists the serial ports of this machine, each with the stable names (by-path, by-id) that the system gives it."""

from pathlib import Path
from typing import Final

from msgspec import Struct
from serial.tools import list_ports

_NAMES: Final = Path("/dev/serial")
"""The directory in which the system keeps the links with the stable names."""


class FoundPort(Struct, frozen=True, gc=False):
    """A serial port of this machine. `by_path`: the stable name of the socket into which the adapter is plugged.
    `by_id`: the stable name of the adapter. Each is None if the system gives no such name.
    """

    path: str
    by_path: str | None
    by_id: str | None
    description: str
    vendor_product: str | None
    serial_number: str | None


def found_ports() -> list[FoundPort]:
    """Returns every serial port that the system knows, sorted by path."""
    ports = sorted(list_ports.comports(), key=lambda port: str(port.device))
    by_path, by_id = _links(_NAMES / "by-path"), _links(_NAMES / "by-id")
    return [
        FoundPort(
            path=port.device,
            by_path=by_path.get(port.device),
            by_id=by_id.get(port.device),
            description=port.description or "",
            vendor_product=None if port.vid is None else f"{port.vid:04x}:{port.pid:04x}",
            serial_number=port.serial_number,
        )
        for port in ports
    ]


def _links(directory: Path) -> dict[str, str]:
    """Returns the path of the link that leads to each device, by the device's path: the first link by name if there are
    several.
    """
    if not directory.is_dir():
        return {}
    return {str(link.resolve()): str(link) for link in sorted(directory.iterdir(), reverse=True)}
