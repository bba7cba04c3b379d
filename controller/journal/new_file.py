"""Writes a large file as a new file beside the old one, which the new file replaces when it is whole."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


@contextmanager
def new_beside(out: Path, mode: int) -> Iterator[BinaryIO]:
    """A context with a new file of the mode `mode`, which is synced and replaces the file `out` at the end. After an
    error the new file is removed. Raises OSError; BlockingIOError if another process has begun a new file for `out`
    meanwhile, which then replaces `out`.
    """
    new = out.with_name(out.name + ".new")
    new.unlink(missing_ok=True)  # of a process that has died
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
    with os.fdopen(descriptor, "wb") as file:
        try:
            yield file
            file.flush()
            os.fsync(descriptor)
            if not _is_at(new, descriptor):
                raise BlockingIOError(errno.EAGAIN, "another process writes it", str(new))
            new.replace(out)
        finally:
            if _is_at(new, descriptor):
                new.unlink()


def _is_at(path: Path, descriptor: int) -> bool:
    with suppress(FileNotFoundError):
        return os.path.samestat(path.lstat(), os.fstat(descriptor))
    return False
