"""The mark beside a journal: that it has begun, and how far it went when that was last written down, signed.

A journal that is put back to what it was yesterday verifies. The mark, which lies beside the journal and again beside
its second copy, says that there was more. It names an entry that was durable, never one that a loss of power may take.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.journal.codec import CanonicalDecoder, encode_canonical
from controller.journal.errors import CodecError, StorageFailed
from controller.journal.format import HEADER_SIZE, Header, decode_header, scan
from controller.journal.recovery import list_segments
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


def decode_mark(data: bytes, key: str) -> Mark | None:
    """None for anything that this public key has not signed."""
    signature, _, text = data.removesuffix(b"\n").partition(b" ")
    if not is_signed(key, signature.decode("ascii", "replace"), _PURPOSE + text):
        return None
    try:
        return _DECODER.decode(text)
    except CodecError:
        return None


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
    for _, name in reversed(list_segments(storage)):
        data = storage.read(name)
        header = decode_header(data[:HEADER_SIZE])
        if isinstance(header, Header) and header.first_seq <= mark.seq:
            found = next((record for record in scan(data).records if record.seq == mark.seq), None)
            return found is not None and found.chain.hex() != mark.head
    return False
