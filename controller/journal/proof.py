"""A proof that a few entries are in a journal, by a signed head of the journal's tree (FORMAT.md, "A proof").

A proof is one text. After its first line each entry has a part of its own, in the format of C2SP `tlog-proof`. The last
part is a checkpoint of the table with all its signature lines. A proof of one entry can also be a C2SP `tlog-proof` by
itself, with the entry's payload as its extra data.
"""

from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum, unique
from pathlib import Path
from typing import Final

from controller.journal.cosigned import Seen, seen_by
from controller.journal.entry import Entry, decode_entry
from controller.journal.errors import CodecError, JournalDamaged, NotProved
from controller.journal.inclusion import NotInTree, Range, Ranges, head_by_inclusion, inclusion_ranges
from controller.journal.mark import Mark, mark_of, read_mark
from controller.journal.note import Note, NoteKey, decode_note, encode_note, from_base64
from controller.journal.page import Page
from controller.journal.recovery import Walk
from controller.journal.removed import tree_behind
from controller.journal.round_count import RoundCount
from controller.journal.storage import ReadableStorage, open_file, reported
from controller.journal.told_by_entries import Complaints, complaints_in, shows_a_try
from controller.journal.tree import EMPTY_LEAF, HASH_SIZE, leaf_hash

FIRST_LINE: Final = b"sabot-proof-1\n"
TLOG_LINE: Final = b"c2sp.org/tlog-proof@v1\n"
LARGEST: Final = 1 << 26
MOST_ENTRIES: Final = 10_000
"""The most entries of one proof. A round has some hundreds; a whole evening is exported instead."""

_ENTRY: Final = b"entry "
_INDEX: Final = b"index "
_EXTRA: Final = b"extra "


@unique
class Wrong(StrEnum):
    """The reason why a proof is refused."""

    FORM = "form"
    LINE_ENDS = "line-ends"
    ENTRY = "entry"
    GAP = "gap"
    CHECKPOINT = "checkpoint"
    HEAD = "head"
    WITNESS = "witness"
    PAGE = "page"


@dataclass(frozen=True, slots=True)
class Proven:
    """One entry, with the proof that a tree has it. `index`: the number of its leaf, which is the entry's number - 1.
    `hashes`: the hashes of the neighbouring subtrees, from the leaf up to the tree's head.
    """

    payload: bytes
    index: int
    hashes: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of checking a proof. `wrong`: the reason why the proof is refused; None for a valid proof. `seen`: the
    signatures of the wanted witnesses.

    If the proof's form, mark, entries or hashes are wrong, `mark` is None and `entries` is empty.
    """

    wrong: Wrong | None
    entries: tuple[Entry, ...] = ()
    mark: Mark | None = None
    seen: tuple[Seen, ...] = ()
    others: int = 0  # signature lines of unknown keys
    round: tuple[int, int] | None = None  # the opening of the last entry's session, and its round; None: not shown
    complaints: Complaints = field(default_factory=Complaints)
    trial: int | None = None  # the last entry that only a try makes; None: these entries show no try


# --- making


def prove(storage: ReadableStorage, note: Note, first: int, last: int) -> bytes:
    """Returns a proof that the tree under the mark in `note` has entries `first` to `last`. Raises the same errors as
    `proven`.
    """
    return encode_proof(proven(storage, note, first, last), note)


def prove_alone(storage: ReadableStorage, note: Note, seq: int) -> bytes:
    """Returns a C2SP `tlog-proof` of entry `seq`, with the mark in `note`. Raises the same errors as `proven`."""
    (one,) = proven(storage, note, seq, seq)
    return encode_tlog_proof(one, note)


def proven(storage: ReadableStorage, note: Note, first: int, last: int) -> tuple[Proven, ...]:
    """Returns entries `first` to `last`, each with the proof that the tree under the mark in `note` contains it.

    Raises NotProved, StorageFailed, JournalDamaged; CodecError if `note` is no mark.
    """
    mark, _ = read_mark(note.text)
    if last > mark.seq:
        raise NotProved("not-signed-yet", entry=str(last), signed=str(mark.seq))
    if last - first >= MOST_ENTRIES:
        raise NotProved("too-many", most=str(MOST_ENTRIES))
    wanted = {seq: inclusion_ranges(seq - 1, mark.seq) for seq in range(first, last + 1)}
    payloads: dict[int, bytes] = {}

    def take(seq: int, payload: bytes) -> None:
        if first <= seq <= last:
            payloads[seq] = payload

    ranges = grown(Walk(storage), mark.seq, [one for each in wanted.values() for one in each], take)
    if len(payloads) != len(wanted):
        raise NotProved("not-here", first=str(first), last=str(last))
    if ranges.tree.root().hex() != mark.root:
        raise NotProved("other-tree", signed=str(mark.seq))
    try:
        return tuple(Proven(payloads[seq], seq - 1, ranges.hashes(each)) for seq, each in wanted.items())
    except NotInTree as gone:
        raise NotProved("not-here", first=str(first), last=str(last)) from gone


def grown(
    walk: Walk, size: int, wanted: Iterable[Range], take: Callable[[int, bytes], None] = lambda _seq, _payload: None
) -> Ranges:
    """Computes the hashes of the ranges `wanted` in the tree over entries 1 to `size`, or to the journal's end if that
    comes first.

    Calls `take` with the number and payload of each entry in the tree. Raises StorageFailed, and JournalDamaged for a
    damage before entry `size`.
    """
    ranges = Ranges(tree_behind(walk.removed), wanted)
    for verified in walk:
        record = verified.record
        if record.seq > size:
            break
        while ranges.size < record.seq - 1:  # entries lost in a damage that people have closed
            ranges.add(EMPTY_LEAF)
        ranges.add(leaf_hash(record.payload))
        take(record.seq, record.payload)
    if walk.damage is not None and ranges.size < size:
        raise JournalDamaged(walk.damage)
    return ranges


def encode_proof(parts: Sequence[Proven], note: Note) -> bytes:
    return b"\n".join((FIRST_LINE, *map(_part, parts), encode_note(note)))


def encode_tlog_proof(one: Proven, note: Note) -> bytes:
    return TLOG_LINE + _EXTRA + b64encode(one.payload) + b"\n" + _path(one) + b"\n" + encode_note(note)


def _part(one: Proven) -> bytes:
    return _ENTRY + one.payload + b"\n" + _path(one)


def _path(one: Proven) -> bytes:
    return _INDEX + str(one.index).encode() + b"\n" + b"".join(b64encode(each) + b"\n" for each in one.hashes)


# --- checking


def is_proof(path: Path) -> bool:
    """True if the file begins like a proof, with lines that end in LF or CR LF. Raises StorageFailed."""
    with reported("read", str(path)), open_file(path) as file:
        return file.read(len(TLOG_LINE) + 1).replace(b"\r\n", b"\n").startswith((FIRST_LINE, TLOG_LINE))


def read_proof(path: Path) -> bytes:
    """Returns at most LARGEST + 1 bytes of a proof's file. A proof has at most LARGEST bytes. Raises StorageFailed."""
    with reported("read", str(path)), open_file(path) as file:
        return file.read(LARGEST + 1)


def check_proof(data: bytes, public_key: str, witnesses: Sequence[NoteKey] = (), page: Page | None = None) -> Checked:
    """Checks the proof in `data`: the form, the mark by `public_key`, the entries and their hashes, and a signature of
    each of `witnesses`. If `page` is given, also checks that the proof matches the printed page.
    """
    try:
        parts, note = decode_proof(data)
    except CodecError:  # a carriage return in a payload is escaped, so one in the file is a changed line end
        return Checked(Wrong.LINE_ENDS if b"\r\n" in data else Wrong.FORM)
    mark = mark_of(note, public_key)
    if mark is None:
        return Checked(Wrong.CHECKPOINT)
    try:
        entries = tuple(decode_entry(one.payload, seq=one.index + 1) for one in parts)
    except CodecError:
        return Checked(Wrong.ENTRY)
    if [one.index for one in parts] != list(range(parts[0].index, parts[0].index + len(parts))):
        return Checked(Wrong.GAP)
    root = bytes.fromhex(mark.root)
    if any(head_by_inclusion(one.index, mark.seq, leaf_hash(one.payload), one.hashes) != root for one in parts):
        return Checked(Wrong.HEAD)
    seen = tuple(found for witness in witnesses if (found := seen_by(witness, note, mark.seq)) is not None)
    wrong = None if len(seen) == len(witnesses) else Wrong.WITNESS
    payloads = [one.payload for one in parts]
    if page is not None and not page.is_of(payloads, entries[0].seq, entries[-1].seq, public_key):
        wrong = Wrong.PAGE
    others = len(note.signatures) - 1 - len(seen)
    return Checked(wrong, entries, mark, seen, others, counted(entries), complaints_in(entries), shows_a_try(entries))


def counted(entries: Iterable[Entry]) -> tuple[int, int] | None:
    """Returns the number of the entry that opened the last session, and the round of the last entry.

    Returns None if `entries` open no session.
    """
    count = RoundCount()
    for entry in entries:
        count.take(entry)
    return (count.opened, count.round) if count.opened else None


def decode_proof(data: bytes) -> tuple[tuple[Proven, ...], Note]:
    """Decodes the entries and the note of a proof. Raises CodecError unless the bytes are canonical."""
    if data.startswith(TLOG_LINE):
        return _decode_tlog_proof(data)
    if len(data) > LARGEST or not data.startswith(FIRST_LINE):
        raise CodecError("no proof")
    parts = data.split(b"\n\n")
    found, note = tuple(map(_proven, parts[1:-2])), decode_note(b"\n\n".join(parts[-2:]))
    if not 1 <= len(found) <= MOST_ENTRIES or encode_proof(found, note) != data:
        raise CodecError("no proof")
    return found, note


def _decode_tlog_proof(data: bytes) -> tuple[tuple[Proven, ...], Note]:
    head, _gap, note = data.partition(b"\n\n")
    _first, extra, *path = (*head.split(b"\n"), b"")
    one = _of_path(from_base64(extra.removeprefix(_EXTRA).decode("ascii", "replace")), path[:-1])
    if encode_tlog_proof(one, decode_note(note)) != data:
        raise CodecError("no proof")
    return (one,), decode_note(note)


def _proven(part: bytes) -> Proven:
    entry, *path = (*part.split(b"\n"), b"")
    if not entry.startswith(_ENTRY):
        raise CodecError("no part of a proof")
    return _of_path(entry.removeprefix(_ENTRY), path[:-1])


def _of_path(payload: bytes, path: Sequence[bytes]) -> Proven:
    """Decodes one entry of a proof from its payload and the lines with its index and hashes. Raises CodecError."""
    number = path[0].removeprefix(_INDEX) if path else b""
    if not number.isdigit() or len(number) > len(str(LARGEST)) + 6:
        raise CodecError("no part of a proof")
    found = tuple(from_base64(each.decode("ascii", "replace")) for each in path[1:])
    if any(len(each) != HASH_SIZE for each in found):
        raise CodecError("no hash")
    return Proven(payload, int(number), found)
