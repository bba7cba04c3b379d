"""Chooses the code for the inspection's book that the pages show, and keeps it long enough for a person to copy it.

Each entry changes the journal's own code, and each earlier code stays valid for the entries before it. While a session
is being opened, the pages show the first code for the whole step: the code at the closing covers the later entries. At
any other time the pages show a code for STILL_S, so that later entries soon have a code.
"""

from typing import Final

from controller.protocol.status import SessionStep, Status

STILL_S: Final = 60.0


class StillCode:
    """The code that a panel's pages show now."""

    def __init__(self) -> None:
        self._step: tuple[str, int, str] | None = None
        self._code, self._seq, self._since_s = "", 0, 0.0

    def at(self, status: Status, now_s: float) -> str:
        """Returns the code to show with `status` at the time `now_s`. Returns "" before the journal's first entry.

        While an entry is not durable, the status combines the new session number with the code of an earlier entry. No
        check would find that combination, so it is not stored.
        """
        step, journal = (status.table, status.session_number, status.session), status.journal
        if journal.waiting:
            return self._code or journal.code
        is_still = status.session == SessionStep.OPENED or now_s - self._since_s < STILL_S
        if step != self._step or not self._code or journal.seq < self._seq or not is_still:
            self._step, self._code, self._seq, self._since_s = step, journal.code, journal.seq, now_s
        return self._code
