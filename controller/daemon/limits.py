"""Limits each client's connections, waiting PINs and acts. Other clients can then use the controller, too. Pure.

The system tells the user and the process behind each connection (SO_PEERCRED). The panel is one such user, the
technician's shell another. The catalogue has a word for each limit under `trouble`.
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
"""The numbers of last free places for connections that are kept: KEPT_FOR_OTHER_PROCESSES for processes without a
connection, and of these KEPT_FOR_OTHER_USERS for users without a connection.

So a process that opens as many connections as it can leaves a place for the panel, which has a process and should have
a user of its own.
"""

MOST_CHECKS_OF_A_CLIENT: Final = 2
MOST_CHECKS_OF_A_USER: Final = 6
MOST_CHECKS_OF_TABLE_SCREEN: Final = 2
"""The most PINs that may wait to be hashed: of one client, of one user, and, counted apart, of the screen at the table.

A hash takes 0.1 s, so with all limits another request waits for less than a second.
"""

ACTS_AT_ONCE: Final = 200
ACTS_PER_S: Final = 40
"""The acts per second of one user, after ACTS_AT_ONCE at once. At this rate the journal grows by less than 20 kB a
second.
"""

ACTS_OF_AN_END: Final = 25
"""The number of acts as which the end of a session counts, since the journal then begins a segment."""

LOOP_S_AT_ONCE: Final = 0.5
LOOP_S_PER_S: Final = 0.25
"""The share of the loop's time for the requests of all clients together, after LOOP_S_AT_ONCE seconds at once; the
devices have the rest.
"""

CONNECTING_S: Final = 0.001
"""The processor time of a connection before its first request."""

IDLE_S: Final = 300.0
"""The longest silence of a connection in seconds; a subscriber may listen for ever."""


class Limits:
    """Counts the connections, waiting PINs and acts of clients and users. The methods report if a count exceeds its
    limit.
    """

    def __init__(self) -> None:
        self._of_process: Counter[int] = Counter()
        self._of_user: Counter[int] = Counter()
        self._checks_of_client: Counter[int] = Counter()
        self._checks: Counter[tuple[int, bool]] = Counter()
        self._acts: dict[int, Budget] = {}
        self._is_closed = True  # no session was open after the last act
        self._loop_ms = Budget(LOOP_S_AT_ONCE * 1000, LOOP_S_PER_S * 1000)

    def connected(self, user: int, process: int) -> str | None:
        """Counts a new connection of `user` and `process` until `gone` is called, even if the connection is refused.
        Returns a catalogue word if the connection exceeds a limit, otherwise None.
        """
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
        """Counts `acts` further acts and returns None if the user may send them now. Otherwise returns the milliseconds
        that the user must wait.
        """
        budget = self._acts.setdefault(user, Budget(ACTS_AT_ONCE, ACTS_PER_S))
        if not budget.has_some(now_s):
            return round(budget.wait_s(now_s) * 1000) + 1
        budget.spend(now_s, acts)
        return None

    def act_done(self, user: int, now_s: float, *, is_closed: bool) -> None:
        """Notes that an act is done. `is_closed`: True if no session is open after the act.

        The act that ends a session counts as ACTS_OF_AN_END acts, since the journal then begins a segment.
        """
        if is_closed and not self._is_closed and user in self._acts:
            self._acts[user].spend(now_s, ACTS_OF_AN_END)
        self._is_closed = is_closed

    def pause_s(self, now_s: float, used_s: float) -> float:
        """Counts `used_s` seconds that a request took from the loop. Returns the seconds that the next request must
        wait.
        """
        self._loop_ms.spend(now_s, used_s * 1000)
        return self._loop_ms.wait_s(now_s)

    def trouble(self, client: int, user: int, screen: str) -> str | None:
        """Returns None if a PIN of `client` may wait to be hashed. Otherwise returns the reason as a catalogue word."""
        if self._checks_of_client[client] >= MOST_CHECKS_OF_A_CLIENT:
            return "one-after-the-other"
        is_table = screen == TABLE_SCREEN
        most = MOST_CHECKS_OF_TABLE_SCREEN if is_table else MOST_CHECKS_OF_A_USER
        return "too-many-pins" if self._checks[user, is_table] >= most else None

    def asked(self, client: int, user: int, screen: str) -> None:
        """Counts a PIN of `client` that waits to be hashed. `screen`: the screen that the request names."""
        self._checks_of_client[client] += 1
        self._checks[user, screen == TABLE_SCREEN] += 1

    def answered(self, client: int, user: int, screen: str) -> None:
        """Counts one waiting PIN less, with the arguments that `asked` got for it."""
        self._checks_of_client[client] -= 1
        self._checks[user, screen == TABLE_SCREEN] -= 1
        self._checks_of_client += Counter()
        self._checks += Counter()


def terminal_of(user: int, screen: str) -> TerminalName:
    """Returns the name of a request's terminal: `user/screen`, or only the user's number if `screen` is ""."""
    return f"{user}/{screen}" if screen else str(user)
