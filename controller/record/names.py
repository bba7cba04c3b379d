"""The names of the people in a journal. The journal itself has only numbers and digests of people; the names are in
staff files.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from controller.catalogue import Language, sentence
from controller.journal.errors import JournalDamaged
from controller.journal.verify import entries_of
from controller.record.story import Names
from controller.staff.book import StaffBook
from controller.staff.file import load_staff
from controller.staff.known import STAFF_CHANGED, NameCut, StaffChanged, StaffKnown


@dataclass(frozen=True, slots=True)
class StaffNames:
    """The names in some staff files, the newest file last. `cuts`: the removals of names that the journal records."""

    books: tuple[StaffBook, ...]
    language: Language
    cuts: tuple[NameCut, ...] = ()

    def at(self, known: StaffKnown) -> Names:
        """Returns the names by number as they were when the journal had the people `known`. A removed name is replaced
        by a word of the catalogue.

        If no staff file has a person's line with the recorded digest, returns the name of the last person with this
        number, with a word that says so.
        """
        now = _last_names(self.books[-1]) if self.books else {}
        by_digest = {line: name for book in self.books for line, name in _by_line(book).items()}
        then = {int(one.number): by_digest.get(one.digest) or self._now(now.get(one.number)) for one in known.people}
        names = now | {number: name for number, name in then.items() if name}
        return names | dict.fromkeys(self._forgotten(known), sentence("record.forgotten", (), self.language))

    def _forgotten(self, known: StaffKnown) -> set[int]:
        """Returns the numbers of the people whose names were removed according to the journal or a staff file."""
        cut = {number for book in self.books for number in book.forgotten_numbers}
        return cut | {int(one.number) for one in (*self.cuts, *known.forgotten)}

    def _now(self, name: str | None) -> str:
        return sentence("record.name-now", {"name": name}, self.language) if name else ""


def names_of(files: Iterable[Path], language: Language) -> StaffNames:
    """Returns the names in the staff files `files`. Raises StaffRefused."""
    return StaffNames(tuple(map(load_staff, files)), language)


def with_cuts(names: StaffNames, path: Path) -> StaffNames:
    """Returns `names` with the removals of names that the journal or the export at `path` records up to its first
    damage. Raises StorageFailed.
    """
    cuts: list[NameCut] = []
    with suppress(JournalDamaged):
        for entry in entries_of(path):
            if entry.kind == STAFF_CHANGED:
                # another program's entry, without a removal of names
                with suppress(msgspec.DecodeError, UnicodeDecodeError):
                    cuts += msgspec.json.decode(entry.body, type=StaffChanged).forgotten
    return replace(names, cuts=tuple(cuts))


def _last_names(book: StaffBook) -> dict[int, str]:
    former = {int(one.number): one.name for one in book.former}
    return former | {int(one.number): one.name for one in book.people}


def _by_line(book: StaffBook) -> dict[str, str]:
    return {one.line: one.name for one in book.former} | {one.line: one.name for one in book.people}
