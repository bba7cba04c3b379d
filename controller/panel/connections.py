"""The panel's connections: each is counted from its accepting on, before TLS or HTTP reads a byte, until it is gone.

One clock bounds them all: from the accepting, or from an answer, to the last byte of the next request's head, the
handshake included; while it is answered, from one piece that the browser takes to the next.
"""

import asyncio
import contextlib
import socket
from collections.abc import Callable
from typing import Any, Final

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.panel.places import Places, caller_of

MOST: Final = 512
MOST_OF_AN_ADDRESS: Final = 64
"""Ten browsers with six connections each."""

KEPT_FOR_THIS_COMPUTER: Final = 64

OTHER_DESCRIPTORS: Final = 128
"""Of the panel beside its connections: to the controller, files that are sent, and what the program has open itself."""

ASKED_WITHIN_S: Final = 10.0
TAKEN_WITHIN_S: Final = 60.0
LOOK_EVERY_S: Final = 0.25
MOST_TURNED_AWAY: Final = 128
"""Connections that are closed in one go before others have their turn."""


class Guest(socket.socket):
    """One connection, until its descriptor is given back and the last request of it is done."""

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
        """A request is there."""
        self._requests += 1
        self._heard_s = now_s

    def took(self, now_s: float) -> None:
        """The browser has taken a piece of the answer."""
        self._heard_s = now_s

    def ends(self, now_s: float) -> None:
        """The request is answered; its connection may be gone already."""
        self._requests -= 1
        self._heard_s = now_s
        if self._is_closed and not self._requests:
            self._on_gone(self)

    def is_late(self, now_s: float) -> bool:
        return now_s - self._heard_s > (TAKEN_WITHIN_S if self._requests else ASKED_WITHIN_S)

    def hang_up(self) -> None:
        """Both directions end: whoever serves the connection reads its end and closes it."""
        with contextlib.suppress(OSError):  # the other end was faster
            self.shutdown(socket.SHUT_RDWR)


class Door:
    """The connections that the panel has let in. `descriptors`: as many as the system gives to this process."""

    def __init__(self, descriptors: int) -> None:
        most = min(MOST, descriptors - OTHER_DESCRIPTORS)
        self._places = Places(most, min(KEPT_FOR_THIS_COMPUTER, most // 4), MOST_OF_AN_ADDRESS)
        self._guests: dict[tuple[str, int], Guest] = {}

    def let_in(self, accepted: socket.socket, there: tuple[str, int], now_s: float) -> Guest | None:
        """The connection as a guest; None, and it is closed, where its address has its share already."""
        caller = caller_of(there[0], accepted.getsockname()[0])
        if not self._places.take(caller):
            accepted.close()
            return None

        def gone(guest: Guest) -> None:
            self._places.give_back(caller)
            if self._guests.get(there) is guest:  # else the port speaks for another connection already
                del self._guests[there]

        self._guests[there] = Guest(accepted, now_s, gone)
        return self._guests[there]

    def at(self, there: tuple[str, int] | None) -> Guest | None:
        """The guest at this address and port."""
        return None if there is None else self._guests.get(there)

    def hang_up_on_the_late(self, now_s: float) -> None:
        for guest in list(self._guests.values()):
            if guest.is_late(now_s):
                guest.hang_up()


class DoorSocket(socket.socket):
    """Listens as `listener` did, and accepts whom the door lets in; the others are closed before anybody reads them."""

    def __init__(self, listener: socket.socket, door: Door, clock_s: Callable[[], float]) -> None:
        super().__init__(fileno=listener.detach())
        self._door = door
        self._clock_s = clock_s

    def accept(self) -> tuple[socket.socket, Any]:
        """Raises BlockingIOError where nobody waits."""
        for _ in range(MOST_TURNED_AWAY):
            accepted, address = super().accept()
            guest = self._door.let_in(accepted, address[:2], self._clock_s())
            if guest is not None:
                return guest, address
        raise BlockingIOError


class Attended:
    """Stands before the application, and tells the door of each request and of what is taken of its answer."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        clock_s, there = asyncio.get_running_loop().time, scope.get("client")
        guest = self._door.at(None if there is None else tuple(there))
        if guest is None:  # gone while its request was read
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
