"""One floor for tables of cards and for wheels: it counts the rounds of both, and both add to one pool and hit it."""

from datetime import date
from itertools import islice
from pathlib import Path

import pytest

from controller.floor import report
from controller.floor.database import Database
from controller.floor.ledger import Ledger
from controller.floor.pools import Pools, pools_now
from controller.floor.report import Day
from controller.protocol.carried import Said
from simulators.floor.replayed import world_evening
from tests.floor.kit import NOW_S, FloorTable
from tests.floor.test_linked import floor as floor
from tests.floor.test_linked import pools as pools

pytestmark = [pytest.mark.waits, pytest.mark.usefixtures("counted_again")]

DAY = Day(date(2026, 11, 20), "UTC")
ROUNDS = 3
GAMES = {"BJ-1": "pt-csm", "RL-1": "pt-roulette"}
ADDS = 100_000


def lives(name: str, profile: str, keys: Path) -> FloorTable:
    """The table after an evening of a world, in which each round adds to the pool and the first one also hits it."""
    table, evening = FloorTable(name, name.encode().ljust(32)), world_evening(2, ROUNDS, profile)
    (keys / f"{name}.pub").write_bytes(table.signer.public_file())
    return table.add(*islice(evening.again(lambda: int(NOW_S * 1000)), len(evening.entries)))


def test_rounds_of_every_game_are_counted_and_one_pool_is_theirs(
    floor: Ledger, pools: Pools, keys: Path, database: Database
) -> None:
    for name, profile in GAMES.items():
        table = lives(name, profile, keys)
        assert table.give(floor, 1, table.last).said is Said.TAKEN
    assert {one.table: (one.sessions, one.rounds) for one in report.figures(database, DAY)} == dict.fromkeys(
        GAMES, (1, ROUNDS)
    )
    assert report.rounds_by_hour(database, DAY) == {name: {0: ROUNDS} for name in GAMES}
    pools.look()
    (now,) = pools_now(database)
    assert [(one.place, one.table) for one in now.hits] == [(1, "BJ-1"), (2, "RL-1")]
    assert database.read("select contributed from linked_pool", {}) == [(len(GAMES) * ROUNDS * ADDS,)]
