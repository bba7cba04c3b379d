"""Tests in every check that a locked shuffler moves no card once its last motion has ended (duties 5.10 and 9.21)."""

from collections.abc import Iterator
from typing import Any, Final

from firmware_protocols.tdp.conform.book import Book
from firmware_protocols.tdp.conform.told import Finding, permits
from firmware_protocols.tdp.shuffler import ShufflerApply, ShufflerStatus

MOTION_S: Final = 2.0
"""A card that was in motion behind a lock has passed, or stands still, once the shuffler was locked for so long."""


class ShutWatch:
    """The lock of a shuffler since its last command in one boot, and the counts of the cards that had moved before the
    lock.
    """

    def __init__(self) -> None:
        self._book: Book | None = None
        self._locked_s: float | None = None  # None: something is permitted, or a command may permit it
        self._counts: tuple[int, int] | None = None  # None until the last motion must have ended
        self._is_withdrawn = False  # not a command has locked it, but what withdraws permissions
        self._request: int | None = None  # the last recount that was asked for

    def command_done(self, command: ShufflerApply) -> None:
        """Notes a command that the shuffler has answered."""
        self._request = command.recount_request

    def reply(self, book: Book, status: Any, times: tuple[float, float], *, is_settled: bool) -> Iterator[Finding]:  # noqa: ANN401
        """Yields the finding about the counts in a reply's status.

        `times`: the earliest and the latest time at which the device can have had the status. `is_settled`: a heartbeat
        is answered, and no command is on its way.
        """
        if not isinstance(status, ShufflerStatus):
            return
        is_counting = self._request not in (None, status.recounts)  # 10.21 speaks of it
        if book is not self._book or permits(status) or is_counting or not is_settled:
            self._book, self._locked_s, self._counts, self._is_withdrawn = book, None, None, False
            return
        self._is_withdrawn |= status.lid_open or status.jammed or status.host_silent
        counts = (status.cards_in, status.cards_out)
        if self._counts is not None:
            duty = "9.21" if self._is_withdrawn and self._counts[1] != counts[1] else "5.10"
            yield duty, counts == self._counts, f"locked for {MOTION_S:.0f} s, and a card moves: {status}"
        self._locked_s = times[1] if self._locked_s is None else self._locked_s
        if times[0] >= self._locked_s + MOTION_S:
            self._counts = counts
