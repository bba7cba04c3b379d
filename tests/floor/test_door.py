"""Strangers and a table's stolen certificate at the floor's port: every other table is heard in time."""

import asyncio
import contextlib
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import cast

import pytest
from starlette.applications import Starlette
from starlette.types import Message

from controller.floor.app import MOST_AT_ONCE, MOST_OF_AN_ADDRESS, TableApp
from controller.floor.database import Database
from controller.floor.ledger import Ledger
from controller.protocol.carried import FloorAnswer, Said
from controller.uplink.floor import FloorEnd
from simulators.floor.room import FloorProcess, Process, Room

pytestmark = pytest.mark.waits

DESCRIPTORS = 256
STRANGER = ("127.0.0.2", 0)
HEARD_WITHIN_S = 10.0
HALF = b"POST /uplink/1/T1 HTTP/1.1\r\nHost: floor\r\nContent-Length: 1000\r\n\r\nhalf"


def few_descriptors(words: list[str]) -> Process:
    command = ["prlimit", f"--nofile={DESCRIPTORS}", sys.executable, "-m", "controller.floor", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@pytest.fixture
def floor(room: Room, monkeypatch: pytest.MonkeyPatch) -> Iterator[FloorProcess]:
    monkeypatch.setattr(FloorProcess, "spawn", staticmethod(few_descriptors))
    with room:
        yield room.start(has_page=False)


@contextlib.contextmanager
def other_table(room: Room, floor: FloorProcess) -> Iterator[FloorEnd]:
    with FloorEnd(room.settings("T2", floor.port), HEARD_WITHIN_S, HEARD_WITHIN_S) as end:
        yield end


def test_connections_that_never_shake_hands_keep_no_table_waiting(room: Room, floor: FloorProcess) -> None:
    with contextlib.ExitStack() as strangers:
        for _ in range(DESCRIPTORS + 64):
            strangers.enter_context(socket.create_connection(("127.0.0.1", floor.port), source_address=STRANGER))
        with other_table(room, floor) as table:
            assert table.begin().said is Said.UNKNOWN_TABLE


def test_batches_that_never_end_keep_no_other_table_waiting(room: Room, floor: FloorProcess) -> None:
    settings = room.settings("T1", floor.port)
    context = ssl.create_default_context(cafile=str(settings.authority))
    context.load_cert_chain(settings.certificate)
    with contextlib.ExitStack() as strangers:
        for _ in range(2 * MOST_AT_ONCE):
            plain = socket.create_connection(("127.0.0.1", floor.port), source_address=STRANGER)
            with contextlib.suppress(OSError):  # the address has its share
                stranger = strangers.enter_context(context.wrap_socket(plain, server_hostname="127.0.0.1"))
                stranger.sendall(HALF)
        with other_table(room, floor) as table:
            assert table._asked("POST", "/uplink/1/T2", b"no batch", FloorAnswer).said is Said.NOT_UNDERSTOOD


class Stuck:
    """A ledger that answers only at the test's command. `asked`: the number of threads in it."""

    def __init__(self) -> None:
        self.asked, self.may_answer = 0, threading.Event()

    def place(self, table: str) -> FloorAnswer:
        if table == "T1":
            self.asked += 1
            assert self.may_answer.wait(HEARD_WITHIN_S)
        return FloorAnswer(Said.UNKNOWN_TABLE)


async def status_of(app: Starlette, table: str, address: str) -> int:
    """The status of the floor's answer to a table that asks from the address."""
    told: list[Message] = []
    ends = {"client": (address, 1), "server": ("127.0.0.1", 8443), "query_string": b"", "headers": []}

    async def send(message: Message) -> None:
        told.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    await app({"type": "http", "method": "GET", "path": f"/uplink/1/{table}", **ends}, receive, send)
    return int(told[0]["status"])


def test_an_address_that_floods_leaves_threads_for_other_tables() -> None:
    ledger = Stuck()
    app = TableApp(cast("Ledger", ledger), cast("Database", None)).application()

    async def flooded() -> None:
        flood = [asyncio.create_task(status_of(app, "T1", STRANGER[0])) for _ in range(2 * MOST_AT_ONCE)]
        async with asyncio.timeout(HEARD_WITHIN_S):
            while ledger.asked < MOST_OF_AN_ADDRESS:
                await asyncio.sleep(0)
            assert await status_of(app, "T2", "127.0.0.3") == 404
        assert ledger.asked == MOST_OF_AN_ADDRESS
        ledger.may_answer.set()
        assert set(await asyncio.gather(*flood)) == {404}

    before = set(threading.enumerate())
    asyncio.run(flooded())
    for thread in set(threading.enumerate()) - before:
        thread.join(HEARD_WITHIN_S)
