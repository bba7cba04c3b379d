"""The bounds of one client where other clients share the controller: connections, waiting PINs, acts. Pure.

The system gives the number of the user behind each connection (SO_PEERCRED). The panel is one such user, the
technician's shell another. Each limit has a word of its own under `trouble` in the catalogue.
"""

from collections import Counter
from typing import Final

from controller.protocol.lines import TABLE_SCREEN
from controller.runtime.budget import Budget
from controller.staff.lockout import TerminalName

MOST_CLIENTS: Final = 64
MOST_OF_A_PROCESS: Final = 32
KEPT_FOR_OTHER_PROCESSES: Final = 8
KEPT_FOR_OTHER_USERS: Final = 4
"""The last free places for connections. The last KEPT_FOR_OTHER_PROCESSES are for processes without a connection, of
these the last KEPT_FOR_OTHER_USERS for users without a connection.

So a process that opens as many connections as it can leaves a place for the panel, which has a process and should have
a user of its own.
"""

MOST_CHECKS_OF_A_CLIENT: Final = 2
MOST_CHECKS_OF_A_USER: Final = 6
MOST_CHECKS_OF_TABLE_SCREEN: Final = 2
"""The PINs of the screen at the table that may wait to be hashed, in places of its own.

A hash takes 0.1 s, so with all limits another request waits for less than a second.
"""

ACTS_AT_ONCE: Final = 200
ACTS_PER_S: Final = 40
"""The acts per second of one user. At this rate the journal grows by less than 20 kB a second."""

ACTS_OF_AN_END: Final = 25
"""The number of acts that equals the journal's cost for the end of a session."""

LOOP_S_AT_ONCE: Final = 0.5
LOOP_S_PER_S: Final = 0.25
"""The loop's seconds per second for the requests of all clients together; the devices have the rest."""

CONNECTING_S: Final = 0.001
"""The processor time of a connection before its first request."""

IDLE_S: Final = 300.0
"""The longest silence of a connection in seconds; a subscriber may listen for ever."""


class Limits:
    """Counts the connections, waiting PINs and acts of clients and users."""

    def __init__(self) -> None:
        self._of_process: Counter[int] = Counter()
        self._of_user: Counter[int] = Counter()
        self._checks_of_client: Counter[int] = Counter()
        self._checks: Counter[tuple[int, bool]] = Counter()
        self._acts: dict[int, Budget] = {}
        self._is_closed = True  # no session was open after the last act
        self._loop_ms = Budget(LOOP_S_AT_ONCE * 1000, LOOP_S_PER_S * 1000)

    def connected(self, user: int, process: int) -> str | None:
        """Counts a new connection until `gone`, also a refused one. Returns the trouble where it exceeds a limit."""
        places = MOST_CLIENTS - self._of_user.total()
        is_known, has_some = user in self._of_user, process in self._of_process
        self._of_user[user] += 1
        self._of_process[process] += 1
        if self._of_process[process] > MOST_OF_A_PROCESS:
            return "too-many-connections"
        kept = KEPT_FOR_OTHER_PROCESSES if has_some else KEPT_FOR_OTHER_USERS if is_known else 0
        return "too-many-connections" if places <= kept else None

    def gone(self, user: int, process: int) -> None:
        """Counts a connection as ended."""
        self._of_user[user] -= 1
        self._of_process[process] -= 1
        self._of_user += Counter()  # drops users without connections
        self._of_process += Counter()

    def act(self, user: int, now_s: float, acts: int = 1) -> int | None:
        """Counts the acts of a user and returns None.

        Above the limit counts none, and returns the milliseconds to wait.
        """
        budget = self._acts.setdefault(user, Budget(ACTS_AT_ONCE, ACTS_PER_S))
        if not budget.has_some(now_s):
            return round(budget.wait_s(now_s) * 1000) + 1
        budget.spend(now_s, acts)
        return None

    def act_done(self, user: int, now_s: float, *, is_closed: bool) -> None:
        """Notes a done act.

        An act that ends the session costs its user ACTS_OF_AN_END, since the journal begins a segment.
        """
        if is_closed and not self._is_closed and user in self._acts:
            self._acts[user].spend(now_s, ACTS_OF_AN_END)
        self._is_closed = is_closed

    def pause_s(self, now_s: float, used_s: float) -> float:
        """Counts `used_s` of the loop's time, and returns the seconds for which the next request must wait."""
        self._loop_ms.spend(now_s, used_s * 1000)
        return self._loop_ms.wait_s(now_s)

    def trouble(self, client: int, user: int, screen: str) -> str | None:
        """The trouble for which this client's PIN is not hashed now; None where the PIN may be hashed."""
        if self._checks_of_client[client] >= MOST_CHECKS_OF_A_CLIENT:
            return "one-after-the-other"
        is_table = screen == TABLE_SCREEN
        most = MOST_CHECKS_OF_TABLE_SCREEN if is_table else MOST_CHECKS_OF_A_USER
        return "too-many-pins" if self._checks[user, is_table] >= most else None

    def asked(self, client: int, user: int, screen: str) -> None:
        """Counts a PIN that waits to be hashed."""
        self._checks_of_client[client] += 1
        self._checks[user, screen == TABLE_SCREEN] += 1

    def answered(self, client: int, user: int, screen: str) -> None:
        """Counts a PIN as answered."""
        self._checks_of_client[client] -= 1
        self._checks[user, screen == TABLE_SCREEN] -= 1
        self._checks_of_client += Counter()
        self._checks += Counter()


def terminal_of(user: int, screen: str) -> TerminalName:
    """The name of the terminal of a request: user number and screen; the number alone without a screen."""
    return f"{user}/{screen}" if screen else str(user)
