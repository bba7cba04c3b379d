"""The table of the controller's answers to a driver's events: it updates counts, records a note, or raises a hold.

The core itself decides, and a test compares its decisions with every row. A row may depend on a condition (`when`), and
names the hold that is raised if the condition is false (`otherwise`). A note is an entry of the journal and a line of
the technician's log. Results of baccarat that a shoe reports are never used.
"""

from enum import Enum, StrEnum, unique
from typing import Final

from msgspec import Struct

from controller.core.words import HoldKind
from controller.devices.device_kinds import TDP_KINDS
from drivers import events as driver
from firmware_protocols.angel_eye import words as angel
from firmware_protocols.cammegh import spins
from firmware_protocols.tdp import shoe, shuffler


@unique
class Answer(StrEnum):
    """The answer to an event: only counts change, a note is recorded, or a hold is raised."""

    COUNT = "count"  # updates the card counts or the link's figures; play goes on
    NOTE = "note"
    HOLD = "hold"


@unique
class When(StrEnum):
    """The condition under which an event gets the answer of its row. The name is for readers: the core's guards and
    watches test the condition.
    """

    ALWAYS = "always"
    OWED = "card-owed"
    FEED_DUE = "feed-due"
    CHIEF_ATTENDS = "chief-attends"
    SAME_DEVICE = "same-device-and-boot"
    DONE = "done-when-asked-again"
    COUNTS_PROVE = "counts-prove"
    FACE_UP_OWED = "face-up-owed"
    LAUNCH_DUE = "launch-due"
    REGULAR = "regular"


class EventRow(Struct, frozen=True):
    """The answer to an event, or to its variant with one code or cause. `when`: the condition of the answer.
    `otherwise`: the hold that is raised if the condition is false; None for no hold.
    """

    event: type
    answer: Answer
    hold: HoldKind | None = None
    when: When = When.ALWAYS
    otherwise: HoldKind | None = None
    variant: Enum | None = None


A, K, W, C = Answer, HoldKind, When, angel.ErrorCode

_OUR_ROWS: Final = (
    # --- any device
    EventRow(driver.DeviceConnected, A.NOTE, when=W.SAME_DEVICE, otherwise=K.DEVICE_LOST),
    EventRow(driver.DeviceLost, A.HOLD, K.DEVICE_LOST),
    EventRow(driver.DeviceRefused, A.HOLD, K.DEVICE_LOST),  # the wrong device
    EventRow(driver.EventsMissed, A.HOLD, K.COUNT),
    EventRow(driver.StatusHeard, A.COUNT),
    EventRow(driver.CommandRefused, A.COUNT),  # repeated once the status has changed; logged
    EventRow(driver.CommandUndone, A.NOTE, when=W.DONE, otherwise=K.DEVICE_LOST),
    *(
        EventRow(driver.CardsMayHavePassed, A.NOTE, when=W.COUNTS_PROVE, otherwise=K.COUNT, variant=cause)
        for cause in driver.UnseenCause
    ),
    # --- shuffler
    EventRow(shuffler.CardIn, A.COUNT, when=W.FEED_DUE, otherwise=K.COUNT),
    EventRow(shuffler.CardOut, A.COUNT, when=W.OWED, otherwise=K.UNEXPECTED_CARD),
    EventRow(shuffler.Jammed, A.HOLD, K.JAM),
    EventRow(shuffler.PathCleared, A.COUNT),
    EventRow(shuffler.JamEnded, A.COUNT),
    EventRow(shuffler.LidOpened, A.NOTE, when=W.CHIEF_ATTENDS, otherwise=K.LID),
    EventRow(shuffler.LidClosed, A.COUNT),
    EventRow(shuffler.Recounted, A.COUNT),
    # --- reader that speaks TDP
    EventRow(shoe.CardPassed, A.COUNT, when=W.OWED, otherwise=K.UNEXPECTED_CARD),
    # --- Angel Eye
    EventRow(angel.Started, A.HOLD, K.DEVICE_LOST),
    EventRow(angel.StandBy, A.NOTE),
    EventRow(angel.GameEnded, A.NOTE),
    *(
        # targets such as burn are baccarat's words: the procedure itself has the use of a card
        EventRow(angel.CardDrawn, A.COUNT, when=W.OWED, otherwise=K.UNEXPECTED_CARD, variant=target)
        for target in angel.Target
    ),
    EventRow(angel.CardRetransmitted, A.NOTE),
    *(
        # drawn while locked, in error or in set-up: treated like any other card
        EventRow(angel.CardDrawnOutside, A.COUNT, when=W.OWED, otherwise=K.UNEXPECTED_CARD, variant=reason)
        for reason in angel.OutsideReason
    ),
    EventRow(angel.CutCardDrawn, A.NOTE),
    *(
        EventRow(angel.ErrorRaised, A.HOLD, K.UNREAD_CARD, W.FACE_UP_OWED, K.UNEXPECTED_CARD, variant=code)
        for code in (C.CANNOT_READ, C.CARD_CODE)
    ),
    *(
        EventRow(angel.ErrorRaised, A.HOLD, K.UNEXPECTED_CARD, variant=code)
        for code in (C.REVERSED_AT_EXIT, C.REVERSED_MIDWAY)
    ),
    *(
        EventRow(angel.ErrorRaised, A.NOTE, variant=code)
        for code in (C.OVERDRAW, C.BUTTON_MISHANDLED, C.DRAW_TIMED_OUT)
    ),
    EventRow(angel.ErrorRaised, A.NOTE),  # an unknown code
    EventRow(angel.ErrorCleared, A.NOTE),
    EventRow(angel.LockChanged, A.NOTE),  # a wrong lock is commanded again
    EventRow(angel.PresetChanged, A.HOLD, K.DEVICE_LOST),
    # --- wheel; a closed table is not held
    EventRow(spins.BallLaunched, A.COUNT, when=W.LAUNCH_DUE, otherwise=K.IRREGULAR_SPIN),
    EventRow(spins.BetsClosed, A.COUNT),
    EventRow(spins.SpinEnded, A.COUNT, when=W.REGULAR, otherwise=K.IRREGULAR_SPIN),
    EventRow(spins.SpinsUnseen, A.HOLD, K.IRREGULAR_SPIN),
    EventRow(spins.NumberChanged, A.HOLD, K.IRREGULAR_SPIN),
    EventRow(spins.SpinOverdue, A.HOLD, K.IRREGULAR_SPIN),
    EventRow(spins.WarningsChanged, A.NOTE),  # during a spin the warnings are its troubles
    EventRow(spins.LineSilent, A.HOLD, K.IRREGULAR_SPIN),
    EventRow(spins.LineHeard, A.COUNT),
)
_NOTED: Final = {row.made for kind in TDP_KINDS.values() for row in kind.schema.events} - {
    one.event for one in _OUR_ROWS
}

ROWS: Final = (*_OUR_ROWS, *(EventRow(event, A.NOTE) for event in sorted(_NOTED, key=lambda one: one.__qualname__)))
"""Every row: those of _OUR_ROWS, and a note for each other event of a TDP device, for example a start or a fault of its
own.
"""

_BY_KEY: Final = {(row.event, row.variant): row for row in ROWS}
_VARIED: Final = {row.event for row in ROWS if row.variant is not None}
_ALONE: Final = {row.event: row for row in ROWS if row.event not in _VARIED}


def answer_to(event: driver.DriverEvent) -> EventRow:
    """Returns the row that answers an event. Raises KeyError for an event without a row."""
    inner: object = getattr(event, "event", event)
    if (alone := _ALONE.get(type(inner))) is not None:
        return alone
    return _BY_KEY.get((type(inner), variant_of(inner))) or _BY_KEY[type(inner), None]


def variant_of(event: object) -> Enum | None:
    """Returns the code, target, reason or cause by which the rows for `event` differ.

    Returns None for an event with a single row, and for an unknown code.
    """
    match event:
        case angel.ErrorRaised(code) if code in set(C):
            return C(code)
        case angel.CardDrawn(target=target):
            return target
        case angel.CardDrawnOutside(reason=reason):
            return reason
        case driver.CardsMayHavePassed(cause=cause):
            return cause
        case _:
            return None
