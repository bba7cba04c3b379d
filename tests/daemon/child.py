"""The `sabot` command in a child whose disk can be slow or full: the file SABOT_TEST_DISK says how, at each sync.

Its content is a number of seconds that a sync takes, `full`, or `crash` for an error that nobody expects.
"""

import errno
import os
import sys
import time
from pathlib import Path

from controller.cli.main import main

_sync = os.fdatasync


def _disk_sync(descriptor: int) -> None:
    path = Path(os.environ["SABOT_TEST_DISK"])
    told = path.read_text() if path.exists() else "0"
    if told == "full":
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if told == "crash":
        raise RuntimeError("a mistake of the program")
    time.sleep(float(told))
    _sync(descriptor)


os.fdatasync = _disk_sync
sys.exit(main(sys.argv[1:]))
