"""Planted defects: each is found within a bounded number of seeds, by the right oracle."""

import pytest

from simulators.world.card_game import run_world
from simulators.world.plan import WorldPlan
from tests.world.defects import DEFECTS, Defect


@pytest.mark.drawn(2)
@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.name)
def test_a_planted_defect_is_found(defect: Defect) -> None:
    seed = found_at(defect)
    assert seed is not None, f"not found in {defect.bound} seeds"
    # The same world without the defect breaks nothing, so the defect itself was found.
    assert run_world(plan_of(defect, seed)).violations == ()


def found_at(defect: Defect) -> int | None:
    """Returns the first seed whose world finds the defect; None without one.

    The seed in the defect's row is tried before the others.
    """
    for seed in (defect.first, *range(1, 1 + defect.bound)):
        with pytest.MonkeyPatch.context() as patch:
            defect.plant(patch)
            result = run_world(plan_of(defect, seed))
        if any(defect.tells in violation for violation in result.violations):
            return seed
    return None


def plan_of(defect: Defect, seed: int) -> WorldPlan:
    return WorldPlan(seed, defect.rounds, defect.faults, decks=1)
