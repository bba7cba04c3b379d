"""The messages of a card-reading shoe, or of the reader at a shuffler's mouth: status, commands, events."""

from enum import IntEnum
from typing import Final, TypeAlias

from msgspec import Struct

from firmware_protocols.cards import CARD_BYTES, FOREIGN
from firmware_protocols.tdp.common import CAUSE, QUERY, STARTED_DOC, Query, StartCause
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
    whole,
)


class ShoeResult(IntEnum):
    """The result in a shoe's answer to a command. A shoe refuses only the command to unlock, and is then locked."""

    OK = 0
    BAD_COMMAND = 1
    REFUSED_HOST_SILENT = 5  # too many events wait for the host


class ReaderErrorCode(IntEnum):
    """The error codes whose meaning is the same for every maker. Codes 128 to 255 are the maker's own."""

    CARD_STUCK = 1
    SENSOR_BLOCKED = 2
    COVER_OPEN = 3
    SELF_TEST_FAILED = 4


class ShoeStatus(Struct, frozen=True, gc=False):
    """The shoe's state. `passages`: the number of all cards that have ever passed the reader, read or not, modulo
    2**32.
    """

    passages: int
    locked: bool = True
    error: bool = False
    host_silent: bool = False
    counts_unknown: bool = False


class ShoeApply(Struct, frozen=True, gc=False):
    """The command that locks or unlocks the shoe. A reader without a lock answers OK, and its status says that it is
    unlocked.
    """

    locked: bool


class ShoeStarted(Struct, frozen=True, gc=False):
    cause: StartCause


class CardPassed(Struct, frozen=True, gc=False):
    """A card has passed the reader. `card`: the card's byte (firmware_protocols.cards)."""

    passage: int
    card: int


class ReaderErrorRaised(Struct, frozen=True, gc=False):
    code: int


class ReaderErrorCleared(Struct, frozen=True, gc=False):
    code: int


ShoeCommand: TypeAlias = ShoeApply | Query
ShoeEvent: TypeAlias = ShoeStarted | CardPassed | ReaderErrorRaised | ReaderErrorCleared

_DOWN: Final = Direction.HOST_TO_DEVICE
_UP: Final = Direction.DEVICE_TO_HOST
_CODE: Final = Field("code", Wire.U8, Unit.CODE, 1, 255, "1 stuck, 2 blocked, 3 cover, 4 self-test, 128.. maker's own")

STATUS: Final = Message(
    0,
    "status",
    ShoeStatus,
    _UP,
    Nature.STATUS,
    "What the shoe is, after whatever the frame reports.",
    (whole("passages", Wire.U32, Unit.PASSAGES, "cards that passed the reader, ever, read or not"),),
    (
        Flag("locked", 0, "no card can be drawn"),
        Flag("error", 1, "a reader error is raised"),
        Flag("host_silent", 2, "locked because the host was silent or too many events wait"),
        Flag("counts_unknown", 3, "the count did not survive: passages proves nothing"),
    ),
    Wire.U8,
)
COMMANDS: Final = (
    Message(
        0x01,
        "apply",
        ShoeApply,
        _DOWN,
        Nature.EFFECT,
        "What the shoe shall be from now on.",
        (flag_field("locked", "let no card be drawn"),),
    ),
    QUERY,
)
EVENTS: Final = (
    Message(
        0x01,
        "started",
        ShoeStarted,
        _UP,
        Nature.EVENT,
        STARTED_DOC,
        (CAUSE,),
    ),
    Message(
        0x02,
        "card-passed",
        CardPassed,
        _UP,
        Nature.EVENT,
        "One card passed the reader, read or not.",
        (
            whole("passage", Wire.U32, Unit.NUMBER, "the number of this passage, passages after it"),
            Field(
                "card",
                Wire.U8,
                Unit.CODE,
                0,
                FOREIGN,
                "suit and rank, 0 not read, 0x5F foreign",
                CARD_BYTES,
                is_secret=True,
            ),
        ),
    ),
    Message(0x03, "reader-error-raised", ReaderErrorRaised, _UP, Nature.EVENT, "The reader failed.", (_CODE,)),
    Message(0x04, "reader-error-cleared", ReaderErrorCleared, _UP, Nature.EVENT, "It works again.", (_CODE,)),
)
SHOE: Final[DeviceSchema[ShoeStatus, ShoeCommand, ShoeEvent]] = DeviceSchema(
    DeviceKind.SHOE, ShoeResult, STATUS, COMMANDS, EVENTS
)
