"""The watch on accepted commands: a device may answer OK and not execute the command.

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
    """Follows one accepted command until the status shows its effect.

    `due_s`: the time at which the command must be sent again; `times`: how often that time has come.
    """

    times: int = 0
    due_s: float | None = None  # None: no command waits for its effect

    def owes(self, now_s: float) -> None:
        """Starts the time in which the status must show the effect of a command that was answered OK.

        No effect while such a time runs.
        """
        if self.due_s is None:
            self.due_s = now_s + DONE_S

    def is_asked_again(self, now_s: float) -> bool:
        """Returns True where the command's time is over: the caller must send it again, and a new time has begun."""
        if self.due_s is None or now_s < self.due_s:
            return False
        self.times += 1
        self.due_s = now_s + (DONE_S if self.times < TOLD_TIMES else AGAIN_S)
        return True

    def has_done(self) -> bool:
        """Ends the wait for the command. Returns True where the controller was told that it was not executed."""
        was_told, self.times, self.due_s = self.times > 0, 0, None
        return was_told
