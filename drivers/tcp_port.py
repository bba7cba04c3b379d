"""Ports behind a serial server: `socket://host:port` is a TCP connection that carries the bytes of a serial line.

A thread opens the connection, since it may take seconds to look up a name or to wait for a silent host. An open
connection does not block. A serial server serves one client at a time. It does not report a pulled cable between itself
and the device.
"""

import contextlib
import re
import socket
from typing import Final

from msgspec import Struct

from drivers.errors import PortFault, PortLost, PortMissing, PortRefused, system_word
from drivers.ports import READ_AT_MOST_BYTES

SOCKET: Final = "socket"
SOCKET_URL: Final = re.compile(r"socket://([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]):([0-9]{1,5})")
HIGHEST_PORT: Final = 65535

OPEN_WITHIN_S: Final = 3.0
# A server that has lost its power sends no bytes: three unanswered probes end the connection within 11 s.
_KEEP_ALIVE: Final = ((socket.TCP_KEEPIDLE, 5), (socket.TCP_KEEPINTVL, 2), (socket.TCP_KEEPCNT, 3))
_UNSENT_FOR_MS: Final = 10_000


class SocketAddress(Struct, frozen=True, gc=False):
    """A serial server's host name or IP address, and its TCP port."""

    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{SOCKET}://{host}:{self.port}"


def socket_address(port: str) -> SocketAddress | None:
    """Returns the address in a port's URL; None for a text that is not `socket://host:port`."""
    found = SOCKET_URL.fullmatch(port)
    if found is None or not 0 < int(found[2]) <= HIGHEST_PORT:
        return None
    return SocketAddress(found[1].strip("[]").lower(), int(found[2]))


class TcpPort:
    """An open connection to a serial server (satisfies `Port`)."""

    def __init__(self, name: str, connection: socket.socket) -> None:
        self._name = name
        self._connection = connection

    def fileno(self) -> int:
        return self._connection.fileno()

    def read(self) -> bytes:
        try:
            data = self._connection.recv(READ_AT_MOST_BYTES)
        except (BlockingIOError, InterruptedError):
            return b""
        except OSError as error:
            raise PortLost(self._name, system_word(error)) from error
        if not data:
            raise PortLost(self._name, PortFault.HUNG_UP)
        return data

    def write(self, data: bytes) -> int:
        if not data:
            return 0
        try:
            return self._connection.send(data)
        except (BlockingIOError, InterruptedError):
            return 0
        except OSError as error:
            raise PortLost(self._name, system_word(error)) from error

    def close(self) -> None:
        with contextlib.suppress(OSError):  # a connection that is gone refuses, which is no news
            self._connection.close()


def open_socket(address: SocketAddress) -> TcpPort:
    """Connects to a serial server, waiting OPEN_WITHIN_S for each address of the host.

    Raises PortMissing, PortRefused.
    """
    name = str(address)
    try:
        connection = socket.create_connection((address.host, address.port), OPEN_WITHIN_S)
    except UnicodeError as error:
        raise PortRefused(name, PortFault.NO_SUCH_HOST) from error
    except OSError as error:  # no listener, no route, no such name, no answer: a later try may succeed
        raise PortMissing(name, system_word(error)) from error
    try:
        _tune(connection)
    except OSError as error:
        connection.close()
        raise PortMissing(name, system_word(error)) from error
    return TcpPort(name, connection)


def _tune(connection: socket.socket) -> None:
    connection.settimeout(0)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in _KEEP_ALIVE:
        connection.setsockopt(socket.IPPROTO_TCP, option, value)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _UNSENT_FOR_MS)
