"""One private PostgreSQL for all tests of a process, one database, which is emptied for each, and forked floors.

The test folders whose conftest imports this `pytest_configure` share the server.
"""

import signal
import sys
from collections.abc import Iterator
from itertools import count

import psycopg
import pytest

from controller.floor.schema import migrate
from simulators.floor.postgres import PostgresMissing, PrivatePostgres
from simulators.floor.room import FloorProcess
from tests.daemon.warm import Warm

_numbers = count(1)
TEMPLATE = "floor_template"
OURS = "floor_ours"
EMPTIED = (
    "truncate line, entry, finding, ended_finding, shown, held, counted, pool, witnessed, wear, linked_pool,"
    " linked_rules, contribution, hit, certificate, told, kept_recording"
)


def pytest_configure(config: pytest.Config) -> None:
    """Registers the fixtures once for all folders: imported ones would be made once for each folder."""
    here = sys.modules[__name__]
    if not config.pluginmanager.is_registered(here):
        config.pluginmanager.register(here)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PrivatePostgres]:
    """Runs a private PostgreSQL; where PostgreSQL is missing fails with the command that installs it."""
    try:
        server = PrivatePostgres(settings=("max_connections=60", "fsync=off"))
    except PostgresMissing as missing:
        raise pytest.fail.Exception(str(missing), pytrace=False) from None
    with server:
        made(server, TEMPLATE)
        migrate(server.conninfo(TEMPLATE))
        made(server, OURS, template=TEMPLATE)
        yield server
        server.stop(signal.SIGQUIT)  # none of its data is kept


def made(server: PrivatePostgres, name: str, *, template: str = "template1") -> str:
    """Makes the database `name` from the template; returns its connection string."""
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        connection.execute(f"create database {name} template {template}".encode())
    return server.conninfo(name)


@pytest.fixture(scope="session")
def forked_floors() -> Iterator[None]:
    """Floors are forked from a process that has imported them."""
    with Warm("tests.floor.warm_floor") as warm, pytest.MonkeyPatch.context() as patch:
        patch.setattr(FloorProcess, "spawn", staticmethod(warm.piped))
        yield


@pytest.fixture
def conninfo(postgres: PrivatePostgres) -> str:
    with psycopg.connect(postgres.conninfo(OURS), autocommit=True) as connection:
        connection.execute(EMPTIED)
    return postgres.conninfo(OURS)


@pytest.fixture
def own_conninfo(postgres: PrivatePostgres) -> str:
    """The connection string of a database of the test's own."""
    return made(postgres, f"floor_{next(_numbers)}", template=TEMPLATE)
