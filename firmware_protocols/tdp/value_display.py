"""The chip value display's messages: status block (the value of each colour, read back from the markers), commands.

This display's events are a start and a fault, with the messages of a jackpot display (display.py).
"""

from typing import Final, TypeAlias

from msgspec import Struct

from firmware_protocols.tdp.common import QUERY, PlainResult, Query
from firmware_protocols.tdp.display import EVENTS, DisplayEvent
from firmware_protocols.tdp.schema import (
    DeviceKind,
    DeviceSchema,
    Direction,
    Field,
    Flag,
    Message,
    Nature,
    Unit,
    Wire,
)

VALUE_MAX: Final = 99_999_999  # 999 999.99: no chip is worth more


class Markers(Struct, frozen=True, gc=False):
    """The value of one chip of each colour, in cents; 0 if the marker of the colour is blank."""

    red: int = 0
    blue: int = 0
    green: int = 0
    yellow: int = 0
    orange: int = 0
    purple: int = 0
    pink: int = 0
    brown: int = 0
    white: int = 0
    black: int = 0
    grey: int = 0
    turquoise: int = 0

    @property
    def values(self) -> tuple[int, ...]:
        """The values in the order of the colours."""
        return tuple(getattr(self, colour) for colour in COLOURS)


COLOURS: Final[tuple[str, ...]] = Markers.__struct_fields__


class MarkersStatus(Markers, frozen=True, gc=False):
    """The values that were read back from the markers. These values may differ from those in the last command."""

    host_silent: bool = False


class MarkersApply(Markers, frozen=True, gc=False):
    """The command that sets the value on every marker. Only this command changes the display."""


MarkersCommand: TypeAlias = MarkersApply | Query


_FIELDS: Final = tuple(
    Field(colour, Wire.U32, Unit.CENTS, 0, VALUE_MAX, f"of one {colour} chip; 0 blank") for colour in COLOURS
)

STATUS: Final = Message(
    0,
    "status",
    MarkersStatus,
    Direction.DEVICE_TO_HOST,
    Nature.STATUS,
    "What the markers show, after whatever the frame reports.",
    _FIELDS,
    (Flag("host_silent", 0, "the host is silent; the markers stay as they are"),),
    Wire.U8,
)
APPLY: Final = Message(
    0x01,
    "apply",
    MarkersApply,
    Direction.HOST_TO_DEVICE,
    Nature.EFFECT,
    "What every marker shall show from now on.",
    _FIELDS,
)
VALUE_DISPLAY: Final[DeviceSchema[MarkersStatus, MarkersCommand, DisplayEvent]] = DeviceSchema(
    DeviceKind.VALUE_DISPLAY, PlainResult, STATUS, (APPLY, QUERY), EVENTS
)
