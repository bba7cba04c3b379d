"""How far the journal in a backup is signed: by a mark that the backup makes of what it takes; the restoring checks it.

A backup is encrypted to a key that many may have, and whoever has it can make one. So the journal in it is believed as
any other medium's: up to a mark of the key that its last start names (controller/journal/FORMAT.md).
"""

from dataclasses import dataclass
from pathlib import Path

from controller.backup.sealed_stream import BackupRefused
from controller.journal.copies import Position, end_of
from controller.journal.epoch import epoch_of
from controller.journal.errors import JournalDamaged, NotTheTablesKey, SigningKeyRefused
from controller.journal.format import segment_name, segment_number
from controller.journal.mark import encode_mark, last_covered, mark_at, read_mark_file, signed_marks
from controller.journal.progress import NamedKey
from controller.journal.recovery import Walk, list_segments
from controller.journal.signing import key_path, read_signer
from controller.journal.storage import DirectoryReader
from controller.journal.verify import tip_now


@dataclass(frozen=True, slots=True)
class Taken:
    """The part of a journal that a backup takes, and the mark of its last entry."""

    until: Position
    mark: bytes

    def size_of(self, name: str, size: int) -> int:
        """How many bytes of this file, which has `size`."""
        number = segment_number(name)
        if number is None or number < self.until.segment:
            return size
        return self.until.size if number == self.until.segment else 0


def taken_now(journal: Path, table: str) -> Taken | None:
    """None where it has damage, no entry or no key: then there is nothing to sign. StorageFailed."""
    try:
        tip, sessions, tree = tip_now(journal)
        signer = read_signer(key_path(journal))
    except (JournalDamaged, SigningKeyRefused):
        return None
    mark = mark_at(tip, tree, session=sessions, table=table, epoch=epoch_of(journal))
    return Taken(Position(tip.segment, tip.size), encode_mark(mark, signer))


def cut_to_mark(journal: Path, key: Path, mark: Path, table: str) -> bool:
    """Cuts an unpacked journal behind its last entry that the key has signed; whether anything was cut.

    Raises BackupRefused where nothing is signed, or where the last start names another key; StorageFailed.
    """
    try:
        public_key = read_signer(key).public_key
        with DirectoryReader(journal) as storage:
            marks = signed_marks((read_mark_file(mark),), table, public_key)
            covered = last_covered(storage, marks)
            until = None if covered is None else end_of(storage, covered.seq)
            if covered is None or until is None:
                raise BackupRefused("restore-unsigned")
            _require_named(storage, covered.seq, public_key)
            names = [name for number, name in list_segments(storage) if number >= until.segment]
    except (SigningKeyRefused, NotTheTablesKey) as error:
        raise BackupRefused("restore-unsigned") from error
    sizes = [until.size if name == segment_name(until.segment) else 0 for name in names]
    were_longer = [_cut(journal / name, size) for name, size in zip(names, sizes, strict=True)]
    return any(were_longer)


def _require_named(storage: DirectoryReader, last: int, public_key: str) -> None:
    """NotTheTablesKey where the last start up to this entry names another one."""
    walk = Walk(storage)
    named = NamedKey(walk.removed)
    for verified in walk:
        if verified.record.seq > last:
            break
        named.behind(verified.entry)
    named.require(public_key)


def _cut(path: Path, size: int) -> bool:
    """True where the file was longer, and is cut now."""
    if path.stat().st_size == size:
        return False
    with path.open("r+b") as file:
        file.truncate(size)
    return True
