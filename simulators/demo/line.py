"""The controller's socket as the people's side sees it: the status, acts and their answers.

Every wait here is short, or ends when the demo does. A connection that breaks (the controller was killed) is no
error: what was asked for may or may not have been done, and the next status tells.
"""

import select
import socket
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import msgspec

LONGEST_LINE: Final = 1 << 21
ANSWER_WITHIN_S: Final = 30.0
SLICE_S: Final = 0.05


class RefusalShown(msgspec.Struct, frozen=True):
    """Why an act was not allowed, as the screen shows it."""

    guard: str = ""
    clause: str | None = None
    reason: str = ""


class ErrorShown(msgspec.Struct, frozen=True):
    code: str = ""
    text: str = ""
    wait_ms: int | None = None


class Answer(msgspec.Struct, frozen=True):
    """The answer to one act."""

    ok: bool = False
    seq: int = 0
    state_digest: str = ""
    refusal: RefusalShown | None = None
    error: ErrorShown | None = None


class _StatusLine(msgspec.Struct, frozen=True):
    status: msgspec.Raw


_ANSWER: Final = msgspec.json.Decoder(Answer)
_STATUS: Final = msgspec.json.Decoder(_StatusLine)


class _Connection:
    """Lines over one connection."""

    def __init__(self, path: Path) -> None:
        """Raises OSError where nobody listens."""
        self._buffer = bytearray()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(str(path))
        except OSError:
            self._socket.close()
            raise

    def send(self, document: Mapping[str, object]) -> None:
        self._socket.sendall(msgspec.json.encode(document) + b"\n")

    def lines(self, wait_s: float) -> list[bytes]:
        """The lines that have come, after at most `wait_s`. Raises OSError when the other side is gone."""
        if select.select([self._socket], [], [], wait_s)[0]:
            data = self._socket.recv(1 << 18)
            if not data or len(self._buffer) > LONGEST_LINE:
                raise ConnectionResetError
            self._buffer += data
        *lines, rest = self._buffer.split(b"\n")
        self._buffer = bytearray(rest)
        return [bytes(line) for line in lines]

    def close(self) -> None:
        self._socket.close()


class Line:
    """One connection, made anew when it breaks: question and answer."""

    def __init__(self, path: Path, is_stopping: Callable[[], bool]) -> None:
        self._path = path
        self._is_stopping = is_stopping
        self._connection: _Connection | None = None
        self._asked = 0

    def status(self) -> bytes | None:
        """The status document; None while there is no controller."""
        line = self._ask({"do": "status"})
        return None if line is None else bytes(_STATUS.decode(line).status)

    def act(self, act: str, person: int | None, pin: str | None, values: Mapping[str, str]) -> Answer | None:
        """Asks for an act; None where no answer came (the controller died, or the demo ends)."""
        line = self._ask({"do": "act", "act": act, "person": person, "pin": pin, "values": values})
        return None if line is None else _ANSWER.decode(line)

    def hang_up(self) -> None:
        """Closes the connection."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _ask(self, request: Mapping[str, object]) -> bytes | None:
        self._asked += 1
        try:
            if self._connection is None:
                self._connection = _Connection(self._path)
            self._connection.send({"id": self._asked, **request})
            return self._answer(self._connection)
        except OSError:
            self.hang_up()
            return None

    def _answer(self, connection: _Connection) -> bytes:
        until_s = time.monotonic() + ANSWER_WITHIN_S
        while time.monotonic() < until_s and not self._is_stopping():
            if lines := connection.lines(SLICE_S):
                return lines[0]
        raise TimeoutError
