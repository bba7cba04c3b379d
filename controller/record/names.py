"""Whose name a number of the journal was: the journal has numbers and digests alone, staff files have the names."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from controller.catalogue import Language, sentence
from controller.record.story import Names
from controller.staff.book import StaffBook
from controller.staff.file import load_staff
from controller.staff.known import StaffKnown, known_of


@dataclass(frozen=True, slots=True)
class StaffNames:
    """The names of some staff files: older ones, and last the one of now."""

    books: tuple[StaffBook, ...]
    language: Language

    def at(self, known: StaffKnown) -> Names:
        """By number, who it was when the journal knew these people.

        Where no file has that very entry it is who has the number now, with a word that says so.
        """
        now = {int(one.number): one.name for one in self.books[-1].people} if self.books else {}
        by_digest = {
            entry.digest: member.name
            for book in self.books
            for entry in known_of(book).people
            if (member := book.member(entry.number)) is not None
        }
        then = {int(one.number): by_digest.get(one.digest) or self._now(now.get(one.number)) for one in known.people}
        return now | {number: name for number, name in then.items() if name}

    def _now(self, name: str | None) -> str:
        return sentence("record.name-now", {"name": name}, self.language) if name else ""


def names_of(files: Iterable[Path], language: Language) -> StaffNames:
    """The names that staff files have; none without one. Raises StaffRefused."""
    return StaffNames(tuple(map(load_staff, files)), language)
