"""Tests the events made between two replies without a command between them. If both replies show the same value of a
field, each of these events must show it, too (duty 6.2).
"""

from collections.abc import Iterator
from typing import Any, Final

from firmware_protocols.tdp.conform.book import Book
from firmware_protocols.tdp.conform.told import Finding
from firmware_protocols.tdp.value_display import COLOURS

_TOLD: Final = ("locked", "lamp_lit", "shown_cents", "lit", "blinking", *COLOURS)
"""Fields that a command sets: where nothing was commanded they do not go and come back."""
_KEPT: Final = 128


class Between:
    """The last reply of the device in one boot, and the values that the events up to this reply must show."""

    def __init__(self) -> None:
        self._book: Book | None = None
        self._newest = 0
        self._status: Any = None  # None: something that may change it lies behind the last reply
        self._wanted: dict[int, dict[str, object]] = {}
        self._heard: dict[int, Any] = {}  # by number, the status of each event behind the last reply

    def part(self) -> None:
        """Forgets the status of the last reply. Called before a command, a silence or a new session, which may change
        the status.
        """
        self._status = None

    def reply(self, book: Book, newest: int, status: Any, *, is_settled: bool) -> Iterator[Finding]:  # noqa: ANN401
        """Yields the findings about events that came before this reply and that the reply counts for the first time.
        Notes the values that later events up to number `newest` must show. `is_settled`: True if no command is on its
        way.
        """
        self._meet(book)
        if self._status is not None and newest > self._newest:
            same = {name: getattr(status, name) for name in _TOLD if self._is_same(name, status)}
            self._wanted |= dict.fromkeys(range(max(self._newest, newest - _KEPT) + 1, newest + 1), same)
        self._newest, self._status = newest, status if is_settled else None
        heard, self._heard = self._heard, {}
        for number, then in heard.items():
            yield from self.event(book, number, then)

    def _meet(self, book: Book) -> None:
        if book is not self._book:
            self._book, self._newest, self._status = book, 0, None
            self._wanted, self._heard = {}, {}

    def _is_same(self, name: str, status: object) -> bool:
        return hasattr(status, name) and getattr(status, name) == getattr(self._status, name)

    def event(self, book: Book, number: int, status: Any) -> Iterator[Finding]:  # noqa: ANN401 (any kind's)
        """Yields a finding for each field of `status`, the status in event `number`, that differs although the replies
        before and after the event show the same value.
        """
        self._meet(book)
        if number > self._newest:
            self._heard.setdefault(number, status)
        for name, value in self._wanted.get(number, {}).items():
            is_so = getattr(status, name) == value
            yield "6.2", is_so, f"{name} {getattr(status, name)}; {value} before it and behind it"
