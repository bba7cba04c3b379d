"""Makes the two-dimensional code under a printed round or hand-over. With the code a person can check that the print
has the table's entries.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from controller.journal.cosigned import note_for
from controller.journal.entry import encode_entry
from controller.journal.errors import NotProved, SigningKeyRefused
from controller.journal.mark import read_mark
from controller.journal.page import Page, digest_of, encode_page
from controller.journal.signing import public_path, read_public_key
from controller.record.shown import Shown


class Printed:
    """Collects entries for the code under a print. Of the entries that go through `passing`, takes those from the first
    to the last for which `is_wished` is true.
    """

    def __init__(self, is_wished: Callable[[Shown], bool]) -> None:
        self._is_wished = is_wished
        self._payloads: list[bytes] = []
        self._first = self._count = 0

    def passing(self, entries: Iterator[Shown]) -> Iterator[Shown]:
        for one in entries:
            is_wished = self._is_wished(one)
            if is_wished and not self._payloads:
                self._first = one.entry.seq
            if is_wished or self._payloads:
                self._payloads.append(encode_entry(one.entry))
            if is_wished:
                self._count = len(self._payloads)
            yield one

    def page(self, journal: Path) -> str:
        """Returns the text of the code for the collected entries; "" if no mark of the table covers the last entry."""
        return page_of(journal, self._first, self._payloads[: self._count])


def page_of(journal: Path, first: int, payloads: Sequence[bytes]) -> str:
    """Returns the text of the code for consecutive entries; "" if no mark of the table covers the last entry. `first`:
    the number of the first entry.
    """
    last = first + len(payloads) - 1
    try:
        note = note_for(journal, read_public_key(public_path(journal)), last)
    except (NotProved, SigningKeyRefused):
        return ""
    is_covered = payloads and read_mark(note.text)[0].seq >= last
    return encode_page(Page(first, last, digest_of(payloads), note)).decode() if is_covered else ""
