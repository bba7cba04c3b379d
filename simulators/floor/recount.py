"""Checks a floor's database independently, by the bytes of its entries and by the tables' own journals. This code
shares nothing with the floor or the controller: it reads chain and segments by FORMAT.md, and rows by plain SQL. Each
fault is returned as one sentence. `python -m simulators.floor.recount CONNECTION [DIRECTORY ...]` checks a database;
each directory holds a table's journal and has the table's name.
"""

import json
import struct
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import psycopg

from simulators.floor.recount_pools import pools_wrong

ZERO: Final = bytes(32)
HEADER: Final = 92
MAY_BE_MISSING: Final = ("gap", "begins-later")
"""Kinds of findings that say: the entries before the finding's entry will never come."""

WORN: Final = {
    "card-counted-in": ("shuffler", "cards"),
    "card-counted-out": ("shuffler", "cards"),
    "shuffler-jammed": ("shuffler", "faults"),
    "card-retried": ("shuffler", "retries"),
    "card-read": ("shoe", "cards"),
    "reader-error-raised": ("shoe", "faults"),
}

MOST_DIGITS: Final = 30
"""The digits of a number that are read; a valid number is below 2**64 and has fewer."""

_PREFIX: Final = struct.Struct("<III")


@dataclass(frozen=True, slots=True)
class Journal:
    """A table's own journal: its entries as bytes, by number. `is_carried`: True if the floor must have every entry."""

    payloads: Mapping[int, bytes]
    is_carried: bool = True


@dataclass(frozen=True, slots=True)
class _Line:
    table: str
    epoch: int
    first: int
    parent: int | None
    last: int
    head: bytes


@dataclass(frozen=True, slots=True)
class _Row:
    month: str
    kind: str
    wall_ms: int
    chain: bytes
    payload: bytes


Rows = dict[int, _Row]


def journal_in(directory: Path) -> Journal:
    """Reads the journal in a directory of segments."""
    found: dict[int, bytes] = {}
    for path in sorted(directory.glob("*.segment")):
        data = path.read_bytes()
        (seq,) = struct.unpack_from("<Q", data, 16)
        at = HEADER
        while at < len(data):
            length, _, _ = _PREFIX.unpack_from(data, at)
            found[seq] = data[at + _PREFIX.size : at + _PREFIX.size + length]
            at, seq = at + _PREFIX.size + length + 32, seq + 1
    return Journal(found)


def recount(conninfo: str, journals: Mapping[str, Journal]) -> list[str]:
    """Checks the database at `conninfo` and returns its faults as sentences. `journals`: the tables' own journals, by
    the table's name.
    """
    with psycopg.connect(conninfo) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        return recount_over(connection, journals)


def recount_over(connection: psycopg.Connection, journals: Mapping[str, Journal]) -> list[str]:
    """Checks the database within this connection's transaction, and returns its faults as sentences. `journals`: the
    tables' own journals, by the table's name.
    """
    lines = _lines(connection)
    rows, wrong = _rows(connection)
    missing = _said_missing(connection)
    counted, wear = _counted(connection), _wear(connection)
    wrong += pools_wrong(connection, _entries(rows))
    wrong += [f"{table} epoch {epoch}: entries without a line" for table, epoch in rows.keys() - lines.keys()]
    for key, line in lines.items():
        above = None if line.parent is None else rows.get((line.table, line.parent), {})
        wrong += _line_wrong(line, rows.get(key, {}), above, missing)
    wrong += _counts_wrong(rows, counted)
    wrong += _wear_wrong(rows, wear)
    for name, journal in journals.items():
        wrong += _journal_wrong(name, journal, _history(name, lines, rows))
    return sorted(wrong)


def _lines(connection: psycopg.Connection) -> dict[tuple[str, int], _Line]:
    found = connection.execute("select table_id, epoch, first_seq, parent_epoch, last_seq, head from line")
    return {(row[0], row[1]): _Line(*row) for row in found}


def _rows(connection: psycopg.Connection) -> tuple[dict[tuple[str, int], Rows], list[str]]:
    """Returns all rows, by table and epoch, and a fault for each entry that is stored twice. The database can store an
    entry twice, since the month is part of its key.
    """
    found: defaultdict[tuple[str, int], Rows] = defaultdict(dict)
    twice: list[str] = []
    asked = "select table_id, epoch, seq, month, kind, wall_ms, chain, payload from entry order by 1, 2, 3"
    for table, epoch, seq, month, *rest in connection.execute(asked):
        if seq in found[table, epoch]:
            twice.append(f"{table} epoch {epoch}: entry {seq} is there twice")
        found[table, epoch][seq] = _Row(str(month), *rest)
    return dict(found), twice


def _entries(rows: Mapping[tuple[str, int], Rows]) -> Iterator[tuple[tuple[str, int, int], dict[str, Any]]]:
    for (table, epoch), of_line in rows.items():
        yield from (((table, epoch, seq), _said(row.payload)) for seq, row in of_line.items())


def _said_missing(connection: psycopg.Connection) -> set[tuple[str, int, int]]:
    asked = "select table_id, epoch, seq, kind from {} where kind = any(%s)"
    found = set()
    for name in ("finding", "ended_finding"):
        rows = connection.execute(asked.format(name).encode(), [list(MAY_BE_MISSING)])
        found |= {(table, epoch, seq) for table, epoch, seq, _kind in rows}
    return found


def _counted(connection: psycopg.Connection) -> Counter[tuple[str, str, str, bool]]:
    asked = "select table_id, extract(epoch from hour)::bigint, kind, refused, times from counted"
    found: Counter[tuple[str, str, str, bool]] = Counter()
    for table, hour, kind, refused, times in connection.execute(asked):
        found[table, _hour(hour), kind, refused] += times
    return found


def _wear(connection: psycopg.Connection) -> Counter[tuple[str, str, str]]:
    found: Counter[tuple[str, str, str]] = Counter()
    asked = "select table_id, device, sum(cards), sum(faults), sum(retries) from wear group by 1, 2"
    for table, device, cards, faults, retries in connection.execute(asked):
        of_device = {"cards": int(cards), "faults": int(faults), "retries": int(retries)}
        found.update({(table, device, what): times for what, times in of_device.items()})
    return found


def _line_wrong(line: _Line, rows: Rows, above: Rows | None, missing: set[tuple[str, int, int]]) -> Iterator[str]:
    """Yields the faults in the entries of one table and epoch: each entry must continue the number and the hash chain
    of the one before.

    `above`: the entries of the earlier epoch. `missing`: the entries, by table, epoch and number, before which a gap is
    no fault.
    """
    named = f"{line.table} epoch {line.epoch}"
    if not rows or min(rows) != line.first or max(rows) != line.last:
        yield f"{named}: entries {min(rows, default=0)} to {max(rows, default=0)}, not {line.first} to {line.last}"
        return
    before, head = _before(line, above)
    for seq, row in rows.items():
        if seq != before + 1 and (line.table, line.epoch, seq) not in missing:
            yield f"{named}: nothing between {before} and {seq}"
        if seq == before + 1 and head is not None and _chain(head, row.payload) != row.chain:
            yield f"{named}: entry {seq} does not follow"
        yield from _row_wrong(f"{named}: entry {seq}", seq, row)
        before, head = seq, row.chain
    if head != line.head:
        yield f"{named}: its head is another one"


def _before(line: _Line, above: Rows | None) -> tuple[int, bytes | None]:
    """Returns the number and the chain value of the last entry before this epoch, from `above`. Returns 0 and ZERO if
    the epoch begins with entry 1, and 0 and None if `above` lacks the entry.
    """
    if line.first == 1:
        return 0, ZERO
    found = (above or {}).get(line.first - 1)
    return (0, None) if found is None else (line.first - 1, found.chain)


def _chain(head: bytes, payload: bytes) -> bytes:
    length = struct.pack("<I", len(payload))
    return sha256(head + length + struct.pack("<II", zlib.crc32(length), zlib.crc32(payload)) + payload).digest()


def _said(payload: bytes) -> dict[str, Any]:
    """Returns the fields of an entry. Invalid UTF-8, or a number of thousands of digits, raises no error."""
    fields: dict[str, Any] = json.loads(payload.decode("utf-8", "replace"), parse_int=_int)
    return fields


def _int(digits: str) -> int:
    return int(digits[:MOST_DIGITS])


def _row_wrong(named: str, seq: int, row: _Row) -> Iterator[str]:
    said = _said(row.payload)
    if (said["seq"], said["kind"], said["wall_ms"]) != (seq, row.kind, row.wall_ms):
        yield f"{named}: its columns are not what it says"


def _counts_wrong(rows: Mapping[tuple[str, int], Rows], counted: Counter[tuple[str, str, str, bool]]) -> Iterator[str]:
    again: Counter[tuple[str, str, str, bool]] = Counter()
    for (table, _epoch), of_line in rows.items():
        for row in of_line.values():
            hour = _hour(row.wall_ms // 1000) if row.month > "1970-01-01" else _hour(0)
            again[table, hour, row.kind, _said(row.payload).get("refusal") is not None] += 1
    for key in sorted(again.keys() | counted.keys()):
        if again[key] != counted[key]:
            yield f"{key}: counted {counted[key]}, and there are {again[key]}"


def _wear_wrong(rows: Mapping[tuple[str, int], Rows], wear: Counter[tuple[str, str, str]]) -> Iterator[str]:
    again = Counter(
        (table, *WORN[row.kind])
        for (table, _epoch), of_line in rows.items()
        for row in of_line.values()
        if row.kind in WORN
    )
    for key in sorted(again.keys() | wear.keys()):
        if again[key] != wear[key]:
            yield f"{key}: {wear[key]} of wear, and there are {again[key]}"


def _hour(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%d %H")


def _history(name: str, lines: Mapping[tuple[str, int], _Line], rows: Mapping[tuple[str, int], Rows]) -> Rows:
    """Returns the rows of a table's newest epoch, and before them the rows of its parent epochs, back to entry 1."""
    epochs = [epoch for table, epoch in lines if table == name]
    line = lines.get((name, max(epochs, default=0)))
    found: Rows = {}
    end = line.last if line is not None else 0
    while line is not None:
        found |= {seq: row for seq, row in rows.get((name, line.epoch), {}).items() if seq <= end}
        end, line = line.first - 1, None if line.parent is None else lines.get((name, line.parent))
    return found


def _journal_wrong(name: str, journal: Journal, history: Rows) -> Iterator[str]:
    """Yields a fault for each entry of the floor that differs from the table's journal, and one more if the floor lacks
    entries that it must have.
    """
    for seq, row in history.items():
        if journal.payloads.get(seq) != row.payload:
            yield f"{name}: entry {seq} is not the table's"
    if journal.is_carried and history.keys() != journal.payloads.keys():
        yield f"{name}: {len(journal.payloads.keys() - history.keys())} entries are missing"


def main(arguments: list[str]) -> int:
    """Prints the faults of a database. Returns 0 without faults, 1 with faults. Raises psycopg.Error, OSError.

    `arguments`: the connection, then the directories of the tables' journals. Each directory has the name of its table.
    """
    journals = {Path(one).name: journal_in(Path(one)) for one in arguments[1:]}
    found = recount(arguments[0], journals)
    for one in found:
        print(one)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
