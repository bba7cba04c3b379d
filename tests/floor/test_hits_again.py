"""A floor restored from a backup decides hits again: a table with another amount gets a finding, and so do people."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest

from controller.floor.database import Database
from controller.floor.findings import Ending, end_finding
from controller.floor.keys import KnownKeys
from controller.floor.ledger import Ledger
from controller.floor.nonce import Nonces
from controller.floor.pools import Pools, pools_now, rule_pool
from controller.floor.store import Store
from controller.protocol.carried import Finding, FindingKind, Said
from simulators.floor.postgres import PrivatePostgres
from simulators.floor.recount import recount
from tests.floor.kit import NOW_S, FloorTable, entry
from tests.floor.server import made
from tests.floor.test_linked import EURO, GOLD, RULING, SIGNER, adds, all_of, wins
from tests.floor.test_linked import tables as tables

pytestmark = pytest.mark.waits


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def floor_on(conninfo: str, keys: Path, opened: ExitStack) -> Ledger:
    database = opened.enter_context(Database(conninfo, writers=2))
    store = Store(database)
    nonces = Nonces(store.secret(), bytes)
    return Ledger(store, KnownKeys(keys), nonces, lambda: NOW_S, pools=Pools(database, SIGNER))


def hears(table: FloorTable, ledger: Ledger) -> dict[int, int]:
    """Records the floor's newest statement at the table; returns the amounts of the table's own hits, by entry."""
    (now,) = pools_now(ledger.store._database)
    hits = [{"epoch": one.epoch, "seq": one.seq, "micro": one.micro} for one in now.hits if one.table == table.name]
    body = {"hits": hits, "micro": now.amount, "number": now.number, "pool": "gold", "rate_ppm": 20_000}
    heard = entry(table.last + 1, "linked-pool-heard")
    table.add(msgspec.structs.replace(heard, body=msgspec.Raw(msgspec.json.encode(body, order="sorted"))))
    return {one["seq"]: one["micro"] for one in hits}


def settled(floor: Ledger) -> None:
    assert floor.pools is not None
    floor.pools.look()


def carried(table: FloorTable, ledger: Ledger) -> list[Finding]:
    answer = all_of(table, ledger)
    assert answer.said is Said.TAKEN
    return answer.findings


def test_where_an_amount_comes_out_otherwise_floor_table_and_recount_say_so_and_it_is_said_once(
    own_conninfo: str, postgres: PrivatePostgres, keys: Path, tables: list[FloorTable], opened: ExitStack
) -> None:
    """After two forgotten hits and a return in another order, floor, table and recount report other amounts once."""
    one, other, third = tables[:3]
    with ExitStack() as before:
        floor = floor_on(own_conninfo, keys, before)
        assert rule_pool(floor.store._database, GOLD, RULING)
        wins(third)
        carried(third, floor)
        assert hears(third, floor) == {2: 1000 * EURO}
        for table in (one, other):
            adds(table, 10 * EURO)
            carried(table, floor)
    restored = made(postgres, f"{own_conninfo.rpartition('=')[2]}_restored", template=own_conninfo.rpartition("=")[2])
    with ExitStack() as lost:
        floor = floor_on(own_conninfo, keys, lost)
        told = {}
        for table in (one, other):
            wins(table)
            carried(table, floor)
            told[table.name] = hears(table, floor)
            carried(table, floor)
        carried(third, floor)
        settled(floor)
        assert recount(own_conninfo, {}) == []
    floor = floor_on(restored, keys, opened)
    for table in (other, one, third):
        carried(table, floor)
    settled(floor)
    again = {hit.table: hit.micro for hit in pools_now(floor.store._database)[0].hits}
    assert again["BJ-2"] == told["BJ-1"][3] != told["BJ-2"][3] == again["BJ-1"]
    for table in (one, other):
        hears(table, floor)
        assert carried(table, floor) == [Finding(FindingKind.OTHER_AMOUNT, 1, 3)]
    assert carried(third.grown(1), floor) == []
    settled(floor)
    found = floor.store._database.read("select table_id, times from finding order by 1", {})
    assert found == [("BJ-1", 1), ("BJ-2", 1)]
    assert [line.partition(": ")[0] for line in recount(restored, {})] == [
        "('BJ-1', 1, 3, 'gold')",
        "('BJ-2', 1, 3, 'gold')",
    ]
    assert end_finding(floor.store._database, "BJ-1", carried(one.grown(1), floor)[0], Ending("Ana Silva", "root", "x"))
    settled(floor)
    assert carried(one.grown(1), floor) == []


def test_an_amount_for_a_hit_that_the_floor_never_had_is_found(
    own_conninfo: str, keys: Path, tables: list[FloorTable], opened: ExitStack
) -> None:
    floor = floor_on(own_conninfo, keys, opened)
    assert rule_pool(floor.store._database, GOLD, RULING)
    table, body = tables[0], b'{"hits":[{"epoch":1,"micro":7,"seq":9}],"micro":7,"number":1,"pool":"gold","rate_ppm":1}'
    table.add(msgspec.structs.replace(entry(2, "linked-pool-heard"), body=msgspec.Raw(body)))
    carried(table, floor)
    settled(floor)
    assert carried(table.grown(1), floor) == [Finding(FindingKind.OTHER_AMOUNT, 1, 9)]
    assert recount(own_conninfo, {}) == ["('BJ-1', 1, 9, 'gold'): the table was told 7, and the floor's amount is None"]
