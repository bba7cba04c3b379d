"""When the core wants to be woken, in the shell's seconds."""

from controller.core.games.blackjack.state import BlackjackState
from controller.core.table import next_deadline
from controller.core.words import TableMs, Timer
from controller.runtime.clock import TableClock


class Timers:
    """The next deadline of the latest state; each fires once."""

    def __init__(self, clock: TableClock) -> None:
        self._clock = clock
        self._of: BlackjackState | None = None
        self._next: tuple[TableMs, Timer] | None = None  # of that state
        self._fired: tuple[TableMs, Timer] | None = None

    def due_s(self, latest: BlackjackState) -> float | None:
        """When `fire` will have something to give."""
        due = self._of_state(latest)
        return None if due is None or due == self._fired else self._clock.when_s(due[0])

    def fire(self, latest: BlackjackState, now_s: float) -> Timer | None:
        """The timer that is due, if one is; it is not given again."""
        due = self._of_state(latest)
        if due is None or due == self._fired or self._clock.read(now_s) < due[0]:
            return None
        self._fired = due
        return due[1]

    def _of_state(self, latest: BlackjackState) -> tuple[TableMs, Timer] | None:
        """Asked of each state once."""
        if self._of is not latest:
            self._of, self._next = latest, next_deadline(latest)
        return self._next
