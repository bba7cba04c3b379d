"""Makes a table's request to a witness from its journal, and compares a mark with the journal's entries."""

from pathlib import Path
from typing import Final

from controller.journal.asked import encode_request
from controller.journal.cosigned import read_cosigned
from controller.journal.errors import NotProved
from controller.journal.inclusion import NotInTree, consistency_ranges
from controller.journal.mark import Mark, begun_path, decode_mark_notes, read_mark_file
from controller.journal.note import Note
from controller.journal.proof import grown
from controller.journal.recovery import Walk
from controller.journal.storage import DirectoryReader

MOST_IN_A_CODE: Final = 2953
"""The most bytes in one QR code (version 40, the lowest correction)."""


def mark_beside(journal: Path, key: str) -> tuple[Mark, Note]:
    """Returns the journal's own mark and its note. Raises NotProved if the mark's file is missing or unreadable, or has
    no mark that `key` has signed.
    """
    found = next(decode_mark_notes(read_mark_file(begun_path(journal)) or b"", key), None)
    if found is None:
        raise NotProved("no-mark", path=str(journal))
    return found


def request_from(journal: Path, mark: Mark, note: Note, old: int) -> bytes:
    """A request to a witness: the mark's note, and the proof that the mark's tree continues the tree of `old` leaves.

    Raises NotProved, JournalDamaged, StorageFailed.
    """
    wanted = consistency_ranges(old, mark.seq)
    with DirectoryReader(journal) as storage:
        ranges = grown(Walk(storage), mark.seq, wanted)
    if ranges.tree.root().hex() != mark.root:
        raise NotProved("other-tree", signed=str(mark.seq))
    try:
        return encode_request(old, ranges.hashes(wanted), note)
    except NotInTree as gone:
        raise NotProved("not-here", first=str(old), last=str(mark.seq)) from gone


def request_for_any(journal: Path, key: str) -> bytes:
    """Returns a request that continues the largest cosigned checkpoint of the present epoch. If no checkpoint is
    cosigned, the request is for a witness that has signed none.

    Raises NotProved, JournalDamaged, StorageFailed.
    """
    mark, note = mark_beside(journal, key)
    seen = [one.seq for one, _note in read_cosigned(journal, key) if one.epoch == mark.epoch and one.seq <= mark.seq]
    return request_from(journal, mark, note, max(seen, default=0))


def has_tree(journal: Path, mark: Mark) -> bool:
    """True if the journal's tree over entries 1 to `mark.seq` has the mark's head. False if the tree has another head
    or the journal ends earlier. Raises NotProved if retention has removed entries after the mark's, JournalDamaged,
    StorageFailed.
    """
    with DirectoryReader(journal) as storage:
        tree = grown(Walk(storage), mark.seq, ()).tree
    if tree.size > mark.seq:
        raise NotProved("not-here", first="1", last=str(mark.seq))
    return tree.size == mark.seq and tree.root().hex() == mark.root
