"""The client of the controller's socket: one JSON object a line, question and answer, or a subscription."""

import contextlib
import errno
import socket
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import msgspec

from controller.protocol.lines import LONGEST_LINE, Answer, decode_answer
from drivers.errors import system_word

LONGEST_ANSWER: Final = 1_048_576
ANSWER_WITHIN_S: Final = 60.0
"""An act is answered once it is durable: a slow medium may take its seconds."""

SILENT_S: Final = 2.0
"""To a subscriber the controller says something each second, or answers a question."""


NOT_UNDERSTOOD: Final = "not-understood"


class Unreachable(Exception):  # noqa: N818 (the name says what the controller is)
    """The socket has no listener, or one that is no controller. `is_denied`: this user may not speak to it.

    `reason`: the system's word, or NOT_UNDERSTOOD.
    """

    def __init__(self, path: Path, reason: str, *, is_denied: bool = False) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason
        self.is_denied = is_denied


class Silent(Unreachable):
    """It is connected, and has said nothing for as long as it was waited for."""


class Client:
    """One connection. Every method raises Unreachable when the connection or its bytes are no good."""

    def __init__(self, path: Path, *, within_s: float = ANSWER_WITHIN_S) -> None:
        self._path = path
        self._asked = 0
        self._buffer = b""
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(within_s)
        try:
            self._socket.connect(str(path))
        except OSError as error:
            self._socket.close()
            denied = error.errno == errno.EACCES
            raise Unreachable(path, system_word(error), is_denied=denied) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._socket.close()

    def ask(self, do: str, **fields: object) -> Answer:
        """Sends one request and waits for its answer."""
        self._asked += 1
        request = msgspec.json.encode({"id": self._asked, "do": do} | fields) + b"\n"
        if len(request) > LONGEST_LINE:
            raise Unreachable(self._path, errno.errorcode[errno.EMSGSIZE])
        # A server that is full answers first and hangs up: what it said is still there to be read.
        with contextlib.suppress(BrokenPipeError):
            self._send(request)
        answer = self._read()
        while answer.hands is not None or answer.signed_out is not None:  # told to those signed in, unasked
            answer = self._read()
        return answer

    def changes(self) -> Iterator[Answer]:
        """Subscribes: the full snapshot first, then changes, for as long as the controller answers.

        Where nothing changes it is asked whether it is still there.
        """
        yield self.ask("subscribe")
        self._socket.settimeout(SILENT_S)
        while True:
            line = self._read_or_ping()
            if line.changed is not None:
                yield line

    def _read_or_ping(self) -> Answer:
        try:
            return self._read()
        except Silent:
            return self.ask("ping")

    def _send(self, request: bytes) -> None:
        try:
            self._socket.sendall(request)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise Unreachable(self._path, system_word(error)) from error

    def _read(self) -> Answer:
        while b"\n" not in self._buffer:
            self._buffer += self._receive()
            if len(self._buffer) > LONGEST_ANSWER:
                raise Unreachable(self._path, errno.errorcode[errno.EMSGSIZE])
        line, _, self._buffer = self._buffer.partition(b"\n")
        try:
            return decode_answer(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Unreachable(self._path, NOT_UNDERSTOOD) from error

    def _receive(self) -> bytes:
        try:
            data = self._socket.recv(65_536)
        except TimeoutError as error:
            raise Silent(self._path, system_word(error)) from error
        except OSError as error:
            raise Unreachable(self._path, system_word(error)) from error
        if not data:
            raise Unreachable(self._path, errno.errorcode[errno.ECONNRESET])
        return data
