"""The jackpot slots' messages: status block (the slots with a chip, the lit lamps), commands, events.

A set of slots is a number: bit 0 is the slot of seat 1.
"""

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
    whole,
)

SEATS_MAX: Final = 16


class SlotsStatus(Struct, frozen=True, gc=False):
    """The state of the slots. `chips`: the slots whose sensor sees a chip, as bits; without meaning for the slots in
    `broken`. `lit`, `blinking`: the slots whose lamp is lit or blinks, as bits.
    """

    chips: int = 0
    broken: int = 0
    lit: int = 0
    blinking: int = 0
    collections: int = 0  # the number of the last collection
    host_silent: bool = False


class SlotsApply(Struct, frozen=True, gc=False):
    """The command that sets the lamps and collects chips. Only this command changes the slots.

    The slots collect the chips of `seats` if `collection` is one more than the number of the last collection.
    """

    collection: int
    seats: int = 0
    lit: int = 0
    blinking: int = 0


class SlotsStarted(Struct, frozen=True, gc=False):
    cause: StartCause


class SlotsChanged(Struct, frozen=True, gc=False):
    """Chips, sensors or collections of the slots have changed. The status after the event shows the change."""


SlotsCommand: TypeAlias = SlotsApply | Query
SlotsEvent: TypeAlias = SlotsStarted | SlotsChanged

_DOWN: Final = Direction.HOST_TO_DEVICE
_UP: Final = Direction.DEVICE_TO_HOST


def _set(name: str, doc: str) -> Field:
    return whole(name, Wire.U16, Unit.BITS, doc)


_LAMPS: Final = (_set("lit", "lamps that are lit"), _set("blinking", "lamps that blink, lit or not"))

STATUS: Final = Message(
    0,
    "status",
    SlotsStatus,
    _UP,
    Nature.STATUS,
    "What lies in the slots and which lamps are lit, after whatever the frame reports.",
    (
        _set("chips", "slots in which a chip lies"),
        _set("broken", "slots whose sensor fails"),
        *_LAMPS,
        whole("collections", Wire.U16, Unit.NUMBER, "the last collection that was made"),
    ),
    (Flag("host_silent", 0, "the host is silent; the lamps stay as they are"),),
    Wire.U8,
)
COMMANDS: Final = (
    Message(
        0x01,
        "apply",
        SlotsApply,
        _DOWN,
        Nature.EFFECT,
        "Which lamps shall be lit from now on, and which collection shall be the last.",
        (
            whole("collection", Wire.U16, Unit.NUMBER, "collections + 1: one is made now; any other number: none"),
            _set("seats", "slots whose chips that collection takes in"),
            *_LAMPS,
        ),
    ),
    QUERY,
)
EVENTS: Final = (
    Message(0x01, "started", SlotsStarted, _UP, Nature.EVENT, STARTED_DOC, (CAUSE,)),
    Message(
        0x02,
        "slots-changed",
        SlotsChanged,
        _UP,
        Nature.EVENT,
        "A chip came or went, a sensor failed or works again, or a collection was made.",
    ),
)
SLOTS: Final[DeviceSchema[SlotsStatus, SlotsCommand, SlotsEvent]] = DeviceSchema(
    DeviceKind.SLOTS, PlainResult, STATUS, COMMANDS, EVENTS
)
