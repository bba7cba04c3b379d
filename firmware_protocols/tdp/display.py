"""The jackpot display's messages: status block (with the amount read back from the panel), commands, events."""

from enum import IntEnum
from typing import Final, TypeAlias

from msgspec import Struct

from firmware_protocols.tdp.common import CAUSE, QUERY, STARTED_DOC, PlainResult, Query, StartCause
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
    flag_field,
)

CENTS_MAX: Final = 99_999_999_999_999  # 999 999 999 999.99: no casino's display has more digits


class DisplayFaultCode(IntEnum):
    """The fault codes whose meaning is the same for every maker. Codes 128 to 255 are the maker's own."""

    PANEL = 1  # a part of the panel does not light
    READ_BACK = 2  # the display shows another amount than the wish
    TEMPERATURE = 3


class DisplayStatus(Struct, frozen=True, gc=False):
    """The display's state. `shown_cents`: the amount read back from the panel, which may differ from that in the last
    command.
    """

    shown_cents: int
    fault_shown: bool = False
    host_silent: bool = False


class DisplayApply(Struct, frozen=True, gc=False):
    """The command that shows the amount, or the fault picture in its place. Only this command changes the display."""

    cents: int
    fault: bool = False


class DisplayStarted(Struct, frozen=True, gc=False):
    cause: StartCause


class DisplayFaulted(Struct, frozen=True, gc=False):
    code: int


DisplayCommand: TypeAlias = DisplayApply | Query
DisplayEvent: TypeAlias = DisplayStarted | DisplayFaulted

_DOWN: Final = Direction.HOST_TO_DEVICE
_UP: Final = Direction.DEVICE_TO_HOST

STATUS: Final = Message(
    0,
    "status",
    DisplayStatus,
    _UP,
    Nature.STATUS,
    "What the display shows, after whatever the frame reports.",
    (Field("shown_cents", Wire.U64, Unit.CENTS, 0, CENTS_MAX, "the amount shown, hidden or not by the fault"),),
    (
        Flag("fault_shown", 0, "the fault picture is shown and no amount"),
        Flag("host_silent", 1, "the fault picture is shown because the host was silent"),
    ),
    Wire.U8,
)
COMMANDS: Final = (
    Message(
        0x01,
        "apply",
        DisplayApply,
        _DOWN,
        Nature.EFFECT,
        "What the display shall show from now on.",
        (
            Field("cents", Wire.U64, Unit.CENTS, 0, CENTS_MAX, "the amount to show"),
            flag_field("fault", "show the fault picture and no amount"),
        ),
    ),
    QUERY,
)
EVENTS: Final = (
    Message(
        0x01,
        "started",
        DisplayStarted,
        _UP,
        Nature.EVENT,
        STARTED_DOC,
        (CAUSE,),
    ),
    Message(
        0x02,
        "display-faulted",
        DisplayFaulted,
        _UP,
        Nature.EVENT,
        "The display cannot show what it should.",
        (Field("code", Wire.U8, Unit.CODE, 1, 255, "1 panel, 2 read-back, 3 temperature, 128.. maker's own"),),
    ),
)
DISPLAY: Final[DeviceSchema[DisplayStatus, DisplayCommand, DisplayEvent]] = DeviceSchema(
    DeviceKind.DISPLAY, PlainResult, STATUS, COMMANDS, EVENTS
)
