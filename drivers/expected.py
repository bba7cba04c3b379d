"""Which device the configuration expects at a port, and in what another one differs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from drivers.events import DeviceRefused, Mismatch
from drivers.tdp_kinds import TdpKind
from firmware_protocols.tdp.link import Identity


@dataclass(frozen=True, slots=True)
class Pair:
    """The key that a device shares with this host. `draw`: so many bytes that nobody has seen before."""

    key: bytes = field(repr=False)
    draw: Callable[[int], bytes]


@dataclass(frozen=True, slots=True)
class ExpectedDevice:
    """`serial` and `model` None: any. A table is simulated or it is not, and so is each of its devices.

    `pair` None: the device proves nothing.

    `simulated` None, for a technician who looks at a device alone: either.
    """

    kind: TdpKind[Any, Any, Any]
    simulated: bool | None
    serial: str | None = None
    model: str | None = None
    approved_firmware: tuple[str, ...] = ()  # versions that may come in each other's place without anybody's word
    pair: Pair | None = None


def mismatch(expected: ExpectedDevice, found: Identity) -> DeviceRefused | None:
    """The first thing in which the device is not the expected one, with both values; None when it is."""
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
