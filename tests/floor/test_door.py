"""Strangers and a table's stolen certificate at the floor's port: every other table is heard in time."""

import contextlib
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator

import pytest

from controller.floor.app import MOST_AT_ONCE
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
