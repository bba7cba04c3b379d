"""The code under a printed round: its entries, their digest, and the table's mark (FORMAT.md, "A printed round").

Paper holds no proof of hundreds of entries. It holds the table to what it had signed when the page was printed: a proof
made later must be of the same entries, and the history that is shown must be the one of this mark.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final

from controller.journal.errors import CodecError
from controller.journal.mark import mark_of
from controller.journal.note import Note, decode_note, encode_note
from controller.journal.tree import leaf_hash

FIRST_LINE: Final = b"sabot-page-1\n"
MOST_LINES: Final = 3
"""Of those who have signed the mark: a camera must read the code from paper."""

_HEAD: Final = re.compile(rb"sabot-page-1\nentries ([1-9][0-9]{0,17}) ([1-9][0-9]{0,17})\ndigest ([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class Page:
    """Entries `first` to `last`; `digest` in hexadecimal."""

    first: int
    last: int
    digest: str
    note: Note

    def is_of(self, payloads: Iterable[bytes], first: int, last: int, public_key: str) -> bool:
        """These are its entries, and the mark is this table's."""
        same = (first, last, digest_of(payloads)) == (self.first, self.last, self.digest)
        return same and mark_of(self.note, public_key) is not None


def digest_of(payloads: Iterable[bytes]) -> str:
    return sha256(b"".join(map(leaf_hash, payloads))).hexdigest()


def encode_page(page: Page) -> bytes:
    head = f"entries {page.first} {page.last}\ndigest {page.digest}\n\n".encode()
    return FIRST_LINE + head + encode_note(replace(page.note, signatures=page.note.signatures[:MOST_LINES]))


def decode_page(data: bytes) -> Page:
    """CodecError. A reader of codes may have left the last line feed out."""
    head, _gap, note = data.partition(b"\n\n")
    found = _HEAD.fullmatch(head)
    if found is None:
        raise CodecError("no printed round")
    return Page(int(found[1]), int(found[2]), found[3].decode(), decode_note(note.removesuffix(b"\n") + b"\n"))
