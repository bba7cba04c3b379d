"""Lays the books side by side. Each finding is a violation: a plain sentence with both figures; none is the pass."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from simulators.books.export import Export
from simulators.books.journal_book import JournalBook
from simulators.books.physical import PhysicalBook
from simulators.books.status_book import StatusBook

COMPARED: Final = ("outside", "inside", "rack", "table", "burnt", "pending", "jammed", "in_hand")

MOST_TOLD: Final = 40
"""Violations that are listed; one mistake can have many."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Two books at a moment when nothing was on its way; the journal's follows from `status.seq`."""

    physical: Counter[str]
    status: StatusBook


@dataclass(slots=True)
class Books:
    """Everything that is compared. `verified`: what `sabot journal verify` said, None where it was not asked."""

    physical: PhysicalBook
    status: StatusBook
    export: Export
    journal: JournalBook
    snapshots: list[Snapshot] = field(default_factory=list)
    verified: bool | None = None


def violations(books: Books) -> list[str]:
    """Everything in which the books differ."""
    found = [
        *books.physical.misplaced(),
        *books.physical.dark_moments,
        *_journal_is_whole(books),
        *_snapshots(books),
        *_end(books),
        *_jams(books),
        *_tallies(books),
        *_faces(books),
        *_faults(books),
        *_duties(books),
    ]
    found = list(dict.fromkeys(found))
    more = [f"and {len(found) - MOST_TOLD} violations more"] if len(found) > MOST_TOLD else []
    return found[:MOST_TOLD] + more


def _figures(when: str, named: Iterable[tuple[str, Counter[str]]]) -> Iterator[str]:
    """Differences between several books of places."""
    books = list(named)
    for place in COMPARED:
        counts = {name: book[place] for name, book in books}
        if len(set(counts.values())) > 1:
            yield f"{when}: {place} is " + ", ".join(f"{count} in the {name}" for name, count in counts.items())


def _journal_is_whole(books: Books) -> Iterator[str]:
    yield from books.export.faults
    if books.verified is False:
        yield "journal: sabot journal verify says that it is not whole"
    at = books.status.seq
    if not 0 < at <= len(books.export.entries):
        yield f"journal: the status was at entry {at}, the export has {len(books.export.entries)}"
    elif books.export.entries[at - 1].chain != books.status.head:
        yield f"journal: at entry {at} the status had head {books.status.head}, the export has another"


def _snapshots(books: Books) -> Iterator[str]:
    for snapshot in books.snapshots:
        seq = snapshot.status.seq
        journal = books.journal.snapshots.get(seq)
        if journal is None:
            yield f"journal: the status was at entry {seq}, which is not in the journal"
            continue
        yield from _figures(
            f"at entry {seq}",
            (("physical book", snapshot.physical), ("status", snapshot.status.places), ("journal", journal)),
        )


def _end(books: Books) -> Iterator[str]:
    places = books.physical.places
    if places["hopper"]:
        yield f"physical: {places['hopper']} cards lie in the hopper at the end"
    yield from _figures(
        "at the end",
        (("physical book", places), ("status", books.status.places), ("journal", books.journal.places)),
    )
    if books.status.total != books.journal.cards:
        yield f"at the end: the status accounts for {books.status.total} cards, the deck set has {books.journal.cards}"
    if places["withdrawn"] != books.journal.withdrawn:
        yield f"withdrawn: {places['withdrawn']} cards by hand, {books.journal.withdrawn} in the journal"
    if (books.status.session == "closed") != books.journal.is_closed:
        told = "closed" if books.journal.is_closed else "open"
        yield f"at the end: the session is {books.status.session} in the status, {told} in the journal"
    for kind in books.status.holds:
        yield f"at the end: a hold stands: {kind}"


def _jams(books: Books) -> Iterator[str]:
    met = books.physical.faults_met["Jam"]
    if met != len(books.journal.jams):
        yield f"jams: {met} in the machine, {len(books.journal.jams)} in the journal"
    for jam in books.journal.jams:
        if not jam.went_by_the_procedure:
            yield f"jam {jam.number}, raised at entry {jam.raised}, was not ended by the procedure: {jam}"


def _tallies(books: Books) -> Iterator[str]:
    physical, journal = books.physical, books.journal
    if physical.drawn != journal.drawn:
        yield f"drawn: {physical.drawn} cards by hand, {journal.drawn} in the journal"
    if physical.burned != journal.burned:
        yield f"burned: {physical.burned} cards by hand, {journal.burned} in the journal"
    if journal.burned > journal.burns_due:
        yield f"burned: {journal.burned} cards, {journal.burns_due} by the rules"


def _faces(books: Books) -> Iterator[str]:
    """Every face in the journal is the one that went by the reader at that passage."""
    passed = dict(enumerate(books.physical.passed, 1))
    for passage, face in books.journal.read.items():
        if passed.get(passage) != face:
            yield f"reader: passage {passage} was {passed.get(passage)}, the journal has {face}"
    to_come = iter(books.physical.passed)
    for place, face in enumerate(books.journal.read_unnumbered, 1):
        if face not in to_come:  # each after the one before; between them those that nobody heard, or may know
            yield f"reader: face {place} of the journal, {face}, did not go by in that order"


def _faults(books: Books) -> Iterator[str]:
    """What befell the devices and what the journal says did; in both directions."""
    physical, journal = books.physical, books.journal
    pairs = (
        ("unread cards", physical.faults_met["Misread"], journal.unread),
        ("retries", physical.faults_met["Retry"], journal.events["card-retried"]),
        ("lid openings", physical.lid_openings + physical.faults_met["LidSprings"], journal.events["lid-opened"]),
    )
    for what, real, told in pairs:
        if real != told:
            yield f"{what}: {real} in the machine, {told} in the journal"
    for device, boots in physical.boots.items():
        told = len(journal.boots.get(device, ()))
        if told != boots:
            yield f"starts of the {device}: {boots} in the machine, {told} in the journal"
    for device in physical.boots:
        pulled = physical.unplugged[device]
        gone = journal.lost[device, "port-lost"]
        missed = gone + journal.lost[device, "not-found"]
        if missed < pulled or (gone > pulled):
            yield f"cable of the {device}: pulled {pulled} times, lost {gone} times in the journal"


def _duties(books: Books) -> Iterator[str]:
    still_open = len(books.journal.duties_opened) - books.journal.duties_reported
    if still_open != len(books.status.duties):
        yield f"duties: {len(books.status.duties)} open in the status, {still_open} in the journal"
