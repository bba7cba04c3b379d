"""Who is at the table, as the acts tell it: presence is for one operation and lapses by table time (pt.bj.54d)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

DEALER: Final = "dealer"
NEVER_MS: Final = 1 << 60


@dataclass(slots=True)
class Here:
    """One person who is here for some operations; each act of his confirms it."""

    role: str
    confirmed_ms: int
    operations: set[str] = field(default_factory=set)


class People:
    """All who are here. A dealer stays until relieved, every other presence lapses."""

    def __init__(self, timeout_ms: int, supervisors: frozenset[str]) -> None:
        self._supervisors = supervisors
        self._timeout_ms = timeout_ms
        self._here: dict[int, Here] = {}
        self._ended_ms: dict[str, int] = {}  # operation: since when no chief supervisor watches it
        self.dealer: int | None = None

    def sign_in(self, person: int, role: str, operation: str, at_ms: int) -> None:
        """Somebody comes for an operation."""
        if operation == "table":
            self.dealer = person
            return
        here = self._here.setdefault(person, Here(role, at_ms))
        here.role, here.confirmed_ms = role, at_ms
        here.operations.add(operation)

    def confirm(self, person: int, at_ms: int) -> None:
        """Every act shows that the person is still here."""
        if person in self._here:
            self._here[person].confirmed_ms = at_ms

    def leave(self, person: int, at_ms: int) -> Here | None:
        """Somebody goes; the presence that has ended."""
        if person == self.dealer:
            self.dealer = None
        here = self._here.pop(person, None)
        if here is not None:
            for operation in here.operations:
                self._note_end(here, operation, at_ms)
        return here

    def lapsed(self, at_ms: int) -> list[int]:
        """Those who have not confirmed their presence in time."""
        return [person for person, here in self._here.items() if self._until_ms(here) <= at_ms]

    def all_but_the_dealer(self) -> list[int]:
        """Everybody whose presence a restart ends."""
        return list(self._here)

    def end(self, operation: str, at_ms: int) -> None:
        """The operation is over."""
        for person in list(self._here):
            self._drop(person, operation, at_ms)

    def chief_is_here(self, operation: str, at_ms: int, grace_ms: int) -> bool:
        """A chief supervisor is present for this operation, by table time."""
        return any(self._until_ms(here) + grace_ms > at_ms for here in self._chiefs(operation))

    def chief_absent_ms(self, operation: str, at_ms: int) -> int:
        """For how long no chief supervisor has watched this operation; 0 while one does."""
        until = [self._until_ms(here) for here in self._chiefs(operation)]
        ended = max(until) if until else self._ended_ms.get(operation, at_ms - NEVER_MS)
        return max(0, at_ms - ended)

    def _chiefs(self, operation: str) -> Iterator[Here]:
        return (here for here in self._here.values() if here.role in self._supervisors and operation in here.operations)

    def _until_ms(self, here: Here) -> int:
        return here.confirmed_ms + self._timeout_ms

    def _drop(self, person: int, operation: str, at_ms: int) -> None:
        here = self._here[person]
        if operation not in here.operations:
            return
        self._note_end(here, operation, at_ms)
        here.operations.discard(operation)
        if not here.operations:
            del self._here[person]

    def _note_end(self, here: Here, operation: str, at_ms: int) -> None:
        if here.role in self._supervisors:
            self._ended_ms[operation] = min(at_ms, self._until_ms(here))
