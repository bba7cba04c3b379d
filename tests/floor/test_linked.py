"""The floor counts each contribution to a linked pool once, orders hits, and agrees with a recount from the entries."""

import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import msgspec
import psycopg
import pytest

from controller.floor.__main__ import main
from controller.floor.database import Database
from controller.floor.findings import Ending
from controller.floor.ledger import Ledger
from controller.floor.pools import Pools, pools_now, rule_pool
from controller.journal.entry import Entry, EntryRefusal
from controller.journal.linked import read_pool
from controller.journal.signing import Signer
from controller.protocol.carried import FindingKind, FloorAnswer, Said
from controller.protocol.linked import Contribution, DecidedHit, PoolHit, PoolRules, SignedPool
from controller.protocol.shown import Shown
from simulators.floor.recount import recount, recount_over
from simulators.floor.room import Room
from tests.floor.kit import NOW_S, FloorTable, entry
from tests.floor.test_traps import WITHIN_S, until

pytestmark = [pytest.mark.waits, pytest.mark.usefixtures("counted_again")]

EURO = 1_000_000
GOLD = PoolRules("gold", "EUR", seed=1000 * EURO, reset=500 * EURO, rate_ppm=20_000, reserve_ppm=100_000)
RULING = Ending("Ana Silva", "root", "As the commission has agreed.")
SIGNER = Signer(b"\7" * 32)


@pytest.fixture
def pools(database: Database) -> Pools:
    assert rule_pool(database, GOLD, RULING)
    return Pools(database, SIGNER)


@pytest.fixture
def floor(ledger: Ledger, pools: Pools) -> Ledger:
    return replace(ledger, pools=pools)


@pytest.fixture
def tables(keys: Path) -> list[FloorTable]:
    made = [FloorTable(f"BJ-{number}", bytes([number]) * 32).grown(1) for number in range(1, 5)]
    for one in made:
        (keys / f"{one.name}.pub").write_bytes(one.signer.public_file())
    return made


def linked(seq: int, added: Sequence[Contribution] = (), hits: Sequence[PoolHit] = (), wall_s: float = NOW_S) -> Entry:
    body = {"linked": added} if added else {}
    body |= {"linked_hits": hits} if hits else {}
    return msgspec.structs.replace(entry(seq, wall_s=wall_s), body=msgspec.Raw(msgspec.json.encode(body)))


def adds(table: FloorTable, micro: int, pool: str = "gold", currency: str = "EUR") -> None:
    table.add(linked(table.last + 1, [Contribution(pool, currency, micro)]))


def wins(table: FloorTable, pool: str = "gold", currency: str = "EUR") -> None:
    table.add(linked(table.last + 1, hits=[PoolHit(pool, currency)]))


def all_of(table: FloorTable, floor: Ledger) -> FloorAnswer:
    """Sends the entries of the table that the floor lacks; returns the floor's last answer."""
    place = floor.place(table.name).place
    return table.give(floor, (0 if place is None else place.seq) + 1, table.last)


def gold(database: Database) -> tuple[int, int, int]:
    (one,) = pools_now(database)
    return one.amount, one.reserve, one.overflow


def test_a_contribution_counts_once_however_often_it_comes(
    floor: Ledger, pools: Pools, tables: list[FloorTable], database: Database
) -> None:
    for one in tables:
        for micro in (10 * EURO, 30 * EURO):
            adds(one, micro)
    with ThreadPoolExecutor(4) as threads:
        for one in tables:
            batch = one.batch(1, 3, floor.place(one.name).nonce)
            said = threads.map(lambda given: floor.take(*given).said, [(one.name, batch)] * 4)
            assert set(said) == {Said.TAKEN}
    pools.look()
    pools.look()
    assert gold(database) == (1000 * EURO + 144 * EURO, 16 * EURO, 0)


def test_a_hit_pays_the_whole_pool_and_it_goes_on_from_overflow_reserve_and_seed(
    floor: Ledger, pools: Pools, tables: list[FloorTable], database: Database
) -> None:
    assert rule_pool(database, msgspec.structs.replace(GOLD, most=1100 * EURO), RULING)
    adds(tables[0], 400 * EURO)  # 360 to the pool, of which 100 fit, and 40 to the reserve
    all_of(tables[0], floor)
    pools.look()
    assert gold(database) == (1100 * EURO, 40 * EURO, 260 * EURO)
    wins(tables[1])
    all_of(tables[1], floor)
    assert gold(database) == (500 * EURO, 0, 0)
    (now,) = pools_now(database)
    assert now.hits == (DecidedHit(1, "BJ-2", 1, 2, 1100 * EURO, int(NOW_S * 1000) + 2),)
    assert database.read("select seeded, contributed, paid from linked_pool", {}) == [
        (1200 * EURO, 400 * EURO, 1100 * EURO)
    ]


def test_two_hits_in_the_same_second_at_two_tables_have_one_order_and_an_amount_each(
    floor: Ledger, tables: list[FloorTable], database: Database
) -> None:
    for one in tables:
        adds(one, 10 * EURO)
        wins(one)
    with ThreadPoolExecutor(4) as threads:
        assert {answer.said for answer in threads.map(lambda one: all_of(one, floor), tables)} == {Said.TAKEN}
    (now,) = pools_now(database)
    assert [one.place for one in now.hits] == [1, 2, 3, 4]
    assert {one.table for one in now.hits} == {one.name for one in tables}
    assert now.hits[0].micro >= 1009 * EURO
    assert all(one.micro < 1009 * EURO for one in now.hits[1:])


def test_a_hit_that_nobody_could_decide_is_decided_at_the_next_look(
    ledger: Ledger, pools: Pools, tables: list[FloorTable], database: Database
) -> None:
    """A hit left undecided, as after a killed process, is decided at the next look, in the order of the COMMITs."""
    for one in (tables[2], tables[0]):
        wins(one)
        assert all_of(one, ledger).said is Said.TAKEN  # without pools: no decision
    assert pools_now(database)[0].hits == ()
    pools.look()
    (now,) = pools_now(database)
    assert [(one.table, one.micro) for one in now.hits] == [("BJ-3", 1000 * EURO), ("BJ-1", 500 * EURO)]


def test_another_currency_an_unknown_pool_and_what_cannot_be_read_count_nowhere_and_are_found(
    floor: Ledger, pools: Pools, tables: list[FloorTable], database: Database
) -> None:
    table = tables[0]
    adds(table, EURO, currency="USD")
    adds(table, EURO, pool="silver")
    wins(table, currency="USD")
    broken = msgspec.Raw(b'{"linked":[{"pool":"gold","currency":"EUR","micro":-5}]}')
    table.add(msgspec.structs.replace(entry(5), body=broken))
    answer = all_of(table, floor)
    assert answer.said is Said.TAKEN
    assert {(one.kind, one.seq) for one in answer.findings} == {(FindingKind.UNCOUNTED, seq) for seq in (2, 3, 4, 5)}
    pools.look()
    assert gold(database) == (1000 * EURO, 0, 0)


def test_an_act_that_was_refused_adds_nothing_and_words_about_links_are_no_link(
    floor: Ledger, pools: Pools, tables: list[FloorTable], database: Database
) -> None:
    table = tables[0]
    refusal = EntryRefusal(clause=None, reason="x", rule="x")
    table.add(msgspec.structs.replace(linked(2, [Contribution("gold", "EUR", EURO)]), refusal=refusal))
    table.grown(1, note='the "linked" pool')
    assert all_of(table, floor).findings == []
    pools.look()
    assert gold(database) == (1000 * EURO, 0, 0)


def test_a_statement_is_signed_for_its_purpose_and_comes_once_to_who_follows_the_pool(
    floor: Ledger, tables: list[FloorTable]
) -> None:
    table, known = tables[0], 0
    numbers = []
    for micro in (EURO, 2 * EURO):
        adds(table, micro)
        wins(table)
        first = table.last - 1 if numbers else 1
        batch = table.batch(first, table.last, floor.place(table.name).nonce)
        answer = floor.take(table.name, msgspec.structs.replace(batch, pools={"gold": known, "none": 0}))
        (signed,) = answer.pools
        statement = read_pool(signed, SIGNER.public_key)
        assert statement is not None
        numbers.append(known := statement.number)
        assert statement.hits[-1].seq == table.last
    assert numbers[0] < numbers[1]
    again = table.batch(table.last + 1, table.last, floor.place(table.name).nonce)
    assert floor.take(table.name, msgspec.structs.replace(again, pools={"gold": known})).pools == []
    assert floor.take(table.name, again).pools == []
    for wrong in (SignedPool(signed.statement.replace("500", "900"), signed.signature),
                  SignedPool(signed.statement, SIGNER.sign(signed.statement.encode()))):  # fmt: skip
        assert read_pool(wrong, SIGNER.public_key) is None
    assert read_pool(signed, Signer(b"\1" * 32).public_key) is None


def test_the_number_grows_also_where_a_backup_was_restored(
    floor: Ledger, pools: Pools, tables: list[FloorTable], database: Database, conninfo: str
) -> None:
    adds(tables[0], EURO)
    all_of(tables[0], floor)
    with psycopg.connect(conninfo) as connection:
        before = connection.execute("select number, at from linked_pool").fetchone()
        pools.look()
        after = pools_now(database)[0].number
        connection.execute("update linked_pool set number = %s, at = %s, amount = %s", [*(before or ()), 1000 * EURO])
        connection.execute("update linked_pool set contributed = 0, reserve = 0")
        connection.execute("update contribution set number = null")
    pools.look()
    assert pools_now(database)[0].number > after


@pytest.mark.parametrize("off", ["-6 seconds", "1 day", "6 seconds"])
def test_a_pool_is_said_anew_also_where_the_databases_clock_was_put_back(
    pools: Pools, database: Database, off: str
) -> None:
    """A day's error of that clock, or a replica whose clock is behind, does not make tables take the floor for away."""
    pools.look()
    before = pools_now(database)[0].number
    pools.look()
    assert pools_now(database)[0].number == before
    database.write("update linked_pool set at = clock_timestamp() + %(off)s::interval", {"off": off})
    pools.look()
    assert pools_now(database)[0].number > before


def test_a_contribution_waits_for_no_pool_and_a_hit_not_for_long(
    floor: Ledger, tables: list[FloorTable], conninfo: str
) -> None:
    """While a transaction holds the pool's row, contributions go on and a hit is refused soon, to be sent again."""
    adds(tables[0], EURO)
    wins(tables[1])
    with psycopg.connect(conninfo) as connection:
        connection.execute("select * from linked_pool for update")
        assert all_of(tables[0], floor).said is Said.TAKEN
        assert all_of(tables[1], floor).said is Said.BUSY
    assert all_of(tables[1], floor).said is Said.TAKEN


WAITS = "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'sabot-floor'"
BEFORE_THE_POOL = {
    "entries": "lock table entry_2026_11 in share mode",
    "counts": "select * from counted for update",
    "wear": "select * from wear for update",
    "status": "select * from shown for update",
}


@pytest.mark.parametrize("held", BEFORE_THE_POOL)
def test_a_batch_with_a_hit_locks_the_pool_last(
    floor: Ledger, tables: list[FloorTable], conninfo: str, held: str
) -> None:
    """A batch that waits for anything else does not have the pool's lock yet, so another table's hit goes on."""
    table = tables[0]
    table.add(entry(2, "card-counted-out")).give(floor, 1, 2, shown=Shown(table_ms=1))
    table.add(entry(3, "card-counted-out"))
    wins(table)
    with psycopg.connect(conninfo, autocommit=True) as seen, psycopg.connect(conninfo) as connection:
        connection.execute(BEFORE_THE_POOL[held].encode())
        with ThreadPoolExecutor(1) as threads:
            answer = threads.submit(table.give, floor, 3, 4, shown=Shown(table_ms=2))
            until(lambda: seen.execute(WAITS).fetchone() == (1,))
            (row,) = seen.execute("select hits from linked_pool for update nowait").fetchall()
            connection.rollback()
            assert (answer.result(WITHIN_S).said, row) == (Said.TAKEN, (0,))


def test_under_load_every_meter_comes_out(floor: Ledger, pools: Pools, tables: list[FloorTable], conninfo: str) -> None:
    def play(table: FloorTable) -> None:
        chance = random.Random(table.name)  # noqa: S311
        for _ in range(30):
            adds(table, chance.randrange(1, 100 * EURO))
            if chance.random() < 0.15:
                wins(table)
            while all_of(table, floor).said is not Said.TAKEN:
                pass
            if chance.random() < 0.3:
                pools.look()

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(play, tables))
    pools.look()
    assert recount(conninfo, {}) == []


MISTAKES = {
    "contributed 3000000, and the entry says 2000000": "update contribution set micro = 3000000 where seq = 2",
    "a contribution that is not counted": "delete from contribution where seq = 2",
    "a hit of the floor's or the table's alone": "delete from hit where place = 2",
    "by the table's clock": "update hit set wall_ms = 1 where place = 1",
    "hits without one order": "update hit set place = 9 where place = 2",
    "has 7, and 1001": "update hit set micro = 7 where place = 1",
    "is right": "update linked_pool set amount = amount + 1",
    "are not pool, reserve, overflow and paid": "update linked_pool set seeded = seeded + 1",
}


@pytest.mark.parametrize("says", MISTAKES)
def test_a_recount_finds_what_is_wrong_with_a_pool(
    floor: Ledger, pools: Pools, tables: list[FloorTable], conninfo: str, says: str
) -> None:
    for one in tables[:2]:
        adds(one, 2 * EURO)
        wins(one)
        all_of(one, floor)
    with psycopg.connect(conninfo) as connection:
        assert recount_over(connection, {}) == []
        connection.execute(MISTAKES[says].encode())
        assert any(says in one for one in recount_over(connection, {}))
        connection.rollback()


@pytest.fixture
def config(tmp_path: Path, conninfo: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    (tmp_path / "room").mkdir()
    with Room(tmp_path / "room", conninfo) as room:
        yield str(room.directory / "floor.toml")


def test_a_named_person_rules_a_pool_and_its_currency_stays(
    config: str, tmp_path: Path, database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "gold.toml"
    text = 'pool = "gold"\ncurrency = "EUR"\nseed = 5_000_000\nreset = 1_000_000\nrate_ppm = 20_000\n'
    path.write_text(text)
    asked = ["--config", config, "--pool", str(path)]
    who = ["--by", "Ana Silva", "--evidence", "As agreed."]
    assert main(asked) == 2
    assert main([*asked, *who]) == 0
    path.write_text(text.replace("reset = 1_000_000", "reset = 2_000_000"))
    assert main([*asked, *who]) == 0
    assert database.read("select amount, reset from linked_pool", {}) == [(5_000_000, 2_000_000)]
    assert database.read("select ruled_by, reset from linked_rules order by number", {}) == [
        ("Ana Silva", 1_000_000),
        ("Ana Silva", 2_000_000),
    ]
    for wrong, says in (("EUR", "has another currency"), ("5_000_000", "seed"), ("reset", "resett")):
        path.write_text(text.replace(wrong, {"EUR": "USD", "5_000_000": "-1", "reset": "resett"}[wrong]))
        assert main([*asked, *who]) == 2
        assert says in capsys.readouterr().err
