"""A day's report lists the void rounds and irregular closings that a table's entries tell: none is lost or doubled."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from msgspec import structs

from controller.core.house.recordings import KeepRecording
from controller.core.words import EntryNumber
from controller.floor import report
from controller.floor.database import Database
from controller.floor.ledger import Ledger
from controller.floor.report import Day, Incident
from controller.protocol.carried import Gap, Said
from controller.protocol.incidents import TOLD, IncidentKind, Told, Turn
from controller.protocol.shown import RoomHold, Shown
from controller.record.incidents import Incident as Replayed
from controller.record.incidents import incidents_of
from controller.record.shown import entries_shown
from tests.floor.kit import NOW_S, FloorTable, entry, kept, told
from tests.runtime.bench import CHIEF, Bench
from tests.runtime.shown import written
from tests.runtime.void_evening import void_evening

pytestmark = [pytest.mark.waits, pytest.mark.usefixtures("counted_again")]

TODAY = Day(date(2026, 11, 20), "UTC")
VOID, CLOSING = IncidentKind.VOID_ROUND, IncidentKind.IRREGULAR_CLOSING
BEGAN, ENDED, WITHDRAWN = (Told(CLOSING, turn) for turn in Turn)
NULL_SPIN_TAKEN_BACK = Told(VOID, Turn.WITHDRAWN)


def at(seq: int) -> datetime:
    """The wall clock of the kit's entry `seq`."""
    return datetime.fromtimestamp(NOW_S + seq / 1000, UTC)


def void(first: int) -> Told:
    return Told(VOID, Turn.ENDED, first)


def spans(database: Database) -> list[tuple[str, datetime, datetime | None]]:
    return [(one.incident, one.since, one.ended) for one in report.incidents(database, TODAY)]


def evening(table: FloorTable) -> None:
    """Adds two void rounds of one first bet, a withdrawn proposal, another void round, and an irregular closing."""
    told_by = {4: [void(2)], 6: [void(2)], 7: [BEGAN], 8: [WITHDRAWN], 9: [BEGAN], 10: [void(8)], 12: [ENDED]}
    table.grown(1).add(*(told(seq, *told_by.get(seq, ())) for seq in range(2, 13)))


@pytest.mark.parametrize("size", [1, 2, 3, 5, 12])
def test_each_is_there_once_with_its_times_however_many_entries_a_batch_carries(
    ledger: Ledger, table: FloorTable, database: Database, size: int
) -> None:
    evening(table)
    for first in range(1, table.last + 1, size):
        last = min(first + size - 1, table.last)
        for _ in range(2):  # the second time as a batch whose answer was lost
            assert table.give(ledger, first, last, shown=Shown(session="in-play")).said is Said.TAKEN
    voids = [("void-round", at(2), at(4)), ("void-round", at(2), at(6)), ("void-round", at(8), at(10))]
    assert spans(database) == [*voids, ("irregular-closing", at(9), at(12))]
    assert [one.holds for one in report.figures(database, TODAY)] == [0]


def test_the_floor_finds_what_a_replay_of_the_journal_finds(
    ledger: Ledger, table: FloorTable, database: Database, tmp_path: Path
) -> None:
    """A floor that was away all evening gets a real table's entries in one batch, and then the marks."""
    bench = void_evening()
    table.add(*bench.entries()).give(ledger, 1, table.last)
    for number, incident in enumerate(replayed(bench, tmp_path / "first")):
        bench.act(KeepRecording, CHIEF, incident=EntryNumber(incident.began.seq), kept_at=f"disk {number}")
    known = table.last
    table.add(*bench.entries()[known:]).give(ledger, known + 1, table.last)
    expected = [
        (one.kind.value, one.began.wall_ms, one.ended and one.ended.wall_ms, one.kept and one.kept.at.seq)
        for one in replayed(bench, tmp_path / "second")
    ]
    assert [kind for kind, *_ in expected] == ["void-round", "irregular-closing"]
    assert [
        (one.incident, ms(one.since), one.ended and ms(one.ended), one.kept_entry)
        for one in report.incidents(database, Day(date(2023, 11, 14), "UTC"))
    ] == expected


def replayed(bench: Bench, path: Path) -> list[Replayed]:
    """The incidents without a hold that a replay of the bench's journal finds."""
    return [one for one in incidents_of(entries_shown(Path(written(bench.storage, path)))) if one.kind in TOLD]


def ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def test_a_closing_goes_on_until_its_entry_ends_it_whatever_the_status_says(
    ledger: Ledger, table: FloorTable, database: Database
) -> None:
    table.grown(1).add(told(2, BEGAN)).give(ledger, 1, 2, shown=Shown(recording_days=90))
    table.add(entry(3)).give(ledger, 3, 3, shown=Shown(holds=[RoomHold("H1", "count", since=3)], table_ms=3))
    table.add(entry(4)).give(ledger, 4, 4, shown=Shown(table_ms=4))
    closing = found(database, CLOSING)
    assert (closing.ended, closing.keep_until, closing.clock) == (None, None, "synchronised")
    table.add(told(5, ENDED, is_synced=False)).give(ledger, 5, 5)
    closing = found(database, CLOSING)
    assert (closing.ended, closing.clock) == (at(5), "alone")
    assert closing.keep_until == TODAY.day + timedelta(days=90), "the days are those at its beginning"


def test_the_days_are_those_of_the_batch_or_of_the_last_status(
    ledger: Ledger, table: FloorTable, database: Database
) -> None:
    table.grown(2).give(ledger, 1, 2, shown=Shown(recording_days=90))
    table.add(told(3, void(2))).give(ledger, 3, 3)
    assert found(database, VOID).keep_until == TODAY.day + timedelta(days=90)
    table.add(told(4, BEGAN), told(5, ENDED)).give(ledger, 4, 5, shown=Shown(recording_days=60))
    assert found(database, CLOSING).keep_until == TODAY.day + timedelta(days=60)


@pytest.mark.parametrize("is_one_batch", [True, False])
def test_a_null_spin_that_is_taken_back_is_no_void_round(
    ledger: Ledger, table: FloorTable, database: Database, is_one_batch: bool
) -> None:
    table.grown(2).add(told(3, void(2)), told(4, void(2)), told(5, NULL_SPIN_TAKEN_BACK))
    for first, last in ((1, 5),) if is_one_batch else ((1, 4), (5, 5)):
        table.give(ledger, first, last)
    assert spans(database) == [("void-round", at(2), at(3))]


def test_a_mark_counts_where_it_names_the_first_entry_and_came_after_the_end(
    ledger: Ledger, table: FloorTable, database: Database
) -> None:
    table.grown(2).add(told(3, BEGAN), kept(4, 3), told(5, ENDED), told(6, void(2)))
    table.give(ledger, 1, 6)
    assert found(database, CLOSING).kept_entry == 0, "it was made before the end"
    table.add(kept(7, 3, 21), kept(8, 2, 31)).give(ledger, 7, 8)
    assert [(one.incident, one.kept_entry, one.kept_by) for one in report.incidents(database, TODAY)] == [
        ("void-round", 8, 31),
        ("irregular-closing", 7, 21),
    ]


def test_a_first_entry_that_the_floor_does_not_have_is_said_as_an_unknown_clock(
    ledger: Ledger, table: FloorTable, database: Database
) -> None:
    table.grown(5).add(told(6, void(2)))
    assert table.give(ledger, 5, 6, Gap.REMOVED).said is Said.TAKEN
    one = found(database, VOID)
    assert (one.since, one.ended, one.clock) == (at(6), at(6), "unknown")


def test_a_clock_that_cannot_be_right_gives_way_to_the_floors(
    ledger: Ledger, table: FloorTable, database: Database
) -> None:
    far = structs.replace(told(2, BEGAN), wall_ms=1 << 61, table_ms=1 << 61)
    table.grown(1).add(far, structs.replace(told(3, ENDED), wall_ms=-(1 << 61), table_ms=1 << 61))
    assert table.give(ledger, 1, 3).said is Said.TAKEN
    (one,) = report.incidents(database, Day.today("UTC"))
    assert one.ended is not None
    assert abs(one.ended - datetime.now(UTC)) < timedelta(minutes=10)


STRANGE = {
    "no list": b'{"kind":"void-round"}',
    "numbers": b"[1,2]",
    "a kind of next year": b'[{"kind":"fire","turn":"ended"},{"kind":"void-round","turn":"paused"}]',
    "a hold's kind": b'[{"kind":"malfunction","turn":"began"}]',
    "too many": b"[" + b'{"kind":"malfunction","turn":"began"},' * 8 + b'{"kind":"void-round","turn":"ended"}]',
    "null": b"null",
    "deep": b"[" * 100 + b"]" * 100,
    "an end of nothing": b'[{"kind":"irregular-closing","turn":"ended"},{"kind":"void-round","turn":"withdrawn"}]',
}


@pytest.mark.parametrize("name", STRANGE)
def test_strange_incidents_keep_no_entry_out(ledger: Ledger, table: FloorTable, database: Database, name: str) -> None:
    table.grown(1).add(structs.replace(entry(2), incidents=msgspec.Raw(STRANGE[name])), told(3, void(1)))
    assert table.give(ledger, 1, 3).said is Said.TAKEN
    assert spans(database) == [("void-round", at(1), at(3))]


def test_a_first_entry_beyond_all_entries_is_the_entry_itself(
    ledger: Ledger, table: FloorTable, database: Database
) -> None:
    table.grown(1).add(told(2, void((1 << 64) - 1)), told(3, void(-5)))
    assert table.give(ledger, 1, 3).said is Said.TAKEN
    assert spans(database) == [("void-round", at(2), at(2)), ("void-round", at(3), at(3))]
    assert {one.clock for one in report.incidents(database, TODAY)} == {"synchronised"}


def test_of_the_incidents_of_a_newer_version_those_that_are_known_are_read(
    ledger: Ledger, table: FloorTable, database: Database
) -> None:
    newer = b'[{"kind":"fire","turn":"ended"},{"kind":"irregular-closing","turn":"began","why":1}]'
    table.grown(1).add(structs.replace(entry(2), incidents=msgspec.Raw(newer)))
    assert table.give(ledger, 1, 2).said is Said.TAKEN
    assert spans(database) == [("irregular-closing", at(2), None)]


def test_a_closing_that_a_restored_table_has_lost_ends_with_its_start(
    ledger: Ledger, table: FloorTable, database: Database
) -> None:
    table.grown(4).add(told(5, BEGAN)).give(ledger, 1, 5)
    assert table.restored(3, 2).give(ledger, 4, 4).said is Said.TAKEN
    (one,) = report.incidents(database, Day.today("UTC"))
    assert (one.incident, one.since, one.clock) == ("irregular-closing", at(5), "unknown")
    assert one.ended is not None


def test_each_table_has_its_own(ledger: Ledger, table: FloorTable, database: Database, keys: Path) -> None:
    other = FloorTable("BJ-08")
    (keys / "BJ-08.pub").write_bytes(other.signer.public_file())
    for one, seq in ((table, 2), (other, 3)):
        one.grown(seq - 1).add(told(seq, BEGAN)).give(ledger, 1, seq)
    table.add(told(3, WITHDRAWN)).give(ledger, 3, 3)
    assert [(one.table, one.incident) for one in report.incidents(database, TODAY)] == [("BJ-08", "irregular-closing")]


def found(database: Database, kind: IncidentKind) -> Incident:
    (one,) = [one for one in report.incidents(database, TODAY) if one.incident == kind]
    return one
