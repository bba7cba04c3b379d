"""A status that no controller sends neither keeps its table's entries out, now or later, nor breaks a page."""

import msgspec
import pytest

from controller.floor import report
from controller.floor.database import Database
from controller.floor.ledger import Ledger
from controller.floor.report import Day
from controller.floor.room import tables
from controller.protocol.carried import Said
from tests.floor.kit import FloorTable, entry

pytestmark = [pytest.mark.waits, pytest.mark.usefixtures("counted_again")]

LARGEST = b"18446744073709551615"
DEEP = 30_000
STATUSES = {
    "NUL in a hold": b'{"holds":[{"id":"H\\u0000","text":"\\u0000"}]}',
    "NUL in a field that the floor does not read": b'{"state":"\\u0000"}',
    "NUL in a field of next year": b'{"of_next_year":"\\u0000"}',
    "NUL in a device": b'{"devices":{"shuffler\\u0000":{"serial_number":"\\u0000"}}}',
    "the first and the last moment": b'{"holds":[{"since":-9223372036854775808}],"table_ms":9223372036854775807}',
    "a hold that begins late": b'{"holds":[{"id":"H","since":' + LARGEST + b"}]}",
    "a late moment": b'{"table_ms":' + LARGEST + b',"holds":[{"id":"H"}]}',
    "the largest pool": b'{"jackpot":{"amount_cents":' + LARGEST + b"}}",
    "the largest deck set": b'{"figures":{"deck_set":' + LARGEST + b"}}",
    "a number beyond numeric": b'{"of_next_year":1e999999}',
    "a long name": b'{"holds":[{"id":"'
    + b"x" * 2000
    + b'"}],"devices":{"shuffler":{"serial_number":"'
    + b"x" * 9000
    + b'"}}}',
    "deep": b'{"of_next_year":' + b"[" * DEEP + b"]" * DEEP + b"}",
}


@pytest.mark.parametrize("name", STATUSES)
def test_a_status_of_any_kind_keeps_no_entry_out(
    ledger: Ledger, table: FloorTable, database: Database, name: str
) -> None:
    table.grown(1).give(ledger, 1, 1)
    for shown in (STATUSES[name], STATUSES[name], b""):
        seq = table.last + 1
        table.add(entry(seq, "card-counted-in"))
        batch = table.batch(seq, seq, ledger.place(table.name).nonce)
        assert ledger.take(table.name, msgspec.structs.replace(batch, shown=shown)).said is Said.TAKEN
    row, today = tables(database)[table.name], Day.today("UTC")
    assert all(minutes >= 0 for _hold, minutes in row.holds)
    assert report.worn(database) != []
    report.incidents(database, today)
    report.pools(database, today)


def test_a_text_with_nul_is_shown_without_it(ledger: Ledger, table: FloorTable, database: Database) -> None:
    table.grown(1)
    batch = table.batch(1, 1, ledger.place(table.name).nonce)
    shown = b'{"state":"a\\u0000b \\\\u0000","session":"in-play"}'
    assert ledger.take(table.name, msgspec.structs.replace(batch, shown=shown)).said is Said.TAKEN
    assert tables(database)[table.name].shown.state == "a\ufffdb \\u0000"


def test_a_stranger_asks_for_no_entry_of_a_table_that_is_not_known(ledger: Ledger, table: FloorTable) -> None:
    table.grown(2).give(ledger, 1, 2)
    assert ledger.at("BJ-07", 1).head is not None
    for name in ("BJ-08", "\0", "../BJ-07", "BJ-07\n"):
        assert ledger.at(name, 1).head is None
