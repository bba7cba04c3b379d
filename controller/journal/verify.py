"""Checking a journal or an export: does every byte verify, and which entry is the first that does not."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum, unique
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from controller.journal.entry import Entry, decode_entry
from controller.journal.errors import CodecError, Damage, JournalDamaged, Reason
from controller.journal.format import MAX_PAYLOAD, ZERO, record_chain
from controller.journal.lines import (
    FORMAT_NAME,
    decode_last_line,
    decode_left_out,
    is_signed_line,
    payload_of,
    record_line,
)
from controller.journal.noted import Noted, code_of
from controller.journal.recovery import FIRST_SEQ, Walk
from controller.journal.removed import Removed, decode_removed, is_signed_removed
from controller.journal.storage import DirectoryReader, ReadableStorage, reported

if TYPE_CHECKING:
    from hashlib import _Hash

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
    signature: Check = Check.ABSENT
    anchor: Check = Check.NOT_CHECKED
    removed: Removed | None = None  # by retention: what is left begins behind it


@dataclass(frozen=True, slots=True)
class Wanted:
    """What else must be so: the table's public key (64 hex digits), what somebody noted. None: not asked."""

    public_key: str | None = None
    noted: Noted | None = None


class _StartBody(msgspec.Struct):
    """The part of a start's entry that says whose table this is."""

    public_key: str = ""


_START: Final = "controller-started"
_OPENING: Final = "open-session"
_LOOKED_AT: Final = frozenset((_START, _OPENING))
_DECODE_START: Final = msgspec.json.Decoder(_StartBody)


@dataclass(slots=True)
class _Progress:
    """How far a check has come; of all faults the one at the first entry is kept, whichever was found first."""

    wanted: Wanted
    entries: int = 0
    head: bytes = ZERO
    next_seq: int = FIRST_SEQ
    first_bad: int | None = None
    reason: Reason | None = None
    anchored: bool = False
    stopped: Reason | None = None
    signature: Check = Check.ABSENT
    sessions: int = 0
    table_key: str = ""  # as the last start names it
    removed: Removed | None = None
    text: "_Hash" = field(default_factory=sha256)  # over the lines of an export so far

    def entry(self, entry: Entry, chain: bytes) -> None:
        self.passed(1, entry.seq, chain)
        self.look(entry, chain)

    def passed(self, count: int, seq: int, chain: bytes) -> None:
        """So many entries more verify, the last being `seq`."""
        self.entries += count
        self.head, self.next_seq = chain, seq + 1

    def look(self, entry: Entry, chain: bytes) -> None:
        if entry.kind in _LOOKED_AT:
            self.sessions += is_opening(entry)
            if entry.kind == _START:
                self._start(entry)
        if (noted := self.wanted.noted) is not None:
            self.anchored = self.anchored or noted.is_of(entry.seq, chain, self.sessions)

    def begin_behind(self, removed: Removed | None) -> None:
        """What stood before was removed, and a signed statement says what it was."""
        if removed is None:
            return
        self.removed, self.sessions, self.table_key = removed, removed.sessions, removed.public_key
        self.head, self.next_seq = bytes.fromhex(removed.head), removed.first_seq
        if not is_signed_removed(removed):
            self.bad(removed.first_seq, Reason.SIGNATURE)
        elif self.wanted.public_key not in (None, removed.public_key):
            self.bad(removed.first_seq, Reason.KEY)
        if (noted := self.wanted.noted) is not None:
            self.anchored = noted.is_of(removed.first_seq - 1, self.head, removed.sessions)

    def _start(self, entry: Entry) -> None:
        try:
            named = _DECODE_START.decode(entry.body).public_key
        except msgspec.DecodeError:
            self.bad(entry.seq, Reason.ENTRY)
            return
        if self.wanted.public_key not in {None, named} or (self.table_key and self.table_key != named):
            self.bad(entry.seq, Reason.KEY)
        self.table_key = named

    def signed(self, key: str, *, is_right: bool) -> None:
        """The last line is signed with `key`."""
        self.signature = Check.VALID if is_right else Check.INVALID
        if not is_right:
            self.stop(Reason.SIGNATURE)
        elif self.table_key not in ("", key) or self.wanted.public_key not in (None, key):
            self.signature = Check.INVALID
            self.stop(Reason.KEY)

    def bad(self, seq: int, reason: Reason) -> None:
        if self.first_bad is None or seq < self.first_bad:
            self.first_bad, self.reason = seq, reason

    def stop(self, reason: Reason) -> None:
        """Nothing behind this can be checked."""
        if self.stopped is None:
            self.stopped = reason
            self.bad(self.next_seq, reason)

    def result(self) -> Verification:
        if not self.entries and self.reason is None:
            self.bad(FIRST_SEQ, Reason.EMPTY)
        anchor = Check.NOT_CHECKED
        if self.wanted.noted is not None:
            anchor = Check.VALID if self.anchored else Check.INVALID
        names_no_key = self.signature is Check.ABSENT and not self.table_key
        if self.wanted.public_key is not None and names_no_key and self.reason is None:
            self.bad(FIRST_SEQ, Reason.KEY)
        if anchor is Check.INVALID:
            self.bad(self.next_seq, Reason.HEAD)
        return Verification(
            ok=self.reason is None,
            entries=self.entries,
            head=self.head.hex(),
            first_bad=self.first_bad,
            reason=self.reason,
            signature=self.signature,
            anchor=anchor,
            removed=self.removed,
        )


ANYTHING: Final = Wanted()


def verify(path: Path, wanted: Wanted = ANYTHING) -> Verification:
    """Check the journal in a directory or the export in a file. StorageFailed if there is none to read.

    Without something noted, a journal whose last entries were removed whole verifies; an export's last line shows
    that by itself. A directory carries no signature: its starts must name the wanted key.
    """
    if path.is_dir():
        with DirectoryReader(path) as storage:
            return verify_storage(storage, wanted)
    return _verify_export(path, wanted)


def noted_now(path: Path) -> str:
    """The code of a journal or an export as it stands, to be noted. StorageFailed; JournalDamaged, nothing to note."""
    progress = _Progress(ANYTHING)
    for _ in _export_entries(path, progress) if path.is_file() else _storage_entries(path, progress):
        pass
    if not progress.entries:
        raise JournalDamaged(Damage(FIRST_SEQ, 0, 0, Reason.EMPTY))
    return code_of(progress.sessions, progress.next_seq - 1, progress.head)


def _storage_entries(path: Path, progress: _Progress) -> Iterator[Entry]:
    with DirectoryReader(path) as storage:
        walk = Walk(storage)
        progress.begin_behind(walk.removed)
        for verified in walk:
            progress.entry(verified.entry, verified.record.chain)
            yield verified.entry
    if walk.damage is not None:
        raise JournalDamaged(walk.damage)


def is_opening(entry: Entry) -> bool:
    """Whether a session was opened."""
    return entry.kind == _OPENING and entry.refusal is None


def verify_storage(storage: ReadableStorage, wanted: Wanted = ANYTHING) -> Verification:
    """As `verify`, behind the port. A torn tail is not ok: the next start of the controller will cut it."""
    progress = _Progress(wanted)
    walk = Walk(storage)
    progress.begin_behind(walk.removed)
    _pass_through(walk, progress)
    for damage in [sealed.damage for sealed in walk.sealed] + ([walk.damage] if walk.damage else []):
        progress.bad(damage.first_bad_seq, damage.reason)
    if walk.torn is not None:
        progress.bad(walk.torn.seq, Reason.INCOMPLETE)
    return progress.result()


def _pass_through(walk: Walk, progress: _Progress) -> None:
    """Every entry of months of play goes through this loop; hardly any is looked at."""
    count, last = 0, None
    looked_at = None if progress.wanted.noted is not None else _LOOKED_AT
    for last in walk:
        count += 1
        if looked_at is None or last.entry.kind in looked_at:
            progress.look(last.entry, last.record.chain)
    if last is not None:
        progress.passed(count, last.entry.seq, last.record.chain)


def _verify_export(path: Path, wanted: Wanted) -> Verification:
    progress = _Progress(wanted)
    for _ in _export_entries(path, progress):
        pass
    return progress.result()


def entries_of(path: Path) -> Iterator[Entry]:
    """Every entry of a journal's directory or of an export; JournalDamaged where one does not verify.

    A torn tail is no entry; a damaged part that people have closed is passed over. An export that was cut
    is damaged.
    """
    if path.is_dir():
        yield from _storage_entries(path, _Progress(ANYTHING))
        return
    progress = _Progress(ANYTHING)
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
            progress.text.update(line)
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
    progress.entry(entry, chain)
    return entry


def _other_line(line: bytes, progress: _Progress) -> bool:
    """Take the last line (True) or one that says what was left out (False); anything else stops the check."""
    if _is_last(line, progress):
        return True
    if (removed := _removed(line, progress)) is not None:
        progress.begin_behind(removed)
        return False
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


def _removed(line: bytes, progress: _Progress) -> Removed | None:
    """What an export begins behind, if its first line says that."""
    if progress.entries or progress.next_seq != FIRST_SEQ or progress.removed is not None:
        return None
    try:
        return decode_removed(line) if line[-1:] == b"\n" else None
    except CodecError:
        return None


def _is_last(line: bytes, progress: _Progress) -> bool:
    """Whether this is the last line of what was read before it; whose signature it has is noted."""
    try:
        last = decode_last_line(line)
    except CodecError:
        return False
    said = (last.count, last.format, last.head, last.text)
    if line[-1:] != b"\n" or said != (progress.entries, FORMAT_NAME, progress.head.hex(), progress.text.hexdigest()):
        return False
    progress.signed(last.public_key, is_right=is_signed_line(last))
    return True
