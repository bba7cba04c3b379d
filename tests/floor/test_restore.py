"""The floor's own backup and point-in-time restore, by PostgreSQL's own tools, each followed by a recount."""

import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from controller.floor.database import Database
from controller.floor.keys import KnownKeys
from controller.floor.ledger import Ledger
from controller.floor.nonce import Nonces
from controller.floor.pools import Pools, rule_pool
from controller.floor.schema import migrate
from controller.floor.store import Store
from controller.protocol.carried import Said
from controller.protocol.linked import Contribution, PoolHit
from simulators.floor.postgres import PrivatePostgres
from simulators.floor.recount import Journal, recount
from tests.floor.kit import NOW_S, FloorTable, rows
from tests.floor.test_linked import GOLD, RULING, SIGNER, linked
from tests.floor.test_traps import until
from tests.night import IS_NIGHT

pytestmark = pytest.mark.waits

TABLES = 20 if IS_NIGHT else 3
MORE = 400 if IS_NIGHT else 20
POINT = "before the mistake"


def played(tables: list[FloorTable], ledger: Ledger) -> None:
    """Adds entries, contributions and a hit at each table, and sends them all to the floor."""
    for table in tables:
        table.grown(MORE)
        table.add(linked(table.last + 1, [Contribution("gold", "EUR", table.last)]))
        table.add(linked(table.last + 1, hits=[PoolHit("gold", "EUR")]))
        place = ledger.place(table.name).place
        assert table.give(ledger, 1 if place is None else place.seq + 1, table.last).said is Said.TAKEN


def ledger_at(database: Database, keys: Path) -> Ledger:
    store = Store(database)
    nonces = Nonces(store.secret(), bytes)
    return Ledger(store, KnownKeys(keys), nonces, lambda: NOW_S, pools=Pools(database, SIGNER))


def archived(conninfo: str) -> None:
    """Archives the database's whole write-ahead log up to now."""
    with psycopg.connect(conninfo, autocommit=True) as connection:
        name = "select pg_walfile_name(pg_switch_wal())"
        (wanted,) = connection.execute(name).fetchone() or ("",)
        last = "select last_archived_wal from pg_stat_archiver"
        until(lambda: (connection.execute(last).fetchone() or ("",))[0] >= wanted)


def test_a_floor_that_is_put_back_to_a_point_in_time_is_whole_and_brought_up_to_date_by_the_tables(keys: Path) -> None:
    tables = [FloorTable(f"BJ-{number}", bytes([number]) * 32) for number in range(TABLES)]
    for table in tables:
        (keys / f"{table.name}.pub").write_bytes(table.signer.public_file())
    with PrivatePostgres(settings=("archive_mode=on",)) as server:
        migrate(server.conninfo())
        with Database(server.conninfo(), writers=4) as database:
            assert rule_pool(database, GOLD, RULING)
            ledger = ledger_at(database, keys)
            played(tables, ledger)
            server.back_up()
            played(tables, ledger)
            with psycopg.connect(server.conninfo(), autocommit=True) as connection:
                connection.execute("select pg_create_restore_point(%s)", [POINT])
            at_point = {table.name: table.last for table in tables}
            played(tables, ledger)
            archived(server.conninfo())
        server.stop(signal.SIGQUIT)
        target = (f"recovery_target_name={POINT}", "recovery_target_action=promote")
        with PrivatePostgres(settings=target, restores=server) as restored:
            with psycopg.connect(restored.conninfo(), autocommit=True) as connection:
                until(lambda: connection.execute("select pg_is_in_recovery()").fetchone() == (False,))
            with Database(restored.conninfo(), writers=4) as database:
                ledger = ledger_at(database, keys)
                for table in tables:
                    assert [row[1] for row in rows(ledger, table.name)] == list(range(1, at_point[table.name] + 1))
                assert recount(restored.conninfo(), {}) == []
                played(tables, ledger)
                assert ledger.pools is not None
                ledger.pools.look()
                assert [ledger.place(table.name).findings for table in tables] == [[]] * TABLES
            journals = {table.name: Journal(dict(enumerate(table.payloads, 1))) for table in tables}
            assert recount(restored.conninfo(), journals) == []
            command = [sys.executable, "-m", "simulators.floor.recount", restored.conninfo()]
            assert subprocess.run(command, timeout=60).returncode == 0
