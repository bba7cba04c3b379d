"""A client whose connection finds the socket's queue full waits for a place in it."""

import asyncio
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from controller.cli.client import Client
from controller.panel.wire import Wire
from controller.uplink.table import TableEnd
from tests.endings import HANGS_S

pytestmark = pytest.mark.waits


@pytest.fixture
def full(tmp_path: Path) -> Iterator[tuple[socket.socket, Path]]:
    """A listening socket whose queue another process has filled, and its path."""
    path = tmp_path / "socket"
    with ExitStack() as open_ones, socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen(1)
        is_full = False
        while not is_full:
            one = open_ones.enter_context(socket.socket(socket.AF_UNIX))
            one.settimeout(0)
            is_full = one.connect_ex(str(path)) != 0
        yield server, path


@pytest.mark.parametrize("end", [Client, TableEnd])
def test_a_command_and_the_uplink_try_again(
    full: tuple[socket.socket, Path], end: type[Client | TableEnd], monkeypatch: pytest.MonkeyPatch
) -> None:
    server, path = full
    waited: list[float] = []

    def one_leaves(seconds: float) -> None:
        waited.append(seconds)
        server.accept()[0].close()

    monkeypatch.setattr(time, "sleep", one_leaves)
    with end(path, within_s=HANGS_S):
        assert len(waited) == 1


def test_the_panel_tries_again(full: tuple[socket.socket, Path]) -> None:
    server, path = full

    async def go() -> None:
        opening = asyncio.create_task(Wire.open(path))
        for _ in range(10):
            await asyncio.sleep(0)
        assert not opening.done(), "the queue is full"
        server.accept()[0].close()
        wire = await opening
        asking = asyncio.create_task(wire.ask(HANGS_S, do="ping"))
        await asyncio.to_thread(answered, server)
        assert (await asking).ok
        await wire.closed()

    asyncio.run(go())


def answered(server: socket.socket) -> None:
    """Answers the first request of any connection, and closes those that ask nothing."""
    server.settimeout(HANGS_S)
    while True:
        with server.accept()[0] as one:
            one.settimeout(0.05)
            with suppress(TimeoutError):
                if one.recv(1000):
                    one.sendall(b'{"ok":true,"id":1}\n')
                    return
