"""Checks that a device executes the commands that it accepts, since a device may answer OK and do nothing.

After the answer OK the device's status must show the command's effect within DONE_S (PROTOCOL.md, section 5). If it
does not, the controller gets a report and the driver sends the command again. After a second failure both happen once
more. From then on the driver sends the command every AGAIN_S without a report. The controller gets a last report once
the device has executed the command.
"""

from typing import Final

from msgspec import Struct

DONE_S: Final = 0.4  # two failures are reported within a second
AGAIN_S: Final = 2.0
TOLD_TIMES: Final = 2


class Obedience(Struct):
    """Watches one accepted command until the device's status shows the command's effect.

    `due_s`: the time at which the command must be sent again; None if no command waits for its effect. `times`: the
    number of times that it was sent again.
    """

    times: int = 0
    due_s: float | None = None  # None: no command waits for its effect

    def owes(self, now_s: float) -> None:
        """Starts the time within which the device's status must show the effect of a command that was answered OK.

        Has no effect while this time runs already.
        """
        if self.due_s is None:
            self.due_s = now_s + DONE_S

    def is_asked_again(self, now_s: float) -> bool:
        """True if the time for the command's effect is over. The caller must then send the command again, and a new
        time begins.
        """
        if self.due_s is None or now_s < self.due_s:
            return False
        self.times += 1
        self.due_s = now_s + (DONE_S if self.times < TOLD_TIMES else AGAIN_S)
        return True

    def has_done(self) -> bool:
        """Notes that the device has executed the command. Returns True if the command had to be sent again before."""
        was_told, self.times, self.due_s = self.times > 0, 0, None
        return was_told
