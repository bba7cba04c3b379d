"""The client of the controller's socket: sends requests as JSON lines and reads answers, or subscribes to changes."""

import contextlib
import errno
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Self

import msgspec

from controller.machine.unix_socket import connect
from controller.protocol.lines import LONGEST_LINE, Answer, decode_answer
from drivers.errors import system_word

LONGEST_ANSWER: Final = 1_048_576
ANSWER_WITHIN_S: Final = 60.0
"""Seconds to wait for an answer. The controller answers an act once its entry is durable, which may take seconds."""

SILENT_S: Final = 2.0
"""Seconds of silence after which a subscriber sends a ping; with a device at a line, figures change each second."""


NOT_UNDERSTOOD: Final = "not-understood"


class Unreachable(Exception):  # noqa: N818 (the name says what the controller is)
    """Raised if no controller answers at the socket, or if the connection or its data fails.

    `is_denied`: True if the user of this process has no right to connect. `reason`: the system's word for the error, or
    NOT_UNDERSTOOD.
    """

    def __init__(self, path: Path, reason: str, *, is_denied: bool = False) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason
        self.is_denied = is_denied


class Silent(Unreachable):
    """Raised if the connected controller sends nothing within the time limit."""


class Client:
    """One connection to the controller. Every method raises Unreachable if the connection or its data fails."""

    def __init__(self, path: Path, *, within_s: float = ANSWER_WITHIN_S) -> None:
        self._path = path
        self._asked = 0
        self._buffer = b""
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(within_s)
        try:
            connect(self._socket, path)
        except OSError as error:
            self._socket.close()
            denied = error.errno == errno.EACCES
            raise Unreachable(path, system_word(error), is_denied=denied) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._socket.close()

    def ask(self, do: str, **fields: object) -> Answer:
        """Sends one request and returns the controller's answer to it."""
        self._asked += 1
        request = msgspec.json.encode({"id": self._asked, "do": do} | fields) + b"\n"
        if len(request) > LONGEST_LINE:
            raise Unreachable(self._path, errno.errorcode[errno.EMSGSIZE])
        # A server that is full answers and closes at once: its answer can still be read after the send has failed.
        with contextlib.suppress(BrokenPipeError):
            self._send(request)
        answer = self._read()
        while answer.hands is not None or answer.signed_out is not None:  # sent unasked to people who are signed in
            answer = self._read()
        return answer

    def changes(self) -> Iterator[Answer]:
        """Subscribes to the status. Yields the answer with the full status, then each change, until it raises
        Unreachable.

        If the controller refuses the subscription, yields the refusal. After SILENT_S without a line sends a ping.
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
