"""Worlds of all faults: nothing that the oracles, or the watches, object to."""

from concurrent.futures import ProcessPoolExecutor

import pytest

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


def kinds_met(results: list[Result]) -> set[str]:
    return {kind for result in results for kind in result.faults}
