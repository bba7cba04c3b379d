"""The supervisors who watch, by their acts: presence is for one operation and lapses by table time (pt.bj.54d)."""

from typing import Final

NEVER_MS: Final = 1 << 60


class Chiefs:
    """The people present with a chief supervisor's powers: the holders of `posts`."""

    def __init__(self, timeout_ms: int, posts: frozenset[str]) -> None:
        self._timeout_ms = timeout_ms
        self._posts = posts
        # by person and operation: the time at which the presence lapses
        self._until_ms: dict[tuple[int, str], int] = {}
        self._ended_ms: dict[str, int] = {}  # by operation: the time since when no supervisor watches it

    def sign_in(self, person: int, role: str, operation: str, at_ms: int) -> None:
        """Notes that a person is present for an operation; ignores a role that is none of the posts."""
        if role in self._posts:
            self._until_ms[person, operation] = at_ms + self._timeout_ms

    def confirm(self, person: int, at_ms: int) -> None:
        """Prolongs a person's presence, since every act proves that the person is there."""
        self._until_ms |= {key: at_ms + self._timeout_ms for key in self._until_ms if key[0] == person}

    def leave(self, at_ms: int, *, person: int | None = None, operation: str | None = None) -> None:
        """Ends the presence of a person, or for an operation; where neither is given, every presence."""
        for key in [one for one in self._until_ms if person in {None, one[0]} and operation in {None, one[1]}]:
            self._ended_ms[key[1]] = min(at_ms, self._until_ms.pop(key))

    def lapse(self, at_ms: int) -> None:
        """Ends every presence of each person whose presence was not confirmed in time."""
        for person in [one for (one, _operation), until_ms in self._until_ms.items() if until_ms <= at_ms]:
            self.leave(at_ms, person=person)

    def are_here(self, operation: str, at_ms: int, grace_ms: int) -> bool:
        """True where a person's presence for this operation lasts, or has lapsed by less than `grace_ms`."""
        return any(until_ms + grace_ms > at_ms for until_ms in self._watching_until_ms(operation))

    def absent_ms(self, operation: str, at_ms: int) -> int:
        """Milliseconds without a person who watches this operation; 0 while one does, NEVER_MS where none ever did."""
        ended_ms = max(self._watching_until_ms(operation), default=self._ended_ms.get(operation, at_ms - NEVER_MS))
        return max(0, at_ms - ended_ms)

    def _watching_until_ms(self, operation: str) -> list[int]:
        return [until_ms for (_person, watched), until_ms in self._until_ms.items() if watched == operation]
