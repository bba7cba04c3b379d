"""Known traps of PostgreSQL, such as a commit on one machine alone: each test provokes one, and nothing is lost."""

import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

import controller.floor
from controller.floor.database import Database, DatabaseAway, DatabaseBusy
from controller.floor.keys import KnownKeys
from controller.floor.ledger import Ledger
from controller.floor.nonce import Nonces
from controller.floor.schema import MIGRATIONS, VERSION, is_current, migrate
from controller.floor.store import Store
from controller.protocol.carried import Said
from simulators.floor.postgres import PrivatePostgres
from tests.endings import HANGS_S
from tests.floor.kit import NOW_S, FloorTable, rows
from tests.floor.proxy import SOCKET, Line
from tests.floor.server import made

pytestmark = pytest.mark.waits

WITHIN_S = HANGS_S


def until(holds: Callable[[], bool]) -> None:
    deadline_s = time.monotonic() + WITHIN_S
    while not holds():
        assert time.monotonic() < deadline_s
        time.sleep(0.02)


@contextmanager
def without_its_replica(conninfo: str) -> Iterator[psycopg.Connection]:
    """Makes the database wait at each commit for a missing replica; yields a connection that does not wait."""
    with psycopg.connect(conninfo, autocommit=True, options="-c synchronous_commit=local") as connection:
        _replica(connection, "nobody")
        try:
            _probe(connection, conninfo)
            yield connection
        finally:
            _replica(connection, "")


def _replica(connection: psycopg.Connection, name: str) -> None:
    connection.execute(f"alter system set synchronous_standby_names = '{name}'".encode())
    connection.execute("select pg_reload_conf()")
    until(lambda: connection.execute("show synchronous_standby_names").fetchone() == (name,))


def _probe(connection: psycopg.Connection, conninfo: str) -> None:
    """Writes until a commit waits: the checkpointer tells all servers of the setting, and may be busy for seconds."""
    until_s = time.monotonic() + WITHIN_S
    with (
        psycopg.connect(conninfo, autocommit=True, application_name="probe") as probe,
        ThreadPoolExecutor(1) as threads,
    ):
        while time.monotonic() < until_s:
            written = threads.submit(probe.execute, "select pg_logical_emit_message(true, 'probe', '')")
            until(lambda written=written: written.done() or len(waiting(connection, "probe")) == 1)
            if pids := waiting(connection, "probe"):
                connection.execute("select pg_cancel_backend(%s)", pids)
                written.result(WITHIN_S)
                return
        raise AssertionError("no commit waits")


def waiting(connection: psycopg.Connection, name: str = "sabot-floor") -> list[int]:
    """The process ids of the database's servers that wait for a replica with a write of this application."""
    statement = "select pid from pg_stat_activity where wait_event = 'SyncRep' and application_name = %s"
    return [pid for (pid,) in connection.execute(statement, (name,))]


def test_a_commit_that_may_not_be_replicated_is_no_acknowledgement_nor_is_the_same_batch_again(
    ledger: Ledger, table: FloorTable, conninfo: str
) -> None:
    """The floor acknowledges no commit that the replica may lack, nor a repetition of its batch."""
    table.grown(3)
    table.give(ledger, 1, 1)
    with without_its_replica(conninfo) as connection, ThreadPoolExecutor(1) as threads:
        for _ in range(2):
            answer = threads.submit(table.give, ledger, 2, 3)
            until(lambda: len(waiting(connection)) == 1)
            connection.execute("select pg_cancel_backend(%s)", waiting(connection))
            assert answer.result(WITHIN_S).said is Said.NOT_DURABLE
            assert len(rows(ledger, "BJ-07")) == 3
        alive = threads.submit(table.give, ledger, 4, 3)
        until(lambda: len(waiting(connection)) == 1)
        connection.execute("select pg_cancel_backend(%s)", waiting(connection))
        assert alive.result(WITHIN_S).said is Said.NOT_DURABLE
    assert table.give(ledger, 2, 3).said is Said.TAKEN


def test_a_commit_that_waits_is_acknowledged_once_the_replica_has_it(
    ledger: Ledger, table: FloorTable, conninfo: str
) -> None:
    table.grown(3)
    table.give(ledger, 1, 1)
    with ThreadPoolExecutor(1) as threads:
        with without_its_replica(conninfo) as connection:
            answer = threads.submit(table.give, ledger, 2, 3)
            until(lambda: len(waiting(connection)) == 1)
            assert not answer.done()
        assert answer.result(WITHIN_S).said is Said.TAKEN


def test_a_connection_that_is_ended_in_the_middle_is_no_acknowledgement(
    ledger: Ledger, table: FloorTable, conninfo: str
) -> None:
    table.grown(3)
    table.give(ledger, 1, 1)
    with without_its_replica(conninfo) as connection, ThreadPoolExecutor(1) as threads:
        answer = threads.submit(table.give, ledger, 2, 3)
        until(lambda: len(waiting(connection)) == 1)
        connection.execute("select pg_terminate_backend(%s)", waiting(connection))
        assert answer.result(WITHIN_S).said is Said.NO_DATABASE
    until(lambda: table.give(ledger, 2, 3).said is Said.TAKEN)
    assert len(rows(ledger, "BJ-07")) == 3


def test_no_setting_of_the_database_makes_a_write_less_durable_or_cancels_it(own_conninfo: str) -> None:
    name = own_conninfo.rpartition("=")[2]
    with psycopg.connect(own_conninfo, autocommit=True) as connection:
        for setting in ("synchronous_commit = off", "statement_timeout = '1s'"):
            connection.execute(f"alter database {name} set {setting}".encode())
    with Database(own_conninfo) as database:
        assert database.looked_up("show synchronous_commit", {}) == [("on",)]
        assert database.looked_up("show statement_timeout", {}) == [("0",)]


def test_a_databases_computer_that_is_gone_is_left_within_half_a_minute(
    conninfo: str, postgres: PrivatePostgres
) -> None:
    """The bound holds also for a write on its way, for which the kernel sends no keepalives but the bytes again."""

    def reach() -> socket.socket:
        made = socket.socket(socket.AF_UNIX)
        made.connect(str(postgres.directory / SOCKET))
        return made

    with Line(socket.create_server(("127.0.0.1", 0)), reach) as line:
        port = line._listener.getsockname()[1]
        with Database(f"{conninfo} host=127.0.0.1 port={port}", writers=1) as database:
            for pool in (database._writers, database._readers):
                with pool.connection() as connection, socket.socket(fileno=os.dup(connection.fileno())) as used:
                    assert 0 < used.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) <= 30_000
                    assert used.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1


def test_a_reader_has_a_time_limit_and_writes_nothing(database: Database) -> None:
    began_s = time.monotonic()
    with pytest.raises(DatabaseBusy):
        database.read("select pg_sleep(60)", {})
    assert time.monotonic() - began_s < 15
    with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
        database.read("delete from finding", {})


def test_nothing_has_a_serial_number_that_a_reader_could_poll(database: Database) -> None:
    """No table has a serial number: transactions commit in another order, and a reader of numbers would miss some."""
    assert database.read("select relname from pg_class where relkind = 'S'", {}) == []


STATEMENTS = sorted((Path(controller.floor.__file__).parent / "statements").glob("*.sql"))


@pytest.mark.parametrize("path", STATEMENTS, ids=lambda path: path.stem)
def test_a_statement_notifies_nobody_and_holds_no_lock_over_a_round_trip(path: Path) -> None:
    """No statement uses NOTIFY (a lock on the whole database at commit) or FOR UPDATE, and each is a single one."""
    words = path.read_text().lower()
    assert "notify" not in words
    assert "for update" not in words
    assert ";" not in words or path.stem == "partition"  # made before, not with a batch


def test_a_lock_that_somebody_holds_keeps_no_table_waiting(ledger: Ledger, table: FloorTable, conninfo: str) -> None:
    table.grown(3)
    table.give(ledger, 1, 1)
    with psycopg.connect(conninfo) as connection:
        connection.execute("select * from line for update")
        assert table.give(ledger, 2, 3).said is Said.BUSY
    assert table.give(ledger, 2, 3).said is Said.TAKEN


def test_entries_lie_in_the_month_of_their_own_clock_and_wrong_clocks_in_one_of_their_own(
    ledger: Ledger, table: FloorTable, conninfo: str
) -> None:
    walls = [
        datetime(2026, 9, 30, 23, 59, 59, tzinfo=UTC).timestamp(),
        datetime(2026, 10, 1, 0, 0, 1, tzinfo=UTC).timestamp(),
        NOW_S,
        datetime(2026, 12, 31, tzinfo=UTC).timestamp(),
        0,
        datetime(2099, 1, 1, tzinfo=UTC).timestamp(),
        -(10.0**12),
        10.0**14,
    ]
    for wall_s in walls:
        table.grown(1, wall_s=wall_s)
    assert table.give(ledger, 1, len(walls)).said is Said.TAKEN
    with psycopg.connect(conninfo) as connection:
        found = connection.execute("select tableoid::regclass::text, array_agg(seq order by seq) from entry group by 1")
        where = dict(found.fetchall())
    assert where == {
        "entry_2026_09": [1],
        "entry_2026_10": [2],
        "entry_2026_11": [3],
        "entry_2026_12": [4],
        "entry_unknown": [5, 6, 7, 8],
    }
    assert [row[1] for row in rows(ledger, "BJ-07")] == list(range(1, len(walls) + 1))


def test_a_month_that_another_database_does_not_have_is_made_anew(
    ledger: Ledger, table: FloorTable, conninfo: str
) -> None:
    """The process makes a month's partition again where another database, such as a replica, lacks it."""
    table.grown(3)
    table.give(ledger, 1, 2)
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute("drop table entry_2026_11")
        connection.execute("delete from line")
    assert table.give(ledger, 1, 3).said is Said.TAKEN
    assert len(rows(ledger, "BJ-07")) == 3


def test_a_floor_that_has_less_than_it_acknowledged_is_given_it_again(
    ledger: Ledger, table: FloorTable, conninfo: str
) -> None:
    """A floor that lost acknowledged entries, as after a replica's takeover, gets them from the table again."""
    table.grown(9)
    table.give(ledger, 1, 4)
    with psycopg.connect(conninfo) as connection:
        line = connection.execute("select last_seq, head, statement, signature from line").fetchone()
        table.give(ledger, 5, 8)
        assert line is not None
        connection.execute("update line set last_seq = %s, head = %s, statement = %s, signature = %s", line)
        connection.execute("delete from entry where seq > 4")
    answer = table.give(ledger, 9, 9)
    assert answer.said is Said.GO_ON_FROM
    assert answer.place is not None
    assert answer.place.seq == 4
    assert table.give(ledger, 5, 9).said is Said.TAKEN
    assert [row[1] for row in rows(ledger, "BJ-07")] == list(range(1, 10))


def test_tables_of_the_first_version_are_made_once_and_known(postgres: PrivatePostgres) -> None:
    conninfo = made(postgres, "floor_empty")
    assert not is_current(conninfo)
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(migrate, [conninfo] * 2))
    assert is_current(conninfo)


def test_the_version_that_is_served_is_that_of_the_newest_step() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_current_head() == VERSION


def test_what_was_acknowledged_is_there_after_the_database_was_killed(keys: Path) -> None:
    """Acknowledged entries survive the kill of a database with the disk's syncs on."""
    table = FloorTable("BJ-07").grown(4000)
    (keys / "BJ-07.pub").write_bytes(table.signer.public_file())
    with PrivatePostgres() as server:
        migrate(server.conninfo())
        with Database(server.conninfo(), writers=2) as database, ThreadPoolExecutor(1) as threads:
            store = Store(database)
            ledger = Ledger(store, KnownKeys(keys), Nonces(store.secret(), bytes), lambda: NOW_S)
            acknowledged = 0

            def play() -> None:
                nonlocal acknowledged
                for first in range(1, table.last, 5):
                    if table.give(ledger, first, first + 4).said is not Said.TAKEN:
                        return
                    acknowledged = first + 4

            playing = threads.submit(play)
            until(lambda: acknowledged >= 200)
            server.stop(signal.SIGQUIT)
            playing.result(WITHIN_S)
            with pytest.raises((DatabaseAway, DatabaseBusy)):
                store.lines("BJ-07")
            server.start()
            until(lambda: ledger.place("BJ-07").said is Said.TAKEN)
            place = ledger.place("BJ-07").place
            assert place is not None
            assert acknowledged <= place.seq < table.last
            kept = rows(ledger, "BJ-07")
            assert kept == [(1, seq, table.heads[seq], table.payloads[seq - 1]) for seq in range(1, place.seq + 1)]
            assert table.give(ledger, place.seq + 1, table.last).said is Said.TAKEN
