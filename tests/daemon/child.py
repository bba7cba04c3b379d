"""The `sabot` command in a child with faults: a slow or full disk, and a crash in a chosen place.

The file SABOT_TEST_DISK has the disk's state at each sync: a number of seconds that a sync takes, `hangs` while that
word is there, `full`, `read-only`, `failing`, or `crash` for an unexpected error. The file SABOT_TEST_DIRECTORY has the
seconds that the sync of a directory takes, or its failure. SABOT_TEST_CRASH names a function (`module:name.name`) that
fails once the file SABOT_TEST_CRASH_NOW is there, with its content in message, note and cause: the values that no
output may have. SABOT_TEST_WRITER_S has the seconds after which an unfinished batch counts as hanging,
SABOT_TEST_SEGMENT the bytes at which a segment of the journal ends.
"""

import errno
import functools
import os
import stat
import sys
import time
from importlib import import_module
from pathlib import Path

sys.modules["rich"] = None  # no table has it; structlog would load a developer's at each start

from controller.cli.main import main  # noqa: E402

LOOKS_EVERY_S = 0.01
ERRORS = {"full": errno.ENOSPC, "read-only": errno.EROFS, "failing": errno.EIO}

_sync, _whole_sync = os.fdatasync, os.fsync


def _disk_sync(descriptor: int) -> None:
    path = Path(os.environ["SABOT_TEST_DISK"])
    while (told := _told(path) if path.exists() else "0") == "hangs":
        time.sleep(LOOKS_EVERY_S)
    _fail(told)
    if told == "crash":
        raise RuntimeError("a mistake of the program")
    time.sleep(float(told))
    _sync(descriptor)


def _fail(told: str) -> None:
    if told in ERRORS:
        raise OSError(ERRORS[told], os.strerror(ERRORS[told]))


def _told(path: Path) -> str:
    """The file's text; waits while the file is empty, as it is for a moment during a test's write."""
    while not (told := path.read_text()):
        time.sleep(0.001)
    return told


def _directory_sync(descriptor: int) -> None:
    path = Path(os.environ["SABOT_TEST_DIRECTORY"])
    if stat.S_ISDIR(os.fstat(descriptor).st_mode) and path.exists():
        told = _told(path)
        _fail(told)
        time.sleep(float(told))
    _whole_sync(descriptor)


def _plant_crash(place: str, now: Path) -> None:
    module, _, names = place.partition(":")
    *outer, name = names.split(".")
    owner = functools.reduce(getattr, outer, import_module(module))
    whole = getattr(owner, name)
    crashes = iter((True,))  # once, since another thread may come by while the process ends

    @functools.wraps(whole)
    def fails(*arguments: object, **named: object) -> object:
        told = now.read_text() if now.exists() else ""
        if told and next(crashes, False):
            error = RuntimeError(told)
            error.add_note(told)
            raise error from KeyError(told)
        return whole(*arguments, **named)

    setattr(owner, name, fails)


def run() -> int:
    """Installs the faults that the environment asks for, then runs the `sabot` command of this process."""
    if "SABOT_TEST_WRITER_S" in os.environ:
        import_module("controller.daemon.signs").WRITER_WITHIN_S = float(os.environ["SABOT_TEST_WRITER_S"])
    if "SABOT_TEST_SEGMENT" in os.environ:
        logic = import_module("controller.journal.writer_logic").WriterLogic
        logic.__init__.__kwdefaults__["segment_limit"] = int(os.environ["SABOT_TEST_SEGMENT"])
    if "SABOT_TEST_CRASH" in os.environ:
        _plant_crash(os.environ["SABOT_TEST_CRASH"], Path(os.environ["SABOT_TEST_CRASH_NOW"]))
    return main()


os.fdatasync = _disk_sync
os.fsync = _directory_sync
if __name__ == "__main__":
    sys.exit(run())
