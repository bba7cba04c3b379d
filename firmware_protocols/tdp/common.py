"""The parts of the message tables that several kinds of device share: query, plain results, and cause of a start."""

from enum import IntEnum
from typing import Final

from msgspec import Struct

from firmware_protocols.tdp.schema import Direction, Field, Message, Nature, Unit, Wire, choices_of


class PlainResult(IntEnum):
    """The results of a device that refuses no command."""

    OK = 0
    BAD_COMMAND = 1


class Query(Struct, frozen=True, gc=False):
    """The command that asks for the status and changes nothing."""


class StartCause(IntEnum):
    """The reason why a device started."""

    POWER_ON = 1
    WATCHDOG = 2
    COMMANDED = 3  # by the device's own keys or a firmware update
    UNKNOWN = 255


CAUSE: Final = Field(
    "cause",
    Wire.U8,
    Unit.CODE,
    1,
    255,
    "1 power on, 2 watchdog, 3 commanded, 255 unknown",
    choices_of(StartCause),
)
STARTED_DOC: Final = "The device started: the first event of each boot."
QUERY: Final = Message(0x02, "query", Query, Direction.HOST_TO_DEVICE, Nature.QUERY, "Asks for the status.")
