"""The times at which the core's timers are due, in the shell's seconds."""

from typing import Any

from controller.core.house.deciding import next_of
from controller.core.house.registry import Deadline
from controller.core.house.state import State
from controller.core.words import TableMs, Timer
from controller.runtime.clock import TableClock


class Timers:
    """Finds the core's timer that is due next in the latest state. Each deadline fires once."""

    def __init__(self, clock: TableClock, deadlines: tuple[Deadline[Any], ...]) -> None:
        self._clock = clock
        self._deadlines = deadlines
        self._of: State | None = None
        self._next: tuple[TableMs, Timer] | None = None  # the deadline of that state
        self._fired: tuple[TableMs, Timer] | None = None

    def due_s(self, latest: State) -> float | None:
        """The monotonic second at which the next timer is due; None if the state has no timer, or only a fired one."""
        due = self._of_state(latest)
        return None if due is None or due == self._fired else self._clock.when_s(due[0])

    def fire(self, latest: State, now_s: float) -> Timer | None:
        """Returns the timer whose deadline has come, once for each deadline; None if no timer is due at `now_s`."""
        due = self._of_state(latest)
        if due is None or due == self._fired or self._clock.read(now_s) < due[0]:
            return None
        self._fired = due
        return due[1]

    def _of_state(self, latest: State) -> tuple[TableMs, Timer] | None:
        """Returns the next deadline of the state `latest` with its timer; None if the state has no timer.

        Keeps the result until the state changes.
        """
        if self._of is not latest:
            self._of, self._next = latest, next_of(self._deadlines, latest)
        return self._next
