"""Checks a journal or an export: finds the first entry that does not verify."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from controller.journal.cosigned import notes_beside
from controller.journal.entry import Entry
from controller.journal.errors import Damage, JournalDamaged, Reason
from controller.journal.export_check import export_entries
from controller.journal.lines import Kept
from controller.journal.note import Note
from controller.journal.noted_code import code_of
from controller.journal.progress import ANYTHING, LOOKED_AT, Progress, Verification, Wanted
from controller.journal.recovery import FIRST_SEQ, Tip, Walk
from controller.journal.removed import tree_behind
from controller.journal.storage import DirectoryReader, ReadableStorage
from controller.journal.tree import Tree, with_entry
from controller.journal.words import DELETED, TYPED, Words, commitments_in, words_of


def verify(path: Path, wanted: Wanted = ANYTHING) -> Verification:
    """Checks the journal in a directory, or the export in a file. Raises StorageFailed if `path` cannot be read.

    Only a noted code shows that a journal's last entries were cut off. An export's last line has their number. A
    directory has no signature, so its starts must name the wanted key.
    """
    if path.is_dir():
        marks = notes_beside(path)  # read before the entries, since a running table adds more
        with DirectoryReader(path) as storage:
            return verify_storage(storage, wanted, marks)
    return _verify_export(path, wanted)


def noted_now(path: Path) -> str:
    """Returns the code to note for the present end of a journal or an export. Raises StorageFailed.

    Raises JournalDamaged for a damaged journal, for a journal without entries, and for an export that does not verify.
    People acknowledge an export by this code before its entries are removed.
    """
    progress = Progress(ANYTHING)
    for _ in export_entries(path, progress) if path.is_file() else _storage_entries(path, progress):
        pass
    if path.is_file() and (fault := progress.beyond) is not None:
        raise JournalDamaged(Damage(fault.first_bad, 0, 0, fault.reason))
    if not progress.entries:
        raise JournalDamaged(Damage(FIRST_SEQ, 0, 0, Reason.EMPTY))
    return code_of(progress.sessions, progress.next_seq - 1, progress.head)


def tip_now(path: Path) -> tuple[Tip, int, Tree]:
    """The end of the journal in a directory, the number of sessions it has opened, and the tree over its entries.

    Raises StorageFailed, and JournalDamaged for a damage and for a journal without entries.
    """
    progress = Progress(ANYTHING)
    with DirectoryReader(path) as storage:
        walk = Walk(storage)
        progress.begin_behind(walk.removed)
        tree = tree_behind(walk.removed)
        for verified in walk:
            progress.entry(verified.entry, verified.record.chain)
            tree = with_entry(tree, verified.record.seq, verified.record.payload)
    if walk.damage is not None:
        raise JournalDamaged(walk.damage)
    if not progress.entries:
        raise JournalDamaged(Damage(FIRST_SEQ, 0, 0, Reason.EMPTY))
    return walk.tip, progress.sessions, tree


def entries_of(path: Path) -> Iterator[Entry]:
    """Yields every entry of a journal's directory or of an export.

    Raises StorageFailed, and JournalDamaged if an entry does not verify or an export was cut. Skips an incomplete last
    record, and damaged parts that people have closed.
    """
    if path.is_dir():
        yield from _storage_entries(path, Progress(ANYTHING))
        return
    progress = Progress(ANYTHING)
    yield from export_entries(path, progress)
    if progress.stopped is not None:
        raise JournalDamaged(Damage(progress.next_seq, 0, progress.entries, progress.stopped))


def verify_storage(storage: ReadableStorage, wanted: Wanted = ANYTHING, marks: Iterable[Note] = ()) -> Verification:
    """Checks the journal in an open storage. `marks`: marks beside the journal, to compare with its tree. Raises
    StorageFailed.

    An incomplete last record is a fault, although the next start cuts it.
    """
    progress = Progress(wanted)
    progress.beside(marks)
    walk = Walk(storage)
    progress.begin_behind(walk.removed)
    typed = _pass_through(walk, progress)
    progress.without_words += _without_words(storage, typed)
    for sealed in walk.sealed:
        progress.close(sealed.damage.first_bad_seq, sealed.damage.reason)
    if walk.damage is not None:
        progress.bad(walk.damage.first_bad_seq, walk.damage.reason)
    if walk.torn is not None:
        progress.bad(walk.torn.seq, Reason.INCOMPLETE)
    return progress.result()


def _pass_through(walk: Walk, progress: Progress) -> list[tuple[int, str]]:
    """Passes every entry of a journal to `progress`, and returns each commitment to typed words with its entry.

    Written for speed, since a check reads months of play.
    """
    count, last = 0, None
    typed: list[tuple[int, str]] = []
    looked_at = None if progress.wanted.noted is not None else LOOKED_AT
    heads = progress.heads if progress.heads.are_wanted else None
    for last in walk:
        count += 1
        if not last.entry.wall_synced:
            progress.unsynced += 1
        if TYPED in last.record.payload:
            typed += [(last.record.seq, one) for one in commitments_in(last.record.payload)]
        if heads is not None:
            heads.add(last.record.seq, last.record.payload)
        if looked_at is None or last.entry.kind in looked_at:
            progress.look(last.entry, last.record.chain)
    if last is not None:
        progress.passed(count, last.entry.seq, last.record.chain)
    return typed


def _without_words(storage: ReadableStorage, typed: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Returns the entries of `typed` whose words were deleted or lost, each with the value of `Kept` for its state."""
    known = words_of(storage) if typed else {}
    states = ((seq, _state_of(known.get(commitment))) for seq, commitment in typed)
    return [(seq, state.value) for seq, state in states if state is not Kept.KEPT]


def _state_of(words: Words | None) -> Kept:
    return Kept.LOST if words is None else Kept.FORGOTTEN if words is DELETED else Kept.KEPT


def _storage_entries(path: Path, progress: Progress) -> Iterator[Entry]:
    with DirectoryReader(path) as storage:
        walk = Walk(storage)
        progress.begin_behind(walk.removed)
        for verified in walk:
            progress.entry(verified.entry, verified.record.chain)
            yield verified.entry
    if walk.damage is not None:
        raise JournalDamaged(walk.damage)


def entries_from(path: Path, tip: Tip) -> Iterator[Entry]:
    """Yields the entries of a journal's directory, beginning with the segment that starts at `tip`.

    Raises StorageFailed, JournalDamaged.
    """
    with DirectoryReader(path) as storage:
        walk = Walk(storage, tip)
        for verified in walk:
            yield verified.entry
    if walk.damage is not None:
        raise JournalDamaged(walk.damage)


def _verify_export(path: Path, wanted: Wanted) -> Verification:
    progress = Progress(wanted)
    for _ in export_entries(path, progress):
        pass
    return progress.result()
