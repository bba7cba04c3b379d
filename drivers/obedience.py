"""A device that accepts a command and does not execute it.

After the answer OK the device's status has to show the command's effect within DONE_S (PROTOCOL.md, section 5).
Otherwise the command is sent again and the controller gets a report; the same follows after a second failure. After
that the command is sent every AGAIN_S without a report to the controller, until the device has executed it, which is
reported, too.
"""

from typing import Final

from msgspec import Struct

DONE_S: Final = 0.4  # two failures are reported within a second
AGAIN_S: Final = 2.0
TOLD_TIMES: Final = 2


class Obedience(Struct):
    """The time since when an accepted command is not executed, and the number of its repetitions in vain."""

    times: int = 0
    due_s: float | None = None  # None: no command waits for its effect

    def owes(self, now_s: float) -> None:
        """Starts the time for a command that was answered OK and does not show in the status yet."""
        if self.due_s is None:
            self.due_s = now_s + DONE_S

    def is_asked_again(self, now_s: float) -> bool:
        """True where the time for the command is over: it must be sent again, and a new time begins."""
        if self.due_s is None or now_s < self.due_s:
            return False
        self.times += 1
        self.due_s = now_s + (DONE_S if self.times < TOLD_TIMES else AGAIN_S)
        return True

    def has_done(self) -> bool:
        """Ends the wait for the command; True if the controller has had a report that it was not executed."""
        was_told, self.times, self.due_s = self.times > 0, 0, None
        return was_told
