"""The server at the Unix socket: passes each client's lines to a handler, and sends answers without waiting for any
client.

A client that does not read is dropped once BACKLOG_BYTES wait for it. A client whose line is too long or unreadable
gets an error, and its connection ends. A stale socket file is replaced. A socket file at which another program listens
is not.
"""

import asyncio
import socket
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from controller.daemon.limits import CONNECTING_S, IDLE_S, MOST_CLIENTS, Limits
from controller.machine.exits import CliFailure, ExitCode
from controller.machine.socket_path import prepare_directory
from controller.protocol.lines import LONGEST_LINE
from drivers.errors import system_word

BACKLOG_BYTES: Final = 256 * 1024
MOST_EXPECTED: Final = 4
"""The most answers for which a client may wait. While so many are to come, no further line of the client is read."""

NO_DESCRIPTOR_S: Final = 1.0
SOCKET_MODE: Final = 0o660
_PEER: Final = struct.Struct("iII")


class Client:
    """The connection of one client. Only its method `all_answers` waits."""

    def __init__(self, writer: asyncio.StreamWriter, number: int, user: int, process: int) -> None:
        self._writer = writer
        self.number = number
        self.user = user  # the connecting user, by the system
        self.process = process
        self.listens = False  # True for a client without a time limit on its silence
        self._expected = 0  # the number of answers still to come
        self._nothing_expected = asyncio.Event()
        self._nothing_expected.set()
        self.is_gone = False

    def send(self, line: bytes) -> None:
        """Sends a line. Does nothing if the client is gone.

        Drops the client if more than BACKLOG_BYTES wait to be read.
        """
        if self.is_gone:
            return
        self._writer.write(line)
        if self._writer.transport.get_write_buffer_size() > BACKLOG_BYTES:
            self.drop()

    def send_with_file(self, line: bytes, descriptor: int) -> None:
        """Sends a line with an open file's descriptor, which also stays open in this process. Drops a client that
        cannot take the whole line at once, because earlier lines wait.
        """
        if self.is_gone:
            return
        sent = 0
        with suppress(BlockingIOError), self._writer.get_extra_info("socket").dup() as connection:
            if not self._writer.transport.get_write_buffer_size():
                sent = socket.send_fds(connection, [line], [descriptor])
        if sent < len(line):
            self.drop()

    def expect_answer(self) -> None:
        """Counts an answer that will come later."""
        self._expected += 1
        self._nothing_expected.clear()

    def send_answer(self, line: bytes) -> None:
        """Sends an expected answer."""
        self.send(line)
        self._expected -= 1
        if not self._expected:
            self._nothing_expected.set()

    @property
    def waits(self) -> bool:
        """True while the client still waits for an answer."""
        return self._expected > 0

    @property
    def expects_many(self) -> bool:
        """True while MOST_EXPECTED answers are still to come. The server then reads no further lines of the client."""
        return self._expected >= MOST_EXPECTED

    async def all_answers(self) -> None:
        """Waits until every expected answer is sent: a client may wait for answers after its last line."""
        await self._nothing_expected.wait()

    def hang_up(self) -> None:
        """Ends the connection once the queued lines are sent."""
        self.is_gone = True
        self._writer.close()

    def drop(self) -> None:
        """Ends the connection at once. Lines that the client has not read are lost."""
        self.is_gone = True
        self._writer.transport.abort()


def _peer(writer: asyncio.StreamWriter) -> tuple[int, int]:
    """Returns the numbers of the user and the process that connected."""
    found = writer.get_extra_info("socket").getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size)
    process, user, _group = _PEER.unpack(found)
    return int(user), int(process)


HandleLine: TypeAlias = Callable[[Client, bytes], None]
Refuse: TypeAlias = Callable[[Client, str], None]
"""Tells a client the reason why its connection ends, by a word under `trouble` in the catalogue."""


def listen(path: Path) -> socket.socket:
    """Returns a listening socket at `path`, which replaces a stale socket file.

    Raises SocketDirectoryRefused; CliFailure if another program listens there, or the path cannot be used.
    """
    try:
        prepare_directory(path)
        if _is_answered(path):
            raise CliFailure(ExitCode.FAILED, "socket-live", path=str(path))
        return _bound(path)
    except OSError as error:
        raise CliFailure(ExitCode.USAGE, "socket-refused", path=str(path), detail=system_word(error)) from error


def _is_answered(path: Path) -> bool:
    """True if a program listens at `path`. Raises OSError if `path` is no socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(str(path))
        except (FileNotFoundError, ConnectionRefusedError):
            return False
        except TimeoutError:  # its queue is full, so a slow program listens
            return True
    return True


def _bound(path: Path) -> socket.socket:
    if path.is_socket():  # any other file stays, and binding fails
        path.unlink()
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        server.bind(str(path))
        path.chmod(SOCKET_MODE)
        server.listen(MOST_CLIENTS)
    except OSError:
        server.close()
        raise
    server.settimeout(0)
    return server


class SocketServer:
    """Serves the clients who connect to `listener`, from `start` to `stop`."""

    def __init__(
        self,
        listener: socket.socket,
        path: Path,
        handle: HandleLine,
        refuse: Refuse,
        limits: Limits,
        idle_s: float = IDLE_S,
    ) -> None:
        self._listener = listener
        self._path = path
        self._inode = path.stat().st_ino
        self._handle = handle
        self._refuse = refuse
        self._accepting: asyncio.Task[None] | None = None
        self._clients: dict[asyncio.Task[None], Client] = {}
        self._limits = limits
        self._idle_s = idle_s
        self._last_number = 0
        self._one_line = asyncio.Lock()  # one line at a time; devices get their turn between two lines

    async def start(self) -> None:
        self._accepting = asyncio.create_task(self._accept())

    async def stop(self) -> None:
        """Accepts no more clients, ends every connection, and removes the socket's file. A client has 0.2 s to read its
        last lines.
        """
        if self._accepting is not None:
            self._accepting.cancel()
            await asyncio.gather(self._accepting, return_exceptions=True)
        self._listener.close()
        for client in self._clients.values():
            client.hang_up()
        if self._clients:
            await asyncio.wait(self._clients, timeout=0.2)
        for task, client in list(self._clients.items()):
            client.drop()
            task.cancel()
        await asyncio.gather(*self._clients, return_exceptions=True)
        self._remove_file()

    def _remove_file(self) -> None:
        with suppress(FileNotFoundError):
            if self._path.stat().st_ino == self._inode:
                self._path.unlink()

    async def _accept(self) -> None:
        """Accepts one connection after another until cancelled. Pauses in between, since even a refused connection
        costs time.
        """
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, _address = await loop.sock_accept(self._listener)
            except OSError:  # the system has no free descriptor
                await asyncio.sleep(NO_DESCRIPTOR_S)
                continue
            reader = asyncio.StreamReader(LONGEST_LINE)
            await loop.connect_accepted_socket(partial(asyncio.StreamReaderProtocol, reader, self._begin), connection)
            await asyncio.sleep(self._pause_s(CONNECTING_S))

    def _begin(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Starts a task for a new client. In Python 3.11 the cancelling of a task that asyncio makes itself looks like
        a crash.
        """
        self._last_number += 1
        client = Client(writer, self._last_number, *_peer(writer))
        task = asyncio.create_task(self._serve(reader, client))
        self._clients[task] = client
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        del self._clients[task]
        error = None if task.cancelled() else task.exception()
        if error is not None:
            task.get_loop().call_exception_handler({"message": "a client", "exception": error})

    async def _serve(self, reader: asyncio.StreamReader, client: Client) -> None:
        trouble = self._limits.connected(client.user, client.process)
        try:
            if trouble is not None:
                self._refuse(client, trouble)
            else:
                await self._read(reader, client)
        finally:
            client.hang_up()
            self._limits.gone(client.user, client.process)

    def _pause_s(self, used_s: float) -> float:
        return self._limits.pause_s(asyncio.get_running_loop().time(), used_s)

    async def _read(self, reader: asyncio.StreamReader, client: Client) -> None:
        while not client.is_gone:
            if client.expects_many:  # its further bytes stay in the socket's buffer
                await client.all_answers()
            try:
                async with asyncio.timeout(None if client.listens or client.waits else self._idle_s):
                    line = await reader.readuntil(b"\n")
            except TimeoutError:
                self._refuse(client, "idle")
                return
            except asyncio.LimitOverrunError:
                self._refuse(client, "bad-request")
                return
            except asyncio.IncompleteReadError:
                await client.all_answers()
                return
            except ConnectionError:
                return
            async with self._one_line:
                began_s = time.thread_time()
                self._handle(client, line)
                used_s = time.thread_time() - began_s
                await asyncio.sleep(self._pause_s(used_s))
