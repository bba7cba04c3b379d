"""Tests that each change of the status comes with an event. The duty is broken if replies show a change for longer than
its event needs to come.
"""

from collections.abc import Iterator
from typing import Any, Final

from firmware_protocols.tdp.conform.book import Book
from firmware_protocols.tdp.conform.told import Finding
from firmware_protocols.tdp.link import EVENT_RETRY_MAX_S, EVENT_WINDOW

_TOLD: Final = {
    "cards_in": "6.3",
    "cards_out": "6.3",
    "passages": "6.3",
    "lid_open": "10.33",
    "error": "11.9",
    "chips": "14.2",
    "broken": "14.2",
    "collections": "14.2",
    "path_blocked": "10.31",
    "inside": "10.34",
    "recounts": "10.20",
    "jams": "10.27",
}
"""The fields of a status that change with an event, and the duty to tell of it."""
_COMES_WITHIN_S: Final = EVENT_RETRY_MAX_S + 0.3


class Untold:
    """The first status that counted the newest event, and the time at which later statuses with that newest event began
    to differ from it.
    """

    def __init__(self) -> None:
        self._newest = (0, 0)  # boot and number
        self._first: Any = None
        self._since_s: float | None = None

    def of_status(self, book: Book, status: Any, now_s: float) -> Iterator[Finding]:  # noqa: ANN401 (any kind's)
        """Yields a finding if the status of a reply shows a change without an event. The duty is broken once the change
        has lasted too long. `book`: a record whose newest event is the newest event of the reply.
        """
        changed = [name for name in _TOLD if getattr(status, name, None) != getattr(self._first, name, None)]
        if getattr(status, "path_blocked", False) and "path_blocked" in changed:
            changed.remove("path_blocked")  # the card that sticks is no event yet
        if self._newest != (book.boot, book.newest):
            self._newest, self._first, self._since_s = (book.boot, book.newest), status, None
        elif changed and book.newest - book.acked < EVENT_WINDOW:
            self._since_s = now_s if self._since_s is None else self._since_s
            is_late = now_s - self._since_s > _COMES_WITHIN_S
            yield _TOLD[changed[0]], not is_late, f"{changed[0]} changes behind EVENT {book.newest}, untold: {status}"
        else:
            self._since_s = None
