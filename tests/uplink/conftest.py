"""The fixtures of the uplink's tests: tables for a real floor over TLS."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from simulators.floor.replayed import ReplayedTable
from simulators.floor.room import Room
from tests.floor.kit import grown_entries
from tests.floor.server import pytest_configure

__all__ = ["pytest_configure"]

MakeTable = Callable[..., ReplayedTable]


@pytest.fixture
def room(tmp_path: Path, conninfo: str, forked_floors: None) -> Iterator[Room]:
    directory = tmp_path / "room"
    directory.mkdir()
    with Room(directory, conninfo) as room:
        yield room


@pytest.fixture
def make_table(tmp_path: Path, room: Room) -> Iterator[MakeTable]:
    """A function that makes a table whose key the floor has."""
    with ExitStack() as opened:

        def make(name: str = "BJ-07", place: str = "journals", note: str = "", marks: float = 60.0) -> ReplayedTable:
            directory = tmp_path / place
            directory.mkdir(exist_ok=True)
            table = ReplayedTable(directory, name, grown_entries(note), mark_every_s=marks)
            opened.callback(table.close)
            room.admit(name, table.signer)
            return table

        yield make
