"""A small proxy on loopback between tables and a floor: it forwards bytes, and cuts on command.

A turn is one side's bytes before the other's: with TLS the table's hello, the floor's, the table's request, the floor's
answer, and so on. A cut ends the connection in the middle of a turn, of which `share` is forwarded.
"""

import select
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Final, Self

from simulators.floor.room import HasPort

WITHIN_S: Final = 5.0
READ: Final = 65_536


@dataclass(frozen=True, slots=True)
class Cut:
    """A cut in a connection's turn number `turn` (from 1), after the share `share` of the turn's bytes."""

    turn: int
    share: float


class Proxy:
    """The proxy; listens as a context manager. `upstream` and `cut` may be set at any time."""

    def __init__(self, upstream: HasPort) -> None:
        self.upstream = upstream
        self.cut: Cut | None = None
        self.cuts = 0
        self._over = threading.Event()
        self._open: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._listener = socket.create_server(("127.0.0.1", 0))

    @property
    def port(self) -> int:
        """The port at which the proxy listens in the floor's place."""
        return int(self._listener.getsockname()[1])

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

    def _forward(self, table: socket.socket) -> None:
        with ExitStack() as opened:
            opened.enter_context(table)
            try:
                floor = socket.create_connection(("127.0.0.1", self.upstream.port), WITHIN_S)
            except OSError:
                return
            opened.enter_context(floor)
            with self._known(table, floor), suppress(OSError):  # either end may close at any time
                self._between(table, floor)

    @contextmanager
    def _known(self, *ends: socket.socket) -> Iterator[None]:
        self._open.update(ends)
        try:
            yield
        finally:
            self._open.difference_update(ends)

    def _between(self, table: socket.socket, floor: socket.socket) -> None:
        others = {table: floor, floor: table}
        last, turn = floor, 0
        while not self._over.is_set():
            for one in select.select([table, floor], [], [], 0.05)[0]:
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
