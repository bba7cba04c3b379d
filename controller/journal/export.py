"""Writes an export: the journal as text, one record a line, for keeping and checking elsewhere."""

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Final

from controller.journal.cosigned import marks_beside
from controller.journal.entry import Entry
from controller.journal.errors import JournalDamaged, StorageFailed, StorageReason
from controller.journal.face_down import LOOKED_AT, FaceDown, NeverTurned
from controller.journal.lines import (
    is_record_line,
    last_line,
    left_out_line,
    mark_line,
    record_line,
    seal_line,
    words_line,
)
from controller.journal.new_file import new_beside
from controller.journal.note import Note
from controller.journal.progress import NamedKey
from controller.journal.recovery import VerifiedEntry, Walk
from controller.journal.removed import removed_line
from controller.journal.seals import seals_in, seals_name
from controller.journal.signing import Signer
from controller.journal.storage import (
    DirectoryReader,
    ReadableStorage,
    read_if_there,
    reported,
    sync_directory,
)
from controller.journal.words import Words, commitments_in, words_in, words_name


@dataclass(frozen=True, slots=True)
class Exported:
    """The result of an export: the number of its entries, the chain value of the last (hex), and the public key that
    signed it.
    """

    entries: int
    head: str
    public_key: str


def export(path: Path, out: Path, signer: Signer) -> Exported:
    """Exports the journal in the directory `path` to the file `out`, without an incomplete last record.

    Raises StorageFailed if an operation fails, if `out` lies in the journal, or if `out` is no regular file. Raises
    JournalDamaged for a damage that people have not closed, and NotTheTablesKey. An error leaves `out` unchanged,
    unless only the sync of its directory failed.
    """
    if belongs_to_journal(out, path):
        raise StorageFailed("export", str(out), StorageReason.REFUSED, "the file would lie in the journal itself")
    if out.exists() and not out.is_file():  # no device file may be replaced
        raise StorageFailed("export", str(out), StorageReason.NOT_A_FILE, "no regular file")
    marks = marks_beside(path, signer.public_key)  # read before the entries, since a running table adds more
    with DirectoryReader(path) as storage, reported("export", str(out)):
        with new_beside(out, 0o644) as file:
            exported = _write(storage, file, signer, marks)
        sync_directory(out.parent)
    return exported


BESIDE: Final = (
    *(".key", ".pub", ".begun", ".cosigned", ".forgotten"),
    *(".epoch", ".restored", ".updated", ".approval", ".unsigned", ".wiping"),
)
"""The endings of the names of the controller's own files and directories beside a journal, which no export may replace.
"""


def belongs_to_journal(out: Path, path: Path) -> bool:
    """True if `out` is in the journal at `path`, or is one of the files beside it (BESIDE)."""
    found, journal = Path(os.path.realpath(out)), Path(os.path.realpath(path))  # `resolve` raises for a circle of links
    return found.is_relative_to(journal) or found in {journal.with_name(journal.name + ending) for ending in BESIDE}


def _write(storage: ReadableStorage, file: BinaryIO, signer: Signer, marks: Iterable[Note]) -> Exported:
    walk, count, text = Walk(storage), 0, sha256()
    key = NamedKey(walk.removed)
    for line in lines_of(walk, storage, key.behind, marks):
        file.write(line)
        text.update(line)
        count += is_record_line(line)
    if walk.damage is not None:
        raise JournalDamaged(walk.damage)
    key.require(signer.public_key)
    file.write(last_line(count, walk.tip.head, text.digest(), signer))
    return Exported(count, walk.tip.head.hex(), signer.public_key)


def lines_of(
    walk: Walk,
    storage: ReadableStorage,
    take: Callable[[Entry], None] = lambda _entry: None,
    marks: Iterable[Note] = (),
) -> Iterator[bytes]:
    """Yields the lines of an export except the last line, up to the first entry that does not verify.

    `walk`: a walk over `storage` that has not begun. `take`: called with each entry that verifies. `marks`: each gets a
    line before the entries.
    """
    left_out, never_turned, typed = 0, _NeverTurned(storage), _Typed(storage)
    if walk.removed is not None:
        yield removed_line(walk.removed)
    yield from map(mark_line, marks)
    for verified in walk:
        yield from map(left_out_line, walk.sealed[left_out:])
        left_out = len(walk.sealed)
        take(verified.entry)
        yield record_line(verified.record.chain, verified.record.payload)
        yield from typed.lines_behind(verified)
        yield from never_turned.lines_behind(verified)


class _Typed:
    """Makes the lines of an export for typed words, which follow the line of the entry with their commitment."""

    def __init__(self, storage: ReadableStorage) -> None:
        self._storage = storage
        self._segment = 0
        self._words: dict[str, Words] = {}  # of the present segment

    def lines_behind(self, verified: VerifiedEntry) -> Iterator[bytes]:
        for commitment in commitments_in(bytes(verified.entry.body)):
            if verified.segment != self._segment or commitment not in self._words:  # a running table adds words
                self._segment = verified.segment
                self._words = words_in(read_if_there(self._storage, words_name(self._segment)))
            yield words_line(commitment, verified.entry.seq, self._words.get(commitment))


class _NeverTurned:
    """Makes the lines of an export for cards that were never turned. Their seals stay encrypted."""

    def __init__(self, storage: ReadableStorage) -> None:
        self._storage = storage
        self._face_down = FaceDown()
        self._segments: dict[int, int] = {}  # by entry with a commitment: the segment whose seal file has the seal

    def lines_behind(self, verified: VerifiedEntry) -> Iterator[bytes]:
        if verified.entry.kind in LOOKED_AT:
            self._segments[verified.entry.seq] = verified.segment
        if never_turned := self._face_down.behind(verified.entry):
            yield from self._lines(never_turned)
            self._segments.clear()

    def _lines(self, never_turned: tuple[NeverTurned, ...]) -> Iterator[bytes]:
        """Yields one line for each card in `never_turned`. The line has an empty seal if the card's seal is lost."""
        segments = {self._segments[one.entry] for one in never_turned}
        seals = {number: seals_in(read_if_there(self._storage, seals_name(number))) for number in segments}
        for one in never_turned:
            yield seal_line(one, seals[self._segments[one.entry]].get(one.commitment, b""))


def whole_text(storage: ReadableStorage, signer: Signer) -> bytes:
    """Returns a signed export, in memory, of a journal's entries before the first that does not verify."""
    return text_of(Walk(storage), storage, signer)


def text_of(walk: Walk, storage: ReadableStorage, signer: Signer) -> bytes:
    """Returns a signed export, in memory, of the entries of `walk`, which must not have begun."""
    lines = list(lines_of(walk, storage))
    text = b"".join(lines)
    return text + last_line(sum(map(is_record_line, lines)), walk.tip.head, sha256(text).digest(), signer)
