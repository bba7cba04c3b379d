"""How much of one thing may come: so much at once, and so much a second after that. Pure; time is an argument."""

from typing import Final

_ROUNDING: Final = 1e-6  # a wait until one may come ends when it may

REFUSALS_AT_ONCE = 60
REFUSALS_PER_S = 1
"""Refused acts of one user of the computer that are an entry each; what is more is counted, one entry a minute."""


class Budget:
    """Fills at `per_s` up to `burst`. What is spent may overdraw it: then nothing more comes until it is paid back."""

    def __init__(self, burst: float, per_s: float) -> None:
        self._burst = burst
        self._per_s = per_s
        self._left = burst
        self._at_s: float | None = None

    def has_some(self, now_s: float) -> bool:
        """True where one more may come now."""
        return self._filled(now_s) >= 1 - _ROUNDING

    def spend(self, now_s: float, amount: float = 1) -> None:
        """One more has come, or `amount` of them."""
        self._left = (self._left if self._at_s == now_s else self._filled(now_s)) - amount

    def wait_s(self, now_s: float) -> float:
        """How long until one more may come; 0: now."""
        return max(0.0, (1 - self._filled(now_s)) / self._per_s)

    def _filled(self, now_s: float) -> float:
        since_s = 0.0 if self._at_s is None else max(0.0, now_s - self._at_s)
        self._left = min(self._burst, self._left + since_s * self._per_s)
        self._at_s = now_s
        return self._left


class Refusals:
    """Of the acts that are refused, those that are recorded one by one: so many of each user of the computer."""

    def __init__(self) -> None:
        self._of_user: dict[str, Budget] = {}

    def is_worth_an_entry(self, terminal: str, now_s: float) -> bool:
        """People are refused less often."""
        user = terminal.partition("/")[0]
        budget = self._of_user.setdefault(user, Budget(REFUSALS_AT_ONCE, REFUSALS_PER_S))
        if user == "" or budget.has_some(now_s):
            budget.spend(now_s)
            return True
        return False
