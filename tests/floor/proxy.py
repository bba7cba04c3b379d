"""A small proxy between tables and a floor, or a floor and its database: it forwards bytes, and cuts on command.

A turn is one side's bytes before the other's: with TLS the table's hello, the floor's, the table's request, the floor's
answer, and so on. A cut ends the connection in the middle of a turn, of which `share` is forwarded.
"""

import select
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from simulators.floor.postgres import PrivatePostgres
from simulators.floor.room import HasPort

WITHIN_S: Final = 5.0
READ: Final = 65_536
SOCKET: Final = ".s.PGSQL.5432"


@dataclass(frozen=True, slots=True)
class Cut:
    """A cut in a connection's turn number `turn` (from 1), after the share `share` of the turn's bytes."""

    turn: int
    share: float


class Line:
    """A line with a proxy between its ends; listens as a context manager. `cut` may be set at any time."""

    def __init__(self, listener: socket.socket, reach: Callable[[], socket.socket]) -> None:
        self.cut: Cut | None = None
        self.cuts = 0
        self._over = threading.Event()
        self._open: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._listener = listener
        self._reach = reach

    def __enter__(self) -> Self:
        self._begin(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join(WITHIN_S)
        self._listener.close()

    def hang_up(self) -> None:
        """Cuts all present connections."""
        for one in tuple(self._open):
            with suppress(OSError):  # it has ended meanwhile
                one.shutdown(socket.SHUT_RDWR)

    def _begin(self, does: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=does, args=arguments)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self._over.is_set():
            if select.select([self._listener], [], [], 0.05)[0]:
                self._begin(self._forward, self._listener.accept()[0])

    def _forward(self, asking: socket.socket) -> None:
        with ExitStack() as opened:
            opened.enter_context(asking)
            try:
                answering = opened.enter_context(self._reach())
            except OSError:
                return
            with self._known(asking, answering), suppress(OSError):  # either end may close at any time
                self._between(asking, answering)

    @contextmanager
    def _known(self, *ends: socket.socket) -> Iterator[None]:
        self._open.update(ends)
        try:
            yield
        finally:
            self._open.difference_update(ends)

    def _between(self, asking: socket.socket, answering: socket.socket) -> None:
        others = {asking: answering, answering: asking}
        last, turn = answering, 0
        while not self._over.is_set():
            for one in select.select([asking, answering], [], [], 0.05)[0]:
                data = one.recv(READ)
                turn, last = turn + (one is not last), one
                cut = self.cut
                if not data:
                    return
                if cut is not None and cut.turn == turn:
                    others[one].sendall(data[: int(len(data) * cut.share)])
                    self.cuts += 1
                    return
                others[one].sendall(data)


class Proxy(Line):
    """A line to a floor on loopback. `upstream` may be set at any time."""

    def __init__(self, upstream: HasPort) -> None:
        self.upstream = upstream
        super().__init__(socket.create_server(("127.0.0.1", 0)), self._to_floor)

    @property
    def port(self) -> int:
        """The port at which the proxy listens in the floor's place."""
        return int(self._listener.getsockname()[1])

    def _to_floor(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.upstream.port), WITHIN_S)


class DatabaseProxy(Line):
    """A line to a private PostgreSQL, as a Unix socket of the usual name in a directory of its own."""

    def __init__(self, server: PrivatePostgres) -> None:
        self._server = server
        self._directory = tempfile.TemporaryDirectory(prefix="sabot-pg-line-")
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(Path(self._directory.name) / SOCKET))
        listener.listen()
        super().__init__(listener, self._to_server)

    def __exit__(self, *ended: object) -> None:
        super().__exit__(*ended)
        self._directory.cleanup()

    @property
    def conninfo(self) -> str:
        return f"host={self._directory.name} user=sabot dbname=postgres"

    def _to_server(self) -> socket.socket:
        with ExitStack() as opened:
            made = opened.enter_context(socket.socket(socket.AF_UNIX))
            made.settimeout(WITHIN_S)
            made.connect(str(self._server.directory / SOCKET))
            opened.pop_all()
        return made
