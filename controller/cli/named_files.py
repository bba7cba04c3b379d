"""The files that a person names for a command. Only ordinary files are read or replaced.

Reading a pipe may never end, and root may replace a device for the whole computer.
"""

import os
from contextlib import suppress
from pathlib import Path

from controller.cli.talk import cannot_write
from controller.journal.errors import StorageFailed, StorageReason
from controller.journal.storage import open_file, reported
from controller.machine.exits import CliFailure, ExitCode

_TOO_LARGE = "EFBIG"


def read_named(path: Path, largest: int) -> bytes:
    """Returns the content of a file. Raises StorageFailed if the file has more than `largest` bytes or is no ordinary
    file.
    """
    with reported("read", str(path)), open_file(path) as file:
        content = file.read(largest + 1)
    if len(content) > largest:
        raise StorageFailed("read", str(path), StorageReason.OTHER, _TOO_LARGE)
    return content


def write_named(path: Path, content: bytes, mode: int | None = None) -> None:
    """Writes a file whole, or leaves the older file unchanged. Raises CliFailure, also if the path leads to anything
    but an ordinary file.

    `mode`: the permissions of the new file; None for the system's default.
    """
    new = path.with_name(f".{path.name}.new")
    try:
        if path.exists() and not path.is_file():
            raise CliFailure(ExitCode.FAILED, "output", path=str(path), detail=StorageReason.NOT_A_FILE.value)
        _write(new, content, mode)
        new.replace(path)
    except OSError as error:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise cannot_write(path, error) from error


def _write(new: Path, content: bytes, mode: int | None) -> None:
    new.unlink(missing_ok=True)
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        if mode is not None:
            os.fchmod(file.fileno(), mode)
