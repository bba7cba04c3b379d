"""What one client may ask of a controller that others need, too: connections, PINs that wait, wrong PINs. Pure.

A user of the computer is known by the number that the system gives of whoever connects (SO_PEERCRED); the panel is one
user, the technician's shell another. Each limit has a word of its own under `trouble` in the catalogue.
"""

from collections import Counter, deque
from typing import Final

MOST_OF_A_USER: Final = 24
"""Connections of one user: less than half of all, so that others always find room."""

MOST_CHECKS_OF_A_CLIENT: Final = 2
MOST_CHECKS_OF_A_USER: Final = 6
"""PINs that wait to be hashed, 0.1 s each: whoever asks beside them waits for less than a second."""

WRONG_PINS: Final = 10
WRONG_WITHIN_S: Final = 60.0
"""Wrong PINs of one user within so long; then none of his is looked at, and nobody's number is locked by them."""

IDLE_S: Final = 300.0
"""For how long a connection may ask nothing; one that has subscribed may listen for ever."""


class Limits:
    """Counts what clients and users have under way."""

    def __init__(self) -> None:
        self._connections: Counter[int] = Counter()
        self._checks_of_client: Counter[int] = Counter()
        self._checks_of_user: Counter[int] = Counter()
        self._wrong: dict[int, deque[float]] = {}

    def connected(self, user: int) -> str | None:
        """One connection more; the trouble where it is one too many (it counts all the same, until `gone`)."""
        self._connections[user] += 1
        return "too-many-connections" if self._connections[user] > MOST_OF_A_USER else None

    def gone(self, user: int) -> None:
        """A connection has ended."""
        self._connections[user] -= 1
        self._connections += Counter()  # without those that have none

    def trouble(self, client: int, user: int, now_s: float) -> str | None:
        """Why this client's PIN is not looked at now; None where it is."""
        if len(self._wrong_lately(user, now_s)) >= WRONG_PINS:
            return "too-many-wrong-pins"
        if self._checks_of_client[client] >= MOST_CHECKS_OF_A_CLIENT:
            return "one-after-the-other"
        return "too-many-pins" if self._checks_of_user[user] >= MOST_CHECKS_OF_A_USER else None

    def asked(self, client: int, user: int) -> None:
        """A PIN waits to be hashed."""
        self._checks_of_client[client] += 1
        self._checks_of_user[user] += 1

    def answered(self, client: int, user: int, now_s: float, *, wrong: bool) -> None:
        """That act has its answer."""
        self._checks_of_client[client] -= 1
        self._checks_of_user[user] -= 1
        self._checks_of_client += Counter()
        self._checks_of_user += Counter()
        if wrong:
            self._wrong.setdefault(user, deque(maxlen=WRONG_PINS)).append(now_s)

    def _wrong_lately(self, user: int, now_s: float) -> deque[float]:
        times = self._wrong.get(user, deque())
        while times and now_s - times[0] >= WRONG_WITHIN_S:
            times.popleft()
        if not times:
            self._wrong.pop(user, None)
        return times
