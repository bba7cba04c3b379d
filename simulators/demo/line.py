"""The connection of the scripted people to the controller's socket: people read the status and ask for acts over it.

A connection that breaks (after a kill of the controller) is no error: the next status shows if the act was done.
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
PIN_MISSING: Final = "pin-missing"


class _StatusLine(msgspec.Struct, frozen=True):
    status: msgspec.Raw


class _Known(msgspec.Struct, frozen=True):
    journal: JournalStatus


_STATUS: Final = msgspec.json.Decoder(_StatusLine)


class Line:
    """One connection to the controller's socket, which is reopened after a break."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._client: Client | None = None
        self._signed_in: int | None = None

    def status(self) -> bytes | None:
        """Asks the controller for the status document and returns it; None if no controller answers."""
        answer = self._ask("status")
        return None if answer is None else bytes(_STATUS.decode(answer.line).status)

    def act(self, act: str, person: int, pin: str, values: Mapping[str, str], *, stays: bool = False) -> Answer | None:
        """Asks the controller for `act` by `person`, who signs in with `pin`, and returns the answer; None if no
        controller answers. `stays`: the person signs in once for the whole connection, as a dealer does at the table's
        screen.
        """
        given = None if stays and self._is_signed_in(person, pin) else pin
        answer = self._ask("act", act=act, person=person, pin=given, values=values)
        if answer is not None and answer.error is not None and answer.error.code == PIN_MISSING:
            self._signed_in = None  # another person has relieved him meanwhile
            return self._ask("act", act=act, person=person, pin=pin, values=values)
        return answer

    def _is_signed_in(self, person: int, pin: str) -> bool:
        if self._signed_in != person:
            answer = self._ask("sign-in", person=person, pin=pin, purpose="table")
            self._signed_in = person if answer is not None and answer.ok else None
        return self._signed_in == person

    def wait_until_known(self, answer: Answer) -> None:
        """Waits until the status includes the entry that `answer` names, for at most KNOWN_WITHIN_S seconds. So people
        never decide on a status that is older than their own act.
        """
        until_s, seq = time.monotonic() + KNOWN_WITHIN_S, answer.seq or 0
        while (document := self.status()) is not None and time.monotonic() < until_s:
            if msgspec.json.decode(document, type=_Known).journal.seq >= seq:
                return
            time.sleep(GLANCE_S)

    def hang_up(self) -> None:
        """Closes the connection. This signs out the person who was signed in over it."""
        if self._client is not None:
            self._client.close()
        self._client = self._signed_in = None

    def _ask(self, do: str, **fields: object) -> Answer | None:
        try:
            self._client = self._client or Client(self._path, within_s=ANSWER_WITHIN_S)
            return self._client.ask(do, **fields)
        except Unreachable:
            self.hang_up()
            return None
