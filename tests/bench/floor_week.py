"""G35: the time in which a floor that was away for a week catches up, beside a plain psycopg COPY of the same entries.

The subject is the real uplink over TLS to a process of the floor: each entry is read from the journal's segments,
signed, verified, judged, counted and durable. The peer has the same rows in memory, copies as many at a time, and
commits; it checks and counts nothing. Both write to one private PostgreSQL with the disk's syncs on.
"""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import date
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from controller.floor.database import Database
from controller.floor.pools import rule_pool
from controller.journal.format import Record, scan
from controller.journal.recovery import list_segments
from controller.journal.storage import DirectoryReader
from simulators.floor.command import RULING
from simulators.floor.postgres import PrivatePostgres
from simulators.floor.replayed import POOL, Evening, ReplayedTable, world_evening
from simulators.floor.room import FloorProcess, Room
from simulators.floor.tables import PlayedTable
from tests.bench.floor_rows import PLAIN
from tests.bench.rows import Plan, Row, interleave, ratios, spread

WEEK = 645_120
"""A table's entries in seven days of sixteen hours, 1.6 a second."""

SEED = 3
ROUNDS = 10
AT_ONCE = 1000

COPY = "copy plain from stdin (format binary)"
TYPES = ("date", "text", "int4", "int8", "text", "int8", "bytea", "bytea")

_names = count(1)


def run(plan: Plan) -> list[Row]:
    entries = plan.count(WEEK)
    with ExitStack() as open_:
        directory = Path(open_.enter_context(TemporaryDirectory()))
        server = open_.enter_context(PrivatePostgres())
        room = open_.enter_context(Room(directory, server.conninfo()))
        with Database(server.conninfo(), writers=1) as database:
            rule_pool(database, POOL, RULING)
        floor = room.start(has_page=False)
        peer = open_.enter_context(psycopg.connect(server.conninfo()))
        peer.execute(PLAIN)
        peer.commit()
        week = partial(_week, directory, room, floor, world_evening(SEED, ROUNDS), entries)
        rates = interleave(
            {"sabot": lambda: _caught_up(week()), "copy": lambda: _copied(peer, week())}, plan.repetitions
        )
    what = f"a week of a table ({entries} entries) caught up at the floor, entries a second over a plain COPY"
    figure = ratios(rates["sabot"], rates["copy"])
    beside = {name: spread(values) for name, values in rates.items()}
    return [Row("G35", what, figure, beside, "entries/s")]


def _week(directory: Path, room: Room, floor: FloorProcess, evening: Evening, entries: int) -> PlayedTable:
    """A table with this many durable entries of which the floor has none."""
    name = f"week-{next(_names)}"
    table = ReplayedTable(directory, name, evening.again(lambda: time.time_ns() // 1_000_000), evening.shown_at)
    for first in range(0, entries, AT_ONCE):
        table.play(min(AT_ONCE, entries - first))
    room.admit(table.name, table.signer)
    return PlayedTable(table, room, floor, 1.0)


def _caught_up(week: PlayedTable) -> float:
    began_s = time.perf_counter()
    while not week.is_level:
        week.step()
        if week.trouble:
            raise RuntimeError(week.trouble)
    rate = week.table.durable_seq() / (time.perf_counter() - began_s)
    week.hang_up()
    week.table.close()
    return rate


def _copied(peer: psycopg.Connection, week: PlayedTable) -> float:
    week.table.close()
    month, seconds, entries = date(2026, 11, 1), 0.0, 0
    for records in _records(week.table.directory):
        began_s = time.perf_counter()
        with peer.cursor() as cursor, cursor.copy(COPY) as copy:
            copy.set_types(TYPES)
            for one in records:
                copy.write_row((month, week.table.name, 1, one.seq, "noted", 0, one.chain, one.payload))
        peer.commit()
        seconds += time.perf_counter() - began_s
        entries += len(records)
    return entries / seconds


def _records(directory: Path) -> Iterator[tuple[Record, ...]]:
    """The records of each segment."""
    with DirectoryReader(directory) as journal:
        for _number, name in list_segments(journal):
            yield scan(journal.read(name)).records
