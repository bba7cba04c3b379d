"""The recount of a floor's database finds each kind of error, made there by hand."""

import psycopg
import pytest

from controller.floor.ledger import Ledger
from simulators.floor.recount import Journal, recount_over
from tests.floor.kit import FloorTable

pytestmark = pytest.mark.waits

MISTAKES = {
    "nothing between 3 and 5": "delete from entry where seq = 4",
    "entries 1 to 8, not 1 to 9": "delete from entry where seq = 9",
    "2 entries are missing": "delete from entry where seq > 7",
    "entry 5 does not follow": "update entry set payload = payload || ' ' where seq = 5",
    "entry 5 is not the table's": "update entry set payload = payload || ' ' where seq = 5",
    "its columns are not what it says": "update entry set wall_ms = 0 where seq = 5",
    "entry 2 is there twice": (
        "create table entry_2030 partition of entry for values from ('2030-01-01') to ('2030-02-01');"
        "insert into entry select date '2030-01-01', table_id, epoch, seq, kind, wall_ms, chain, payload "
        "from entry where seq = 2"
    ),
    "counted 9, and there are 8": "update counted set times = times + 1 where kind = 'noted'",
    "counted 0, and there are 8": "delete from counted where kind = 'noted'",
    "1 of wear, and there are 0": "insert into wear values ('BJ-07', current_date, 'shoe', '', 0, 1, 0, 0)",
    "its head is another one": "update line set head = sha256(head)",
    "entries without a line": "delete from line",
}


@pytest.mark.parametrize("says", MISTAKES)
def test_a_recount_finds_what_is_wrong(ledger: Ledger, table: FloorTable, conninfo: str, says: str) -> None:
    table.grown(9)
    table.give(ledger, 1, 9)
    journal = {"BJ-07": Journal(dict(enumerate(table.payloads, 1)))}
    with psycopg.connect(conninfo) as connection:
        assert recount_over(connection, journal) == []
        connection.execute(MISTAKES[says].encode())
        assert any(says in one for one in recount_over(connection, journal))
        connection.rollback()
