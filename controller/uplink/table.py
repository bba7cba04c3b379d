"""The uplink's connection to the controller. On request the controller signs a statement on durable entries, and sends
the journal's segment with the statement.
"""

import socket
import time
from collections.abc import Callable
from io import FileIO
from pathlib import Path
from typing import Final, Self

import msgspec

from controller.machine.unix_socket import connect
from controller.protocol.carried import Checkpoint, SignedStatement
from controller.protocol.lines import Answer, decode_answer
from controller.protocol.linked import SignedPool
from controller.protocol.shown import Shown, shown_in_line
from controller.uplink.errors import TableAway
from drivers.errors import system_word

WITHIN_S: Final = 10.0
LONGEST_ANSWER: Final = 1 << 20
"""The longest answer in bytes: the status of a table with many holds is far longer than a request."""

READ_AT_ONCE: Final = 65_536
BUSY: Final = "busy"
BUSY_S: Final = 0.1
MOST_ASKED: Final = 50


class TableEnd:
    """One connection to the controller's socket. All methods raise TableAway."""

    def __init__(self, path: Path, within_s: float = WITHIN_S) -> None:
        self._buffer = b""
        self._table_ms = 0
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(within_s)
        try:
            connect(self._socket, path)
        except OSError as error:
            self._socket.close()
            raise TableAway(system_word(error)) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def durable_seq(self) -> int:
        """Returns the number of the newest durable entry."""
        answer, _segment = self._ask({"do": "ping"})
        if answer.seq is None:
            raise TableAway("not-understood")
        self._table_ms = answer.table_ms or 0
        return answer.seq

    def shown(self) -> Shown:
        """Returns the table's status for the floor. The table time in the status is from the last call of
        `durable_seq`.
        """
        answer, _segment = self._ask({"do": "status"})
        try:
            found = shown_in_line(answer.line, self._table_ms)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise TableAway("not-understood") from error
        if found is None:
            raise TableAway(answer.error.code if answer.error is not None else "not-understood")
        return found

    def carried(self, after: int, nonce: str) -> tuple[SignedStatement, FileIO | None]:
        """Returns a signed statement on the entries after `after`, and the segment with these entries (None without
        entries). Asks again while the controller is busy.
        """
        for _ in range(MOST_ASKED):
            answer, segment = self._ask({"do": "carry", "after": after, "nonce": nonce})
            if answer.error is None or answer.error.code != BUSY:
                break
            time.sleep(BUSY_S)  # the controller signs a limited number a second
        if answer.carried is None:
            if segment is not None:
                segment.close()
            raise TableAway(answer.error.code if answer.error is not None else "not-understood")
        return answer.carried, segment

    def checkpoint(self, cosigned: str = "") -> Checkpoint:
        """Returns the table's mark.

        `cosigned`: a mark that a witness has signed, for the controller to store before it answers; "" for none.
        """
        answer, _segment = self._ask({"do": "checkpoint", "note": cosigned})
        if answer.checkpoint is None:
            raise TableAway(answer.error.code if answer.error is not None else "not-understood")
        return answer.checkpoint

    def pool(self, signed: SignedPool) -> str:
        """Gives the controller the floor's statement on a pool. Returns the reason if the controller refuses the
        statement, otherwise "".
        """
        answer, _segment = self._ask({"do": "pool", "pool": signed})
        return "" if answer.error is None else answer.error.code

    def keep(self, note: str) -> str:
        """Gives the controller a mark that the floor has signed, to keep. Returns the reason if the controller refuses
        the mark, otherwise "".
        """
        answer, _segment = self._ask({"do": "keep", "note": note})
        return "" if answer.error is None else answer.error.code

    def _ask(self, request: dict[str, object]) -> tuple[Answer, FileIO | None]:
        self._guarded(lambda: self._socket.sendall(msgspec.json.encode(request) + b"\n"))
        opened: list[FileIO] = []
        while b"\n" not in self._buffer:
            self._guarded(lambda: self._receive(opened))
        line, _, self._buffer = self._buffer.partition(b"\n")
        try:
            return decode_answer(line), opened[0] if opened else None
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise TableAway("not-understood") from error

    def _receive(self, opened: list[FileIO]) -> None:
        data, descriptors, _flags, _address = socket.recv_fds(self._socket, READ_AT_ONCE, 1)
        opened += map(FileIO, descriptors)
        self._buffer += data
        if not data or len(self._buffer) > LONGEST_ANSWER:
            raise TableAway("hung-up" if not data else "not-understood")

    def _guarded(self, does: Callable[[], None]) -> None:
        try:
            does()
        except OSError as error:
            raise TableAway(system_word(error)) from error
