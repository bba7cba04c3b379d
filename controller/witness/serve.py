"""A witness over HTTP: `POST /add-checkpoint`, `GET /<SHA-256 of the origin>/checkpoint` (C2SP `tlog-witness`).

A request needs no credential: its checkpoint is signed by the log, and nothing here is secret. The size of a request,
the time of a connection and the number of connections are limited. A connection above MOST_AT_ONCE, or above the share
of its address, is closed without an answer.
"""

import socket
import sys
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, TypeAlias

from controller.journal.asked import ADD, LARGEST_REQUEST, Status
from controller.journal.errors import StorageFailed
from controller.machine.crash import tell_of
from controller.witness.witness import CorruptHead, Witness

MOST_AT_ONCE: Final = 32
WITHIN_S: Final = 10.0

_TYPES: Final = {Status.OTHER_SIZE: "text/x.tlog.size"}
_FAILED: Final = 500

_Request: TypeAlias = socket.socket | tuple[bytes, socket.socket]
_Address: TypeAlias = Any  # of any family of addresses, as `socketserver` has it


class WitnessServer(ThreadingHTTPServer):
    """The witness's HTTP server. The constructor opens the network port; `serve_forever` answers requests."""

    daemon_threads = False  # the server's end waits for present requests, which have a time limit

    def __init__(self, address: tuple[str, int], witness: Witness) -> None:
        self.witness = witness
        self.one_at_a_time = threading.Lock()
        self.until_s: dict[socket.socket, float] = {}
        self._addresses: dict[_Request, str] = {}
        super().__init__(address, _Handler)

    def verify_request(self, request: _Request, client_address: _Address) -> bool:
        """True if a new connection may have a thread of its own. If False, the server closes the connection.

        An address has at most half as many threads as are free, so that no address takes all of them.
        """
        address, taken = str(client_address[0]), list(self._addresses.values())
        if taken.count(address) >= (MOST_AT_ONCE - len(taken) + 1) // 2:
            return False
        self._addresses[request] = address
        return True

    def shutdown_request(self, request: _Request) -> None:
        """Closes a connection, and frees the place of its address."""
        try:
            super().shutdown_request(request)
        finally:
            self._addresses.pop(request, None)

    def handle_error(self, *_: object) -> None:
        """Logs an error of the program in one line, without values. Logs nothing of a client who has hung up."""
        error = sys.exception()
        if not isinstance(error, OSError):
            tell_of(error)

    def service_actions(self) -> None:
        """Ends each connection that has lasted too long: shuts its reading side, so that its thread ends.

        The server calls this in each turn of its loop.
        """
        now_s = time.monotonic()
        for connection in [one for one, until_s in dict(self.until_s).items() if until_s < now_s]:
            with suppress(OSError):  # the connection has ended meanwhile
                connection.shutdown(socket.SHUT_RD)


def _is_within(size: str) -> bool:
    """True if the text is a number of bytes up to LARGEST_REQUEST."""
    return size.isascii() and size.isdigit() and len(size) < 10 and int(size) <= LARGEST_REQUEST


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = WITHIN_S
    server: WitnessServer

    def setup(self) -> None:
        super().setup()
        self.server.until_s[self.connection] = time.monotonic() + WITHIN_S

    def finish(self) -> None:
        del self.server.until_s[self.connection]
        super().finish()

    def do_POST(self) -> None:
        size = self.headers.get("Content-Length", "")
        if self.path != ADD or not _is_within(size):
            self.close_connection = True
            self._answer(Status.UNKNOWN_LOG if self.path != ADD else Status.MALFORMED)
            return
        data = self.rfile.read(int(size))
        try:
            with self.server.one_at_a_time:
                reply = self.server.witness.add_checkpoint(data)
        except (StorageFailed, CorruptHead):
            self._answer(_FAILED)
            return
        self._answer(reply.status, reply.body, _TYPES.get(reply.status, "text/plain; charset=utf-8"))

    def do_GET(self) -> None:
        log, _, rest = self.path.removeprefix("/").partition("/")
        try:
            found = self.server.witness.checkpoint(log) if rest == "checkpoint" else None
        except StorageFailed:
            self._answer(_FAILED)
            return
        self._answer(Status.UNKNOWN_LOG if found is None else Status.SIGNED, found or b"")

    def _answer(self, status: int, body: bytes = b"", kind: str = "text/plain; charset=utf-8") -> None:
        self.send_response_only(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Logs nothing, since strangers may send any number of requests."""
