"""Runs commands, each at its own copy of a table with one unusable file; prints the end of each as JSON.

It is a program of its own, since root may use every file until the process has given up that right
(test_unusable_files.py).
"""

import fcntl
import json
import os
import shutil
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from controller.cli.main import main
from controller.journal.errors import JournalError
from tests.daemon.rig import CHIEF, PINS, TECHNICIAN
from tests.in_process import run

TYPED: Final = f"{PINS[TECHNICIAN]}\n{PINS[CHIEF]}\n".encode()
LEAVES: Final = (JournalError, OSError, RuntimeError, ValueError, LookupError, TypeError, AttributeError)
"""The exceptions that could leave a command; any other one ends this program, and with it the test."""

GOES_ON: Final = "rest of "
"""Begins a command that goes on with a wiping, whose code is `CODE`."""


def _missing(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink()


def _unreadable(path: Path) -> None:
    path.chmod(0)


def _of_another_kind(path: Path) -> None:
    """Puts a file in place of a directory, or a directory in place of a file."""
    is_directory = path.is_dir()
    _missing(path)
    path.write_bytes(b"x") if is_directory else path.mkdir()


def _link_to_itself(path: Path) -> None:
    _missing(path)
    path.symlink_to(path)


def _locked(path: Path) -> None:
    fcntl.flock(os.open(path, os.O_RDONLY), fcntl.LOCK_EX)


def _read_only(path: Path) -> None:
    """Lets no person put a file into the directory, or take one out."""
    path.chmod(0o555)


STATES: Final[dict[str, Callable[[Path], None]]] = {
    "missing": _missing,
    "unreadable": _unreadable,
    "of another kind": _of_another_kind,
    "link to itself": _link_to_itself,
    "locked": _locked,
    "read-only": _read_only,
}


def ended(state: str, file: str, command: str, table: Path) -> tuple[int | None, str]:
    """The exit code and the words of a command; no code and the traceback where an exception left it."""
    if command.startswith(GOES_ON):
        (table / "journal.wiping").write_text("CODE")
    STATES[state](table / file)
    reading, writing = os.pipe()
    os.write(writing, TYPED)
    os.close(writing)
    os.chdir(table)
    try:
        done = run(main, *command.removeprefix(GOES_ON).replace("PINS", str(reading)).split())
    except LEAVES:
        return None, traceback.format_exc()
    finally:
        os.close(reading)
    return done.returncode, done.stdout + done.stderr


if __name__ == "__main__":
    table, rows, found = Path(sys.argv[1]), json.load(sys.stdin), []
    for row in rows:
        copy = Path(mkdtemp(dir=table.parent))
        shutil.copytree(table, copy, dirs_exist_ok=True)
        found.append(ended(*row, copy))
    print(json.dumps(found))
