"""The signed marks for the journal in a backup. Making a backup signs a mark for the last entry taken. A restore takes
entries up to that mark.

Anyone with the public key can encrypt a backup. So a restore trusts only entries up to a mark by the key that the
journal's last start names, as for a journal on any other medium (controller/journal/FORMAT.md).
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.backup.sealed_stream import BackupRefused
from controller.journal.copies import Position, end_of
from controller.journal.epoch import epoch_of
from controller.journal.errors import JournalDamaged, NotTheTablesKey, Reason, SigningKeyRefused
from controller.journal.format import segment_name, segment_number
from controller.journal.mark import encode_mark, last_covered, mark_at, read_mark_file, signed_marks
from controller.journal.progress import NamedKey
from controller.journal.recovery import Walk, list_segments
from controller.journal.signing import key_path, read_signer
from controller.journal.storage import DirectoryReader
from controller.journal.verify import tip_now

_LACKS: Final = {Reason.EMPTY: "backup-no-journal", Reason.MISSING: "backup-segment-missing"}
"""The refusal of a journal whose segments are missing, by the reason why it does not verify."""


@dataclass(frozen=True, slots=True)
class Taken:
    """The part of a journal that a backup takes: the position where it ends, and the signed mark for its last entry."""

    until: Position
    mark: bytes

    def size_of(self, name: str, size: int) -> int:
        """Returns the number of bytes that the backup takes of the journal's file `name` with `size` bytes: all, a part
        of the last segment, or 0 of a later segment.
        """
        number = segment_number(name)
        if number is None or number < self.until.segment:
            return size
        return self.until.size if number == self.until.segment else 0


def taken_now(journal: Path, table: str) -> Taken | None:
    """Returns the part of the journal that a backup takes now, with a new mark.

    Returns None if the journal is damaged or no signing key is there. Raises StorageFailed, and BackupRefused for a
    missing segment.
    """
    try:
        tip, sessions, tree = tip_now(journal)
        signer = read_signer(key_path(journal))
    except JournalDamaged as error:
        if (word := _LACKS.get(error.damage.reason)) is None:
            return None
        raise BackupRefused(word, journal=str(journal), entry=str(error.damage.first_bad_seq)) from error
    except SigningKeyRefused:
        return None
    mark = mark_at(tip, tree, session=sessions, table=table, epoch=epoch_of(journal))
    return Taken(Position(tip.segment, tip.size), encode_mark(mark, signer))


def cut_to_mark(journal: Path, key: Path, mark: Path, table: str) -> bool:
    """Cuts an unpacked journal after the last entry that a mark covers. Returns True if bytes were cut.

    `key`, `mark`: the paths of the table's secret key and of the mark. Raises BackupRefused if no mark signed with the
    key covers an entry, or if the journal's last start names another key. Raises StorageFailed.
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
    """Raises NotTheTablesKey if the last start up to the entry `last` names another key than `public_key`."""
    walk = Walk(storage)
    named = NamedKey(walk.removed)
    for verified in walk:
        if verified.record.seq > last:
            break
        named.behind(verified.entry)
    named.require(public_key)


def _cut(path: Path, size: int) -> bool:
    """Cuts a file to `size` bytes. Returns True if the file was longer."""
    if path.stat().st_size == size:
        return False
    with path.open("r+b") as file:
        file.truncate(size)
    return True
