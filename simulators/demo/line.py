"""The controller's socket as the people's side sees it: the status, acts and their answers.

A connection that breaks (the controller was killed) is no error: what was asked for may or may not have been done, and
the next status tells.
"""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from controller.cli.client import Client, Unreachable
from controller.protocol.lines import Answer
from controller.protocol.status import JournalStatus

ANSWER_WITHIN_S: Final = 10.0
KNOWN_WITHIN_S: Final = 2.0
GLANCE_S: Final = 0.005


class _StatusLine(msgspec.Struct, frozen=True):
    status: msgspec.Raw


class _Known(msgspec.Struct, frozen=True):
    journal: JournalStatus


_STATUS: Final = msgspec.json.Decoder(_StatusLine)


class Line:
    """One connection, made anew when it breaks: question and answer."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._client: Client | None = None

    def status(self) -> bytes | None:
        """The status document; None while there is no controller."""
        answer = self._ask("status")
        return None if answer is None else bytes(_STATUS.decode(answer.line).status)

    def act(self, act: str, person: int | None, pin: str | None, values: Mapping[str, str]) -> Answer | None:
        """Asks for an act; None where no answer came (the controller died)."""
        return self._ask("act", act=act, person=person, pin=pin, values=values)

    def wait_until_known(self, answer: Answer) -> None:
        """Until the status has caught up with an answer: nobody decides by what is known to be old."""
        until_s, seq = time.monotonic() + KNOWN_WITHIN_S, answer.seq or 0
        while (document := self.status()) is not None and time.monotonic() < until_s:
            if msgspec.json.decode(document, type=_Known).journal.seq >= seq:
                return
            time.sleep(GLANCE_S)

    def hang_up(self) -> None:
        """Closes the connection."""
        if self._client is not None:
            self._client.close()
        self._client = None

    def _ask(self, do: str, **fields: object) -> Answer | None:
        try:
            self._client = self._client or Client(self._path, within_s=ANSWER_WITHIN_S)
            return self._client.ask(do, **fields)
        except Unreachable:
            self.hang_up()
            return None
