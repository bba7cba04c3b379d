"""The part of the message tables that all kinds of device share: the cause of a device's start."""

from enum import IntEnum
from typing import Final

from firmware_protocols.tdp.schema import Field, Unit, Wire, choices_of


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
