"""Retention: removes whole sessions from a journal if an acknowledged export contains them.

An export is acknowledged when its receiver has checked it and gives back its code (`sabot journal code EXPORT`). The
rest of the journal still verifies from its first segment on; a signed statement names the removed entries. The
controller must be stopped. If the process dies in the middle, the files that it leaves are ignored, and removed later.

A start or a replay needs the state after the removed entries. A second copy has no checkpoints, so its state is
computed from the entries before they are removed.
"""

import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.journal.errors import BadNotedCode, CodecError, Damage, JournalDamaged, JournalError, Reason
from controller.journal.noted_code import NotedCode, read_noted
from controller.journal.progress import Check, NamedKey, Wanted, is_opening
from controller.journal.recovery import Walk
from controller.journal.removed import is_signed_removed, removed_line, removed_name, sign_removed, tree_behind
from controller.journal.signing import Signer
from controller.journal.storage import DirectoryStorage, reported, sync_directory
from controller.journal.tree import Tree, with_entry
from controller.journal.verify import verify
from controller.runtime.checkpoint import is_closed, kept_start, store_before, stored_before
from controller.runtime.folded import Folded
from controller.runtime.replay import ReplayError, fold

_OF_A_SEGMENT: Final = re.compile(r"(\d{8})\.(segment|seals|words|checkpoint|removed)")


class NoStateBehind(JournalError):  # noqa: N818 (the name says what is wrong)
    """The state after the entries to remove is not stored, and this version cannot compute it from the entries."""


class NotAcknowledged(JournalError):  # noqa: N818 (the name says what is wrong)
    """The export is not complete, is of another table, or is not the export to which the code belongs."""


@dataclass(frozen=True, slots=True)
class Pruned:
    """The result of a removal. `entries`: the number of removed entries; 0 if the export contains no whole session that
    the journal still has. `files`: the number of deleted files, including those of an earlier removal. `first_seq`: the
    first entry that remains.
    """

    entries: int
    files: int
    bytes_freed: int
    first_seq: int


@dataclass(frozen=True, slots=True)
class _Mark:
    """The beginning of a segment that may become the journal's first. It has the chain value, the number of sessions
    and the hash tree of all entries before it.
    """

    segment: int
    first_seq: int
    head: bytes
    sessions: int
    tree: Tree


def prune(path: Path, exported: Path, code: str, signer: Signer) -> Pruned:
    """Removes the whole sessions that the acknowledged export contains from the journal in the directory `path`.

    `code`: the code of the export, which its receiver has given back. Raises NotAcknowledged, NoStateBehind,
    NotTheTablesKey, BadNotedCode, JournalLocked, JournalDamaged, StorageFailed.
    """
    noted = read_noted(code)
    if noted.seq is None:
        raise BadNotedCode(code)
    with DirectoryStorage(path) as storage:
        marks = _marks(storage, noted, signer)
        check_export(exported, noted, signer, marks[0].first_seq)
        mark = _last_closed(storage, marks, noted.seq, signer)
        if mark is None:
            return Pruned(0, *_clean(path, marks[0].segment), marks[0].first_seq)
        statement = sign_removed(
            acknowledged=code,
            first_seq=mark[0].first_seq,
            head=mark[0].head,
            segment=mark[0].segment,
            sessions=mark[0].sessions,
            state=mark[1],
            signer=signer,
            tree=mark[0].tree,
        )
        name = removed_name(mark[0].segment)
        storage.truncate(name, 0)  # removes the rest of an interrupted run
        storage.append(name, removed_line(statement))
        storage.sync(name)
        files, freed = _clean(path, mark[0].segment)
    return Pruned(mark[0].first_seq - marks[0].first_seq, files, freed, mark[0].first_seq)


def _marks(storage: DirectoryStorage, noted: NotedCode, signer: Signer) -> list[_Mark]:
    """Returns the beginnings of all segments.

    Raises JournalDamaged for any damage, even a closed one; NotAcknowledged if the noted entry is not in this journal;
    NotTheTablesKey if the last start has another key than the signer's.
    """
    walk = Walk(storage)
    if walk.removed is not None and not is_signed_removed(walk.removed):  # another writer's statement is not trusted
        raise JournalDamaged(Damage(walk.removed.first_seq, walk.removed.segment, 0, Reason.SIGNATURE))
    key = NamedKey(walk.removed)
    sessions = walk.removed.sessions if walk.removed is not None else 0
    tree = tree_behind(walk.removed)
    marks = [_Mark(walk.start.segment, walk.start.next_seq, walk.start.head, sessions, tree)]
    head = walk.start.head
    is_ours = noted.seq is not None and noted.seq < walk.start.next_seq  # the noted entry is removed already
    for verified in walk:
        if verified.segment != marks[-1].segment:
            marks.append(_Mark(verified.segment, verified.entry.seq, head, sessions, tree))
        tree = with_entry(tree, verified.record.seq, verified.record.payload)
        key.behind(verified.entry)
        sessions += is_opening(verified.entry)
        head = verified.record.chain
        is_ours = is_ours or noted.is_of(verified.entry.seq, head, sessions)
    if walk.damage is not None or walk.sealed:
        raise JournalDamaged(walk.damage or walk.sealed[0].damage)
    key.require(signer.public_key)
    if not is_ours:
        raise NotAcknowledged("the code is not of an entry of this journal")
    return marks


def check_export(exported: Path, noted: NotedCode, signer: Signer, first_seq: int) -> None:
    """Raises NotAcknowledged unless the export is complete, is signed with the table's key, has the entry that `noted`
    names, and begins at `first_seq` or before.
    """
    found = verify(exported, Wanted(signer.public_key, noted))
    begins = 1 if found.removed is None else found.removed.first_seq
    if not found.ok or found.signature is not Check.VALID or found.anchor is not Check.VALID or begins > first_seq:
        raise NotAcknowledged(f"the export {exported} does not verify with this code and the table's key")


def _last_closed(storage: DirectoryStorage, marks: list[_Mark], seq: int, signer: Signer) -> tuple[_Mark, str] | None:
    """Returns the beginning of the last segment before which all entries may be removed, and the SHA-256 of its
    checkpoint. None if no segment is suitable. Raises NoStateBehind.

    At this beginning no session may be open, and the export must have all earlier entries. `seq`: the last entry of the
    export. Writes the checkpoint if it is missing.
    """
    acknowledged = [mark for mark in marks[1:] if mark.first_seq - 1 <= seq]
    stored = {mark.segment: stored_before(storage, mark.segment, signer.public_key) for mark in acknowledged}
    last = _last_of(acknowledged, {number: found[0] for number, found in stored.items() if found is not None})
    if None in stored.values():
        made = _last_of(acknowledged, folded := _folded_to(storage, stored))
        if made is None and last is None and not stored.keys() <= folded.keys():
            raise NoStateBehind(f"no state before any of the segments {sorted(stored)}")
        if made is not None and (last is None or last.segment < made.segment):
            return made, store_before(storage, made.segment, folded[made.segment], made.head, signer)
    found = None if last is None else stored[last.segment]
    return None if last is None or found is None else (last, found[1])


def _last_of(marks: list[_Mark], states: Mapping[int, Folded]) -> _Mark | None:
    """Returns the last of `marks` at which no session is open, according to `states`; None if there is no such mark."""
    closed = (mark for mark in reversed(marks) if mark.segment in states and is_closed(states[mark.segment]))
    return next(closed, None)


def _folded_to(storage: DirectoryStorage, segments: Collection[int]) -> dict[int, Folded]:
    """Replays the entries and returns the state before each segment in `segments`. Stops at an entry that this version
    cannot replay.
    """
    walk, kept, found = Walk(storage), kept_start(storage), dict[int, Folded]()
    if walk.removed is not None and kept is None:
        return found
    folded = Folded() if kept is None else kept.folded
    with suppress(ReplayError, CodecError):  # without states from here on: the caller reports it
        for verified in walk:
            if verified.segment in segments:
                found.setdefault(verified.segment, folded)
                if len(found) == len(segments):
                    break
            folded = fold(folded, verified.entry)
    return found


def _clean(path: Path, first: int) -> tuple[int, int]:
    """Deletes all files of the segments before the segment `first`. Returns the number of files, and the number of
    freed bytes.
    """
    files = freed = 0
    with reported("delete", str(path)):
        for file in sorted(path.iterdir()):
            found = _OF_A_SEGMENT.fullmatch(file.name)
            if found is not None and int(found[1]) < first:
                files += 1
                freed += file.stat().st_size
                file.unlink()
        sync_directory(path)
    return files, freed
