"""Makes the scripted people wait while a person fills in a form about the table's cards at the panel."""

from http.client import HTTPConnection, HTTPException
from typing import Final
from urllib.parse import urlsplit

EVERY_S: Final = 0.25
ANSWER_WITHIN_S: Final = 0.5
PATIENCE_S: Final = 120.0
"""Seconds after which an open form counts as abandoned."""


class Forms:
    """Asks the panel at address `url` if a person has a form open. If `url` is None, no form is open."""

    def __init__(self, url: str | None) -> None:
        self._url = None if url is None else urlsplit(url)
        self._asked_s: float | None = None
        self._open_since_s: float | None = None

    def are_waited_for(self, now_s: float) -> bool:
        if self._asked_s is None or now_s - self._asked_s >= EVERY_S:
            self._asked_s = now_s
            before = now_s if self._open_since_s is None else self._open_since_s
            self._open_since_s = before if self._is_one_open() else None
        return self._open_since_s is not None and now_s - self._open_since_s < PATIENCE_S

    def _is_one_open(self) -> bool:
        if self._url is None:
            return False
        connection = HTTPConnection(self._url.hostname or "", self._url.port, timeout=ANSWER_WITHIN_S)
        try:
            connection.request("GET", "/forms")
            return connection.getresponse().read(1) == b"1"
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()
