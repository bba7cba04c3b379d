"""The room's pages count a day's figures and rounds, its incidents, and devices that get worse."""

import csv
import urllib.error
import urllib.request
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from msgspec import structs

from controller.floor import report
from controller.floor.database import Database
from controller.floor.findings import Ending
from controller.floor.ledger import Ledger
from controller.floor.pools import Pools, rule_pool
from controller.floor.report import Day, Figures
from controller.journal.signing import Signer
from controller.protocol.incidents import IncidentKind, Told, Turn
from controller.protocol.linked import Contribution, PoolHit, PoolRules
from controller.protocol.shown import RoomDevice, RoomFigures, RoomHold, RoomJackpot, Shown
from simulators.floor.room import Room
from tests.floor.kit import FloorTable, entry, kept, told
from tests.floor.test_linked import linked

pytestmark = [pytest.mark.waits, pytest.mark.usefixtures("counted_again")]

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC).timestamp()
HOUR = 3600.0
DAY = Day(date(2026, 11, 20), "Europe/Lisbon")


def evening(table: FloorTable) -> FloorTable:
    """The table after three rounds in two hours, with a jam and a retry, and after a round of the next day."""
    kinds = ["open-session", *["announce-no-more-bets", "card-counted-out", "card-counted-out", "card-read"] * 2]
    for kind in ("controller-started", *kinds, "shuffler-jammed", "card-retried"):
        table.add(entry(table.last + 1, kind, wall_s=NOON))
    table.add(entry(table.last + 1, "announce-no-more-bets", wall_s=NOON + HOUR))
    return table.add(entry(table.last + 1, "announce-no-more-bets", wall_s=NOON + 24 * HOUR))


def test_figures_and_rounds_are_those_of_the_day(ledger: Ledger, table: FloorTable, database: Database) -> None:
    evening(table).give(ledger, 1, table.last)
    assert report.figures(database, DAY) == [Figures("BJ-07", 1, 3, 4, 1, 1, 0, 0, 0)]
    assert report.rounds_by_hour(database, DAY) == {"BJ-07": {12: 2, 13: 1}}
    assert report.rounds_by_hour(database, Day(date(2026, 11, 20), "Asia/Macau")) == {"BJ-07": {20: 2, 21: 1}}
    assert report.rounds_by_hour(database, Day(date(2026, 11, 21), "Europe/Lisbon")) == {"BJ-07": {12: 1}}
    assert report.rounds_by_hour(database, Day(date(2026, 11, 22), "Europe/Lisbon")) == {}


def test_a_device_that_gets_worse_comes_first_by_serial_number_and_deck_set(
    ledger: Ledger, table: FloorTable, database: Database, keys: Path
) -> None:
    def fitted(serial: str, deck_set: int) -> Shown:
        return Shown(devices={"shuffler": RoomDevice(serial_number=serial)}, figures=RoomFigures(deck_set))

    good = FloorTable("BJ-08")
    (keys / "BJ-08.pub").write_bytes(good.signer.public_file())
    for one, serial, jams in ((good, "S-1", 0), (table, "S-2", 3)):
        one.grown(1).give(ledger, 1, 1, shown=fitted(serial, 7))
        for kind in ["card-counted-out"] * 9 + ["shuffler-jammed"] * jams:
            one.add(entry(one.last + 1, kind))
        one.give(ledger, 2, one.last, shown=fitted(serial, 8))
        one.add(entry(one.last + 1, "card-counted-in")).give(ledger, one.last, one.last)
    database.write("update wear set day = day - 10 where deck_set = 8 and serial = 'S-2'", {})
    found = [(one.serial, one.deck_set, one.cards, one.faults, one.per_thousand) for one in report.worn(database)]
    assert found == [
        ("S-2", 7, 9, 3, pytest.approx(1000 / 3)),
        ("S-2", 8, 0, 0, 0),
        ("S-1", 7, 9, 0, 0),
        ("S-1", 8, 1, 0, 0),
    ]
    assert report.worn(database)[1].cards_before == 1


def test_a_table_that_says_nothing_of_its_devices_is_counted_all_the_same(
    ledger: Ledger, table: FloorTable, database: Database
) -> None:
    """A table without a device's figures, such as one of the previous version or a new one, is counted."""
    evening(table).give(ledger, 1, table.last)
    assert [(one.device, one.serial, one.deck_set, one.cards) for one in report.worn(database)] == [
        ("shuffler", "", 0, 4),
        ("shoe", "", 0, 2),
    ]


def test_reports_are_pages_and_csv_in_which_nothing_is_worked_out(
    room: Room, ledger: Ledger, table: FloorTable
) -> None:
    hold = RoomHold("H1", "jam", text='=HYPERLINK("x") <b>', since=0)
    shown = Shown(holds=[hold], table_ms=60_000, jackpot=RoomJackpot(990))
    evening(table).give(ledger, 1, table.last, shown=shown)
    page = room.start().page
    figures = list(csv.DictReader(StringIO(_get(f"{page}report/figures.csv?day=2026-11-20"))))
    assert (figures[0]["table"], figures[0]["rounds"], figures[0]["faults"]) == ("BJ-07", "3", "1")
    assert "BJ-07,13,1" in _get(f"{page}report/rounds.csv?day=2026-11-20")
    incidents = list(csv.DictReader(StringIO(_get(f"{page}report/incidents.csv"))))
    assert incidents[0]["words"] == """'=HYPERLINK("x") <b>"""
    text = _get(f"{page}report")
    assert "=HYPERLINK(&#34;x&#34;) &lt;b&gt;" in text
    assert "9.90" in _get(f"{page}jackpots")
    for day in ("", "x", "0001-01-01", "9999-12-31", "2026-13-01"):
        assert 'type="date"' in _get(f"{page}report?day={day}")
    for path in ("report/all.csv", "static/page.py", "table/none"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            _get(page + path)


def test_the_page_of_jackpots_has_every_meter_of_a_linked_pool_and_the_hits_of_a_day(
    room: Room, ledger: Ledger, keys: Path, database: Database
) -> None:
    euro = 1_000_000
    rules = PoolRules("gold", "EUR", seed=1000 * euro, reset=500 * euro, rate_ppm=20_000, reserve_ppm=100_000)
    assert rule_pool(database, rules, Ending("Ana Silva", "root", "As agreed."))
    floor = replace(ledger, pools=Pools(database, Signer(b"\7" * 32)))
    made = FloorTable("BJ-08").grown(1)
    (keys / "BJ-08.pub").write_bytes(made.signer.public_file())
    made.add(linked(2, [Contribution("gold", "EUR", 30 * euro)]), linked(3, hits=[PoolHit("gold", "EUR")]))
    made.add(linked(4, [Contribution("gold", "EUR", 5 * euro)]))
    made.give(floor, 1, 4)
    page = room.start().page
    text = " ".join(_get(f"{page}jackpots").split())
    told = ["500.00", "0.00", "0.00", "1031.50", "1496.50", "35.00", "0.00"]
    assert report.meters(database)[0].difference == 0
    (hit,) = report.hits(database, Day.today("UTC"))
    assert (hit.table, hit.micro) == ("BJ-08", 1_031_500_000)
    assert "".join(f"<td>{one}</td>" for one in told) in text
    assert "<td>BJ-08</td><td>1.3</td><td>1031.50</td>" in text
    database.write("update linked_pool set amount = amount + 10000", {})
    assert '<tr class="worse"><th scope="row">gold (EUR)</th>' in _get(f"{page}jackpots")
    database.write("update linked_pool set amount = amount - 10000", {})
    assert "BJ-08" not in _get(f"{page}jackpots?day=2026-01-01")


def test_an_incident_has_its_kind_clock_last_day_and_the_mark_of_its_recording(
    room: Room, ledger: Ledger, table: FloorTable, database: Database
) -> None:
    """The kit's entries have their number as their table time, so that entry 3 raises the hold of table time 3."""

    def gives(*holds: RoomHold, synced: bool = True) -> None:
        seq = table.last
        table.add(structs.replace(entry(seq + 1), wall_synced=synced))
        table.give(ledger, seq + 1, seq + 1, shown=Shown(holds=list(holds), table_ms=table.last, recording_days=90))

    table.grown(3).give(ledger, 1, 3)
    jam, absent = RoomHold("H1", "jam", since=3), RoomHold("H2", "supervisor-absent", since=2)
    gives(jam, absent)
    table.add(kept(5, 3)).give(ledger, 5, 5)
    found = {one.kind: one for one in report.incidents(database, Day.today("UTC"))}
    assert (found["jam"].incident, found["jam"].clock, found["jam"].keep_until) == ("malfunction", "synchronised", None)
    assert found["jam"].kept_entry == 0, "the incident goes on"
    gives(synced=False)
    (ended,) = [one for one in report.incidents(database, Day.today("UTC")) if one.incident]
    assert ended.ended is not None
    assert (ended.clock, ended.keep_until) == ("alone", ended.ended.date() + timedelta(days=90))
    assert (ended.kept_entry, found["supervisor-absent"].incident) == (0, "")
    others = [kept(7, 4), kept(8, 99), kept(9, 3, refused=True), kept(10, 3), kept(11, 3, 31), kept(12, 3, 10**9)]
    table.add(*others).give(ledger, 7, 12)
    (marked,) = [one for one in report.incidents(database, Day.today("UTC")) if one.incident]
    assert (marked.kept_entry, marked.kept_by) == (11, 31)
    page = room.start().page
    text = _get(f"{page}report")
    assert "malfunction; CLOCK NOT SYNCHRONISED; keep them up to and with" in text
    assert "marked by 31, entry 11 (the place stands at the table)" in text
    (row, *_) = [one for one in csv.DictReader(StringIO(_get(f"{page}report/incidents.csv"))) if one["incident"]]
    assert (row["clock"], row["kept_by"], row["keep_until"]) == ("alone", "31", str(marked.keep_until))


def test_void_rounds_and_irregular_closings_are_lines_of_the_page_and_of_the_csv(
    room: Room, ledger: Ledger, table: FloorTable
) -> None:
    closing = IncidentKind.IRREGULAR_CLOSING
    table.grown(2).add(told(3, Told(IncidentKind.VOID_ROUND, Turn.ENDED, 2)), kept(4, 2, 31))
    table.add(told(5, Told(closing, Turn.BEGAN)), told(6, Told(closing, Turn.ENDED), is_synced=False))
    table.give(ledger, 1, 6, shown=Shown(recording_days=90))
    page = room.start().page
    text = " ".join(_get(f"{page}report?day=2026-11-20").split())
    times = "<td>2026-11-20 00:00</td>" * 2
    assert f'<tr>{times}<th scope="row">BJ-07</th><td>void round</td><td>void round; clock synchronised; keep' in text
    assert "irregular closing; CLOCK NOT SYNCHRONISED; keep them up to and with 2027-02-18" in text
    assert "marked by 31, entry 4 (the place stands at the table)" in text
    rows = list(csv.DictReader(StringIO(_get(f"{page}report/incidents.csv?day=2026-11-20"))))
    told_of = [(one["kind"], one["words"], one["clock"], one["keep_until"], one["kept_by"]) for one in rows]
    assert told_of == [
        ("void-round", "void round", "synchronised", "2027-02-18", "31"),
        ("irregular-closing", "irregular closing", "alone", "2027-02-18", "0"),
    ]
    assert [(one["since"][:23], one["ended"][:23]) for one in rows] == [
        ("2026-11-20 00:00:00.002", "2026-11-20 00:00:00.003"),
        ("2026-11-20 00:00:00.005", "2026-11-20 00:00:00.006"),
    ]


def test_another_name_for_this_computer_is_refused(room: Room) -> None:
    """The floor refuses a request under another host's name, so a page of another site reads nothing."""
    request = urllib.request.Request(room.start().page, headers={"Host": "elsewhere.example"})  # noqa: S310
    with pytest.raises(urllib.error.HTTPError, match="400"):
        urllib.request.urlopen(request, timeout=20)  # noqa: S310


def _get(url: str) -> str:
    with urllib.request.urlopen(url, timeout=20) as answer:  # noqa: S310
        return str(answer.read().decode())
