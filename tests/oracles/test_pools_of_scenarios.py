"""The pool of every written scenario of the jackpot, recomputed by code that knows nothing of the program."""

from pathlib import Path

import pytest

from controller.scenario.text import read_scenarios
from simulators.oracles.pool import Pool, movement
from tests.oracles.recorded_player import recorded

JACKPOT = Path(__file__).parents[1] / "scenarios" / "jackpot.txt"


@pytest.mark.slow
def test_each_pool_is_what_its_export_says() -> None:
    moved = 0
    for scenario in read_scenarios(JACKPOT.read_text("utf-8"))[0]:
        player = recorded(scenario)
        pool = None if player is None else player.state.house.pool
        if player is None or pool is None:
            continue
        recount = Pool()
        for move in (one for entry in player.export().entries for one in entry.moved):
            found = movement({"kind": move["kind"], "body": move})
            assert found is not None
            recount.take(found)
            moved += 1
        assert (recount.wrong, recount.levels["pool"]) == ([], pool.millionths), scenario.id
        assert recount.meters["paid"] == pool.meters.paid
    assert moved > 100
