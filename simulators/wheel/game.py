"""Worlds of spins, for those who play worlds of any game."""

from collections.abc import Callable
from typing import Final

from simulators.wheel.faults import WHEEL_FAULTS
from simulators.wheel.judge import judge
from simulators.wheel.world import WheelWorld, make_wheel_world, planned_faults
from simulators.world.games import Verdict, WorldGame
from simulators.world.result import End


def _judge(world: WheelWorld) -> Callable[[End], Verdict]:
    return lambda end: Verdict(judge(world, end))


GAME: Final = WorldGame(
    WHEEL_FAULTS,
    make_wheel_world,
    _judge,
    planned_faults,
    lambda _plan: frozenset(row.kind for row in WHEEL_FAULTS),
)
