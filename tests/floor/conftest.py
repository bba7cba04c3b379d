"""One private PostgreSQL for a worker's tests of the floor, and one database, which is emptied for each."""

import signal
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest

from controller.floor.database import Database
from controller.floor.keys import KnownKeys
from controller.floor.ledger import Ledger
from controller.floor.nonce import Nonces
from controller.floor.schema import migrate
from controller.floor.store import Store
from simulators.floor.postgres import PostgresMissing, PrivatePostgres
from simulators.floor.recount import recount
from tests.floor.kit import NOW_S, FloorTable

_numbers = count(1)
TEMPLATE = "floor_template"
OURS = "floor_ours"
EMPTIED = (
    "truncate line, entry, finding, ended_finding, shown, held, counted, pool, witnessed, wear, linked_pool,"
    " linked_rules, contribution, hit"
)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PrivatePostgres]:
    """Fails, and says how it is installed, where it is not."""
    try:
        server = PrivatePostgres(settings=("max_connections=60", "fsync=off"))
    except PostgresMissing as missing:
        pytest.fail(str(missing), pytrace=False)
    with server:
        made(server, TEMPLATE)
        migrate(server.conninfo(TEMPLATE))
        made(server, OURS, template=TEMPLATE)
        yield server
        server.stop(signal.SIGQUIT)  # nothing of it is kept


def made(server: PrivatePostgres, name: str, *, template: str = "template1") -> str:
    """The connection to a new database."""
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        connection.execute(f"create database {name} template {template}".encode())
    return server.conninfo(name)


@pytest.fixture
def conninfo(postgres: PrivatePostgres) -> str:
    with psycopg.connect(postgres.conninfo(OURS), autocommit=True) as connection:
        connection.execute(EMPTIED)
    return postgres.conninfo(OURS)


@pytest.fixture
def counted_again(conninfo: str) -> Iterator[None]:
    """Behind the test a recount of the database finds nothing wrong."""
    yield
    assert recount(conninfo, {}) == []


@pytest.fixture
def own_conninfo(postgres: PrivatePostgres) -> str:
    """A database that a test may change as it likes."""
    return made(postgres, f"floor_{next(_numbers)}", template=TEMPLATE)


@pytest.fixture
def database(conninfo: str) -> Iterator[Database]:
    with Database(conninfo, writers=4) as database:
        yield database


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    directory = tmp_path / "tables"
    directory.mkdir()
    return directory


@pytest.fixture
def ledger(database: Database, keys: Path) -> Ledger:
    store = Store(database)
    return Ledger(store, KnownKeys(keys), Nonces(store.secret(), bytes), lambda: NOW_S)


@pytest.fixture
def table(keys: Path) -> FloorTable:
    """A table whose key the floor knows."""
    table = FloorTable("BJ-07")
    (keys / "BJ-07.pub").write_bytes(table.signer.public_file())
    return table
