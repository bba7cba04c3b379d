"""The words that people type. An entry has only a commitment. The words lie beside the journal, where they can be
deleted.

A commitment is SHA-256(salt ‖ text in UTF-8). Each segment of the journal has its own file of words, which is written
and synced before the records with the commitments. In the file each commitment has a slot of the same size:

    commitment 32 | salt 32 | text, NUL to 2240

For deleted words the commitment stays, all bits of the salt are ones, and the text is zero bytes. So a guess of the
words cannot be checked against the commitment.
"""

import os
import re
from collections.abc import Collection
from hashlib import sha256
from pathlib import Path
from typing import Final

from msgspec import Struct

from controller.journal.errors import StorageFailed, StorageReason
from controller.journal.seals import SALT_SIZE, Joined, cut_torn
from controller.journal.storage import ReadableStorage, Storage, reported

LONGEST_TEXT: Final = 560
"""The most characters of a text (protocol/values.py); in UTF-8 each has at most four bytes."""

_COMMITMENT_SIZE: Final = 32
_TEXT_SIZE: Final = 4 * LONGEST_TEXT
WORDS_SIZE: Final = _COMMITMENT_SIZE + SALT_SIZE + _TEXT_SIZE
_GONE: Final = b"\xff" * SALT_SIZE + bytes(_TEXT_SIZE)

_NAME: Final = re.compile(r"\d{8}\.words")
TYPED: Final = b'"sealed:'
"""The beginning of each value of an entry's JSON that stands for typed words."""
_IN_BODY: Final = re.compile(rb'(?<!\\)"sealed:([0-9a-f]{64})(?:\.{10})?"')
"""A whole value of an entry's JSON; a quotation mark inside a text has a backslash before it."""
_SEALED: Final = re.compile(r"sealed:([0-9a-f]{64})(?:\.{10})?")
_LONGER_THAN: Final = 80
"""The bound in characters that rules set to a text. An entry has a longer substitute for a text above the bound, so
that the rules refuse the substitute as they refuse the text."""


class Words(Struct, frozen=True, gc=False):
    """The salt and the text of which a commitment was made. Both are empty once the words are deleted."""

    salt: bytes
    text: str


DELETED: Final = Words(b"", "")


def words_name(segment: int) -> str:
    return f"{segment:08d}.words"


def is_of_words(name: str) -> bool:
    return _NAME.fullmatch(name) is not None


def seal_words(text: str, salt: bytes) -> tuple[str, bytes]:
    """Returns the commitment that replaces `text` in an entry, and the bytes for the file of words, which must be
    written before the entry. Raises ValueError for a text that is longer than LONGEST_TEXT or has a NUL.
    """
    data = text.encode()
    if len(text) > LONGEST_TEXT or b"\0" in data:
        raise ValueError(f"a text has at most {LONGEST_TEXT} printable characters")
    commitment = sha256(salt + data).digest()
    sealed = f"sealed:{commitment.hex()}" + ("." * 10 if len(text) > _LONGER_THAN else "")
    return sealed, commitment + salt + data.ljust(_TEXT_SIZE, b"\0")


def commitment_in(value: object) -> str | None:
    """Returns the commitment in `value` if `value` is a field of an entry in which a commitment replaces typed words.
    Returns None for any other value.
    """
    found = _SEALED.fullmatch(value) if isinstance(value, str) else None
    return None if found is None else found[1]


def commitments_in(body: bytes) -> tuple[str, ...]:
    """The commitments in an entry's body, each once, in order."""
    return tuple(dict.fromkeys(found.decode() for found in _IN_BODY.findall(body)))


def is_of(commitment: str, words: Words) -> bool:
    """True if `commitment` is the commitment to `words`."""
    return sha256(words.salt + words.text.encode()).hexdigest() == commitment


def words_in(data: bytes) -> dict[str, Words]:
    """Returns the words in the bytes of a file of words, by their commitment. Deleted words are DELETED.

    Leaves out words that do not fit their commitment, and an incomplete last slot.
    """
    found: dict[str, Words] = {}
    for slot in _slots(data):
        commitment, words = _commitment(slot), _opened(slot)
        if words is DELETED:
            found.setdefault(commitment, DELETED)
        elif words is not None and is_of(commitment, words):
            found[commitment] = words
    return found


def words_of(storage: ReadableStorage) -> dict[str, Words]:
    """Reads all words of a journal's directory by commitment. Raises StorageFailed."""
    files = (file.name for file in storage.list() if is_of_words(file.name))
    return {commitment: words for name in files for commitment, words in words_in(storage.read(name)).items()}


def join_words(wanted: bytes, there: bytes) -> Joined:
    """The change that adds to the file of words `there` the words that only the file `wanted` has.

    Words that are deleted in `there` are not added again.
    """
    known = words_in(there)
    lacking = b"".join(slot for slot in _slots(wanted) if _commitment(slot) in words_in(slot).keys() - known.keys())
    whole = len(there) - len(there) % WORDS_SIZE
    return Joined(whole if lacking else len(there), lacking)


def cut_torn_words(storage: Storage) -> None:
    """Cuts an incomplete last slot from each file of words. Raises StorageFailed."""
    cut_torn(storage, _NAME, WORDS_SIZE)


def delete_words(directory: Path, commitments: Collection[str]) -> int:
    """Overwrites the words of `commitments`, and returns how many slots were overwritten. Durable on return.

    No other process may write the journal during the call. Raises StorageFailed.
    """
    wanted, places = frozenset(commitments), 0
    with reported("delete", str(directory)):
        for path in sorted(one for one in directory.iterdir() if is_of_words(one.name)):
            at = [at for at, slot in enumerate(_slots(_read(path))) if _commitment(slot) in wanted]
            places += len(at)
            if at:
                _overwrite(path, at)
    return places


def _read(path: Path) -> bytes:
    if path.is_symlink() or not path.is_file():
        raise StorageFailed("delete", path.name, StorageReason.NOT_A_FILE, "no regular file")
    return path.read_bytes()


def _overwrite(path: Path, places: list[int]) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_NOFOLLOW)
    try:
        for place in places:
            os.pwrite(descriptor, _GONE, place * WORDS_SIZE + _COMMITMENT_SIZE)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _slots(data: bytes) -> list[bytes]:
    return [data[at : at + WORDS_SIZE] for at in range(0, len(data) - WORDS_SIZE + 1, WORDS_SIZE)]


def _commitment(slot: bytes) -> str:
    return slot[:_COMMITMENT_SIZE].hex()


def _opened(slot: bytes) -> Words | None:
    """Returns the words in one slot of a file of words. Returns DELETED for deleted words, and None for bytes that are
    no text.
    """
    rest = slot[_COMMITMENT_SIZE:]
    if rest == _GONE:
        return DELETED
    try:
        return Words(rest[:SALT_SIZE], rest[SALT_SIZE:].rstrip(b"\0").decode())
    except UnicodeDecodeError:
        return None
