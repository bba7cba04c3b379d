"""How often a journal was brought back from a backup.

Each time stands in an entry, with the number behind which the restored journal goes on. A journal that goes on without
that entry is the old computer's: a twin.
"""

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
