"""The common part of the message tables of all kinds of device: the cause of a device's start, and its row."""

from enum import IntEnum
from typing import Final

from firmware_protocols.tdp.schema import Field, Unit, Wire, choices_of


class StartCause(IntEnum):
    """Why a device started."""

    POWER_ON = 1
    WATCHDOG = 2
    COMMANDED = 3  # by its own keys or a firmware update
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
