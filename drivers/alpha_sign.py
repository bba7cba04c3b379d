"""An Alpha sign as this project uses it: the lay-out of the sign's memory, its files, the times, and the settings of
one sign.
"""

from typing import Final

from msgspec import Struct

from firmware_protocols.alpha.packet import ALL_ADDRESSES, ALL_TYPES
from firmware_protocols.alpha.sign import (
    PRIORITY,
    FileKind,
    LayOutMemory,
    MemoryFile,
    ReadString,
    ReadText,
    WriteText,
    text_calling,
)

MODEL: Final = "Alpha sign"

TEXT_LABEL: Final = "A"  # the file that a sign shows by itself after power-on
AMOUNT_LABEL: Final = "1"
LAY_OUT: Final = LayOutMemory(
    (MemoryFile(TEXT_LABEL, FileKind.TEXT, 0x40), MemoryFile(AMOUNT_LABEL, FileKind.STRING, 0x20))
)
TEXT: Final = WriteText(TEXT_LABEL, text_calling(AMOUNT_LABEL))
# the priority message comes last: after it both contents are known
SHOWN: Final = (ReadString(AMOUNT_LABEL), ReadText(PRIORITY))

LOST_AFTER_S: Final = 5.0  # people must see that the amount may be old, after this time without a good update
CHECK_EVERY_S: Final = 1.5
REFRESH_EVERY_S: Final = 2.0
TEXTS: Final = 2  # a sign that is slow to clear its memory misses the first; each may wear the flash
WRITES_BEFORE_FAULT: Final = 2
SET_UPS_AT_ONCE: Final = 4  # the most writes of lay-out or TEXT that may fail in a row; each write may wear the flash
SET_UP_AGAIN_S: Final = 60.0


class AlphaSettings(Struct, frozen=True, gc=False):
    """The settings of one sign.

    `fault_text`: the text that the sign shows instead of the amount while there is a fault.
    """

    fault_text: str
    simulated: bool
    sign_type: str = ALL_TYPES
    address: str = ALL_ADDRESSES
    checksum: bool = False
    read_back: bool = True
