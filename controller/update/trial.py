"""The trial of a new root: its first start must lead to a closed table within five minutes.

Until then the data partition is mounted read-only below a layer in memory (by the initrd, for the boot loader's word
`sabot.trial`), and the controller has no device and no network. So the previous root can read all data of the card
after a trial. Afterwards the computer restarts with the new root or the previous one.
"""

from enum import Enum, auto, unique
from typing import Final

from controller.protocol.status import Status

WITHIN_S: Final = 300.0
WORD: Final = "sabot.trial"


@unique
class Verdict(Enum):
    WAITS = auto()
    GOOD = auto()
    FAILED = auto()


def judged(passed_s: float, status: Status | None) -> Verdict:
    """The verdict after `passed_s` seconds: GOOD at a closed table, FAILED from WITHIN_S on, otherwise WAITS.

    `status`: None while no controller of this table answers.
    """
    if passed_s >= WITHIN_S:
        return Verdict.FAILED
    is_closed = status is not None and status.session == "closed"
    return Verdict.GOOD if is_closed else Verdict.WAITS


def is_on_trial(command_line: str) -> bool:
    """Returns True where the kernel's command line has the boot loader's word for a trial."""
    return WORD in command_line.split()
