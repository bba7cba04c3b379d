"""Runs `sabot` tied to the process that started it: if the starting process dies, even by kill -9, the system ends
`sabot`. Only the demo uses this module, so a killed demo leaves no controller running.
"""

import ctypes
import os
import signal
import sys
from typing import Final

from controller.cli.main import main

_PR_SET_PDEATHSIG: Final = 1  # prctl(2), Linux


def tie(parent: int) -> None:
    """Makes the system send SIGTERM to this process when the thread that started it ends. Raises OSError. Ends this
    process at once if its parent `parent` has already died.
    """
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")
    if os.getppid() != parent:  # the parent has died before the call
        sys.exit(1)


if __name__ == "__main__":
    tie(int(sys.argv[1]))
    sys.exit(main(sys.argv[2:]))
