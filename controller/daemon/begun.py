"""A mark beside the journal that it has begun: a journal that is gone since must not start as a fresh table."""

import os
from pathlib import Path

from controller.journal.storage import reported, sync_directory


def begun_path(journal: Path) -> Path:
    """Where the mark lies."""
    return journal.with_name(journal.name + ".begun")


def mark_begun(journal: Path) -> None:
    """Makes the mark, if it is not there; durable on return. StorageFailed."""
    path = begun_path(journal)
    with reported("mark", str(path)):
        if not path.exists():
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600))
            sync_directory(path.parent)
