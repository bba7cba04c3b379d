"""Writing an export: the journal as text, one record a line, to be kept and checked elsewhere."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from controller.journal.errors import JournalDamaged
from controller.journal.lines import last_line, left_out_line, record_line
from controller.journal.recovery import Walk
from controller.journal.storage import DirectoryReader, ReadableStorage, reported, sync_directory


@dataclass(frozen=True, slots=True)
class Exported:
    """What the export holds; `head` is the code to note down, in hex."""

    entries: int
    head: str


def export(path: Path, out: Path) -> Exported:
    """Export the journal in the directory `path` to the file `out`; a torn tail is no entry and is left out.

    StorageFailed; JournalDamaged for a damage that people have not closed. Either leaves `out` as it was.
    """
    new = out.with_name(out.name + ".new")
    with DirectoryReader(path) as storage, reported("export", str(out)):
        try:
            with new.open("wb") as file:
                exported = _write(storage, file)
            new.replace(out)
        finally:
            new.unlink(missing_ok=True)
        sync_directory(out.parent)
    return exported


def _write(storage: ReadableStorage, file: BinaryIO) -> Exported:
    walk, count, left_out = Walk(storage), 0, 0
    for verified in walk:
        for sealed in walk.sealed[left_out:]:
            file.write(left_out_line(sealed))
        left_out = len(walk.sealed)
        file.write(record_line(verified.record.chain, verified.record.payload))
        count += 1
    if walk.damage is not None:
        raise JournalDamaged(walk.damage)
    file.write(last_line(count, walk.tip.head))
    file.flush()
    os.fsync(file.fileno())
    return Exported(count, walk.tip.head.hex())
