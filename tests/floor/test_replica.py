"""After the primary's loss its synchronous replica has all acknowledged entries, and tables go on."""

import random
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from controller.floor.database import Database, DatabaseAway, DatabaseBusy
from controller.floor.keys import KnownKeys
from controller.floor.ledger import Ledger
from controller.floor.nonce import Nonces
from controller.floor.pools import Pools
from controller.floor.schema import migrate
from controller.floor.store import Store
from controller.journal.signing import Signer
from controller.protocol.carried import Said
from simulators.floor.postgres import PrivatePostgres
from tests.floor.kit import NOW_S, FloorTable, rows
from tests.floor.test_traps import WITHIN_S, until

pytestmark = pytest.mark.waits

TABLES = 3
AWAY = {Said.NO_DATABASE, Said.BUSY}
SIGNER = Signer(b"\7" * 32)


@contextmanager
def primary_and_replica() -> Iterator[tuple[PrivatePostgres, PrivatePostgres]]:
    """Two servers: each commit of the first (primary) waits until the second (replica) has it on its medium."""
    with PrivatePostgres() as primary:
        migrate(primary.conninfo())
        with PrivatePostgres(primary=primary) as replica:
            with psycopg.connect(primary.conninfo(), autocommit=True) as connection:
                connection.execute("alter system set synchronous_standby_names = 'replica'")
                connection.execute("select pg_reload_conf()")
                follows = "select sync_state from pg_stat_replication"
                until(lambda: connection.execute(follows).fetchall() == [("sync",)])
            yield primary, replica


def test_nothing_that_was_acknowledged_is_lost_or_doubled_when_the_replica_takes_over(keys: Path) -> None:
    tables = [FloorTable(f"BJ-{number}", bytes([number]) * 32).grown(4000) for number in range(TABLES)]
    for table in tables:
        (keys / f"{table.name}.pub").write_bytes(table.signer.public_file())
    acknowledged = dict.fromkeys((table.name for table in tables), 0)
    over = threading.Event()

    def play(ledger: Ledger, table: FloorTable) -> None:
        chance = random.Random(table.name)  # noqa: S311
        while not over.is_set():
            place = ledger.place(table.name).place
            known = 0 if place is None else place.seq
            last = min(known + chance.randint(1, 6), table.last)
            if known < last and table.give(ledger, known + 1, last).said is Said.TAKEN:
                acknowledged[table.name] = last

    with primary_and_replica() as (primary, replica):
        both = f"host={primary.directory},{replica.directory} user=sabot dbname=postgres"
        with Database(both, writers=4) as database, ThreadPoolExecutor(TABLES) as threads:
            store = Store(database)
            ledger = Ledger(store, KnownKeys(keys), Nonces(store.secret(), bytes), lambda: NOW_S)
            playing = [threads.submit(play, ledger, table) for table in tables]
            until(lambda: min(acknowledged.values()) >= 50)
            primary.stop(signal.SIGQUIT)
            before = dict(acknowledged)
            replica.promote()
            until(lambda: all(acknowledged[name] > before[name] + 20 for name in before))
            over.set()
            for one in playing:
                one.result(WITHIN_S)
            for table in tables:
                kept = rows(ledger, table.name)
                assert [row[1] for row in kept] == list(range(1, len(kept) + 1))
                assert len(kept) >= acknowledged[table.name]
                assert all(row[2:] == (table.heads[row[1]], table.payloads[row[1] - 1]) for row in kept)
                assert ledger.place(table.name).findings == []


def test_a_floor_whose_database_is_a_replica_is_away_until_the_replica_takes_over(keys: Path) -> None:
    """A process that reaches the replica alone answers that no database is there, and goes on once that is promoted."""
    table = FloorTable("BJ-07").grown(6)
    (keys / "BJ-07.pub").write_bytes(table.signer.public_file())
    with primary_and_replica() as (primary, replica):
        both = f"host=/nowhere,{replica.directory} user=sabot dbname=postgres"
        with Database(both, writers=2) as database, Database(primary.conninfo(), writers=1) as before:
            nonces = Nonces(Store(before).secret(), bytes)
            ledger = Ledger(Store(database), KnownKeys(keys), nonces, lambda: NOW_S)
            batch = table.batch(1, 3, nonces.fresh("BJ-07", NOW_S))
            assert ledger.take("BJ-07", batch).said in AWAY
            with pytest.raises((DatabaseAway, DatabaseBusy)):
                Pools(database, SIGNER).look()
            primary.stop(signal.SIGQUIT)
            replica.promote()
            until(lambda: ledger.take("BJ-07", batch).said is Said.TAKEN)
