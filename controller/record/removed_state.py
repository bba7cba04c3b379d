"""Finds the state before the first entry of a journal from which retention has removed older entries. A replay begins
with this state.

An export that begins after a removal has no such state. The state in a directory's checkpoint is only as trustworthy as
the directory's owner. A checker who has kept the acknowledged exports replays them first, up to the chain value in the
statement on the removed entries.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from controller.journal.entry import Entry
from controller.journal.errors import CodecError, NoStateHere, NotBehind
from controller.journal.export_check import export_entries
from controller.journal.format import HEADER_SIZE, Header, decode_header
from controller.journal.progress import ANYTHING, Progress
from controller.journal.recovery import FIRST_SEQ, Tip, list_segments
from controller.journal.removed import LARGEST_STATEMENT, Removed, decode_removed, read_removed
from controller.journal.storage import DirectoryReader, open_file, reported
from controller.runtime.checkpoint import UNSIGNED, folded_before, stored_before
from controller.runtime.folded import Folded
from controller.runtime.replay import ReplayError, fold


def removed_before(path: Path) -> Removed | None:
    """The statement on removed entries at the beginning of the journal or export at `path`; None if no entries were
    removed. Raises StorageFailed.
    """
    if path.is_dir():
        with DirectoryReader(path) as storage:
            return read_removed(storage)
    with reported("read", str(path)), open_file(path) as file:
        line = file.readline(LARGEST_STATEMENT)
    try:
        return decode_removed(line)
    except CodecError:
        return None


def folded_behind(path: Path, exports: Sequence[Path] = (), rules: str | None = None) -> Folded:
    """Returns the state after the removed entries; an empty state if no entries were removed.

    `exports`: the acknowledged exports in order, which are replayed; if empty, the state is read from the directory
    `path`. `rules`: as for `fold`. Raises NoStateHere, NotBehind, StorageFailed.
    """
    removed = removed_before(path)
    if removed is None:
        return Folded()
    if exports:
        return _folded_through(exports, removed, rules)
    if (missing := no_state_here(path)) is not None:
        raise missing
    return folded_before(path)


def no_state_here(path: Path, exports: Sequence[Path] = ()) -> NoStateHere | None:
    """Returns the error that `folded_behind` would raise for a missing state after the removed entries. None if the
    state is there, or if no entries were removed. Raises StorageFailed.
    """
    removed = removed_before(path)
    if removed is None or exports or folded_before(path).state is not None:
        return None
    return NoStateHere(removed.first_seq, removed.sessions, removed.acknowledged)


def before_session(path: Path, session: int) -> tuple[Folded, Tip | None]:
    """Returns the state of the newest checkpoint before the opening of session `session`, and the place of the first
    entry after this checkpoint. Raises StorageFailed.

    Without such a checkpoint returns an empty state and None, for the journal's beginning. Does not check the
    checkpoint's signature.
    """
    with DirectoryReader(path) as storage:
        for number, name in reversed(list_segments(storage)):
            found = stored_before(storage, number, UNSIGNED)
            state = None if found is None else found[0].state
            header = decode_header(storage.read(name)[:HEADER_SIZE])
            if found and state and state.house.session_number < session and isinstance(header, Header):
                return found[0], Tip(number, 0, header.previous_head, header.first_seq)
    return Folded(), None


def _folded_through(exports: Sequence[Path], removed: Removed, rules: str | None) -> Folded:
    """Replays all exports and returns the state after them. Each export must continue the chain of the export before
    it.

    Raises NotBehind.
    """
    begins = [found for found in map(removed_before, exports) if found is not None]
    heads = {one.first_seq - 1: one.head for one in (*begins, removed)}
    folded = Folded()
    for export in exports:
        for entry in _entries(export, heads, removed.first_seq):
            if folded.last_seq < entry.seq < removed.first_seq:
                folded = _one_more(folded, entry, export, rules)
    if folded.last_seq != removed.first_seq - 1:
        raise NotBehind(exports[-1], removed.first_seq)
    return folded


def _one_more(folded: Folded, entry: Entry, export: Path, rules: str | None) -> Folded:
    if entry.seq != folded.last_seq + 1:
        raise NotBehind(export, folded.last_seq + 1)
    try:
        return fold(folded, entry, rules)
    except (ReplayError, CodecError) as error:
        raise NotBehind(export, entry.seq) from error


def _entries(export: Path, heads: Mapping[int, str], first_seq: int) -> Iterator[Entry]:
    """Yields the entries of an export. Raises NotBehind if the export does not verify, or if an entry's chain value
    differs from that in `heads`.
    """
    progress = Progress(ANYTHING)
    for entry in export_entries(export, progress):
        if heads.get(entry.seq, progress.head.hex()) != progress.head.hex():
            raise NotBehind(export, entry.seq)
        yield entry
    if progress.beyond is not None or progress.next_seq == FIRST_SEQ:
        raise NotBehind(export, first_seq)
