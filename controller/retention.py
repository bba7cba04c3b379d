"""Retention: whole sessions that stand in an acknowledged export may go from the journal; nothing else ever does.

Acknowledged is an export when whoever received it has checked it and gives back its code (`sabot journal code EXPORT`).
What is left verifies as before, from the first kept segment on; a signed statement says what is gone. The controller
must be stopped, and a death in the middle leaves files that count for nothing and go next time.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.journal.errors import BadNotedCode, JournalDamaged, JournalError
from controller.journal.noted import Noted, read_noted
from controller.journal.progress import Check, NamedKey, Wanted, is_opening
from controller.journal.recovery import Walk
from controller.journal.removed import removed_line, removed_name, sign_removed
from controller.journal.signing import Signer
from controller.journal.storage import DirectoryStorage, reported, sync_directory
from controller.journal.verify import verify
from controller.runtime.checkpoint import closed_before

_OF_A_SEGMENT: Final = re.compile(r"(\d{8})\.(segment|seals|checkpoint|removed)")


class NotAcknowledged(JournalError):  # noqa: N818 (the name says what is wrong)
    """The export is not whole, not this table's, or not the one whose code was given back."""


@dataclass(frozen=True, slots=True)
class Pruned:
    """What went and what is left. `entries` 0: no whole session more stands in the export."""

    entries: int
    bytes_freed: int
    first_seq: int


@dataclass(frozen=True, slots=True)
class _Mark:
    """Where a segment begins: how much stands before it."""

    segment: int
    first_seq: int
    head: bytes
    sessions: int


def prune(path: Path, exported: Path, code: str, signer: Signer) -> Pruned:
    """Removes what is acknowledged.

    NotAcknowledged, NotTheTablesKey, BadNotedCode, JournalLocked, JournalDamaged, StorageFailed.
    """
    noted = read_noted(code)
    if noted.seq is None:
        raise BadNotedCode(code)
    with DirectoryStorage(path) as storage:
        marks = _marks(storage, noted, signer)
        _check_export(exported, noted, signer, marks[0].first_seq)
        mark = _last_closed(storage, marks, noted.seq)
        if mark is None:
            return Pruned(0, _clean(path, marks[0].segment), marks[0].first_seq)
        statement = sign_removed(
            acknowledged=code,
            first_seq=mark[0].first_seq,
            head=mark[0].head,
            segment=mark[0].segment,
            sessions=mark[0].sessions,
            state=mark[1],
            signer=signer,
        )
        name = removed_name(mark[0].segment)
        storage.truncate(name, 0)  # a beginning that a death left is none: the statement is written anew
        storage.append(name, removed_line(statement))
        storage.sync(name)
        freed = _clean(path, mark[0].segment)
    return Pruned(mark[0].first_seq - marks[0].first_seq, freed, mark[0].first_seq)


def _marks(storage: DirectoryStorage, noted: Noted, signer: Signer) -> list[_Mark]:
    """Where each segment begins; the noted entry must be one of this journal, and the key its last start's."""
    walk = Walk(storage)
    key = NamedKey(walk.removed)
    sessions = walk.removed.sessions if walk.removed is not None else 0
    marks = [_Mark(walk.start.segment, walk.start.next_seq, walk.start.head, sessions)]
    head = walk.start.head
    is_ours = noted.seq is not None and noted.seq < walk.start.next_seq  # gone already
    for verified in walk:
        if verified.segment != marks[-1].segment:
            marks.append(_Mark(verified.segment, verified.entry.seq, head, sessions))
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


def _check_export(exported: Path, noted: Noted, signer: Signer, first_seq: int) -> None:
    found = verify(exported, Wanted(signer.public_key, noted))
    begins = 1 if found.removed is None else found.removed.first_seq
    if not found.ok or found.signature is not Check.VALID or found.anchor is not Check.VALID or begins > first_seq:
        raise NotAcknowledged(f"the export {exported} does not verify with this code and the table's key")


def _last_closed(storage: DirectoryStorage, marks: list[_Mark], seq: int) -> tuple[_Mark, str] | None:
    """The last segment that follows a closed session, with nothing before it that is not in the export."""
    for mark in reversed(marks[1:]):
        if mark.first_seq - 1 <= seq and (found := closed_before(storage, mark.segment)) is not None:
            return mark, found[1]
    return None


def _clean(path: Path, first: int) -> int:
    """Deletes every file of the segments before `first`; how many bytes that frees."""
    freed = 0
    with reported("delete", str(path)):
        for file in sorted(path.iterdir()):
            found = _OF_A_SEGMENT.fullmatch(file.name)
            if found is not None and int(found[1]) < first:
                freed += file.stat().st_size
                file.unlink()
        sync_directory(path)
    return freed
