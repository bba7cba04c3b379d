"""A floor for each test, on the database of `tests.floor.server`."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.floor.database import Database
from controller.floor.keys import KnownKeys
from controller.floor.ledger import Ledger
from controller.floor.nonce import Nonces
from controller.floor.store import Store
from simulators.floor.recount import recount
from simulators.floor.room import Room
from tests.floor.kit import NOW_S, FloorTable
from tests.floor.server import pytest_configure

__all__ = ["pytest_configure"]


@pytest.fixture
def counted_again(conninfo: str) -> Iterator[None]:
    """Recounts the database after each test, and fails the test where the recount finds an error."""
    yield
    assert recount(conninfo, {}) == []


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
def room(tmp_path: Path, conninfo: str, forked_floors: None) -> Room:
    """A room (the floor's configuration and keys) without a process; a test that needs the process enters it."""
    directory = tmp_path / "room"
    directory.mkdir()
    return Room(directory, conninfo)


@pytest.fixture
def table(keys: Path) -> FloorTable:
    """A table whose key the floor has."""
    table = FloorTable("BJ-07")
    (keys / "BJ-07.pub").write_bytes(table.signer.public_file())
    return table
