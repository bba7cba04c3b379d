"""systemd gets signs of life while the controller's loop and writer run, and none while the writer hangs."""

import asyncio
import os
import socket
from collections.abc import Iterator

import pytest
from structlog.testing import capture_logs

from controller.daemon.logs import Log
from controller.daemon.notify import Notifier
from controller.daemon.signs import WRITER_WITHIN_S, SignsOfLife

pytestmark = pytest.mark.waits


@pytest.fixture
def systemd() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(f"\0sabot-signs-{os.getpid()}")
        listening.setblocking(False)
        yield listening


def heard(systemd: socket.socket) -> int:
    count = 0
    try:
        while systemd.recv(64) == b"WATCHDOG=1":
            count += 1
    except BlockingIOError:
        return count
    raise AssertionError


def test_a_writer_that_hangs_gets_no_sign_and_is_told_once(systemd: socket.socket) -> None:
    out_s = [0.0]
    loop = asyncio.new_event_loop()
    environment = {"NOTIFY_SOCKET": f"@sabot-signs-{os.getpid()}", "WATCHDOG_USEC": "3000000"}
    with capture_logs() as lines:
        signs = SignsOfLife(loop, Notifier(environment), lambda: out_s[0], Log("T1"))
        told = []
        for seconds in (0.0, 5.0, WRITER_WITHIN_S, WRITER_WITHIN_S + 1, WRITER_WITHIN_S + 2, 0.0):
            out_s[0] = seconds
            signs.give()
            told.append(heard(systemd))
    loop.close()
    assert told == [1, 1, 1, 0, 0, 1]
    assert [(line["event"], line["seconds"]) for line in lines] == [("journal-hangs", int(WRITER_WITHIN_S) + 1)]
