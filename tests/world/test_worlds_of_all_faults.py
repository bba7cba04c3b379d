"""Worlds of all faults: nothing that the oracles, or the watches, object to."""

from concurrent.futures import ProcessPoolExecutor

import pytest

from controller.config.profile import PROFILES
from controller.config.profile_file import law
from controller.core.choices import Faces, RoundBurn
from controller.core.replacing import replace
from simulators.world.ends import End
from simulators.world.run import ALL_KINDS, Result, run_world
from simulators.world.world import WorldPlan

SEEDS = range(1000, 1040)
ROUNDS = 5


@pytest.mark.slow
def test_forty_worlds_of_all_faults_break_nothing() -> None:
    with ProcessPoolExecutor(2) as pool:
        results = list(pool.map(run_world, [WorldPlan(seed, ROUNDS, ALL_KINDS) for seed in SEEDS], chunksize=4))
    assert {result.seed: result.violations for result in results if result.violations} == {}
    assert all(result.end is End.CLOSED for result in results if "bit-flip" not in result.faults)
    assert len(kinds_met(results)) > len(ALL_KINDS) * 3 / 4


@pytest.mark.slow
@pytest.mark.parametrize("faces", Faces)
def test_worlds_of_macau_break_nothing(faces: Faces) -> None:
    """mo.5.2.1.1, mo.5.2.2.1: players' cards face down, shown and turned, or face up; burns in every round (mo.4.2)."""
    law_of_macau = law("mo-csm").procedure
    procedure = replace(
        law_of_macau, player_cards=faces, burn_each_deck=True, burn_each_round=RoundBurn.START_AND_SECOND
    )
    plans = [WorldPlan(seed, ROUNDS, ALL_KINDS, decks=1, profile="mo-csm", procedure=procedure) for seed in range(3)]
    results = [run_world(plan) for plan in plans]
    assert {result.seed: result.violations for result in results if result.violations} == {}
    assert all(result.end is End.CLOSED for result in results if "bit-flip" not in result.faults)


@pytest.mark.slow
def test_six_worlds_of_each_other_profile_break_nothing() -> None:
    others = [profile for profile in PROFILES if profile != "pt-csm"]
    plans = [WorldPlan(seed, ROUNDS, ALL_KINDS, profile=profile) for profile in others for seed in range(2000, 2006)]
    with ProcessPoolExecutor(2) as pool:
        results = list(zip(plans, pool.map(run_world, plans, chunksize=4), strict=True))
    assert [(plan.profile, plan.seed, one.violations) for plan, one in results if one.violations] == []
    assert all(one.end is End.CLOSED for _plan, one in results if "bit-flip" not in one.faults)


def test_a_burnt_card_that_is_forgotten_at_the_collecting_holds_no_table_for_ever() -> None:
    """Two wrong keys for the collecting of cards: four, and the burnt one, lie where they lay (mo.4.2)."""
    result = run_world(WorldPlan(31101, 20, ALL_KINDS, profile="mo-csm", only=(8, 9, 11)))
    assert (result.end, result.violations) == (End.CLOSED, ())


def kinds_met(results: list[Result]) -> set[str]:
    return {kind for result in results for kind in result.faults}
