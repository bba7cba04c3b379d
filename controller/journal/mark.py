"""The mark beside a journal: that it has begun, and how far it went when that was last written down, signed.

A journal that is put back to what it was yesterday verifies. The mark, which lies beside the journal and again beside
its second copy, says that there was more. It names an entry that was durable, never one that a loss of power may take.
The mark beside the second copy says besides how far that is believed, see FORMAT.md. That file has two lines where
entries are on their way there: of what the copy has, and of what it is about to get.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.journal.codec import CanonicalDecoder, encode_canonical
from controller.journal.errors import CodecError, StorageFailed
from controller.journal.recovery import find_record
from controller.journal.signing import Signer, is_signed
from controller.journal.storage import ReadableStorage, open_file, reported

_PURPOSE: Final = b"sabot mark 1\n"
_LARGEST: Final = 4096  # bytes; one has about 300


@dataclass(frozen=True, slots=True)
class Mark:
    """Entry `seq` of this table's journal was durable with the chain value `head`, in session `session`.

    `epoch`: of the computer that wrote it, see controller/journal/epoch.py.
    """

    head: str
    seq: int
    session: int
    table: str
    epoch: int = 1


_DECODER: Final = CanonicalDecoder(Mark)


def begun_path(journal: Path) -> Path:
    """Where the mark of a journal, or of its second copy, lies: beside the directory."""
    return journal.with_name(journal.name + ".begun")


def encode_mark(mark: Mark, signer: Signer) -> bytes:
    """What the file has: signature, a space, canonical JSON."""
    text = encode_canonical(mark)
    return f"{signer.sign(_PURPOSE + text)} ".encode() + text + b"\n"


def decode_marks(data: bytes, key: str) -> tuple[Mark, ...]:
    """Those of a file that this public key has signed, in their order."""
    marks = (_decode_line(line, key) for line in data.split(b"\n") if line)
    return tuple(mark for mark in marks if mark is not None)


def decode_mark(data: bytes, key: str) -> Mark | None:
    """The one of what there is; None for anything that this public key has not signed."""
    return _decode_line(data.partition(b"\n")[0], key)


def _decode_line(line: bytes, key: str) -> Mark | None:
    signature, _, text = line.partition(b" ")
    if not is_signed(key, signature.decode("ascii", "replace"), _PURPOSE + text):
        return None
    try:
        return _DECODER.decode(text)
    except CodecError:
        return None


def signed_marks(found: Iterable[bytes | None], table: str, key: str) -> list[Mark]:
    """Those in these files that this table's key has signed."""
    return [mark for data in found for mark in decode_marks(data or b"", key) if mark.table == table]


def last_covered(storage: ReadableStorage, marks: Iterable[Mark]) -> Mark | None:
    """The last of these whose entry is there. StorageFailed."""
    there = [mark for mark in marks if (found := find_record(storage, mark.seq)) and found[1].chain.hex() == mark.head]
    return max(there, key=lambda mark: mark.seq, default=None)


def read_mark_file(path: Path) -> bytes | None:
    """Its bytes; None where there is none, no bytes where it cannot be read."""
    if not path.is_symlink() and not path.exists():
        return None
    try:
        with reported("read", str(path)), open_file(path) as file:
            return file.read(_LARGEST)
    except StorageFailed:
        return b""


def contradicts(storage: ReadableStorage, mark: Mark, next_seq: int) -> bool:
    """Whether a journal that verifies up to before `next_seq` is behind the mark, or has another entry there.

    An entry that was removed, or lost with a damage that people have closed, says nothing. StorageFailed.
    """
    if mark.seq >= next_seq:
        return True
    found = find_record(storage, mark.seq)
    return found is not None and found[1].chain.hex() != mark.head
