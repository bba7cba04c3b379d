"""The books of a real evening agree; each book broken once is a violation that names both figures."""

from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from controller.catalogue import Language
from simulators.books.compare import Books, violations
from simulators.books.export import Entry, read_export
from simulators.books.physical import LampWatch
from simulators.books.recount import Recount
from simulators.books.segments import SegmentTail
from simulators.demo.command import Demo
from simulators.demo.house import House, furnish
from simulators.demo.options import DemoOptions
from simulators.demo.report import close_books


@pytest.fixture(scope="session")
def evening() -> Iterator[tuple[House, Books]]:
    """Three rounds, played once for all tests here."""
    with TemporaryDirectory(prefix="sabot-books-") as directory:
        house = furnish(Path(directory) / "table", Language.EN)
        played = Demo(DemoOptions(rounds=3, seed=7, as_json=True), house, lambda: False).play()
        books = close_books(house, played)
        assert books is not None
        yield house, books


@pytest.fixture
def books(evening: tuple[House, Books]) -> Books:
    return deepcopy(evening[1])


def test_the_books_agree(books: Books) -> None:
    assert violations(books) == []
    assert 1 <= len(books.snapshots) <= 4, "between rounds, whenever everything was recorded just then"
    assert books.journal.loaded == 312
    assert books.journal.unloaded == 312
    assert [jam.went_by_the_procedure for jam in books.journal.jams] == [True]


# --- each book, broken once


def lose_a_card(books: Books) -> None:
    cards = dict(books.physical.cards)
    cards["outside"] = cards["outside"][1:]
    books.physical = replace(books.physical, cards=cards)


def double_a_card(books: Books) -> None:
    cards = dict(books.physical.cards)
    cards["rack"] = cards["outside"][:1]
    books.physical = replace(books.physical, cards=cards)


def status_miscounts(books: Books) -> None:
    books.status = replace(books.status, places=Counter(books.status.places) + Counter(outside=1))


def status_total_is_short(books: Books) -> None:
    books.status = replace(books.status, total=311)


def status_keeps_a_hold(books: Books) -> None:
    books.status = replace(books.status, holds=("jam",))


def status_has_another_head(books: Books) -> None:
    books.status = replace(books.status, head="00" * 32)


def status_is_ahead_of_the_journal(books: Books) -> None:
    books.status = replace(books.status, seq=len(books.export.entries) + 1)


def status_owes_a_duty(books: Books) -> None:
    books.status = replace(books.status, duties=("report-damaged-card",))


def snapshot_differs(books: Books) -> None:
    first = books.snapshots[0]
    places = Counter(first.status.places)
    places["inside"] -= 1
    books.snapshots[0] = replace(first, status=replace(first.status, places=places))


def recounted(without: Callable[[Entry], bool]) -> Callable[[Books], None]:
    def break_it(books: Books) -> None:
        entries = [entry for entry in books.export.entries if not without(entry)]
        books.journal = Recount(snapshot.status.seq for snapshot in books.snapshots).run(entries)

    return break_it


def burn_twice(books: Books) -> None:
    books.journal.burned += 1


def two_machines_restart(books: Books) -> None:
    books.physical.boots = {**books.physical.boots, "shoe": 2}


def cable_nobody_pulled(books: Books) -> None:
    books.journal.lost["shoe", "port-lost"] += 1


def cable_nobody_noticed(books: Books) -> None:
    books.physical.unplugged["shuffler"] += 1


def fault_not_told(books: Books) -> None:
    books.physical.faults_met["Misread"] += 1


def fault_never_happened(books: Books) -> None:
    books.journal.unread += 1


def another_face_was_told(books: Books) -> None:
    passage = min(books.journal.read)
    books.journal.read[passage] = "10H" if books.journal.read[passage] != "10H" else "10S"


def lamp_was_dark(books: Books) -> None:
    watch = LampWatch()
    for now_s in (1.0, 1.4, 1.8):
        watch.look(jam_stands=True, lamp_lit=False, now_s=now_s)
    books.physical.dark_moments += watch.dark_moments


def verify_says_no(books: Books) -> None:
    books.verified = False


BREAKS: list[tuple[Callable[[Books], None], str]] = [
    (lose_a_card, "is in 0 places"),
    (double_a_card, "is in 2 places: outside, rack"),
    (status_miscounts, "outside is 312 in the physical book, 313 in the status, 312 in the journal"),
    (status_total_is_short, "accounts for 311 cards, the deck set has 312"),
    (status_keeps_a_hold, "a hold stands: jam"),
    (status_has_another_head, "the export has another"),
    (status_is_ahead_of_the_journal, "the export has"),
    (status_owes_a_duty, "duties: 1 open in the status, 0 in the journal"),
    (snapshot_differs, "at entry "),
    (recounted(lambda entry: entry.kind == "collect-cards"), "table is 0 in the physical book, 0 in the status"),
    (recounted(lambda entry: entry.kind == "confirm-hold"), "was not ended by the procedure"),
    (recounted(lambda entry: entry.kind == "attend-hold"), "was not ended by the procedure"),
    (recounted(lambda entry: entry.kind == "shuffler-jammed"), "jams: 1 in the machine, 0 in the journal"),
    (recounted(lambda entry: entry.kind == "lid-opened"), "lid openings: 1 in the machine, 0 in the journal"),
    (recounted(lambda entry: entry.kind == "confirm-deck-check"), "closed in the status, open in the journal"),
    (burn_twice, "burned: 1 cards by hand, 2 in the journal"),
    (two_machines_restart, "starts of the shoe: 2 in the machine, 1 in the journal"),
    (cable_nobody_pulled, "cable of the shoe: pulled 0 times, lost 1 times in the journal"),
    (cable_nobody_noticed, "cable of the shuffler: pulled 1 times, lost 0 times in the journal"),
    (fault_not_told, "unread cards: "),
    (fault_never_happened, "unread cards: "),
    (another_face_was_told, "the journal has 10"),
    (lamp_was_dark, "lamp: dark for"),
    (verify_says_no, "not whole"),
]


@pytest.mark.parametrize(("break_it", "says"), BREAKS, ids=lambda item: getattr(item, "__name__", None))
def test_each_book_broken_once_is_a_violation(books: Books, break_it: Callable[[Books], None], says: str) -> None:
    break_it(books)
    found = violations(books)
    assert [text for text in found if says in text], found


def test_a_lamp_that_is_lit_in_time_is_no_violation() -> None:
    watch = LampWatch()
    watch.look(jam_stands=True, lamp_lit=False, now_s=1.0)
    watch.look(jam_stands=True, lamp_lit=True, now_s=1.4)
    watch.look(jam_stands=True, lamp_lit=False, now_s=2.0)
    watch.look(jam_stands=False, lamp_lit=False, now_s=9.0)
    assert watch.dark_moments == []


# --- the export's bytes


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda data: data.replace(b'"kind":"take-bets"', b'"kind":"take-best"', 1), "has chain"),
        (lambda data: b"".join(data.splitlines(keepends=True)[:-1]), "no last line"),
        (lambda data: b"".join(_without(data.splitlines(keepends=True), 5)), "has chain"),
        (lambda data: b'{"count":1'.join(data.rsplit(b'{"count":', 1)), "the export says"),
    ],
    ids=["an entry changed", "the last line gone", "an entry gone", "another count"],
)
def test_a_damaged_export_is_seen(
    evening: tuple[House, Books], tmp_path: Path, damage: Callable[[bytes], bytes], says: str
) -> None:
    path = tmp_path / "export"
    path.write_bytes(damage(evening[0].export.read_bytes()))
    assert says in " ".join(read_export(path).faults)


def _without(lines: list[bytes], index: int) -> list[bytes]:
    return lines[:index] + lines[index + 1 :]


def test_the_reader_of_segments_sees_what_the_export_has(evening: tuple[House, Books]) -> None:
    house, books = evening
    tail = SegmentTail(house.journal)
    assert tail.new_entries() == books.export.entries
    assert tail.new_entries() == []


def test_the_reader_of_segments_waits_for_whole_entries(evening: tuple[House, Books], tmp_path: Path) -> None:
    whole = (evening[0].journal / "00000001.segment").read_bytes()
    tail = SegmentTail(tmp_path)
    found: list[Entry] = []
    sizes = iter(range(0, len(whole), 7))
    while len(found) < 6:
        (tmp_path / "00000001.segment").write_bytes(whole[: next(sizes)])
        found += tail.new_entries()
    assert found == evening[1].export.entries[:6]
