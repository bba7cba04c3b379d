"""The words on an Angel Eye's wire, as data: one class for each telegram, and the words in them.

A card is its byte as in firmware_protocols.cards. Numbers behind the words are those of the wire.
"""

from enum import IntEnum, unique
from typing import Final, TypeAlias

from msgspec import Struct


@unique
class Target(IntEnum):
    """The place that the shoe's own baccarat game gives a card."""

    PLAYER = 0
    BANKER = 1
    BURN = 2
    FIRST_CARD = 4  # turned to know how many cards are burnt
    BURN_COUNT = 5


IN_A_GAME: Final = frozenset({Target.PLAYER, Target.BANKER})
"""Targets whose index counts from 1."""


@unique
class OutsideReason(IntEnum):
    """Why a drawn card is none of the shoe's game."""

    LOCK_MODE = 0
    ERROR_MODE = 1
    SETTING_MODE = 2


@unique
class Winner(IntEnum):
    """The outcome of the shoe's game."""

    PLAYER = 1
    TIE = 2
    BANKER = 4
    FORCED_QUIT = 7


@unique
class ErrorCode(IntEnum):
    """The error codes that are known; others are passed on as their number."""

    CANNOT_READ = 1
    OVERDRAW = 2
    BUTTON_MISHANDLED = 3
    REVERSED_AT_EXIT = 4
    REVERSED_MIDWAY = 5
    CARD_CODE = 6
    DRAW_TIMED_OUT = 7


@unique
class NakCode(IntEnum):
    """Why the shoe did not take a command."""

    LINE_ERROR = 0x01  # overrun, framing or parity
    CHECKSUM = 0x02
    NO_ETX = 0x03
    FORMAT = 0x11
    ADDRESS = 0x12
    COMMAND = 0x13
    TYPE = 0x14
    BUSY = 0x21
    WRITING = 0x22
    OTHER = 0xFF


# ---- telegrams: the shoe speaks by itself


class Started(Struct, frozen=True, gc=False):
    """S: communication begins (the shoe has booted, or another shoe stands there)."""


class StandBy(Struct, frozen=True, gc=False):
    """P"""


class GameEnded(Struct, frozen=True, gc=False):
    """G: how the shoe's own baccarat game ended."""

    winner: Winner
    player_pair: bool
    banker_pair: bool


class CardDrawn(Struct, frozen=True, gc=False):
    """D: a card was drawn, read, and taken into the shoe's game."""

    card: int
    target: Target
    index: int


class CardRetransmitted(Struct, frozen=True, gc=False):
    """R: a drawn card told once more. Never a new draw."""

    card: int
    target: Target
    index: int


class CardDrawnOutside(Struct, frozen=True, gc=False):
    """d: a card was drawn while the shoe plays no game; `card` may be UNREAD. `index`: the low nibble as it came."""

    card: int
    reason: OutsideReason
    index: int


class CutCardDrawn(Struct, frozen=True, gc=False):
    """C"""


class ErrorRaised(Struct, frozen=True, gc=False):
    """E: `halted` says that the shoe is in error mode until the error is cancelled."""

    code: int
    halted: bool


class ErrorCleared(Struct, frozen=True, gc=False):
    """e"""

    code: int


class LockChanged(Struct, frozen=True, gc=False):
    """L"""

    locked: bool


class PresetChanged(Struct, frozen=True, gc=False):
    """M: somebody changed a setting of the shoe."""

    address: str
    value: str


Telegram: TypeAlias = (
    Started
    | StandBy
    | GameEnded
    | CardDrawn
    | CardRetransmitted
    | CardDrawnOutside
    | CutCardDrawn
    | ErrorRaised
    | ErrorCleared
    | LockChanged
    | PresetChanged
)


# ---- commands: the host asks


class Lock(Struct, frozen=True, gc=False):
    """LK: 02 locks, 01 unlocks."""

    locked: bool


class CancelError(Struct, frozen=True, gc=False):
    """EC: ends the error of this code, 1 to 99."""

    code: int


class ConfirmProcess(Struct, frozen=True, gc=False):
    """GP 00: confirms the process of the shoe's game."""


Command: TypeAlias = Lock | CancelError | ConfirmProcess
