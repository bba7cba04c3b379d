"""The shuffler's messages, as structs and as tables: status block, commands, events."""

from enum import IntEnum
from typing import Final, TypeAlias

from msgspec import Struct

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
    choices_of,
    flag_field,
    whole,
)

INSIDE_UNKNOWN: Final = 0xFFFF  # ShufflerStatus.inside when the device does not know
JAM_CARDS_UNKNOWN: Final = 0xFF  # Jammed.cards when the device does not know


class ShufflerResult(IntEnum):
    """The result in a shuffler's answer to a command. After a refusal the shuffler has executed the locks of the
    command and none of its movements.
    """

    OK = 0
    BAD_COMMAND = 1  # unknown id, wrong length, a value out of bounds
    REFUSED_JAMMED = 2  # a jam is latched
    REFUSED_LID_OPEN = 3
    REFUSED_PATH_BLOCKED = 4  # the jam cannot be ended: the sensors still see a card
    REFUSED_HOST_SILENT = 5  # too many events wait for the host
    REFUSED_COUNTS_UNKNOWN = 6  # cards_out proves nothing, so "until" means nothing


class Place(IntEnum):
    """A place in the shuffler."""

    FEED = 1
    CAROUSEL = 2
    MOUTH = 3


class ShufflerStatus(Struct, frozen=True, gc=False):
    """The shuffler's state. Counts are totals of the device's life, modulo 2**32; `jams` and `recounts` modulo
    2**16.
    """

    cards_in: int
    cards_out: int
    inside: int
    release_until: int
    jams: int
    recounts: int
    feed_open: bool = False
    mouth_open: bool = False
    unloading: bool = False
    jammed: bool = False
    lid_open: bool = False
    lamp_lit: bool = False
    host_silent: bool = False
    counts_unknown: bool = False
    hopper_loaded: bool = False
    path_blocked: bool = False


class ShufflerApply(Struct, frozen=True, gc=False):
    """The command that sets the whole wished state. Only this command changes a shuffler. A repetition of it changes
    nothing.
    """

    release_until: int
    feed_open: bool = False
    unload: bool = False
    lamp: bool = False
    jams_ended: int = 0
    recount_request: int = 0


class ShufflerStarted(Struct, frozen=True, gc=False):
    cause: StartCause


class CardIn(Struct, frozen=True, gc=False):
    pass


class CardOut(Struct, frozen=True, gc=False):
    pass


class Jammed(Struct, frozen=True, gc=False):
    place: Place
    cards: int


class PathCleared(Struct, frozen=True, gc=False):
    pass


class JamEnded(Struct, frozen=True, gc=False):
    pass


class CardRetried(Struct, frozen=True, gc=False):
    place: Place
    tries: int


class LidOpened(Struct, frozen=True, gc=False):
    pass


class LidClosed(Struct, frozen=True, gc=False):
    pass


class Recounted(Struct, frozen=True, gc=False):
    request: int
    inside: int


ShufflerCommand: TypeAlias = ShufflerApply | Query
ShufflerEvent: TypeAlias = (
    ShufflerStarted
    | CardIn
    | CardOut
    | Jammed
    | PathCleared
    | JamEnded
    | CardRetried
    | LidOpened
    | LidClosed
    | Recounted
)

_DOWN: Final = Direction.HOST_TO_DEVICE
_UP: Final = Direction.DEVICE_TO_HOST
_PLACE: Final = Field("place", Wire.U8, Unit.CODE, 1, 3, "1 feed, 2 carousel, 3 mouth", choices_of(Place))

STATUS: Final = Message(
    0,
    "status",
    ShufflerStatus,
    _UP,
    Nature.STATUS,
    "What the shuffler is, after whatever the frame reports.",
    (
        whole("cards_in", Wire.U32, Unit.CARDS, "cards taken in from the hopper, ever"),
        whole("cards_out", Wire.U32, Unit.CARDS, "cards that left through the mouth, ever, unloading included"),
        whole("inside", Wire.U16, Unit.CARDS, "cards taken in and not let out, 65535 when unknown"),
        whole(
            "release_until",
            Wire.U32,
            Unit.CARDS,
            "the value of cards_out at which the mouth locks, as in force",
        ),
        whole("jams", Wire.U16, Unit.JAMS, "jams ever; the number of the last one"),
        whole("recounts", Wire.U16, Unit.RECOUNTS, "number of the last recount request that was served"),
    ),
    (
        Flag("feed_open", 0, "cards are taken in from the hopper"),
        Flag("mouth_open", 1, "the mouth lets the next card go"),
        Flag("unloading", 2, "all cards are being run out through the mouth"),
        Flag("jammed", 3, "a jam is latched"),
        Flag("lid_open", 4, "the lid is open"),
        Flag("lamp_lit", 5, "the jam lamp is lit"),
        Flag("host_silent", 6, "locked because the host was silent or too many events wait"),
        Flag("counts_unknown", 7, "the counts did not survive: cards_in, cards_out and inside prove nothing"),
        Flag("hopper_loaded", 8, "cards lie in the hopper"),
        Flag("path_blocked", 9, "a path sensor sees a card that does not move"),
    ),
)
COMMANDS: Final = (
    Message(
        0x01,
        "apply",
        ShufflerApply,
        _DOWN,
        Nature.EFFECT,
        "What the shuffler shall be from now on.",
        (
            whole("release_until", Wire.U32, Unit.CARDS, "let cards go one at a time until cards_out is this"),
            flag_field("feed_open", "take cards in from the hopper"),
            flag_field("unload", "run every card out through the mouth"),
            flag_field("lamp", "light the jam lamp"),
            whole("jams_ended", Wire.U16, Unit.JAMS, "jams up to this number are ended by the people"),
            whole("recount_request", Wire.U16, Unit.RECOUNTS, "other than recounts: count the own slots"),
        ),
    ),
    QUERY,
)
EVENTS: Final = (
    Message(
        0x01,
        "started",
        ShufflerStarted,
        _UP,
        Nature.EVENT,
        STARTED_DOC,
        (CAUSE,),
    ),
    Message(0x02, "card-in", CardIn, _UP, Nature.EVENT, "One card went from the hopper into a slot."),
    Message(0x03, "card-out", CardOut, _UP, Nature.EVENT, "One card left through the mouth."),
    Message(
        0x04,
        "jammed",
        Jammed,
        _UP,
        Nature.EVENT,
        "The device gave up moving a card: a jam, latched, lamp lit.",
        (_PLACE, whole("cards", Wire.U8, Unit.CARDS, "cards caught in it, 255 when unknown")),
    ),
    Message(0x05, "path-cleared", PathCleared, _UP, Nature.EVENT, "The path sensors see no card any more."),
    Message(0x06, "jam-ended", JamEnded, _UP, Nature.EVENT, "The latch is released, as the host said."),
    Message(
        0x07,
        "card-retried",
        CardRetried,
        _UP,
        Nature.EVENT,
        "A motion succeeded only after tries of its own: no jam.",
        (_PLACE, Field("tries", Wire.U8, Unit.TRIES, 1, 255, "tries beyond the first")),
    ),
    Message(0x08, "lid-opened", LidOpened, _UP, Nature.EVENT, "The lid was opened."),
    Message(0x09, "lid-closed", LidClosed, _UP, Nature.EVENT, "The lid was closed."),
    Message(
        0x0A,
        "recounted",
        Recounted,
        _UP,
        Nature.EVENT,
        "The device counted the cards that it holds.",
        (
            whole("request", Wire.U16, Unit.RECOUNTS, "the request served"),
            whole("inside", Wire.U16, Unit.CARDS, "cards found, 65535 when the count failed"),
        ),
    ),
)
SHUFFLER: Final[DeviceSchema[ShufflerStatus, ShufflerCommand, ShufflerEvent]] = DeviceSchema(
    DeviceKind.SHUFFLER, ShufflerResult, STATUS, COMMANDS, EVENTS
)
