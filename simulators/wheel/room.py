"""What stands at a table of roulette, what hands do to it, and what people see of it."""

from dataclasses import dataclass
from enum import StrEnum, unique
from typing import TypeAlias, assert_never

from simulators.devices.wheel import SimulatedWheel


@dataclass(frozen=True, slots=True)
class Launch:
    """The ball, and the plate against it. `spin`: for which the dealer has said so."""

    clockwise: bool
    spin: "SpinKey"


@unique
class Hand(StrEnum):
    """Everything else that hands do."""

    CLEAR_WHEEL = "clear-wheel"  # what fell in is taken out, with the ball where it still runs
    LAY_CHIPS_BACK = "lay-chips-back"
    HEAR_PLAYER = "hear-player"
    SWAP_BALL = "swap-ball"  # a defective one
    PLUG = "plug"


HandAct: TypeAlias = Launch | Hand
SpinKey: TypeAlias = tuple[int, int, int]
"""Session, spin, and how many spins were null before."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What everybody at the table sees."""

    ready: bool  # the wheel stands still, and the ball lies in a hand or in a pocket
    running: bool
    number: int | None  # where the ball rests
    launched_for: SpinKey | None
    fell_in: bool = False
    chips_moved: bool = False
    player_complains: bool = False
    ball_defective: bool = False
    unplugged: bool = False


@dataclass(slots=True)
class WheelRoom:
    """The wheel, and what lies about."""

    wheel: SimulatedWheel
    launched_for: SpinKey | None = None
    fell_in: bool = False
    chips_moved: bool = False
    player_complains: bool = False
    ball_defective: bool = False

    def look(self, *, unplugged: bool) -> Sight:
        wheel = self.wheel
        return Sight(
            wheel.is_ready,
            wheel.is_running,
            wheel.number,
            self.launched_for,
            self.fell_in,
            self.chips_moved,
            self.player_complains,
            self.ball_defective,
            unplugged,
        )

    def do(self, hand: HandAct, now_s: float) -> None:
        """Hands do something; cables are the world's."""
        match hand:
            case Launch():
                self.wheel.launch(now_s, clockwise=hand.clockwise)
                self.launched_for = hand.spin
            case Hand.CLEAR_WHEEL:
                self.wheel.stop(now_s)
                self.fell_in = False
            case Hand.LAY_CHIPS_BACK:
                self.chips_moved = False
            case Hand.HEAR_PLAYER:
                self.player_complains = False
            case Hand.SWAP_BALL:
                self.ball_defective = False
            case Hand.PLUG:
                pass
            case _:
                assert_never(hand)
