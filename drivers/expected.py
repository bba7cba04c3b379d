"""The device that the configuration expects at a port, and how the device found at the port differs from it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct

from drivers.events import DeviceRefused, Mismatch
from drivers.tdp_kinds import TdpKind
from firmware_protocols.tdp.link import Identity


@dataclass(frozen=True, slots=True)
class Pair:
    """The key that a device shares with this host. `draw(n)` returns n new random bytes."""

    key: bytes = field(repr=False)
    draw: Callable[[int], bytes]


class ExpectedDevice(Struct, frozen=True):
    """The expected properties of the device at a port. `serial`, `model`: None for any value. `pair`: the key with
    which the device must prove its identity; None for a device that needs no proof. `simulated`: True at a simulated
    table, where every device must be simulated. False at any other table, where no device may be simulated. None
    accepts both, for a technician who examines a single device.
    """

    kind: TdpKind[Any, Any, Any]
    simulated: bool | None
    serial: str | None = None
    model: str | None = None
    approved_firmware: tuple[str, ...] = ()  # versions that may replace each other without a person's confirmation
    pair: Pair | None = None


def mismatch(expected: ExpectedDevice, found: Identity) -> DeviceRefused | None:
    """Returns the first property in which the device `found` differs from the device `expected`, with both values; None
    if the two agree. Skips a property without a value on either side.
    """
    rows = (
        (Mismatch.KIND, expected.kind.schema.kind.name.lower(), found.kind.name.lower() if found.kind else None),
        (Mismatch.SIMULATED, _yes_or_no(expected.simulated), _yes_or_no(found.simulated)),
        (Mismatch.MODEL, expected.model, found.model),
        (Mismatch.SERIAL, expected.serial, found.serial),
    )
    for what, wanted, is_ in rows:
        if wanted is not None and is_ is not None and wanted != is_:
            return DeviceRefused(what, wanted, is_)
    return None


def _yes_or_no(value: bool | None) -> str | None:  # noqa: FBT001
    return None if value is None else "yes" if value else "no"
