"""`sabot-sim floor`: a private PostgreSQL, the floor's real program, simulated tables, and the page with all of them.

Each table lives the evening of a world again, entry for entry, and is carried by the real uplink over TLS. At the end
what the floor keeps is compared with what the tables have.
"""

import argparse
import signal
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec
import psycopg

from controller.journal.entry import Entry
from controller.uplink.carry import Carrier
from controller.uplink.errors import Trouble
from controller.uplink.floor import FloorEnd
from controller.uplink.segment import SegmentReader
from simulators.floor.postgres import PostgresMissing, PrivatePostgres
from simulators.floor.replayed import ReplayedTable, again, world_entries
from simulators.floor.room import FloorProcess, Room
from simulators.spoken import said

WORLDS: Final = 2
"""So many different evenings; the tables share them."""

ROUNDS: Final = 10
USUAL_RATE: Final = 1.6
"""Entries a second of a table at seventy rounds an hour."""

LOOK_S: Final = 0.2
MOST_TABLES: Final = 500
"""Each has a thread of this process."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The subcommand's options."""
    parser.add_argument("--tables", type=int, default=20, metavar="N", help=said("help.tables"))
    parser.add_argument("--seconds", type=float, metavar="S", help=said("help.seconds"))
    parser.add_argument("--rate", type=float, default=USUAL_RATE, metavar="R", help=said("help.rate"))
    parser.add_argument("--json", action="store_true", help=said("help.json"))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """0 where the floor has every entry of every table once, 1 where it has not, 2 where it cannot be set up."""
    if not 1 <= arguments.tables <= MOST_TABLES or arguments.rate <= 0:
        print(said("wrong.floor-options", most=MOST_TABLES), file=sys.stderr)
        return 2
    try:
        server = PrivatePostgres(settings=("max_connections=60",))
    except PostgresMissing:
        print(said("wrong.no-postgres"), file=sys.stderr)
        return 2
    over = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: over.set())
    with server, tempfile.TemporaryDirectory(prefix="sabot-floor-") as directory:
        return _floor(arguments, Path(directory), server.conninfo(), over)


def _floor(arguments: argparse.Namespace, directory: Path, conninfo: str, over: threading.Event) -> int:
    (directory / "journals").mkdir()
    worlds = [world_entries(seed, ROUNDS) for seed in range(1, WORLDS + 1)]
    with Room(directory, conninfo) as room:
        floor = room.start()
        print(said("runs.floor", url=floor.page), file=sys.stderr if arguments.json else sys.stdout, flush=True)
        began_s = time.monotonic()
        tables = [
            _Table(directory, room, floor, f"BJ-{number + 1:03d}", worlds[number % WORLDS], arguments.rate, number)
            for number in range(arguments.tables)
        ]
        for table in tables:
            table.thread.start()
        over.wait(arguments.seconds)
        for table in tables:
            table.over.set()
        for table in tables:
            table.thread.join()
        report = _report(tables, conninfo, time.monotonic() - began_s)
    print(msgspec.json.encode(report).decode() if arguments.json else said("told.floor", **msgspec.to_builtins(report)))
    return 0 if report.missing == 0 else 1


@dataclass
class _Table:
    """Plays at its pace, and its uplink carries. Its thread ends once `over` is set and all is carried."""

    directory: Path
    room: Room
    floor: FloorProcess
    name: str
    entries: tuple[Entry, ...]
    rate: float
    number: int
    over: threading.Event = field(default_factory=threading.Event)
    delays_ms: list[float] = field(default_factory=list)
    trouble: str = ""

    def __post_init__(self) -> None:
        self.table = ReplayedTable(
            self.directory / "journals", self.name, again(self.entries, lambda: time.time_ns() // 1_000_000)
        )
        self.room.admit(self.name, self.table.signer)
        self.thread = threading.Thread(target=self._run, name=self.name)

    def _run(self) -> None:
        try:
            with FloorEnd(self.room.settings(self.name, self.floor.port)) as floor:
                carrier = Carrier(self.table, floor, SegmentReader())
                carrier.begin()
                self._play(carrier)
        except Trouble as trouble:
            self.trouble = f"{trouble.event} {trouble.detail}"
        finally:
            self.table.close()

    def _play(self, carrier: Carrier) -> None:
        began_s = time.monotonic() - (self.number % 10) * LOOK_S / 10
        while not self.over.is_set() or carrier.at < self.table.durable_seq():
            due = int((time.monotonic() - began_s) * self.rate) + 1 - self.table.durable_seq()
            if due > 0 and not self.over.is_set():
                self.table.play(due)
            carrier.step(time.monotonic())
            self._measure(carrier.at)
            self.over.wait(LOOK_S)

    def _measure(self, at: int) -> None:
        now_s = time.monotonic()
        for seq in [one for one in self.table.made_s if one <= at]:
            self.delays_ms.append((now_s - self.table.made_s.pop(seq)) * 1000)


class Report(msgspec.Struct, frozen=True):
    """What came of it. `missing`: entries that the floor does not have, or has otherwise."""

    tables: int
    entries: int
    missing: int
    seconds: float
    p50_ms: float
    p99_ms: float
    troubles: list[str]


def _report(tables: list[_Table], conninfo: str, seconds: float) -> Report:
    delays = sorted(delay for table in tables for delay in table.delays_ms) or [0.0]
    with psycopg.connect(conninfo) as connection:
        found = connection.execute("select table_id, last_seq, encode(head, 'hex') from line").fetchall()
        counts = connection.execute("select table_id, count(*) from entry group by 1").fetchall()
    counted: dict[str, int] = {name: count for name, count in counts}  # noqa: C416 - typed so
    heads = {name: (last, head) for name, last, head in found}
    missing = 0
    for one in tables:
        made = one.table.durable_seq()
        is_level = heads.get(one.name) == (made, one.table.head) and counted.get(one.name) == made
        missing += 0 if is_level else max(1, made - counted.get(one.name, 0))
    return Report(
        len(tables),
        sum(one.table.durable_seq() for one in tables),
        missing,
        round(seconds, 1),
        round(delays[len(delays) // 2], 1),
        round(delays[len(delays) * 99 // 100], 1),
        sorted({one.trouble for one in tables if one.trouble}),
    )
