"""The fixtures of the room's tests: a floor with tables in given states, and the system's Chromium."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from controller.floor.ledger import Ledger
from controller.protocol.shown import Shown
from controller.uplink.serve import Log, carry
from simulators.floor.replayed import ReplayedTable
from simulators.floor.room import FloorProcess, Room
from tests.floor.conftest import counted_again, database, keys, ledger, table
from tests.floor.kit import FloorTable, grown_entries
from tests.floor.server import pytest_configure
from tests.panel.conftest import chromium

__all__ = ["chromium", "counted_again", "database", "keys", "ledger", "pytest_configure", "table"]

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 900}


@pytest.fixture
def room(tmp_path: Path, conninfo: str, forked_floors: None) -> Iterator[Room]:
    directory = tmp_path / "room"
    directory.mkdir()
    with Room(directory, conninfo) as room:
        yield room


@pytest.fixture
def browser_at(chromium: Browser) -> Iterator["BrowserAt"]:
    with ExitStack() as opened:
        at = BrowserAt(chromium, opened)
        yield at
        assert at.troubles == []


class BrowserAt:
    """Opens pages; any complaint of a browser fails the test."""

    def __init__(self, chromium: Browser, opened: ExitStack) -> None:
        self._chromium = chromium
        self._opened = opened
        self.troubles: list[str] = []

    def __call__(self, url: str, size: dict[str, int]) -> Page:
        """Opens the URL in a page of this size, which accepts the tests' certificates."""
        context = self._chromium.new_context(
            viewport=size, has_touch=True, locale="en-GB", reduced_motion="reduce", ignore_https_errors=True
        )
        self._opened.callback(context.close)
        page = context.new_page()
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", lambda line: self.troubles.append(line.text) if line.type == "error" else None)
        page.goto(url)
        return page


def standing(ledger: Ledger, keys: Path, name: str, shown: Shown) -> FloorTable:
    """Makes a table that has sent the status `shown` to the floor."""
    table = FloorTable(name).grown(3)
    (keys / f"{name}.pub").write_bytes(table.signer.public_file())
    table.give(ledger, 1, 3, shown=shown)
    return table


class Followed:
    """One table whose entries and status the real uplink's code sends to a floor. `shown`: the table's status."""

    def __init__(self, table: ReplayedTable) -> None:
        self.table = table
        self.shown = Shown()

    def stands(self, shown: Shown) -> None:
        """Adds an entry to the table, then sends this status."""
        self.shown = shown
        self.table.play(1)


@contextmanager
def followed(room: Room, floor: FloorProcess, name: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Followed]:
    (room.directory / "journals").mkdir()
    made = ReplayedTable(room.directory / "journals", name, grown_entries(), lambda _seq: following.shown)
    following = Followed(made)
    room.admit(name, made.signer)
    ending = threading.Event()

    class Beside:
        """Answers the uplink in the place of the controller's socket."""

        def __enter__(self) -> ReplayedTable:
            return made

        def __exit__(self, *_: object) -> None:
            pass

    monkeypatch.setattr("controller.uplink.serve.TableEnd", lambda _socket: Beside())
    thread = threading.Thread(target=carry, args=(room.settings(name, floor.port), ending, Log()))
    thread.start()
    try:
        yield following
    finally:
        ending.set()
        thread.join()
        made.close()
