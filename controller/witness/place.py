"""A witness's directory: its key and name, the logs that it knows, and the last signed head of each.

    witness.key   32 bytes, mode 0600         name    the witness's name, one line
    witness.pub   the public key in C2SP's form, one line, for people who check signatures
    logs          keys of logs, one a line    heads/  <SHA-256 of the origin>: the last checkpoint that was signed

Only one process at a time uses the directory. The owner of its computer can make the witness sign anything; no person
at a table can.
"""

import fcntl
import os
import re
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from controller.journal.errors import CodecError, JournalLocked
from controller.journal.note import LARGEST_NOTE, KeyKind, NoteKey, read_key
from controller.journal.seals import open_key
from controller.journal.signing import Signer
from controller.journal.storage import open_file, reported, write_whole
from controller.witness.witness import Witness

MOST_LOGS: Final = 10_000
KEY_NAME: Final = "witness.key"
PUBLIC_NAME: Final = "witness.pub"

_NAME: Final = re.compile(r"[^\s+/][^\s+]{0,99}")
_LOG: Final = re.compile(r"[0-9a-f]{64}")
_LARGEST_LIST: Final = MOST_LOGS * 400


class Heads:
    """Stores the last signed heads as files in a directory. Each file is written completely or not at all."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def last(self, log: str) -> bytes | None:
        if not _LOG.fullmatch(log) or not (self._path / log).exists():
            return None
        with reported("read", log), open_file(self._path / log) as file:
            return file.read(LARGEST_NOTE)

    def put(self, log: str, note: bytes) -> None:
        with reported("write", log):
            write_whole(self._path / log, note)


def head_path(path: Path, log: str) -> Path:
    """Returns the path of the last checkpoint of the log `log` that the witness in the directory `path` has signed."""
    return path / "heads" / log


def is_name(name: str) -> bool:
    """True if the text is valid as the name of a witness."""
    return _NAME.fullmatch(name) is not None


def make(path: Path, name: str) -> None:
    """Makes the directory of a new witness. Raises SealKeyRefused, StorageFailed."""
    with reported("make", str(path)):
        (path / "heads").mkdir(parents=True)
        write_whole(path / "name", f"{name}\n".encode())
        write_whole(path / "logs", b"")
    open_key(path / KEY_NAME, journal=path / "heads", randomness=secrets.token_bytes)
    name, signer = name_and_signer(path)
    key = NoteKey(name, KeyKind.COSIGNATURE, signer.public_key)
    with reported("make", str(path)):
        write_whole(path / PUBLIC_NAME, f"{key.text}\n".encode())


@contextmanager
def opened(path: Path) -> Iterator[Witness]:
    """A context in which the witness in the directory `path` is open for this process alone.

    Raises JournalLocked, SealKeyRefused, StorageFailed, CodecError.
    """
    with reported("open", str(path)):
        descriptor = os.open(path / "heads", os.O_RDONLY | os.O_DIRECTORY)
    try:
        _lock(descriptor, path)
        name, signer = name_and_signer(path)
        yield Witness(name, signer, logs_of(path), Heads(path / "heads"), lambda: int(time.time()))
    finally:
        os.close(descriptor)


def name_and_signer(path: Path) -> tuple[str, Signer]:
    """Returns the witness's name and signer, for callers that store heads elsewhere.

    Raises SealKeyRefused, StorageFailed.
    """
    name = _text(path / "name").strip()
    return name, Signer(open_key(path / KEY_NAME, journal=path / "heads", randomness=secrets.token_bytes).secret)


def _lock(descriptor: int, path: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise JournalLocked(str(path)) from error


def logs_of(path: Path) -> Mapping[str, NoteKey]:
    """Returns the keys of the logs for which the witness may sign, by origin. Raises StorageFailed, CodecError."""
    lines = [line for line in _text(path / "logs").splitlines() if line.strip()]
    if len(lines) > MOST_LOGS:
        raise CodecError("too many logs")
    return {key.name: key for key in map(read_key, lines)}


def add_log(path: Path, key: NoteKey) -> None:
    """Adds a log to the logs for which the witness may sign. Raises StorageFailed, CodecError."""
    logs = {**logs_of(path), key.name: key}
    with reported("write", "logs"):
        write_whole(path / "logs", "".join(f"{one.text}\n" for one in logs.values()).encode())


def _text(path: Path) -> str:
    with reported("read", str(path)), open_file(path) as file:
        return file.read(_LARGEST_LIST).decode("utf-8", "replace")
