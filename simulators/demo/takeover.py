"""Finds out that a visitor has taken a post at the table. The scripted person at this post then stops acting."""

from collections.abc import Iterable
from typing import Final

from controller.core.words import Role
from simulators.oracles.export_entries import Entry
from simulators.people.status import TableStatus

PATIENCE_S: Final = 60.0


class Takeover:
    """Watches one post for a visitor who has taken it."""

    def __init__(self, role: Role, scripted: int) -> None:
        self._role = role
        self._scripted = scripted
        self._guests: frozenset[int] = frozenset()
        self._last_act_s = 0.0

    def look(self, status: TableStatus, entries: Iterable[Entry], now_s: float) -> None:
        """Updates the visitors who are present at the post, and the time of their last act. `entries`: the entries
        since the last call.
        """
        present = frozenset(p.person for p in status.present if p.role is self._role and p.person != self._scripted)
        acted = any(entry.number("person") in present for entry in entries)
        if acted or present - self._guests:
            self._last_act_s = now_s
        self._guests = present

    def in_charge(self, now_s: float) -> int | None:
        """Returns the number of the visitor at this post. Returns None if no visitor is there, or if no visitor has
        come or acted for PATIENCE_S seconds.
        """
        return min(self._guests) if self._guests and now_s - self._last_act_s < PATIENCE_S else None
