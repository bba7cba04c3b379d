"""The telegrams and commands of an Angel Eye as data, with a class for each, and the enumerations that they use.

A card is its byte as in firmware_protocols.cards. The enumerations have the numbers on the wire.
"""

from enum import IntEnum, unique
from typing import Final, TypeAlias

from msgspec import Struct


@unique
class Target(IntEnum):
    """The place to which the shoe's own baccarat game assigns a card."""

    PLAYER = 0
    BANKER = 1
    BURN = 2
    FIRST_CARD = 4  # turned to know how many cards are burnt
    BURN_COUNT = 5


IN_A_GAME: Final = frozenset({Target.PLAYER, Target.BANKER})
"""The targets whose cards have an `index` that counts from 1, one for each card of the hand."""


@unique
class OutsideReason(IntEnum):
    """The reason why a drawn card is not part of the shoe's game."""

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
    """The error codes that are known. An unknown code stays a plain number."""

    CANNOT_READ = 1
    OVERDRAW = 2
    BUTTON_MISHANDLED = 3
    REVERSED_AT_EXIT = 4
    REVERSED_MIDWAY = 5
    CARD_CODE = 6
    DRAW_TIMED_OUT = 7


@unique
class NakCode(IntEnum):
    """The reason why the shoe refused a command."""

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


# ---- telegrams: sent by the shoe


class Started(Struct, frozen=True, gc=False):
    """S: communication begins, because the shoe has started or another shoe has taken its place."""


class StandBy(Struct, frozen=True, gc=False):
    """P: the shoe is in stand-by."""


class GameEnded(Struct, frozen=True, gc=False):
    """G: the end of the shoe's own baccarat game, with its outcome."""

    winner: Winner
    player_pair: bool
    banker_pair: bool


class CardDrawn(Struct, frozen=True, gc=False):
    """D: the shoe has read a drawn card and taken it into its own baccarat game. `index`: the card's number at its
    target.
    """

    card: int
    target: Target
    index: int


class CardRetransmitted(Struct, frozen=True, gc=False):
    """R: the report of an earlier draw, sent again without a new draw. `index`: the card's number at its target."""

    card: int
    target: Target
    index: int


class CardDrawnOutside(Struct, frozen=True, gc=False):
    """d: a card was drawn outside the shoe's own game. `card` may be UNREAD. `index`: the low four bits of the byte, as
    sent.
    """

    card: int
    reason: OutsideReason
    index: int


class CutCardDrawn(Struct, frozen=True, gc=False):
    """C: the cut card was drawn."""


class ErrorRaised(Struct, frozen=True, gc=False):
    """E: the shoe reports an error. `halted`: True if the shoe stays in error mode until the error is cancelled."""

    code: int
    halted: bool


class ErrorCleared(Struct, frozen=True, gc=False):
    """e: an error was cancelled."""

    code: int


class LockChanged(Struct, frozen=True, gc=False):
    """L: the shoe was locked or unlocked."""

    locked: bool


class PresetChanged(Struct, frozen=True, gc=False):
    """M: a setting of the shoe was changed."""

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


# ---- commands: sent by the host


class Lock(Struct, frozen=True, gc=False):
    """The command LK: 02 locks, 01 unlocks."""

    locked: bool


class CancelError(Struct, frozen=True, gc=False):
    """The command EC: ends the error with the code `code`, 1 to 99."""

    code: int


class ConfirmProcess(Struct, frozen=True, gc=False):
    """The command GP 00: confirms the process of the shoe's own baccarat game. The maker's text does not explain this
    process.
    """


Command: TypeAlias = Lock | CancelError | ConfirmProcess
