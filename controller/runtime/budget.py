"""Limits the rate of events: a burst at once, then a number of events per second. Pure; time is an argument."""

from typing import Final

_ROUNDING: Final = 1e-6  # allows an event exactly when `wait_s` is over

REFUSALS_AT_ONCE = 60
REFUSALS_PER_S = 1
"""The number of refused acts of one user of the computer that get an entry each per second, after REFUSALS_AT_ONCE at
once. One entry a minute counts the further ones.
"""


class Budget:
    """A number of events that may still come. The budget begins at `burst`, grows by `per_s` each second, and stays at
    or below `burst`. An event may come once the budget is at least 1. `spend` may make the budget negative.
    """

    def __init__(self, burst: float, per_s: float) -> None:
        self._burst = burst
        self._per_s = per_s
        self._left = burst
        self._at_s: float | None = None

    def has_some(self, now_s: float) -> bool:
        """True if the budget allows one more event at `now_s`."""
        return self._filled(now_s) >= 1 - _ROUNDING

    def spend(self, now_s: float, amount: float = 1) -> None:
        """Subtracts `amount` from the budget."""
        self._left = (self._left if self._at_s == now_s else self._filled(now_s)) - amount

    def wait_s(self, now_s: float) -> float:
        """The seconds until one more event may come; 0 if an event may come now."""
        return max(0.0, (1 - self._filled(now_s)) / self._per_s)

    def _filled(self, now_s: float) -> float:
        since_s = 0.0 if self._at_s is None else max(0.0, now_s - self._at_s)
        self._left = min(self._burst, self._left + since_s * self._per_s)
        self._at_s = now_s
        return self._left


class Refusals:
    """Decides which refused acts get an entry of their own in the journal. Each user account of the computer has one
    budget.
    """

    def __init__(self) -> None:
        self._of_user: dict[str, Budget] = {}

    def is_worth_an_entry(self, terminal: str, now_s: float) -> bool:
        """True if a refused act at `terminal` gets an entry of its own, which is then subtracted from the user's
        budget.

        `terminal` begins with the name of the computer's user account, then "/". An act with an empty `terminal` always
        gets an entry.
        """
        user = terminal.partition("/")[0]
        budget = self._of_user.setdefault(user, Budget(REFUSALS_AT_ONCE, REFUSALS_PER_S))
        if user == "" or budget.has_some(now_s):
            budget.spend(now_s)
            return True
        return False
