"""The connections to PostgreSQL: some write, some only read.

A write is one statement in a transaction of its own. Its thread waits for the end, however long, and never cancels it.
A COMMIT that is cancelled while it waits for a replica succeeds with a warning, and its entries are then on one machine
only. So a write with any warning is not acknowledged. Readers cannot write and have a time limit, so that the database
can remove old versions of rows that often change.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import psycopg
from psycopg import Connection, errors
from psycopg.conninfo import make_conninfo
from psycopg.pq.abc import PGconn
from psycopg.rows import RowFactory, TupleRow, tuple_row
from psycopg_pool import ConnectionPool, PoolTimeout

WRITERS: Final = 12
READERS: Final = 4
WAIT_S: Final = 2.0
"""Seconds to wait for a free connection. After this time the table gets the answer `busy`, and tries again later."""

CLOSE_S: Final = 2.0
"""Seconds to wait at the end for the threads of the connection pool. A write that has begun is not cancelled."""

_WRITES: Final = "-c synchronous_commit=on -c statement_timeout=0 -c lock_timeout=2s -c application_name=sabot-floor"
_READS: Final = (
    "-c default_transaction_read_only=on -c statement_timeout=5s -c idle_in_transaction_session_timeout=5s"
    " -c application_name=sabot-floor-page"
)
_KEEPALIVE: Final = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,  # keepalives do not begin while sent bytes lack the answer of a computer that is gone
}

Values = Mapping[str, object]


def statement(name: str) -> str:
    """The text of the SQL statement in the file `statements/<name>.sql`."""
    return (Path(__file__).parent / "statements" / f"{name}.sql").read_text()


class DatabaseAway(Exception):  # noqa: N818 (the name says what it is)
    """Raised if the database does not answer. A write may or may not have succeeded."""


class DatabaseBusy(Exception):  # noqa: N818 (the name says what it is)
    """Raised if all connections are in use, or another transaction holds a lock for too long. Nothing was written."""


class NotDurable(Exception):  # noqa: N818 (the name says what is missing)
    """Raised if a write is done but may not be on the replica."""


class NoPartition(Exception):  # noqa: N818 (the name says what is missing)
    """Raised if the database has no partition for the month of an entry. Nothing was written."""


class _Connection(Connection[TupleRow]):
    """A database connection that collects the server's warnings."""

    def __init__(self, pgconn: PGconn, row_factory: RowFactory[TupleRow] = tuple_row) -> None:
        super().__init__(pgconn, row_factory)
        self.warnings: list[str] = []
        self.add_notice_handler(self._noticed)

    def _noticed(self, notice: errors.Diagnostic) -> None:
        if notice.severity_nonlocalized == "WARNING":
            self.warnings.append(notice.message_primary or "")


class Database:
    """The connections to the database, open from `__enter__` to `__exit__`. Every method may block and must be called
    in a thread.
    """

    def __init__(self, conninfo: str, writers: int = WRITERS) -> None:
        to_write = make_conninfo(conninfo, target_session_attrs="read-write")  # of several hosts, never a replica
        self._writers = _pool(to_write, _WRITES, writers)
        anywhere = make_conninfo(conninfo, target_session_attrs="any")  # a reader may use a replica
        self._readers = _pool(anywhere, _READS, READERS, check=ConnectionPool.check_connection)

    def __enter__(self) -> "Database":
        self._writers.open()
        self._readers.open()
        return self

    def __exit__(self, *_: object) -> None:
        self._writers.close(timeout=CLOSE_S)
        self._readers.close(timeout=CLOSE_S)

    def write(self, words: str, values: Values) -> list[TupleRow]:
        """Executes one SQL statement and returns its rows. The changes are durable on return.

        Raises NotDurable, NoPartition, DatabaseAway, DatabaseBusy.
        """
        with self._used(self._writers) as connection:
            connection.warnings.clear()
            rows = _rows(connection, words, values)
            if connection.warnings:
                raise NotDurable(connection.warnings[0])
        return rows

    def looked_up(self, words: str, values: Values) -> list[TupleRow]:
        """Returns the rows of a query on which a write depends, over a writing connection, never from a replica. Raises
        DatabaseAway, DatabaseBusy.
        """
        with self._used(self._writers) as connection:
            return _rows(connection, words, values)

    def read(self, words: str, values: Values) -> list[TupleRow]:
        """The rows of a query for a page or a report, within a time limit. Raises DatabaseAway, DatabaseBusy."""
        with self._used(self._readers) as connection:
            return _rows(connection, words, values)

    def in_order(self, statements: Sequence[str]) -> None:
        """Executes several statements in one transaction. Raises DatabaseAway, DatabaseBusy."""
        with self._used(self._writers) as connection, connection.transaction():
            for words in statements:
                connection.execute(words.encode())

    @contextmanager
    def _used(self, pool: "ConnectionPool[_Connection]") -> Iterator[_Connection]:
        try:
            with pool.connection(WAIT_S) as connection:
                yield connection
        except errors.CheckViolation as error:  # PostgreSQL's error for a row without a partition
            raise NoPartition from error
        except (PoolTimeout, errors.LockNotAvailable, errors.QueryCanceled, errors.DeadlockDetected) as error:
            raise DatabaseBusy from error
        except psycopg.OperationalError as error:
            raise DatabaseAway from error


def _rows(connection: _Connection, words: str, values: Values) -> list[TupleRow]:
    cursor = connection.execute(words.encode(), values)
    return cursor.fetchall() if cursor.description is not None else []


def _pool(
    conninfo: str, options: str, most: int, check: Callable[[_Connection], None] | None = None
) -> "ConnectionPool[_Connection]":
    return ConnectionPool(
        conninfo,
        connection_class=_Connection,
        kwargs={"autocommit": True, "options": options, **_KEEPALIVE},
        min_size=1,
        max_size=most,
        timeout=WAIT_S,
        check=check,
        reconnect_timeout=30,
        open=False,
    )
