"""The physical side of a roulette table: its objects, the deeds, and what people can see."""

from enum import Enum, StrEnum, auto, unique
from typing import Final, TypeAlias

from msgspec import Struct, field

from simulators.devices.wheel import SimulatedWheel
from simulators.people.mistyped import Mistyped


class Launch(Struct, frozen=True):
    """A launch of the ball by hand. `clockwise`: the direction of the ball; `spin`: the spin for which
    it is launched.
    """

    clockwise: bool
    spin: "SpinKey"


@unique
class Hand(StrEnum):
    """A deed at the wheel, other than a launch."""

    CLEAR_WHEEL = "clear-wheel"  # removes the fallen object, and the ball where it still runs
    LAY_CHIPS_BACK = "lay-chips-back"
    HEAR_PLAYER = "hear-player"
    SWAP_BALL = "swap-ball"  # replaces a defective ball
    PLUG = "plug"
    FORGET_ENTRY = "forget-entry"  # people no longer speak of the mistyped value


class Amiss(Enum):
    """A visible fault at a roulette table."""

    FELL_IN = auto()
    CHIPS_MOVED = auto()
    PLAYER_COMPLAINS = auto()
    BALL_DEFECTIVE = auto()
    UNPLUGGED = auto()


_ENDS: Final = {
    Hand.CLEAR_WHEEL: Amiss.FELL_IN,
    Hand.LAY_CHIPS_BACK: Amiss.CHIPS_MOVED,
    Hand.HEAR_PLAYER: Amiss.PLAYER_COMPLAINS,
    Hand.SWAP_BALL: Amiss.BALL_DEFECTIVE,
    Hand.PLUG: Amiss.UNPLUGGED,
}

HandAct: TypeAlias = Launch | Hand
SpinKey: TypeAlias = tuple[int, int, int]
"""Session, spin, and the number of null spins before it."""


class Sight(Struct, frozen=True):
    """The part of a roulette table that a person there can see."""

    ready: bool  # the wheel stands still, and the ball lies in a hand or in a pocket
    running: bool
    number: int | None  # the pocket in which the ball rests
    launched_for: SpinKey | None
    amiss: frozenset[Amiss]
    mistyped: Mistyped | None = None  # set once a person has noticed it


class WheelRoom(Struct):
    """The wheel, the visible faults at its table, and a mistyped entry that people may notice."""

    wheel: SimulatedWheel
    launched_for: SpinKey | None = None
    amiss: set[Amiss] = field(default_factory=set)
    mistyped: Mistyped | None = None

    def look(self) -> Sight:
        wheel, amiss = self.wheel, frozenset(self.amiss)
        noticed = self.mistyped if self.mistyped is not None and self.mistyped.is_noticed else None
        return Sight(wheel.is_ready, wheel.is_running, wheel.number, self.launched_for, amiss, noticed)

    def do(self, hand: HandAct, now_s: float) -> None:
        """Does the deed `hand` at the wheel or at the table."""
        if isinstance(hand, Launch):
            self.wheel.launch(now_s, clockwise=hand.clockwise)
            self.launched_for = hand.spin
            return
        if hand is Hand.FORGET_ENTRY:
            self.mistyped = None
            return
        if hand is Hand.CLEAR_WHEEL:
            self.wheel.stop(now_s)
        self.amiss.discard(_ENDS[hand])
