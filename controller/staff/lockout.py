"""How long a person waits after wrong PINs: pure, in table time, the same after a restart.

Every wrong PIN in a row doubles the wait; a right one ends it. The journal has each try, so that folding its
entries gives the same waits again; table time stands still while the controller is down, and so do the waits.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

FIRST_WAIT_MS: Final = 1_000
LONGEST_WAIT_MS: Final = 300_000


@dataclass(frozen=True, slots=True)
class Tries:
    """Wrong PINs in a row, and when the last of them was."""

    wrong: int
    last_ms: int


@dataclass(frozen=True, slots=True)
class Lockout:
    """The wrong tries of everybody who has any, by the number that was given."""

    tries: Mapping[int, Tries] = field(default_factory=dict)

    def after(self, person: int, at_ms: int, *, right: bool) -> "Lockout":
        """The lockout after one checked PIN. A try that had to wait is not checked and does not come here."""
        others = {number: tries for number, tries in self.tries.items() if number != person}
        if right:
            return replace(self, tries=others)
        before = self.tries.get(person, Tries(0, at_ms))
        return replace(self, tries=others | {person: Tries(before.wrong + 1, at_ms)})

    def wait_ms(self, person: int, at_ms: int) -> int:
        """How long until this person's next PIN is checked; 0: now."""
        tries = self.tries.get(person)
        if tries is None:
            return 0
        return max(0, tries.last_ms + wait_after_ms(tries.wrong) - at_ms)


def wait_after_ms(wrong: int) -> int:
    """The wait after this many wrong PINs in a row: 1 s, doubling, at most 5 min."""
    if wrong < 1:
        return 0
    doublings = min(wrong - 1, LONGEST_WAIT_MS.bit_length())
    return min(FIRST_WAIT_MS << doublings, LONGEST_WAIT_MS)
