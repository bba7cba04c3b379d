"""Commands that make a device show all that its kind can show, or keep what it shows."""

from collections.abc import Callable
from typing import Any, Final

from firmware_protocols.tdp.conform.line import Host
from firmware_protocols.tdp.conform.parts import QUIET_S, SWITCHES, lock_of_shuffler
from firmware_protocols.tdp.display import DisplayApply
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shoe import ShoeApply
from firmware_protocols.tdp.slots import SlotsApply
from firmware_protocols.tdp.value_display import COLOURS, MarkersApply

ALL_SHOWN: Final[dict[DeviceKind, Callable[[Any], object]]] = {
    DeviceKind.DISPLAY: lambda _now: DisplayApply(700),
    DeviceKind.VALUE_DISPLAY: lambda _now: MarkersApply(*range(100, 100 + len(COLOURS))),
    DeviceKind.SLOTS: lambda now: SlotsApply(now.collections, lit=0x8F0F, blinking=0xF0F1),
}
"""The command, for each kind that shows something, that shows an amount, a value on each marker, or lamps lit and
blinking.
"""

BLANK: Final[dict[DeviceKind, Callable[[Any], object]]] = {
    DeviceKind.DISPLAY: lambda _now: DisplayApply(0, fault=True),
    DeviceKind.VALUE_DISPLAY: lambda _now: MarkersApply(),
    DeviceKind.SLOTS: lambda now: SlotsApply(now.collections),
}
"""The command, for each kind that shows something, that shows nothing: a device may do it as a protection."""

PARTLY_SHOWN: Final[dict[DeviceKind, tuple[Callable[[Any], object], ...]]] = {
    DeviceKind.DISPLAY: (lambda _now: DisplayApply(700, fault=True),),
    DeviceKind.VALUE_DISPLAY: (lambda _now: MarkersApply(turquoise=100),),
    DeviceKind.SLOTS: (
        lambda now: SlotsApply(now.collections, lit=0x8F0F),
        lambda now: SlotsApply(now.collections, blinking=0xF0F1),
    ),
}
"""Commands, for each kind that shows something, that show a part alone: a device may keep or clear this part only
together with the rest.
"""


def as_it_is(host: Host, now: Any) -> object:  # noqa: ANN401 (any kind's status)
    """The command that changes no lamp and no marker and permits nothing. This command locks a shoe, and makes a
    display show its fault picture. A sensor has no such command: the query is returned.
    """
    if host.schema.kind not in SWITCHES:
        return host.schema.decode_command(host.query)
    match host.schema.kind:
        case DeviceKind.SHUFFLER:
            return lock_of_shuffler(now)
        case DeviceKind.SHOE:
            return ShoeApply(locked=True)
        case DeviceKind.DISPLAY:
            return DisplayApply(now.shown_cents, fault=True)
        case DeviceKind.VALUE_DISPLAY:
            return MarkersApply(**{colour: getattr(now, colour) for colour in COLOURS})
        case _:
            return SlotsApply(now.collections, lit=now.lit, blinking=now.blinking)


def show_all(host: Host) -> Any:  # noqa: ANN401 (any kind's status)
    """Sends the command in ALL_SHOWN for this kind of device, waits a little, and returns the status."""
    before = host.status()[0]
    host.apply(ALL_SHOWN[host.schema.kind](before))
    host.status_becomes(lambda now: now != before)
    host.listen(QUIET_S)
    return host.status()[0]
