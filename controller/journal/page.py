"""The two-dimensional code under a printed round: the digest of the round's entries, and the table's mark (FORMAT.md,
"A printed round").

Paper has no room for a proof of hundreds of entries. So the code has the mark that the table had signed when the page
was printed. A later proof must have the digest of the printed entries, and a journal that the casino shows later must
agree with the printed mark.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from msgspec.structs import replace

from controller.journal.errors import CodecError
from controller.journal.mark import mark_of
from controller.journal.note import Note, decode_note, encode_note
from controller.journal.tree import leaf_hash

FIRST_LINE: Final = b"sabot-page-1\n"
MOST_LINES: Final = 3
"""The most signatures of the mark in the code, since a camera must read the code from paper."""

_HEAD: Final = re.compile(rb"sabot-page-1\nentries ([1-9][0-9]{0,17}) ([1-9][0-9]{0,17})\ndigest ([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class Page:
    """The content of a printed round's code: the round's entries `first` to `last`, their SHA-256 `digest` in
    hexadecimal, and the table's mark (`note`).
    """

    first: int
    last: int
    digest: str
    note: Note

    def is_of(self, payloads: Iterable[bytes], first: int, last: int, public_key: str) -> bool:
        """True if the page is about the entries `first` to `last` with `payloads`, and `public_key` has signed the
        page's mark.
        """
        same = (first, last, digest_of(payloads)) == (self.first, self.last, self.digest)
        return same and mark_of(self.note, public_key) is not None


def digest_of(payloads: Iterable[bytes]) -> str:
    return sha256(b"".join(map(leaf_hash, payloads))).hexdigest()


def encode_page(page: Page) -> bytes:
    head = f"entries {page.first} {page.last}\ndigest {page.digest}\n\n".encode()
    return FIRST_LINE + head + encode_note(replace(page.note, signatures=page.note.signatures[:MOST_LINES]))


def decode_page(data: bytes) -> Page:
    """Decodes the bytes of a code. The last line feed may be missing, since code readers may drop it. Raises
    CodecError.
    """
    head, _gap, note = data.partition(b"\n\n")
    found = _HEAD.fullmatch(head)
    if found is None:
        raise CodecError("no printed round")
    return Page(int(found[1]), int(found[2]), found[3].decode(), decode_note(note.removesuffix(b"\n") + b"\n"))
