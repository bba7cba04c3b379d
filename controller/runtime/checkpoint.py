"""A checkpoint: the state behind the last entry before a segment, so that a start need not fold what lies before.

It is an index and no part of the chain: it can be deleted, and a start then folds everything. It is believed only
where it verifies, where the segment behind it begins with its head and number, where every segment before stands in
its place with bytes in it, and where the chain of the session that goes on verifies from its beginning (the bytes: that
is fast, folding them is not). A whole check (`sabot journal verify`) never looks at it.

File `00000012.checkpoint` stands before segment 12: lines of SHA-256 (hex), a space, canonical JSON; the last that
verifies counts (a line may have been cut short by a full disk, and written again).
"""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from msgspec import Struct

from controller.core.events import ControllerStarted
from controller.core.state import State
from controller.core.words import SessionPhase
from controller.journal.codec import CanonicalDecoder, encode_canonical
from controller.journal.errors import CodecError
from controller.journal.format import HEADER_SIZE, Header, decode_header, scan, segment_name
from controller.journal.recovery import Tip, beginning, list_segments
from controller.journal.removed import read_removed
from controller.journal.storage import DirectoryReader, ReadableStorage, Storage
from controller.journal.writer_logic import checkpoint_name
from controller.replay import Folded
from controller.runtime.configuration import NOT_READ_YET, Configured
from controller.staff.known import NOBODY_KNOWN, StaffKnown
from controller.staff.lockout import Lockout, TerminalName, Tries

FORMAT: Final = 1


class _Wrong(Struct, frozen=True, gc=False, omit_defaults=True):
    person: int
    wrong: int
    last_ms: int
    terminal: TerminalName = ""


class _WrongAt(Struct, frozen=True, gc=False):
    terminal: TerminalName
    times_ms: tuple[int, ...]


class _Stored(Struct, frozen=True, gc=False, omit_defaults=True):
    """What the file holds."""

    format: int
    head: str
    entries: int
    last_seq: int
    table_ms: int
    wrong: tuple[_Wrong, ...]
    started: ControllerStarted
    state: State
    wrong_at: tuple[_WrongAt, ...] = ()
    staff: StaffKnown = NOBODY_KNOWN
    configured: Configured = NOT_READ_YET


_DECODER: Final = CanonicalDecoder(_Stored)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where a start may begin to read, and what had come of the entries before."""

    tip: Tip
    folded: Folded


def encode_checkpoint(folded: Folded, head: bytes) -> bytes:
    """The bytes to append to the file; ValueError where nothing has happened yet."""
    if folded.state is None or folded.started is None:
        raise ValueError("no state to keep")
    lockout = folded.lockout
    tries = sorted(lockout.tries.items())
    stored = _Stored(
        format=FORMAT,
        head=head.hex(),
        entries=folded.entries,
        last_seq=folded.last_seq,
        table_ms=folded.table_ms,
        wrong=tuple(_Wrong(person, one.wrong, one.last_ms, terminal) for (terminal, person), one in tries),
        wrong_at=tuple(_WrongAt(terminal, times) for terminal, times in sorted(lockout.of_terminal.items())),
        staff=folded.staff,
        configured=folded.configured,
        started=folded.started,
        state=folded.state,
    )
    text = encode_canonical(stored)
    return b"\n" + sha256(text).hexdigest().encode() + b" " + text + b"\n"


def newest_checkpoint(storage: ReadableStorage) -> Checkpoint | None:
    """The last that can be believed. Raises StorageFailed."""
    begins = beginning(storage)
    segments = [segment for segment in list_segments(storage) if segment[0] >= begins.segment]
    stored = {file.name for file in storage.list()}
    if [number for number, _ in segments] != list(range(begins.segment, begins.segment + len(segments))):
        return None  # something is missing: the whole journal is looked at, and says what
    newest: Checkpoint | None = None
    for number, name in reversed(segments):
        if checkpoint_name(number) in stored:
            header = decode_header(storage.read(name)[:HEADER_SIZE])
            found = _believable(storage.read(checkpoint_name(number)), number, header)
            newest = newest or found
            if found is not None and is_closed(found.folded):
                return newest if _is_whole(storage, found.tip, newest) else None
    return newest if _is_whole(storage, begins, newest) else None


def stored_before(storage: ReadableStorage, segment: int) -> tuple[Folded, str] | None:
    """The state that a checkpoint has before a segment, and its line's SHA-256; None where none can be believed."""
    data = _stored_before(storage, segment)
    header = decode_header(storage.read(segment_name(segment))[:HEADER_SIZE])
    found = _believable(data, segment, header)
    return None if found is None else (found.folded, _last_digest(data))


def store_before(storage: Storage, segment: int, folded: Folded, head: bytes) -> str:
    """Puts a state before a segment whose checkpoint is not there; its line's SHA-256. StorageFailed."""
    data = encode_checkpoint(folded, head)
    storage.append(checkpoint_name(segment), data)
    storage.sync(checkpoint_name(segment))
    return _last_digest(data)


def kept_start(storage: ReadableStorage) -> Checkpoint | None:
    """Where to begin when what stood before was removed: no other state can be had, whatever version wrote this one.

    None where nothing was removed, or where the checkpoint is not the one that the removal's statement names.
    """
    removed = read_removed(storage)
    if removed is None:
        return None
    data = _stored_before(storage, removed.segment)
    header = Header(removed.segment, removed.first_seq, bytes.fromhex(removed.head))
    return _believable(data, removed.segment, header, strict=False) if _last_digest(data) == removed.state else None


def folded_before(path: Path) -> Folded:
    """What had come of the entries that retention has removed from the journal in this directory. StorageFailed."""
    if not path.is_dir():
        return Folded()
    with DirectoryReader(path) as storage:
        found = kept_start(storage)
    return Folded() if found is None else found.folded


def _stored_before(storage: ReadableStorage, segment: int) -> bytes:
    name = checkpoint_name(segment)
    return storage.read(name) if any(file.name == name for file in storage.list()) else b""


def _last_digest(data: bytes) -> str:
    """Of the last line that verifies; "" where none does."""
    for line in reversed(data.split(b"\n")):
        digest, _, text = line.partition(b" ")
        if digest == sha256(text).hexdigest().encode():
            return digest.decode()
    return ""


def is_closed(folded: Folded) -> bool:
    """Whether no session is open there."""
    return folded.state is not None and folded.state.house.session is SessionPhase.CLOSED


def _is_whole(storage: ReadableStorage, tip: Tip, newest: Checkpoint | None) -> bool:
    """Whether the chain holds from the beginning of the session to the checkpoint: bytes only, nothing is folded."""
    if newest is None:
        return False
    head, next_seq = tip.head, tip.next_seq
    for number in range(tip.segment, newest.tip.segment):
        result = scan(storage.read(segment_name(number)))
        fits = result.header == Header(number, next_seq, head)
        if not fits or result.fault is not None or not result.records:
            return False
        head, next_seq = result.records[-1].chain, result.records[-1].seq + 1
    return (head, next_seq) == (newest.tip.head, newest.tip.next_seq)


def _believable(data: bytes, segment: int, header: object, *, strict: bool = True) -> Checkpoint | None:
    for line in reversed(data.split(b"\n")):
        digest, _, text = line.partition(b" ")
        if digest != sha256(text).hexdigest().encode():
            continue
        try:
            stored = _DECODER.decode(text) if strict else _DECODER.read(text)
        except CodecError:  # of a version that knew another state: what it would save is folded instead
            return None
        tip = Tip(segment, 0, bytes.fromhex(stored.head), stored.last_seq + 1)
        if header == Header(segment, tip.next_seq, tip.head) and stored.format == FORMAT:
            return Checkpoint(tip, _folded(stored))
    return None


def _folded(stored: _Stored) -> Folded:
    return Folded(
        state=stored.state,
        entries=stored.entries,
        last_seq=stored.last_seq,
        table_ms=stored.table_ms,
        lockout=Lockout(
            {(one.terminal, one.person): Tries(one.wrong, one.last_ms) for one in stored.wrong},
            {one.terminal: one.times_ms for one in stored.wrong_at},
        ),
        staff=stored.staff,
        configured=stored.configured,
        started=stored.started,
    )
