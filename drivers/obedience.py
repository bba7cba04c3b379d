"""Checks that a device executes the commands that it accepts. A device may answer OK and do nothing.

After the answer OK the device's status must show the command's effect within DONE_S (PROTOCOL.md, section 5). After the
first and the second failure the controller gets a report and the driver sends the command again. From then on the
driver sends the command every AGAIN_S without a report. The controller gets a last report once the device has executed
the command.
"""

from typing import Final

from msgspec import Struct

DONE_S: Final = 0.4  # two failures are reported within a second
AGAIN_S: Final = 2.0
TOLD_TIMES: Final = 2


class Obedience(Struct):
    """Watches one accepted command until the device's status shows the command's effect. `due_s`: the time at which the
    command must be sent again; None if no command waits for its effect. `times`: the number of repetitions so far.
    """

    times: int = 0
    due_s: float | None = None  # None: no command waits for its effect

    def owes(self, now_s: float) -> None:
        """Starts the time within which the device's status must show the effect of a command that was answered OK. Does
        nothing while this time runs.
        """
        if self.due_s is None:
            self.due_s = now_s + DONE_S

    def is_asked_again(self, now_s: float) -> bool:
        """True if the time for the command's effect is over. A new time then begins, and the caller must send the
        command again.
        """
        if self.due_s is None or now_s < self.due_s:
            return False
        self.times += 1
        self.due_s = now_s + (DONE_S if self.times < TOLD_TIMES else AGAIN_S)
        return True

    def has_done(self) -> bool:
        """Notes that the device has executed the command. Returns True if the command had to be sent more than once."""
        was_told, self.times, self.due_s = self.times > 0, 0, None
        return was_told
