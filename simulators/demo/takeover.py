"""A visitor takes a post at the table: the scripted person of that post steps back (its hands still help)."""

from collections.abc import Iterable
from typing import Final

from controller.core.words import Role
from simulators.oracles.export_entries import Entry
from simulators.people.status import TableStatus

PATIENCE_S: Final = 60.0


class Takeover:
    """Watches one post for a visitor who takes it."""

    def __init__(self, role: Role, scripted: int) -> None:
        self._role = role
        self._scripted = scripted
        self._guests: frozenset[int] = frozenset()
        self._last_act_s = 0.0

    def look(self, status: TableStatus, entries: Iterable[Entry], now_s: float) -> None:
        """Notes the visitors at the post, and the time of their last act. `entries`: those since the last look."""
        present = frozenset(p.person for p in status.present if p.role is self._role and p.person != self._scripted)
        acted = any(entry.number("person") in present for entry in entries)
        if acted or present - self._guests:
            self._last_act_s = now_s
        self._guests = present

    def in_charge(self, now_s: float) -> int | None:
        """The visitor at this post who has come or acted within the last minute; None where there is none."""
        return min(self._guests) if self._guests and now_s - self._last_act_s < PATIENCE_S else None
