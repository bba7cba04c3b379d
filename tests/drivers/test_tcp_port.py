"""A device behind a serial server: real connections on the loopback, which are closed, reset, refused or silent."""

import asyncio
import contextlib
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from loop_bench import PATIENCE_S, in_loop, turns

from drivers.angel_eye_driver import make_angel_eye_driver
from drivers.backoff import Backoff
from drivers.errors import PortLost, PortMissing, PortRefused
from drivers.events import DeviceConnected, DeviceLost, DriverEvent, LostReason, Reported
from drivers.open_port import open_port
from drivers.serial_io import SerialShell
from drivers.supervisor import DeviceSupervisor
from drivers.tcp_port import SocketAddress, TcpPort, open_socket, socket_address
from firmware_protocols.angel_eye.framing import ChecksumRule
from firmware_protocols.tdp.shoe import ShoeApply

pytestmark = pytest.mark.waits

CARD = bytes.fromhex("05 31 44 81 B8 03 34 46") * 3
UNLOCK = bytes.fromhex("02 4F 50 4C 4B 30 31 03 31 38")


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("socket://10.0.0.7:4001", SocketAddress("10.0.0.7", 4001)),
        ("socket://Moxa-3.pit:4001", SocketAddress("moxa-3.pit", 4001)),
        ("socket://[::1]:1", SocketAddress("::1", 1)),
        ("socket://10.0.0.7:0", None),
        ("socket://10.0.0.7:65536", None),
        ("socket://10.0.0.7", None),
        ("socket://user@host:1", None),
        ("SOCKET://host:1", None),
        ("/dev/ttyS0", None),
    ],
)
def test_a_name_is_an_address_or_none(url: str, address: SocketAddress | None) -> None:
    assert socket_address(url) == address
    assert address is None or socket_address(str(address)) == address


class Server:
    """A serial server that serves one client at a time; the test plays the device behind it."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(PATIENCE_S)
        self.port = self._listener.getsockname()[1]
        self.client: socket.socket | None = None

    @property
    def address(self) -> SocketAddress:
        return SocketAddress("127.0.0.1", self.port)

    def accept(self) -> socket.socket:
        self.client, _ = self._listener.accept()
        self.client.settimeout(PATIENCE_S)
        return self.client

    def hang_up(self, *, reset: bool) -> None:
        """Closes the connection; with `reset` ends it abruptly, as a server that lost its power."""
        assert self.client is not None
        if reset:
            self.client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.client.close()
        self.client = None

    def close(self) -> None:
        if self.client is not None:
            self.client.close()
        self._listener.close()


@pytest.fixture
def server() -> Iterator[Server]:
    with contextlib.closing(Server()) as server:
        yield server


def test_bytes_go_both_ways_and_nothing_waits(server: Server) -> None:
    port = open_port(str(server.address))
    with contextlib.closing(port), contextlib.closing(server.accept()) as client:
        assert port.read() == b""
        assert port.write(b"") == 0
        assert port.write(UNLOCK) == len(UNLOCK)
        assert client.recv(100) == UNLOCK
        client.sendall(CARD)
        assert _read(port.read, len(CARD)) == CARD


def _write_on(port: TcpPort) -> None:
    while True:
        port.write(b"x")


def _read(read: Callable[[], bytes], size: int) -> bytes:
    data = b""
    while len(data) < size:
        data += read()
    return data


def test_a_full_line_takes_nothing_and_never_waits(server: Server) -> None:
    port = open_socket(server.address)
    with contextlib.closing(port), contextlib.closing(server.accept()):
        while port.write(b"x" * 65536):
            pass
        assert port.write(b"x") == 0


@pytest.mark.parametrize("reset", [False, True])
def test_a_connection_that_ends_is_a_port_that_is_lost(server: Server, *, reset: bool) -> None:
    port = open_socket(server.address)
    with contextlib.closing(port):
        server.accept()
        server.hang_up(reset=reset)
        with pytest.raises(PortLost):
            _read(port.read, 1)
        if reset:
            return
        with pytest.raises(PortLost):
            _write_on(port)


def test_closing_twice_is_closing_once(server: Server) -> None:
    port = open_socket(server.address)
    port.close()
    port.close()


def test_nobody_there_is_a_port_that_is_missing() -> None:
    # bound without a listener, so that no other process gets the port
    with contextlib.closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(PortMissing):
            open_socket(SocketAddress("127.0.0.1", taken.getsockname()[1]))
    with pytest.raises(PortMissing):
        open_socket(SocketAddress("no-such-host.invalid", 4001))
    with pytest.raises(PortRefused):
        open_socket(SocketAddress("a" * 64 + ".x", 4001))
    with pytest.raises(PortRefused):
        open_port("spy:///dev/ttyS0")


# ---- in the loop


class Table:
    """A supervisor of an Angel Eye behind the server, and its reports."""

    def __init__(self, server: Server) -> None:
        self.loop = asyncio.get_running_loop()
        make = make_angel_eye_driver(ChecksumRule.FROM_STX, simulated=True, committed=lambda: (0, 0))
        self.supervisor = DeviceSupervisor("shoe", make, Backoff(first_s=0.02, cap_s=0.1), lambda: 0.0)
        self.shell = SerialShell(self.loop, self.supervisor, lambda: open_socket(server.address), self._changed)
        self.happened: list[DriverEvent] = []
        self._news = asyncio.Event()
        self.shell.start()

    def _changed(self) -> None:
        self.happened += self.supervisor.events()
        if self.supervisor.awaits_answer and self.supervisor.desired is not None:
            self.supervisor.apply(self.supervisor.desired, self.loop.time())
        self._news.set()

    def has(self, kind: type, times: int) -> bool:
        return self.count(kind) == times

    def count(self, kind: type) -> int:
        return sum(isinstance(event, kind) for event in self.happened)

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not holds():
                self._news.clear()
                await self._news.wait()


@pytest.mark.parametrize("reset", [False, True])
@pytest.mark.parametrize("state", ["idle", "command-outstanding", "half-a-frame"])
@in_loop
async def test_each_loss_is_one_and_each_return_one_whatever_is_under_way(
    server: Server, state: str, *, reset: bool
) -> None:
    table = Table(server)
    for times in (1, 2):
        await asyncio.to_thread(server.accept)
        await table.until(partial(table.has, DeviceConnected, times))
        assert server.client is not None
        if state == "half-a-frame":
            server.client.sendall(CARD[:5])
        if state == "command-outstanding":
            table.supervisor.apply(ShoeApply(locked=times == 2), table.loop.time())
            table.shell.pump()
            assert len(await asyncio.to_thread(server.client.recv, 100)) == len(UNLOCK)
        server.hang_up(reset=reset)
        await table.until(partial(table.has, DeviceLost, times))
    await asyncio.to_thread(server.accept)
    await table.until(lambda: table.count(DeviceConnected) == 3)
    assert server.client is not None
    server.client.sendall(CARD)
    await table.until(lambda: table.count(Reported) == 1)
    assert await table.shell.stop()
    losses = [event for event in table.happened if isinstance(event, DeviceLost)]
    assert {loss.reason for loss in losses} == {LostReason.PORT_LOST}
    assert all(loss.command_unknown is (state == "command-outstanding") for loss in losses)


@in_loop
async def test_a_server_that_is_away_does_not_turn_the_loop(server: Server) -> None:
    table = Table(server)
    await asyncio.to_thread(server.accept)
    await table.until(lambda: table.count(DeviceConnected) == 1)
    server.close()
    await table.until(lambda: table.count(DeviceLost) == 1)
    before = turns()
    await asyncio.sleep(0.5)  # the measure itself
    assert turns() - before < 60
    assert table.count(DeviceLost) == 1
    assert await table.shell.stop()
    assert not [thread for thread in threading.enumerate() if "shoe" in thread.name]
