"""The trial of a new root file system. Its first start must lead to a closed table within five minutes.

During the trial the data partition is mounted read-only below a layer in memory (by the initrd, if the boot loader
passes the word `sabot.trial`), and the controller has no device and no network. So a trial changes no data, and the
previous root file system can still read all of it. After the trial the computer restarts with the new root file system
or the previous one.
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
    """Returns the verdict after `passed_s` seconds: FAILED from WITHIN_S on; before that GOOD if the table is closed,
    else WAITS. `status`: None while no controller of this table answers.
    """
    if passed_s >= WITHIN_S:
        return Verdict.FAILED
    is_closed = status is not None and status.session == "closed"
    return Verdict.GOOD if is_closed else Verdict.WAITS


def is_on_trial(command_line: str) -> bool:
    """True if this start is a trial: the boot loader has put a certain word on the kernel's command line."""
    return WORD in command_line.split()
