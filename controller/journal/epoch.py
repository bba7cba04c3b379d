"""The epoch of a journal: a number that begins at 1, and grows with each restore from a backup and each start without
signed entries.

The epoch is in a file beside the journal and in the marks; from epoch 2 on it is also in the findings of each start.
After a restore the old computer still has the journal with a lower epoch. The old computer must not continue that
journal once it finds the newer epoch.
"""

import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from controller.journal.errors import StorageFailed
from controller.journal.mark import begun_path, read_mark_file, signed_marks
from controller.journal.storage import open_file, reported, sync_directory, write_whole


def epoch_path(journal: Path) -> Path:
    """The path of the epoch's file, beside the journal's directory."""
    return journal.with_name(journal.name + ".epoch")


def restored_path(journal: Path) -> Path:
    """The path of the file that says that the next start is the first after a restore."""
    return journal.with_name(journal.name + ".restored")


LARGEST_EPOCH: Final = 1_000_000

_LONGEST: Final = 200
"""The most bytes that are read from the file of the epoch, or of the restore."""

_SAID: Final = re.compile(r"(?:restored )?epoch ([0-9]{1,9})(?: .*)?")


def epoch_finding(epoch: int) -> tuple[str, ...]:
    """Returns the finding with which a start records its epoch. Returns () for the first epoch."""
    return (f"epoch {epoch}",) if epoch > 1 else ()


def epoch_said(findings: Iterable[str]) -> int:
    """Reads the epoch from the findings of a start. Returns 1 if no finding names an epoch."""
    return max((int(match[1]) for one in findings if (match := _SAID.fullmatch(one))), default=1)


def epoch_of(journal: Path) -> int:
    """Reads the epoch from the file beside the journal. Returns 1 if the file is missing or unreadable."""
    with suppress(StorageFailed, ValueError):
        return int(note_at(epoch_path(journal)) or "1")
    return 1


def own_epoch(journal: Path, table: str, key: str) -> int:
    """Returns the highest epoch in the epoch's file and in the journal's own marks of `table` that `key` has signed."""
    own = signed_marks((read_mark_file(begun_path(journal)),), table, key)
    return max([epoch_of(journal), *(mark.epoch for mark in own)])


def covered_heads(journal: Path, other: Path, table: str, key: str) -> dict[int, str]:
    """Returns the chain value of each entry that a mark covers, by the entry's number. Raises StorageFailed.

    Reads the marks beside `journal` and beside `other`, and counts those of `table` that `key` has signed. A mark of an
    older epoch does not count: the computer from before a restore has the same key. The first start after a restore
    also counts the marks of the epoch before.
    """
    epoch = own_epoch(journal, table, key) - (restored_findings(journal) != ())
    found = (read_mark_file(begun_path(path)) for path in (journal, other))
    return {mark.seq: mark.head for mark in signed_marks(found, table, key) if mark.epoch >= epoch}


def keep_epoch(journal: Path, epoch: int) -> None:
    """Writes the epoch, durable on return. Raises StorageFailed."""
    with reported("write", str(epoch_path(journal))):
        write_whole(epoch_path(journal), f"{epoch}\n".encode())


def restored_findings(journal: Path) -> tuple[str, ...]:
    """Returns the finding by which the first start after a restore records the restore. Returns () at any other start.

    Raises StorageFailed.
    """
    said = note_at(restored_path(journal))
    return () if said is None else (said,)


def note_at(path: Path) -> str | None:
    """Returns the first _LONGEST bytes of a file as text, without white space at the ends. Returns None for a missing
    file.

    Raises StorageFailed.
    """
    if not path.is_file():
        return None
    with reported("read", str(path)), open_file(path) as file:
        return file.read(_LONGEST).decode("ascii", "replace").strip()


def clear_restored(journal: Path) -> None:
    """Removes the file that says that the next start is the first after a restore. Raises StorageFailed."""
    remove_note(restored_path(journal))


def remove_note(path: Path) -> None:
    """Removes the file `path` beside the journal, durable on return. Does nothing if the file is missing. Raises
    StorageFailed.
    """
    with reported("clear", str(path)):
        if path.exists():
            path.unlink()
            sync_directory(path.parent)
