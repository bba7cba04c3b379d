"""A table where no device counts the cards: people state the dealt cards, and any wrong statement comes to an end."""

import pytest

from simulators.world.card_game import GAME, run_world
from simulators.world.fault_kinds import FaultKind as K
from simulators.world.plan import WorldPlan
from simulators.world.result import End
from simulators.world.world import make_world

SAID = frozenset((K.CARD_NOT_SAID, K.CARD_SAID_TWICE, K.CARD_MISNAMED, K.COUNT_MISSTATED))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_people_say_wrongly_is_put_right(seed: int) -> None:
    result = run_world(WorldPlan(seed, 8, SAID | {K.PROCESS_KILLED}, profile="mo-box"))
    assert (result.end, result.violations) == (End.CLOSED, ())
    assert len(set(result.faults) & {kind.value for kind in SAID}) >= 2


@pytest.mark.parametrize("seed", [5, 6, 7, 9])
def test_every_fault_that_a_box_can_meet(seed: int) -> None:
    result = run_world(WorldPlan(seed, 10, GAME.kinds, profile="mo-box"))
    assert result.violations == ()
    assert result.end in {End.CLOSED, End.HELD_DAMAGED}


def test_no_device_stands_there_and_none_is_met() -> None:
    world = make_world(WorldPlan(1, 2, GAME.kinds, profile="mo-box"))
    assert (world.equipment.machine, dict(world.equipment.ends)) == (None, {})
    assert all(fault.device is None for fault in world.injector.scene.planned)
