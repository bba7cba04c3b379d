"""A device that takes a command over and does not do it.

Its answer says OK, and within DONE_S its status has to show what was asked (PROTOCOL.md, section 5). Where it does not,
the device is asked again and the controller is told; once more the same way, and then every AGAIN_S without a word,
until it has done it, which is told too.
"""

from dataclasses import dataclass
from typing import Final

DONE_S: Final = 0.4  # twice within a second
AGAIN_S: Final = 2.0
TOLD_TIMES: Final = 2


@dataclass(slots=True)
class Obedience:
    """Since when a device owes what it has taken over, and how often in vain it was asked again."""

    times: int = 0
    due_s: float | None = None  # None: it owes nothing

    def owes(self, now_s: float) -> None:
        """It has said OK, and is not so."""
        if self.due_s is None:
            self.due_s = now_s + DONE_S

    def is_asked_again(self, now_s: float) -> bool:
        """True where its time is over; another begins."""
        if self.due_s is None or now_s < self.due_s:
            return False
        self.times += 1
        self.due_s = now_s + (DONE_S if self.times < TOLD_TIMES else AGAIN_S)
        return True

    def has_done(self) -> bool:
        """It owes nothing any more; whether the controller was told that it did."""
        was_told, self.times, self.due_s = self.times > 0, 0, None
        return was_told
