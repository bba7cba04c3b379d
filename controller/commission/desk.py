"""The desk holds the current question of a commissioning. One thread asks the questions, and clients at a socket
answer.
"""

import contextlib
import os
import pwd
import socket
import socketserver
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from controller.protocol.commission import ANSWERS, LONGEST_REQUEST, Do, Input, Question, Request

SOON_S: Final = 0.4
"""Seconds for which the reply to an answer waits for the next question, so that most pages need no second request."""

QUIET_S: Final = 30.0
"""The time after which a silent client is disconnected."""

PANEL: Final = "sabot-panel"
SOCKET_MODE: Final = 0o660

_BACK: Final = object()

_REQUESTS: Final = msgspec.json.Decoder(Request)
"""Made before the connections' threads: two threads that look at one type for the first time end the process."""


@dataclass
class Desk:
    """The current question and its answer, shared by threads.

    The thread that asks the questions calls `ask` and `show`. The threads of the socket's connections call `answered`.
    """

    _now: Question = field(default_factory=lambda: Question(0, Input.WAIT, "", ""))
    _answer: object = None
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def show(self, question: Question) -> None:
        """Makes a question or page the current one, with the next number."""
        with self._changed:
            self._now = msgspec.structs.replace(question, number=self._now.number + 1)
            self._answer = None
            self._changed.notify_all()

    def ask(self, question: Question) -> str | None:
        """Asks a question and waits until a client answers. Returns the answer, or None if the person goes back."""
        self.show(question)
        with self._changed:
            self._changed.wait_for(lambda: self._answer is not None)
            answer = self._answer
            self._now = Question(self._now.number + 1, Input.WAIT, "", question.language)
        return answer if isinstance(answer, str) else None

    def answered(self, request: Request) -> Question:
        """Takes the answer in `request`, or goes back to the question before, if `request` belongs to the current
        question. Returns the question that is current afterwards. After taking an answer, waits up to SOON_S for the
        next question.
        """
        with self._changed:
            now = self._now
            is_meant = request.number == now.number and now.input in ANSWERS and self._answer is None
            if is_meant and request.do is Do.ANSWER and now.input is Input.BADGE:
                self._take("")  # only the reader tells a badge's number
            elif is_meant and request.do is Do.ANSWER and not _is_answer(request.answer, now):
                self._now = msgspec.structs.replace(now, said=(now.if_empty,) if now.if_empty else now.said)
            elif is_meant and request.do is Do.ANSWER:
                self._take(request.answer)
            elif is_meant and request.do is Do.BACK and now.may_go_back:
                self._take(_BACK)
            return self._now

    def reads_badge(self, number: str) -> None:
        """Answers the current question with the badge's number `number`. Does nothing if the question asks for no
        badge.
        """
        with self._changed:
            if self._now.input is Input.BADGE and self._answer is None:
                self._answer = number
                self._changed.notify_all()

    def _take(self, answer: object) -> None:
        self._answer, number = answer, self._now.number
        self._changed.notify_all()
        self._changed.wait_for(lambda: self._now.number > number and self._now.input in {*ANSWERS, Input.OVER}, SOON_S)


def _is_answer(text: str, question: Question) -> bool:
    """True unless the text is empty and the question wants one."""
    return bool(text.strip()) or question.may_be_empty or question.input is Input.READ


class _Handler(socketserver.StreamRequestHandler):
    """One client's connection. Each line is a request; its answer is the current question. Any other line ends the
    connection.
    """

    timeout = QUIET_S

    def handle(self) -> None:
        if not isinstance(self.server, _Server) or not self._may_ask():
            return
        with contextlib.suppress(OSError, msgspec.DecodeError, UnicodeDecodeError):
            while line := self.rfile.readline(LONGEST_REQUEST):
                question = self.server.desk.answered(_REQUESTS.decode(line))
                self.wfile.write(msgspec.json.encode(question) + b"\n")

    def _may_ask(self) -> bool:
        """True if the client runs as the panel's user, as this process's user or as root. The mode of the socket's file
        alone lets other users in.
        """
        credentials = self.connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        user: int = struct.unpack("3i", credentials)[1]
        return user in {0, os.geteuid(), _panel_user()}


# types of the library; a stream server gets sockets alone
_Accepted: TypeAlias = socket.socket | tuple[bytes, socket.socket]


class _Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """A server with one thread for each connection. `server_close` cuts all connections, which ends their threads."""

    def __init__(self, path: Path, desk: Desk) -> None:
        self.desk = desk
        self._open: set[_Accepted] = set()
        super().__init__(str(path), _Handler)

    def process_request(self, request: _Accepted, client_address: object) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: _Accepted) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def server_close(self) -> None:
        for connection in tuple(self._open):
            if isinstance(connection, socket.socket):
                with contextlib.suppress(OSError):  # its client has ended it at the same moment
                    connection.shutdown(socket.SHUT_RDWR)
        super().server_close()


@contextmanager
def served(desk: Desk, path: Path) -> Iterator[None]:
    """A context that serves the desk at the socket `path`, and deletes the socket at its end. Raises OSError."""
    if path.is_socket():  # of a killed process; any other file stays, and binding fails
        path.unlink()
    with _Server(path, desk) as server:
        path.chmod(SOCKET_MODE)
        thread = threading.Thread(target=server.serve_forever, name="commission-socket", daemon=True)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()
            path.unlink(missing_ok=True)


def _panel_user() -> int | None:
    try:
        return pwd.getpwnam(PANEL).pw_uid
    except KeyError:
        return None
