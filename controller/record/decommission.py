"""Takes a table out of use: wipes its keys, staff file, journal and second copy, after the receiver has acknowledged an
export.

Keys are overwritten and removed first: without them no seal can be opened and nothing can be signed. A memory card may
keep old blocks that no program can reach, so people must destroy or erase the card. After a loss of power, the same
command wipes the rest.
"""

import glob
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.config import Config
from controller.journal.noted_code import read_noted
from controller.journal.recovery import Walk
from controller.journal.signing import key_path, known_path, read_signer
from controller.journal.storage import DirectoryReader, reported, sync_directory, write_whole
from controller.journal.verify import noted_now
from controller.record.closed_table import closed_table, locked
from controller.record.pair_keys import pair_key_paths, write_over
from controller.record.retention import NotAcknowledged, check_export

_SECRET: Final = frozenset((".key", ".toml", ".words"))
_BESIDE: Final = (".key", ".begun", ".cosigned", ".epoch", ".restored", ".updated", ".approval", ".forgotten")
"""The files beside the journal that are wiped. The public key stays, since the export is checked with it."""


class SecondCopyAway(Exception):  # noqa: N818 (it is where it is, no fault)
    """The medium of the configured second copy is not plugged in, so the second copy cannot be wiped."""


class NotPermitted(Exception):  # noqa: N818 (the name says what is wrong)
    """The process may not delete or overwrite one of the files to wipe. `path`: this file, or its directory."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.path = path


@dataclass(frozen=True, slots=True)
class Wiped:
    """The result of wiping a table: the number of wiped files, and the sum of their bytes."""

    files: int
    bytes: int


def decommission(config: Config, exported: Path, code: str) -> Wiped:
    """Wipes the table's files and returns their number and size. Raises StorageFailed, even after some files were
    wiped.

    The export at `exported` must be complete, of this table, and end with the newest entry. `code` must be the code of
    this export, which its receiver has given back. The same code completes an interrupted wiping, without a check of
    the export. Before it wipes a file, raises NotAcknowledged, BadNotedCode, TableInUse, SecondCopyAway,
    SigningKeyRefused, JournalDamaged or NotPermitted.
    """
    if config.journal_second_copy is not None and not config.journal_second_copy.is_dir():
        raise SecondCopyAway(str(config.journal_second_copy))
    note = _note(config.journal)
    with reported("wipe", str(config.journal)):
        goes_on = note.is_file() and note.read_text("utf-8") == code
        with _held(config, goes_on=goes_on):
            if not goes_on:
                _require_acknowledged(config.journal, exported, code)
            files = [path for path in _files(config) if path.is_file() and not path.is_symlink()]
            _require_permission(files, [note, *_directories(config)])
            if not goes_on:
                write_whole(note, code.encode())
            wiped = _wipe(files)
        _remove_directories(config)
        note.unlink()
        sync_directory(note.parent)
    return wiped


def _note(journal: Path) -> Path:
    """Returns the path of the note that a wiping has begun. The note has the code of the export."""
    return journal.with_name(journal.name + ".wiping")


@contextmanager
def _held(config: Config, *, goes_on: bool) -> Iterator[None]:
    """A context that holds the journal's lock. Raises TableInUse if a controller runs or a session is open. If
    `goes_on` (an interrupted wiping is completed), an open session is no reason.
    """
    if not goes_on:
        with closed_table(config):
            yield
    elif config.journal.is_dir():
        with locked(config.journal):
            yield
    else:
        yield


def _require_acknowledged(journal: Path, exported: Path, code: str) -> None:
    noted = read_noted(code)
    with DirectoryReader(journal) as storage:
        first_seq = Walk(storage).start.next_seq
    if read_noted(noted_now(journal)) != noted:
        raise NotAcknowledged("the code is not of the newest entry")
    check_export(exported, noted, read_signer(key_path(journal)), first_seq)


def _files(config: Config) -> Iterator[Path]:
    """Yields the table's files to wipe, keys and staff file first. Leaves out the configuration."""
    journal, second = config.journal, config.journal_second_copy
    yield (config.state or journal.parent) / "seal.key"
    yield from pair_key_paths(config)
    yield config.staff
    yield known_path(config.file)
    for place in [journal] if second is None else [journal, second]:
        yield from (place.with_name(place.name + ending) for ending in _BESIDE)
        for directory in (place, *set_aside(place)):
            yield from sorted(directory.iterdir()) if directory.is_dir() else ()


def set_aside(place: Path) -> list[Path]:
    """Returns the directories with unsigned entries that were moved away from the journal or second copy at `place`."""
    return sorted(place.parent.glob(f"{glob.escape(place.name)}.unsigned*"))


def _require_permission(files: list[Path], others: list[Path]) -> None:
    """Raises NotPermitted if a path in `files` or `others` cannot be deleted, or if a secret file cannot be
    overwritten.
    """
    secret = [path for path in files if path.suffix in _SECRET]
    for path in dict.fromkeys((*(one.absolute().parent for one in (*files, *others)), *secret)):
        if not os.access(path, os.W_OK | (os.X_OK if path.is_dir() else 0), effective_ids=True):
            raise NotPermitted(path)


def _wipe(files: list[Path]) -> Wiped:
    size = sum(path.stat().st_size for path in files)
    for path in files:
        if path.suffix in _SECRET:
            write_over(path)
        path.unlink()
        sync_directory(path.parent)
    return Wiped(len(files), size)


def _directories(config: Config) -> list[Path]:
    """The directories to remove once they are empty: journal, second copy, and those with unsigned entries that were
    moved away.
    """
    places = [place for place in (config.journal, config.journal_second_copy) if place is not None]
    return [directory for place in places for directory in (place, *set_aside(place)) if directory.is_dir()]


def _remove_directories(config: Config) -> None:
    for directory in _directories(config):
        if not any(directory.iterdir()):
            directory.rmdir()
