"""How often a journal was brought back from a backup: its epoch, 1 for one that never was.

It lies beside the journal, in the marks, and from 2 on in each start's findings. The old computer has the same journal
with a lower one: a twin, which must not go on once anything of the newer epoch reaches it.
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
    """Where the number lies, beside the journal's directory."""
    return journal.with_name(journal.name + ".epoch")


def restored_path(journal: Path) -> Path:
    """Where it lies that the next start is the first one after a restoring."""
    return journal.with_name(journal.name + ".restored")


LARGEST_EPOCH: Final = 1_000_000

_LONGEST: Final = 200
"""Bytes of either file that are read."""

_SAID: Final = re.compile(r"(?:restored )?epoch ([0-9]{1,9})(?: .*)?")


def epoch_finding(epoch: int) -> tuple[str, ...]:
    """A start's record of its epoch; the first epoch needs none."""
    return (f"epoch {epoch}",) if epoch > 1 else ()


def epoch_said(findings: Iterable[str]) -> int:
    """The epoch of the start with these findings."""
    return max((int(match[1]) for one in findings if (match := _SAID.fullmatch(one))), default=1)


def epoch_of(journal: Path) -> int:
    """1 for a journal that was never restored."""
    with suppress(StorageFailed, ValueError):
        return int(_text(epoch_path(journal)) or "1")
    return 1


def own_epoch(journal: Path, table: str, key: str) -> int:
    """As what lies beside the journal says; behind a restoring the one that begins now."""
    own = signed_marks((read_mark_file(begun_path(journal)),), table, key)
    return max([epoch_of(journal), *(mark.epoch for mark in own)])


def covered_heads(journal: Path, other: Path, table: str, key: str) -> dict[int, str]:
    """Entry and chain value of each mark, of those two, that covers what `other` has more. StorageFailed.

    One of an older epoch does not: the old computer has the same key. Behind a restoring the backup's is no older one.
    """
    epoch = own_epoch(journal, table, key) - (restored_findings(journal) != ())
    found = (read_mark_file(begun_path(path)) for path in (journal, other))
    return {mark.seq: mark.head for mark in signed_marks(found, table, key) if mark.epoch >= epoch}


def keep_epoch(journal: Path, epoch: int) -> None:
    """Durable on return. StorageFailed."""
    with reported("write", str(epoch_path(journal))):
        write_whole(epoch_path(journal), f"{epoch}\n".encode())


def restored_findings(journal: Path) -> tuple[str, ...]:
    """The records that the first start behind a restore has to make. StorageFailed."""
    said = _text(restored_path(journal))
    return () if said is None else (said,)


def _text(path: Path) -> str | None:
    """The text of the file; None where no file lies there. StorageFailed."""
    if not path.is_file():
        return None
    with reported("read", str(path)), open_file(path) as file:
        return file.read(_LONGEST).decode("ascii", "replace").strip()


def clear_restored(journal: Path) -> None:
    """It has been stated. StorageFailed."""
    path = restored_path(journal)
    with reported("clear", str(path)):
        if path.exists():
            path.unlink()
            sync_directory(path.parent)
