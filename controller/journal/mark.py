"""The mark beside a journal: a signed note that says how far the journal went when the mark was written.

A journal that someone replaces by its state of yesterday still verifies. The mark lies beside the journal and beside
its second copy, and shows that there were more entries. A mark names an entry that was durable, never an entry that a
loss of power may take. The mark beside the second copy also limits the entries that are taken over from that copy
(FORMAT.md). While entries are being copied, the file there has two marks: for the last entry that the copy has, and for
the last entry that the copy is about to get.

A mark is a checkpoint of the tree over the entries (C2SP `tlog-checkpoint`), signed as a note by the table's key. The
tree's name contains key, table and epoch. A mark has a checkpoint's lines, and two more for chain value and session.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

from msgspec import Struct

from controller.journal.errors import CodecError, StorageFailed
from controller.journal.note import KeyKind, Note, NoteKey, decode_notes, encode_note, from_base64, is_note_by
from controller.journal.recovery import Tip, find_record
from controller.journal.signing import NAMING, Signer
from controller.journal.storage import ReadableStorage, open_file, reported
from controller.journal.tree import HASH_SIZE, Tree

_LARGEST: Final = 4096  # bytes; a mark has about 400

_TEXT: Final = re.compile(
    rf"sabot/([0-9a-f]{{{NAMING}}})/([A-Za-z0-9._%-]+)/([1-9][0-9]{{0,17}})\n"
    r"([1-9][0-9]{0,17})\n([A-Za-z0-9+/]{43}=)\nchain ([0-9a-f]{64})\nsession (0|[1-9][0-9]{0,17})\n"
)


class Mark(Struct, frozen=True, gc=False):
    """Says that entry `seq` of the journal of `table`, in session `session`, was durable. `head`: the chain value (hex)
    of entry `seq`. `root`: the head of the tree up to entry `seq`, 64 hexadecimal digits. `epoch`: the journal's epoch
    at the time of the mark (controller/journal/epoch.py).
    """

    head: str
    seq: int
    session: int
    table: str
    root: str
    epoch: int = 1


def mark_at(tip: Tip, tree: Tree, *, session: int, table: str, epoch: int) -> Mark:
    """The mark of a journal that ends at `tip`. Raises ValueError if `tree` has more or fewer entries than that
    journal.
    """
    if tree.size != tip.next_seq - 1:
        raise ValueError(f"a tree of {tree.size} for entry {tip.next_seq - 1}")
    return Mark(tip.head.hex(), tree.size, session, table, tree.root().hex(), epoch)


def begun_path(journal: Path) -> Path:
    """Returns the path of the mark of a journal, or of its second copy. The mark lies beside the journal's
    directory.
    """
    return journal.with_name(journal.name + ".begun")


def log_key(table: str, epoch: int, public_key: str) -> NoteKey:
    """The note key that verifies a table's marks. The key's name is the first line of the table's checkpoints."""
    return NoteKey(f"sabot/{public_key[:NAMING]}/{quote(table, safe='')}/{epoch}", KeyKind.NOTE, public_key)


def mark_text(mark: Mark, public_key: str) -> bytes:
    """The text of a mark, to be signed."""
    origin = log_key(mark.table, mark.epoch, public_key).name
    root = b64encode(bytes.fromhex(mark.root)).decode()
    return f"{origin}\n{mark.seq}\n{root}\nchain {mark.head}\nsession {mark.session}\n".encode()


def mark_note(mark: Mark, signer: Signer) -> Note:
    """The signed note of a mark."""
    return signer.note(mark_text(mark, signer.public_key), log_key(mark.table, mark.epoch, signer.public_key))


def encode_mark(mark: Mark, signer: Signer) -> bytes:
    """The bytes of a mark's file."""
    return encode_note(mark_note(mark, signer))


def encode_marks(marks: Iterable[Mark], signer: Signer) -> bytes:
    """The bytes of a file with several marks."""
    return b"\n".join(encode_mark(mark, signer) for mark in marks)


def decode_marks(data: bytes, key: str) -> tuple[Mark, ...]:
    """Returns the marks in a mark file's bytes that `key` has signed, in the file's order."""
    return tuple(mark for mark, _note in decode_mark_notes(data, key))


def decode_mark_notes(data: bytes, key: str) -> Iterator[tuple[Mark, Note]]:
    """Yields the marks in a mark file's bytes that `key` has signed, each with its note."""
    for note in decode_notes(data):
        if (mark := mark_of(note, key)) is not None:
            yield mark, note


def decode_mark(data: bytes, key: str) -> Mark | None:
    """Returns the first mark in a mark file's bytes that `key` has signed. Returns None if `key` has signed no mark
    there.
    """
    return next(iter(decode_marks(data, key)), None)


def mark_of(note: Note, key: str) -> Mark | None:
    """Returns the mark in a note. Returns None if the note is no mark, or has no valid signature by `key`."""
    try:
        mark, naming = read_mark(note.text)
    except CodecError:
        return None
    if naming != key[:NAMING] or not is_note_by(note, log_key(mark.table, mark.epoch, key)):
        return None
    return mark


def read_mark(text: bytes) -> tuple[Mark, str]:
    """Returns the mark in a text, and the beginning of the public key that the text names. Raises CodecError."""
    found = _TEXT.fullmatch(text.decode("utf-8", "replace"))
    if found is None:
        raise CodecError("no mark")
    root = from_base64(found[5])
    table = unquote(found[2])
    if len(root) != HASH_SIZE or quote(table, safe="") != found[2]:
        raise CodecError("no mark")
    mark = Mark(found[6], int(found[4]), int(found[7]), table, root.hex(), int(found[3]))
    return mark, found[1]


def signed_marks(found: Iterable[bytes | None], table: str, key: str) -> list[Mark]:
    """The marks of `table` that `key` has signed. `found`: the bytes of mark files, None for a missing file."""
    return [mark for data in found for mark in decode_marks(data or b"", key) if mark.table == table]


def last_covered(storage: ReadableStorage, marks: Iterable[Mark]) -> Mark | None:
    """Returns the mark of the highest entry in `marks` that agrees with the journal. Returns None if no mark agrees.

    A mark agrees if the journal has the mark's entry with the same chain value. Raises StorageFailed.
    """
    there = [mark for mark in marks if (found := find_record(storage, mark.seq)) and found[1].chain.hex() == mark.head]
    return max(there, key=lambda mark: mark.seq, default=None)


def read_mark_file(path: Path, largest: int = _LARGEST) -> bytes | None:
    """Returns the first `largest` bytes of a mark's file. Returns None if the file is missing, and b"" if reading
    fails.
    """
    if not path.is_symlink() and not path.exists():
        return None
    try:
        with reported("read", str(path)), open_file(path) as file:
            return file.read(largest)
    except StorageFailed:
        return b""


def contradicts(storage: ReadableStorage, mark: Mark, next_seq: int) -> bool:
    """True if the journal, which ends before entry `next_seq`, lacks the mark's entry or has another entry with its
    number. False if retention has removed the mark's entry, or if the entry was lost in a damage that people have
    closed. Raises StorageFailed.
    """
    if mark.seq >= next_seq:
        return True
    found = find_record(storage, mark.seq)
    return found is not None and found[1].chain.hex() != mark.head
