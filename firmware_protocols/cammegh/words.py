"""The lines of a Slingshot 2 wheel as data, a class for each kind of line. A host sends nothing to the wheel."""

from enum import IntEnum, IntFlag, unique
from typing import Final, TypeAlias

from msgspec import Struct

LAST_GAME: Final = 255
"""The last number of a game; the game after it has number 1 again."""

LAST_NUMBER: Final = 36


@unique
class GameState(IntEnum):
    """The state of the game, as the wheel reports it."""

    STARTED = 1
    PLACE_BETS = 2
    BALL_IN_RIM = 3
    NO_MORE_BETS = 4
    NUMBER_DETECTED = 5
    IDLE = 6  # the table is closed, or the wheel has stopped with an error


class Warnings(IntFlag):
    """The wheel's warnings; several may be set at once."""

    NONE = 0
    BALL_REMOVED = 1
    BALL_DIRECTION = 2  # ball and rotor turn the same way
    SENSOR_BROKEN = 4
    LAUNCH_FAILED = 8


class Status(Struct, frozen=True, gc=False):
    """The line *X, sent every half second. `number`: the last winning number; None before the first number."""

    state: GameState
    game: int
    number: int | None
    warnings: Warnings
    speed: int  # of the rotor; its unit is not known
    clockwise: bool  # the rotor's direction


class BonusWon(Struct, frozen=True, gc=False):
    """The line *Y: one of the maker's bonuses was won. `bonus`: 1 to 6."""

    bonus: int
    win: int


class NumberSaid(Struct, frozen=True, gc=False):
    """The line with only the winning number. The wheel sends it just before the first status with this number."""

    number: int


class Answered(Struct, frozen=True, gc=False):
    """The line with the wheel's answer to a command. The command came from another host."""

    text: str


Message: TypeAlias = Status | BonusWon | NumberSaid | Answered
