"""Checking a journal or an export: does every byte verify, and which entry is the first that does not."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum, unique
from pathlib import Path
from typing import Final

from controller.journal.entry import Entry, decode_entry
from controller.journal.errors import CodecError, Damage, JournalDamaged, Reason
from controller.journal.format import MAX_PAYLOAD, ZERO, record_chain
from controller.journal.lines import decode_left_out, last_line, payload_of, record_line
from controller.journal.recovery import FIRST_SEQ, Walk
from controller.journal.storage import DirectoryReader, ReadableStorage, reported

_LINE_LIMIT: Final = MAX_PAYLOAD + 256


@unique
class Check(StrEnum):
    """What became of the signature, or of the comparison with a noted head."""

    VALID = "valid"
    INVALID = "invalid"
    ABSENT = "absent"
    NOT_CHECKED = "not-checked"


@dataclass(frozen=True, slots=True)
class Verification:
    """`entries` and `head` (hex) are what verifies; `first_bad` and `reason` what does not."""

    ok: bool
    entries: int
    head: str
    first_bad: int | None
    reason: Reason | None
    signature: Check = Check.ABSENT  # exports will be signed; nothing is yet
    anchor: Check = Check.NOT_CHECKED


@dataclass(slots=True)
class _Progress:
    """How far a check has come; only the first fault is kept."""

    noted_head: str | None
    entries: int = 0
    head: bytes = ZERO
    next_seq: int = FIRST_SEQ
    first_bad: int | None = None
    reason: Reason | None = None
    anchored: bool = False
    stopped: Reason | None = None

    def entry(self, seq: int, chain: bytes) -> None:
        self.entries += 1
        self.head, self.next_seq = chain, seq + 1
        self.anchored = self.anchored or chain.hex() == self.noted_head

    def bad(self, seq: int, reason: Reason) -> None:
        if self.reason is None:
            self.first_bad, self.reason = seq, reason

    def stop(self, reason: Reason) -> None:
        """Nothing behind this can be checked."""
        if self.stopped is None:
            self.stopped = reason
            self.bad(self.next_seq, reason)

    def result(self) -> Verification:
        if not self.entries:
            self.bad(FIRST_SEQ, Reason.EMPTY)
        anchor = Check.NOT_CHECKED
        if self.noted_head is not None:
            anchor = Check.VALID if self.anchored else Check.INVALID
        if anchor is Check.INVALID:
            self.bad(self.next_seq, Reason.HEAD)
        ok = self.reason is None
        return Verification(ok, self.entries, self.head.hex(), self.first_bad, self.reason, anchor=anchor)


def verify(path: Path, *, head: str | None = None) -> Verification:
    """Check the journal in a directory or the export in a file. StorageFailed if there is none to read.

    `head` is a chain value (64 hex digits) that somebody noted: an entry must have it. Without it a journal
    whose last entries were removed whole verifies; an export's last line shows that by itself.
    """
    noted = head.strip().lower() if head is not None else None
    if path.is_dir():
        with DirectoryReader(path) as storage:
            return verify_storage(storage, head=noted)
    return _verify_export(path, noted)


def verify_storage(storage: ReadableStorage, *, head: str | None = None) -> Verification:
    """As `verify`, behind the port. A torn tail is not ok: the next start of the controller will cut it."""
    progress = _Progress(head)
    walk = Walk(storage)
    for verified in walk:
        progress.entry(verified.record.seq, verified.record.chain)
    for damage in [sealed.damage for sealed in walk.sealed] + ([walk.damage] if walk.damage else []):
        progress.bad(damage.first_bad_seq, damage.reason)
    if walk.torn is not None:
        progress.bad(walk.torn.seq, Reason.INCOMPLETE)
    return progress.result()


def _verify_export(path: Path, noted_head: str | None) -> Verification:
    progress = _Progress(noted_head)
    for _ in _export_entries(path, progress):
        pass
    return progress.result()


def entries_of(path: Path) -> Iterator[Entry]:
    """Every entry of a journal's directory or of an export; JournalDamaged where one does not verify.

    A torn tail is no entry; a damaged part that people have closed is passed over. An export that was cut
    is damaged.
    """
    if path.is_dir():
        with DirectoryReader(path) as storage:
            walk = Walk(storage)
            for verified in walk:
                yield verified.entry
        if walk.damage is not None:
            raise JournalDamaged(walk.damage)
        return
    progress = _Progress(None)
    yield from _export_entries(path, progress)
    if progress.stopped is not None:
        raise JournalDamaged(Damage(progress.next_seq, 0, progress.entries, progress.stopped))


def _export_entries(path: Path, progress: _Progress) -> Iterator[Entry]:
    ended = False
    with reported("read", str(path)), path.open("rb") as file:
        while (line := file.readline(_LINE_LIMIT)) and progress.stopped is None:
            payload = payload_of(line)
            if ended:
                progress.stop(Reason.LAST_LINE)
            elif payload is None:
                ended = _other_line(line, progress)
            elif (entry := _entry_line(line, payload, progress)) is not None:
                yield entry
    if not ended:
        progress.stop(Reason.LAST_LINE)


def _entry_line(line: bytes, payload: bytes, progress: _Progress) -> Entry | None:
    if not 1 <= len(payload) <= MAX_PAYLOAD:
        progress.stop(Reason.LINE)
        return None
    chain = record_chain(progress.head, payload)
    if line != record_line(chain, payload):
        progress.stop(Reason.CHAIN)
        return None
    try:
        entry = decode_entry(payload, seq=progress.next_seq)
    except CodecError:
        progress.stop(Reason.ENTRY)
        return None
    progress.entry(entry.seq, chain)
    return entry


def _other_line(line: bytes, progress: _Progress) -> bool:
    """Take the last line (True) or one that says what was left out (False); anything else stops the check."""
    if line == last_line(progress.entries, progress.head):
        return True
    try:
        left_out = decode_left_out(line)
    except CodecError:
        progress.stop(Reason.LINE)
        return False
    if line[-1:] != b"\n" or left_out.first_bad != progress.next_seq or left_out.next_seq <= left_out.first_bad:
        progress.stop(Reason.LINE)
        return False
    progress.bad(left_out.first_bad, left_out.reason)
    progress.next_seq = left_out.next_seq
    return False
