"""The supervisors who are present, as their acts show it: a person is present for one operation, until a span of table
time is over (pt.bj.54d).
"""

from typing import Final

NEVER_MS: Final = 1 << 60


class Chiefs:
    """The present people with a chief supervisor's powers: those who hold one of `posts`."""

    def __init__(self, timeout_ms: int, posts: frozenset[str]) -> None:
        self._timeout_ms = timeout_ms
        self._posts = posts
        # by person and operation: the time at which the presence lapses
        self._until_ms: dict[tuple[int, str], int] = {}
        self._ended_ms: dict[str, int] = {}  # by operation: the time since when no supervisor watches it

    def sign_in(self, person: int, role: str, operation: str, at_ms: int) -> None:
        """Begins a person's presence for an operation; does nothing if `role` is not one of the posts."""
        if role in self._posts:
            self._until_ms[person, operation] = at_ms + self._timeout_ms

    def confirm(self, person: int, at_ms: int) -> None:
        """Prolongs a person's presence after an act of the person."""
        self._until_ms |= {key: at_ms + self._timeout_ms for key in self._until_ms if key[0] == person}

    def leave(self, at_ms: int, *, person: int | None = None, operation: str | None = None) -> None:
        """Ends the presence of `person` for `operation`. `person` None: every person; `operation` None: every
        operation.
        """
        for key in [one for one in self._until_ms if person in {None, one[0]} and operation in {None, one[1]}]:
            self._ended_ms[key[1]] = min(at_ms, self._until_ms.pop(key))

    def lapse(self, at_ms: int) -> None:
        """Ends the presence of every person whose time without an act is over."""
        for person in [one for (one, _operation), until_ms in self._until_ms.items() if until_ms <= at_ms]:
            self.leave(at_ms, person=person)

    def are_here(self, operation: str, at_ms: int, grace_ms: int) -> bool:
        """True if a person is present for this operation, or if the last presence ended less than `grace_ms` ago."""
        return any(until_ms + grace_ms > at_ms for until_ms in self._watching_until_ms(operation))

    def absent_ms(self, operation: str, at_ms: int) -> int:
        """Returns the milliseconds from the end of the last presence for `operation` to `at_ms`. Returns 0 while a
        person is present, and NEVER_MS if no person ever was.
        """
        ended_ms = max(self._watching_until_ms(operation), default=self._ended_ms.get(operation, at_ms - NEVER_MS))
        return max(0, at_ms - ended_ms)

    def _watching_until_ms(self, operation: str) -> list[int]:
        return [until_ms for (_person, watched), until_ms in self._until_ms.items() if watched == operation]
