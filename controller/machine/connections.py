"""Limits the number of a web server's connections, and hangs up on clients that are too slow.

A connection counts from its accept, before TLS or HTTP reads a byte, until its socket is closed and its last request is
answered. A client must send the whole head of a request, handshake included, within ASKED_WITHIN_S of the accept or of
the last answer. During an answer it must take each piece within TAKEN_WITHIN_S.
"""

import asyncio
import contextlib
import resource
import socket
import sys
from collections.abc import Callable
from typing import Any, Final

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.machine.places import Places, caller_of

MOST: Final = 512
MOST_OF_AN_ADDRESS: Final = 64
"""The most connections of one address at the panel: enough for ten browsers with six connections each."""

KEPT_FOR_THIS_COMPUTER: Final = 64

OTHER_DESCRIPTORS: Final = 128
"""Descriptors that a server needs besides these connections: other sockets, files to send, its own."""

ASKED_WITHIN_S: Final = 10.0
TAKEN_WITHIN_S: Final = 60.0
LOOK_EVERY_S: Final = 0.25
MOST_TURNED_AWAY: Final = 128
"""The most connections that are closed in a row before the event loop continues."""


class Guest(socket.socket):
    """One accepted connection. `on_gone` is called when its socket is closed and its last request is answered."""

    def __init__(self, accepted: socket.socket, now_s: float, on_gone: Callable[["Guest"], None]) -> None:
        super().__init__(fileno=accepted.detach())
        self._heard_s = now_s
        self._requests = 0
        self._on_gone = on_gone
        self._is_closed = False

    def close(self) -> None:
        is_first, self._is_closed = not self._is_closed, True
        super().close()
        if is_first and not self._requests:
            self._on_gone(self)

    def begins(self, now_s: float) -> None:
        """Notes the start of a request."""
        self._requests += 1
        self._heard_s = now_s

    def took(self, now_s: float) -> None:
        """Notes that the browser has taken a piece of the answer."""
        self._heard_s = now_s

    def ends(self, now_s: float) -> None:
        """Notes the end of a request. The connection may already be closed."""
        self._requests -= 1
        self._heard_s = now_s
        if self._is_closed and not self._requests:
            self._on_gone(self)

    def is_late(self, now_s: float, asked_within_s: float) -> bool:
        return now_s - self._heard_s > (TAKEN_WITHIN_S if self._requests else asked_within_s)

    def hang_up(self) -> None:
        """Shuts down both directions of the connection. The server then reads the end and closes it."""
        with contextlib.suppress(OSError):  # the client has closed it already
            self.shutdown(socket.SHUT_RDWR)


class Door:
    """Admits connections up to its limits, those of the panel by default, and keeps a list of the open ones.

    `descriptors`: the number of file descriptors that the process may open. `asked_within_s`: the time for a request's
    head.
    """

    def __init__(
        self,
        descriptors: int,
        most: int = MOST,
        most_of_an_address: int = MOST_OF_AN_ADDRESS,
        asked_within_s: float = ASKED_WITHIN_S,
    ) -> None:
        most = min(most, descriptors - OTHER_DESCRIPTORS)
        self._places = Places(most, min(KEPT_FOR_THIS_COMPUTER, most // 4), most_of_an_address)
        self._asked_within_s = asked_within_s
        self._guests: dict[tuple[str, int], Guest] = {}

    def let_in(self, accepted: socket.socket, there: tuple[str, int], now_s: float) -> Guest | None:
        """Returns the accepted connection as a `Guest`. If its address already has all the connections that it may
        have, closes the connection and returns None.
        """
        caller = caller_of(there[0], accepted.getsockname()[0])
        if not self._places.take(caller):
            accepted.close()
            return None

        def gone(guest: Guest) -> None:
            self._places.give_back(caller)
            if self._guests.get(there) is guest:  # else another connection has the port already
                del self._guests[there]

        self._guests[there] = Guest(accepted, now_s, gone)
        return self._guests[there]

    def at(self, there: tuple[str, int] | None) -> Guest | None:
        """Returns the open connection from the address and port `there`. Returns None if no connection is open from
        there.
        """
        return None if there is None else self._guests.get(there)

    def hang_up_on_the_late(self, now_s: float) -> None:
        for guest in list(self._guests.values()):
            if guest.is_late(now_s, self._asked_within_s):
                guest.hang_up()


class DoorSocket(socket.socket):
    """A listening socket that replaces `listener`. This socket accepts the connections that `door` lets in, and closes
    all others.
    """

    def __init__(self, listener: socket.socket, door: Door, clock_s: Callable[[], float]) -> None:
        super().__init__(fileno=listener.detach())
        self._door = door
        self._clock_s = clock_s

    def accept(self) -> tuple[socket.socket, Any]:
        """Returns the next connection that the door lets in, and its address.

        Raises BlockingIOError if no connection waits, or after MOST_TURNED_AWAY refused connections in a row.
        """
        for _ in range(MOST_TURNED_AWAY):
            accepted, address = super().accept()
            guest = self._door.let_in(accepted, address[:2], self._clock_s())
            if guest is not None:
                return guest, address
        raise BlockingIOError


class Attended:
    """ASGI middleware that notes in a connection's `Guest` when a request starts, progresses and ends.

    A request on a connection that is already closed gets the status 400 and does not reach the application.
    """

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        clock_s, there = asyncio.get_running_loop().time, scope.get("client")
        guest = self._door.at(None if there is None else tuple(there))
        if guest is None:  # closed while its request was read
            await PlainTextResponse("", status_code=400)(scope, receive, send)
            return

        async def send_and_tell(message: Message) -> None:
            await send(message)
            guest.took(clock_s())

        guest.begins(clock_s())
        try:
            await self._app(scope, receive, send_and_tell)
        finally:
            guest.ends(clock_s())


def descriptors() -> int:
    """Returns the number of file descriptors that this process may open."""
    most, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if most == resource.RLIM_INFINITY else most
