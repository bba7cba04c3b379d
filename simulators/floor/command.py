"""`sabot-sim floor`: runs a private PostgreSQL, the floor's real program with its page, and simulated tables.

Each table replays the entries of a simulated evening. The real uplink sends them to the floor over TLS. At the end the
command compares the floor's entries with those of the tables.
"""

import argparse
import os
import resource
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Final

import msgspec
import psycopg

from controller.floor.database import Database
from controller.floor.findings import Ending
from controller.floor.pools import rule_pool
from simulators.floor.postgres import PostgresMissing, PrivatePostgres
from simulators.floor.recount import journal_in, recount
from simulators.floor.replayed import POOL, world_evening
from simulators.floor.room import FloorProcess, Room
from simulators.floor.tables import LOOK_S, Pace, PlayedTable, Tables
from simulators.floor.used import Disk, disk, processor_s
from simulators.spoken import said

WORLDS: Final = 3
"""Number of different evenings, which the tables share."""

ROUNDS: Final = 10
USUAL_RATE: Final = 1.6
"""Entries a second of a table with seventy rounds an hour."""

RULING: Final = Ending("sabot-sim", "simulated", "A pool for simulated tables.")
AHEAD: Final = 45
"""Entries by which each table begins ahead of the previous table in a run without `--seconds`.

Viewers then see different tables: some open, some play, some are held.
"""

MOST_TABLES: Final = 2000
MOST_PROCESSES: Final = 8
MOST_SAID: Final = 20
"""The most faults of a recount that a report lists."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Gives `parser` the options of `sabot-sim floor`, and `run` as the function of the subcommand."""
    parser.add_argument("--tables", type=int, default=20, metavar="N", help=said("help.tables"))
    parser.add_argument("--seconds", type=float, metavar="S", help=said("help.seconds"))
    parser.add_argument("--rate", type=float, default=USUAL_RATE, metavar="R", help=said("help.rate"))
    parser.add_argument("--look", type=float, default=LOOK_S, metavar="S", help=said("help.look"))
    parser.add_argument("--processes", type=int, default=1, metavar="N", help=said("help.processes"))
    parser.add_argument("--json", action="store_true", help=said("help.json"))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs a floor with its tables for `--seconds`, or until SIGINT or SIGTERM, and prints the report.

    Returns 0 if the recount of the floor's entries finds no fault, 1 if it finds faults, 2 for wrong options or without
    PostgreSQL.
    """
    is_possible = 1 <= arguments.tables <= MOST_TABLES and 1 <= arguments.processes <= MOST_PROCESSES
    if not is_possible or arguments.rate <= 0 or arguments.look <= 0:
        print(said("wrong.floor-options", most=MOST_TABLES), file=sys.stderr)
        return 2
    try:
        server = PrivatePostgres(settings=("max_connections=100",))
    except PostgresMissing:
        print(said("wrong.no-postgres"), file=sys.stderr)
        return 2
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # each table needs a connection and a journal
    over = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: over.set())
    with server, tempfile.TemporaryDirectory(prefix="sabot-floor-") as directory:
        return _floor(arguments, Path(directory), server, over)


def _floor(arguments: argparse.Namespace, directory: Path, server: PrivatePostgres, over: threading.Event) -> int:
    evenings = [world_evening(seed, ROUNDS) for seed in range(1, min(WORLDS, arguments.tables) + 1)]
    with Room(directory, server.conninfo()) as room:
        with Database(server.conninfo(), writers=1) as database:
            rule_pool(database, POOL, RULING)
        floors = [room.start(has_page=number == 0) for number in range(arguments.processes)]
        print(said("runs.floor", url=floors[0].page), file=sys.stderr if arguments.json else sys.stdout, flush=True)
        pace = Pace(arguments.rate, arguments.look, ahead=0 if arguments.seconds else AHEAD)
        tables = Tables(room, floors, evenings, arguments.tables, pace)
        tables.start()
        before = _Used.of(server, floors)
        over.wait(arguments.seconds)
        tables.end()
        report = _report(tables.played, server.conninfo(), before, _Used.of(server, floors))
    if arguments.json:
        print(msgspec.json.encode(report).decode())
    else:
        print(said("told.floor", **(msgspec.to_builtins(report) | {"wrong": len(report.wrong)})))
    return 1 if report.wrong else 0


class _Used(msgspec.Struct, frozen=True):
    """The processor seconds of the floor, of PostgreSQL and of this process, and the disk space, up to one moment."""

    at_s: float
    floor_s: float
    database_s: float
    tables_s: float
    disk: Disk

    @classmethod
    def of(cls, server: PrivatePostgres, floors: list[FloorProcess]) -> "_Used":
        of_server = [] if server.process is None else [server.process.pid]
        return cls(
            time.monotonic(),
            processor_s([one.process.pid for one in floors]),
            processor_s(of_server),
            sum(os.times()[:2]),
            disk(server.conninfo()),
        )


class Report(msgspec.Struct, frozen=True):
    """The result of a floor's run. `wrong`: the first MOST_SAID faults of the recount. `troubles`: failures of the
    tables' uplinks.

    `contributions`, `hits`: the numbers that the linked pool has counted. `least_contributions`: the contributions of
    the table with the fewest; above 0, every table has played rounds. `p50_ms`, `p99_ms`: percentiles of the delay from
    an entry's due time to the floor's acknowledgement. `batch_...`: the percentiles of the delay from the write of a
    batch's last entry to that acknowledgement. `floor_s`, `database_s`, `tables_s`: processor seconds. `bytes_kept`,
    `bytes_logged`: the growth of the database and of its log.
    """

    tables: int
    entries: int
    contributions: int
    least_contributions: int
    hits: int
    wrong: list[str]
    seconds: float
    entries_per_s: float
    batches: int
    p50_ms: float
    p99_ms: float
    batch_p50_ms: float
    batch_p99_ms: float
    floor_s: float
    database_s: float
    tables_s: float
    bytes_kept: int
    bytes_logged: int
    troubles: list[str]


_LINKED: Final = """
with of_table as (
    select count(contribution.number) as times from line left join contribution using (table_id) group by table_id
)
select coalesce(sum(times), 0)::bigint, coalesce(min(times), 0), (select count(*) from hit where micro > 0)
from of_table
"""


def _linked(conninfo: str) -> tuple[int, int, int]:
    """Returns three counts of the linked pool: all contributions, the contributions of the table with the fewest, and
    the hits.
    """
    with psycopg.connect(conninfo) as connection:
        contributions, least, hits = connection.execute(_LINKED).fetchone() or (0, 0, 0)
    return contributions, least, hits


def _spread_ms(delays: list[float]) -> tuple[float, float]:
    """Returns the median and the 99th percentile of the delays; zeros for an empty list."""
    found = sorted(delays) or [0.0]
    return round(found[len(found) // 2], 1), round(found[len(found) * 99 // 100], 1)


def _report(tables: list[PlayedTable], conninfo: str, before: _Used, after: _Used) -> Report:
    entries = sum(one.table.durable_seq() for one in tables)
    seconds = after.at_s - before.at_s
    return Report(
        len(tables),
        entries,
        *_linked(conninfo),
        recount(conninfo, {one.table.name: journal_in(one.table.directory) for one in tables})[:MOST_SAID],
        round(seconds, 1),
        round(entries / seconds, 1),
        sum(one.batches for one in tables),
        *_spread_ms([delay for table in tables for delay in table.delays_ms]),
        *_spread_ms([delay for table in tables for delay in table.carried_ms]),
        round(after.floor_s - before.floor_s, 1),
        round(after.database_s - before.database_s, 1),
        round(after.tables_s - before.tables_s, 1),
        after.disk.database - before.disk.database,
        after.disk.log - before.disk.log,
        sorted({one.trouble for one in tables if one.trouble}),
    )
