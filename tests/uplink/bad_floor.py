"""Wrong floors, which speak TLS, read a request, and then hang, drip or flood."""

import select
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from simulators.floor.room import Room

WITHIN_S = 30.0
PAUSE_S = 0.05
HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n"


@contextmanager
def a_floor_that_says(first: bytes, then: bytes, room: Room) -> Iterator[int]:
    """Runs a floor that reads a request over TLS, sends `first`, then `then` without end; yields its port."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(room.directory / "floor.pem")
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(1.0)
    over = threading.Event()

    def serve() -> None:
        while not over.is_set():
            with suppress(OSError):  # the next connection after an ended one
                _say_to_the_next(listener, context, over, first, then)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        over.set()
        thread.join(WITHIN_S)
        listener.close()


def _say_to_the_next(
    listener: socket.socket, context: ssl.SSLContext, over: threading.Event, first: bytes, then: bytes
) -> None:
    connection, _address = listener.accept()
    connection.settimeout(WITHIN_S / 10)
    with connection, context.wrap_socket(connection, server_side=True) as wrapped:
        wrapped.recv(4096)
        wrapped.sendall(first)
        while not over.wait(PAUSE_S) and not _hung_up(wrapped):
            wrapped.sendall(then)


def _hung_up(connection: ssl.SSLSocket) -> bool:
    """True where the other end has hung up; reads and drops any bytes that it has sent."""
    readable, _writable, _failed = select.select([connection], [], [], 0)
    return bool(readable) and not connection.recv(65_536)
