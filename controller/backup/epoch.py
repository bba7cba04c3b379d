"""How often a journal was brought back from a backup.

Each time stands in an entry, with the number behind which the restored journal goes on. A journal that goes on without
that entry is the old computer's: a twin.
"""

import os
from pathlib import Path

from controller.journal.storage import reported, sync_directory


def epoch_path(journal: Path) -> Path:
    """Where the number lies, beside the journal's directory."""
    return journal.with_name(journal.name + ".epoch")


def restored_path(journal: Path) -> Path:
    """Where it lies that the next start is the first one after a restoring."""
    return journal.with_name(journal.name + ".restored")


def epoch_of(journal: Path) -> int:
    """1 for a journal that was never restored."""
    try:
        return int(epoch_path(journal).read_text("ascii"))
    except (OSError, ValueError):
        return 1


def restored_findings(journal: Path) -> tuple[str, ...]:
    """What the first start after a restoring has to state. StorageFailed."""
    path = restored_path(journal)
    with reported("read", str(path)):
        return (path.read_text("ascii").strip(),) if path.is_file() else ()


def clear_restored(journal: Path) -> None:
    """It has been stated. StorageFailed."""
    path = restored_path(journal)
    with reported("clear", str(path)):
        if path.exists():
            path.unlink()
            sync_directory(path.parent)


def write_small(path: Path, text: str) -> None:
    """A small file, whole and durable on return. Raises OSError."""
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        os.write(descriptor, text.encode("ascii"))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    new.replace(path)
    sync_directory(path.parent)
