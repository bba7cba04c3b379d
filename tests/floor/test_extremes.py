"""Linked pools at their bounds, and entries that no controller writes: the data of one table cannot stop the pools of
all.
"""

import msgspec
import pytest

from controller.floor.database import Database
from controller.floor.ledger import Ledger
from controller.floor.pools import Pools, pools_now, rule_pool
from controller.journal.format import RecordEncoder
from controller.protocol.carried import FindingKind, Said
from controller.protocol.linked import LARGEST_ADDED, LARGEST_MICRO, Contribution, PoolRules
from simulators.floor.recount import recount
from tests.floor.kit import FloorTable, entry
from tests.floor.test_linked import EURO, GOLD, RULING, adds, all_of, gold, linked, wins
from tests.floor.test_linked import floor as floor
from tests.floor.test_linked import pools as pools
from tests.floor.test_linked import tables as tables

pytestmark = [pytest.mark.waits, pytest.mark.usefixtures("counted_again")]


def put(table: FloorTable, payload: bytes) -> None:
    """Adds an entry of these bytes, such as no controller of ours writes."""
    encoder = RecordEncoder(table.heads[-1], table.last + 1)
    encoder.encode(payload)
    table.payloads.append(payload)
    table.heads.append(encoder.head)


def body_of(text: bytes) -> bytes:
    """The bytes of an entry with this body, byte for byte."""
    whole = msgspec.json.encode(msgspec.structs.replace(entry(2), body=msgspec.Raw(b'"@"')))
    return whole.replace(b'"@"', text)


def test_the_largest_contributions_of_one_table_end_no_pool(
    floor: Ledger, pools: Pools, tables: list[FloorTable], database: Database
) -> None:
    """One table's largest contributions, all at once and wholly to the reserve, end no other table's pool."""
    rules = msgspec.structs.replace(GOLD, reserve_ppm=1_000_000, most=2000 * EURO)
    assert rule_pool(database, rules, RULING)
    for _ in range(40):
        adds(tables[0], LARGEST_ADDED)
    assert all_of(tables[0], floor).said is Said.TAKEN
    pools.look()
    assert gold(database) == (1000 * EURO, 40 * LARGEST_ADDED, 0)
    wins(tables[1])
    assert all_of(tables[1], floor).said is Said.TAKEN
    assert gold(database) == (500 * EURO, 40 * LARGEST_ADDED - 500 * EURO, 0)


def test_more_than_an_entry_may_add_counts_nowhere_and_is_found(
    floor: Ledger, pools: Pools, tables: list[FloorTable], database: Database
) -> None:
    table, half = tables[0], Contribution("gold", "EUR", LARGEST_ADDED // 2 + 1)
    adds(table, LARGEST_ADDED + 1)
    table.add(linked(3, [half, half]))
    adds(table, EURO)
    answer = all_of(table, floor)
    assert {(one.kind, one.seq) for one in answer.findings} == {(FindingKind.UNCOUNTED, seq) for seq in (2, 3)}
    pools.look()
    assert gold(database) == (1000 * EURO + 900_000, 100_000, 0)


def test_a_pool_that_is_larger_than_any_ruling_is_still_said_and_paid(
    floor: Ledger, pools: Pools, tables: list[FloorTable], database: Database
) -> None:
    largest = PoolRules("large", "EUR", seed=LARGEST_MICRO, reset=LARGEST_MICRO, rate_ppm=0)
    assert rule_pool(database, largest, RULING)
    adds(tables[0], EURO, pool="large")
    wins(tables[0], pool="large")
    assert all_of(tables[0], floor).said is Said.TAKEN
    adds(tables[1], EURO)
    wins(tables[1])
    assert all_of(tables[1], floor).said is Said.TAKEN
    found = {one.pool: [hit.micro for hit in one.hits] for one in pools_now(database)}
    assert found == {"large": [LARGEST_MICRO + EURO], "gold": [1000 * EURO + 900_000]}


EXTREMES = [
    {"most": 0},
    {"most": 1, "reserve_ppm": 1_000_000},
    {"reset": 0},
    {"reset": 0, "most": 0, "reserve_ppm": 0},
    {"reset": LARGEST_MICRO, "reserve_ppm": 1},
    {"rate_ppm": 0, "reserve_ppm": 999_999},
    {"seed": 0, "reset": 0},
]


@pytest.mark.parametrize("rules", EXTREMES, ids=str)
def test_every_meter_comes_out_by_the_most_extreme_rules_also_where_they_change_while_a_hit_waits(
    ledger: Ledger, pools: Pools, tables: list[FloorTable], database: Database, rules: dict[str, int]
) -> None:
    for change in (rules, {}, rules):
        assert rule_pool(database, msgspec.structs.replace(GOLD, **change), RULING)
        for number, table in enumerate(tables):
            adds(table, 7 * EURO + number)
            wins(table)
            adds(table, 333)
            assert all_of(table, ledger).said is Said.TAKEN  # by a process that decides nothing
        if change == rules:
            assert rule_pool(database, GOLD, RULING)
        pools.look()
    (now,) = pools_now(database)
    assert [one.place for one in now.hits] == list(range(1, 3 * len(tables) + 1))


BODIES = {
    "no list": b'{"linked":5}',
    "null": b'{"linked":null}',
    "a list of numbers": b'{"linked":[5]}',
    "hits of another shape": b'{"linked_hits":{"a":1}}',
    "a name that is a list": b'{"linked":[{"pool":["gold"],"currency":"EUR","micro":1}]}',
    "a name with a line feed": b'{"linked":[{"pool":"gold\\n","currency":"EUR","micro":1}]}',
    "true": b'{"linked":[{"pool":"gold","currency":"EUR","micro":true}]}',
    "a fraction": b'{"linked":[{"pool":"gold","currency":"EUR","micro":1e3}]}',
    "another currency": b'{"linked":[{"pool":"gold","currency":"USD","micro":1}]}',
    "a hit in another currency": b'{"linked_hits":[{"pool":"gold","currency":"USD"}]}',
    "six thousand digits": b'{"linked":[{"pool":"gold","currency":"EUR","micro":' + b"1" * 6000 + b"}]}",
}


@pytest.mark.parametrize("name", BODIES)
def test_a_field_that_cannot_be_counted_is_found_and_ends_neither_pools_nor_recount(
    floor: Ledger, pools: Pools, tables: list[FloorTable], database: Database, name: str
) -> None:
    table = tables[0]
    put(table, body_of(BODIES[name]))
    answer = all_of(table, floor)
    assert (answer.said, [(one.kind, one.seq) for one in answer.findings]) == (
        Said.TAKEN,
        [(FindingKind.UNCOUNTED, 2)],
    )
    adds(tables[1], EURO)
    all_of(tables[1], floor)
    pools.look()
    assert gold(database) == (1000 * EURO + 900_000, 100_000, 0)


COUNTED = {
    "an escaped name": (b'{"link\\u0065d":[{"pool":"gold","currency":"EUR","micro":1000}]}', 1000),
    "the last of two": (b'{"linked":[{"pool":"gold","currency":"EUR","micro":1000,"micro":2000}]}', 2000),
    "one of two currencies": (
        b'{"linked":[{"pool":"gold","currency":"EUR","micro":3000},{"pool":"gold","currency":"USD","micro":1}]}',
        3000,
    ),
}


@pytest.mark.parametrize("name", COUNTED)
def test_floor_and_recount_read_an_odd_entry_alike(
    floor: Ledger, pools: Pools, tables: list[FloorTable], database: Database, name: str
) -> None:
    body, micro = COUNTED[name]
    put(tables[0], body_of(body))
    assert all_of(tables[0], floor).said is Said.TAKEN
    pools.look()
    assert database.read("select contributed from linked_pool", {}) == [(micro,)]


def test_a_number_of_thousands_of_digits_ends_no_recount(
    floor: Ledger, tables: list[FloorTable], conninfo: str
) -> None:
    put(tables[0], body_of(b'{"note":' + b"9" * 6000 + b"}"))
    assert all_of(tables[0], floor).said is Said.TAKEN
    assert recount(conninfo, {}) == []
