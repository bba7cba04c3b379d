"""Reads and writes checkpoints. A checkpoint stores the state before a segment, so that a start need not replay the
earlier entries.

A checkpoint is no part of the chain. If it is deleted, a start replays every entry. A start trusts a checkpoint only if
all of these are true:

- The table's key has signed the checkpoint.
- The segment after the checkpoint begins with the checkpoint's head and number.
- Every earlier segment is in its place and not empty.
- The chain of the open session verifies from its beginning. This reads the records' bytes and replays nothing.

The next start's entry holds the digest of the state, and a replay compares the checkpoint with it, too. The full check
of a journal (`sabot journal verify`) never reads checkpoints.

File `00000012.checkpoint` belongs before segment 12. Each of its lines has a SHA-256 (hex), a signature (hex) and
canonical JSON, separated by spaces. The last line that verifies counts, since a full disk may have cut a line short.
"""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

from msgspec import Struct

from controller.core.words import SessionPhase
from controller.journal.codec import encode_canonical
from controller.journal.errors import CodecError
from controller.journal.format import HEADER_SIZE, Header, decode_header, scan, segment_name
from controller.journal.recovery import Tip, beginning, list_segments
from controller.journal.removed import read_removed
from controller.journal.signing import Signer, is_signed
from controller.journal.storage import DirectoryReader, ReadableStorage, Storage, read_if_there
from controller.journal.writer_logic import checkpoint_name
from controller.runtime.folded import FORMAT, Folded, has_tree, read_stored, stored_of

UNSIGNED: Final = ""
"""The key of a table that has no key; only simulations have such tables. Any checkpoint then counts as signed."""

_PURPOSE: Final = b"sabot checkpoint 1\n"


class Checkpoint(Struct, frozen=True, gc=False):
    """A stored state, and the place in the journal (`tip`) from which a start with this state reads on."""

    tip: Tip
    folded: Folded


class Newest(Struct, frozen=True, gc=False):
    """The result of a search for a checkpoint. `checkpoint`: the last one that can be trusted, or None.

    `refused`: the names of later checkpoint files without a line that verifies.
    """

    checkpoint: Checkpoint | None = None
    refused: tuple[str, ...] = ()


class _Line(Struct, frozen=True, gc=False):
    """A line of a checkpoint file whose text has the SHA-256 that the line states (`digest`)."""

    digest: str
    signature: str
    text: bytes

    def is_by(self, key: str) -> bool:
        return key == UNSIGNED or is_signed(key, self.signature, _PURPOSE + self.text)


def encode_checkpoint(folded: Folded, head: bytes, signer: Signer | None = None) -> bytes:
    """Encodes `folded` as the line to append to a checkpoint's file. `head`: the chain value at this state. Raises
    ValueError for the state before the first entry.
    """
    text = encode_canonical(stored_of(folded, head.hex()))
    signature = "" if signer is None else f"{signer.sign(_PURPOSE + text)} "
    return f"\n{sha256(text).hexdigest()} {signature}".encode() + text + b"\n"


def newest_checkpoint(storage: ReadableStorage, key: str = UNSIGNED) -> Newest:
    """Finds the last checkpoint that can be trusted, and the names of later checkpoint files that do not verify.

    `key`: the table's public key. Raises StorageFailed.
    """
    begins = beginning(storage)
    segments = [segment for segment in list_segments(storage) if segment[0] >= begins.segment]
    if [number for number, _ in segments] != list(range(begins.segment, begins.segment + len(segments))):
        return Newest()  # a segment is missing: a reading of the whole journal will find the missing segment
    newest: Checkpoint | None = None
    refused: list[str] = []
    for number, name in reversed(segments):
        data = read_if_there(storage, checkpoint_name(number))
        line = _last_line(data, key)
        if data and line is None and newest is None:
            refused.append(checkpoint_name(number))
        found = None if line is None else _believable(line, number, decode_header(storage.read(name)[:HEADER_SIZE]))
        newest = newest or found
        if found is not None and is_closed(found.folded):
            begins = found.tip
            break
    return Newest(newest if _is_whole(storage, begins, newest) else None, tuple(refused))


def stored_before(storage: ReadableStorage, segment: int, key: str) -> tuple[Folded, str] | None:
    """Returns the state in the checkpoint before segment `segment`, and the SHA-256 of the checkpoint's line. None if
    that checkpoint is missing or not trusted.

    `key`: the table's public key. Raises StorageFailed.
    """
    line = _last_line(read_if_there(storage, checkpoint_name(segment)), key)
    if line is None:
        return None
    found = _believable(line, segment, decode_header(storage.read(segment_name(segment))[:HEADER_SIZE]))
    return None if found is None else (found.folded, line.digest)


def store_before(storage: Storage, segment: int, folded: Folded, head: bytes, signer: Signer) -> str:
    """Writes `folded`, signed by `signer`, as the checkpoint of segment `segment`, which must not have a checkpoint
    yet. `head`: the chain value before the segment. Returns the SHA-256 of the checkpoint's line.

    Raises StorageFailed.
    """
    data = encode_checkpoint(folded, head, signer)
    storage.append(checkpoint_name(segment), data)
    storage.sync(checkpoint_name(segment))
    return next(_lines(data)).digest


def kept_start(storage: ReadableStorage) -> Checkpoint | None:
    """The checkpoint with which a journal begins after retention has removed its older entries. None if retention has
    removed no entry, or if the statement on the removed entries names another checkpoint. Accepts also a checkpoint of
    an older program version: the removed entries cannot be replayed. Raises StorageFailed.
    """
    removed = read_removed(storage)
    if removed is None:
        return None
    line = _last_line(read_if_there(storage, checkpoint_name(removed.segment)), UNSIGNED)
    if line is None or line.digest != removed.state:
        return None
    return _believable(
        line, removed.segment, Header(removed.segment, removed.first_seq, bytes.fromhex(removed.head)), strict=False
    )


def folded_before(path: Path) -> Folded:
    """The state after the entries that retention removed from the journal at `path`. Raises StorageFailed.

    An empty state if retention removed no entry or did not keep the state, or if `path` is an export.
    """
    if not path.is_dir():
        return Folded()
    with DirectoryReader(path) as storage:
        found = kept_start(storage)
    return Folded() if found is None else found.folded


def is_closed(folded: Folded) -> bool:
    """True if no session is open in the state `folded`; False before the journal's first entry."""
    return folded.state is not None and folded.state.house.session is SessionPhase.CLOSED


def _lines(data: bytes) -> Iterator[_Line]:
    """Yields, last line first, the lines of a checkpoint file `data` that state the right SHA-256 of their text. The
    signature is "" in a line of an earlier program.
    """
    for line in reversed(data.split(b"\n")):
        digest, _, rest = line.partition(b" ")
        signature, _, text = (b"", b"", rest) if rest.startswith(b"{") else rest.partition(b" ")
        if digest == sha256(text).hexdigest().encode():
            yield _Line(digest.decode(), signature.decode("ascii", "replace"), text)


def _last_line(data: bytes, key: str) -> _Line | None:
    return next((line for line in _lines(data) if line.is_by(key)), None)


def _is_whole(storage: ReadableStorage, tip: Tip, newest: Checkpoint | None) -> bool:
    """True if the segments from `tip` to the checkpoint `newest` form an unbroken chain. `tip`: the place at which the
    open session begins.

    Replays no entry. False if `newest` is None.
    """
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


def _believable(line: _Line, segment: int, header: object, *, strict: bool = True) -> Checkpoint | None:
    try:
        stored, folded = read_stored(line.text, strict=strict)
    except CodecError:  # from a version with other states: the start folds the entries instead
        return None
    tip = Tip(segment, 0, bytes.fromhex(stored.head), stored.last_seq + 1)
    if header != Header(segment, tip.next_seq, tip.head) or stored.format != FORMAT:
        return None
    if strict and not has_tree(stored):  # a missing tree can be computed from the entries
        return None
    return Checkpoint(tip, folded)
