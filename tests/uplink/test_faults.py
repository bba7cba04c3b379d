"""Faults while tables play, each followed by a recount of the database that shares no code with the floor."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import islice, product
from pathlib import Path

import msgspec
import psycopg
import pytest

from controller.floor.database import Database
from controller.floor.pools import rule_pool
from controller.journal.entry import Entry
from controller.protocol.carried import Batch, FindingKind, FloorAnswer
from controller.protocol.linked import Contribution, PoolHit
from controller.uplink.carry import Carrier
from controller.uplink.errors import FloorAway, FloorRefuses
from controller.uplink.floor import FloorEnd
from controller.uplink.segment import SegmentReader
from simulators.floor.postgres import PrivatePostgres
from simulators.floor.recount import Journal, journal_in, recount
from simulators.floor.replayed import Evening, ReplayedTable
from simulators.floor.room import FloorProcess, Room
from simulators.floor.tables import Pace, Tables
from tests.drawn import every
from tests.floor.kit import entry, grown_entries
from tests.floor.proxy import Cut, DatabaseProxy, Line, Proxy
from tests.floor.test_linked import GOLD, RULING, linked
from tests.floor.test_replica import primary_and_replica
from tests.floor.test_traps import until, waiting
from tests.night import IS_NIGHT
from tests.uplink.conftest import MakeTable

pytestmark = pytest.mark.waits

TURNS = 8
"""The turns of a connection: two hellos, certificates and a request, its answer, two batches with answers."""

CUTS = [Cut(turn, share) for turn, share in product(range(1, TURNS + 1), (0.0, 0.5, 1.0))]
DAY_S = 86_400.0
TABLES = 6 if IS_NIGHT else 3


def carried(table: ReplayedTable, room: Room, floor: Proxy) -> None:
    """Sends all of the table's entries over one connection. Raises the errors of `controller.uplink.errors`."""
    with FloorEnd(room.settings(table.name, floor.port), silent_s=5.0) as end:
        carry_over(end, table)


def carry_over(end: FloorEnd, table: ReplayedTable) -> None:
    carrier = Carrier(table, end, SegmentReader())
    carrier.begin()
    while carrier.at < table.durable_seq():
        carrier.step(time.monotonic())
    table.play(1)
    carrier.step(time.monotonic())


def test_a_connection_that_is_cut_at_any_step_loses_and_doubles_nothing(
    room: Room, make_table: MakeTable, conninfo: str
) -> None:
    """No entry is lost or doubled by a cut before, within or after each turn, also where only an answer is lost."""
    table = make_table()
    with Proxy(room.start()) as proxy:
        for cut in CUTS:
            table.play(3)
            proxy.cut = cut
            with suppress(FloorAway):
                carried(table, room, proxy)
            here = replace(journal_in(table.directory), is_carried=False)
            assert recount(conninfo, {table.name: here}) == [], cut
        assert proxy.cuts >= 3 * (TURNS - 2)
        proxy.cut = None
        carried(table, room, proxy)
    assert recount(conninfo, {table.name: journal_in(table.directory)}) == []


@dataclass
class Loaded:
    """Tables that send entries meanwhile through two proxies to two processes of a floor with a database of its own.

    `others`: the journals of further tables, as the floor must have them at the end.
    """

    server: PrivatePostgres
    room: Room
    floors: list[FloorProcess]
    proxies: list[Proxy]
    database: DatabaseProxy
    tables: Tables
    others: dict[str, Journal] = field(default_factory=dict)

    def acknowledged(self) -> list[int]:
        return [len(one.delays_ms) for one in self.tables.played]

    def goes_on(self) -> None:
        """Waits until the floor has acknowledged more entries of every table."""
        before = self.acknowledged()
        until(lambda: all(now > then for now, then in zip(self.acknowledged(), before, strict=True)))

    def stands_still(self) -> list[int]:
        """The number of acknowledged entries of each table, once the numbers have not changed in 25 looks."""
        looks: list[list[int]] = []
        until(lambda: looks.append(self.acknowledged()) or looks[-1] in looks[:-25])
        return looks[-1]

    def ended(self, conninfo: str) -> None:
        """Ends the tables: the floor has all of their entries, and each of their hits one amount, which it has said.

        Waits before until each table was told of a hit: the first is far into its evening.
        """
        played = [one.table for one in self.tables.played]
        until(lambda: all(one.told for one in played))
        self.tables.end()
        tables = {one.name: journal_in(one.directory) for one in played}
        assert all(journal.payloads for journal in tables.values())
        until(lambda: is_settled(conninfo))
        assert recount(conninfo, tables | self.others) == []
        amounts = decided(conninfo)
        for one in played:
            told = {(one.name, *hit): micros for hit, micros in one.told.items()}
            assert told == {hit: {amounts[hit]} for hit in told}

    def stranger(self, name: str, note: str, epoch: int = 1) -> ReplayedTable:
        """Makes another computer that claims to be the table `name`."""
        directory = self.room.directory / f"{name} {note}"
        directory.mkdir()
        return ReplayedTable(directory, name, grown_entries(note), epoch=epoch)

    # ---- faults

    def network_cut(self) -> None:
        for cut in every(CUTS, 6):
            self.cut(cut, *self.proxies)
        self.goes_on()

    def database_cut(self) -> None:
        """Cuts the floor's connections to the database, also behind a commit and before its answer."""
        for cut in every(CUTS, 6):
            self.cut(cut, self.database)
        self.goes_on()

    def cut(self, cut: Cut, *lines: Line) -> None:
        """Cuts each of these lines once at its turn."""
        for line in lines:
            line.cut = cut
            line.hang_up()  # each connection begins anew, and reaches the cut
        until(lambda: all(line.cuts > 0 for line in lines))
        for line in lines:
            line.cut, line.cuts = None, 0
        assert recount(self.server.conninfo(), {}) == [], cut

    def floor_killed(self) -> None:
        for number, proxy in enumerate(self.proxies):
            self.floors[number].end(signal.SIGKILL)
            self.floors[number] = proxy.upstream = self.room.start(has_page=False)

    def database_killed(self) -> None:
        self.server.stop(signal.SIGQUIT)
        self.server.start()

    def byte_changed(self) -> None:
        table = self.stranger("BJ-0100", "changed")
        self.room.admit(table.name, table.signer)
        table.play(5)
        with pytest.raises(FloorRefuses, match="altered"), Changing(self.room.settings(table.name, self.port)) as end:
            carry_over(end, table)
        self.others[table.name] = Journal({})
        table.close()

    def unknown_key(self) -> None:
        table = self.stranger("BJ-0101", "unknown")
        table.play(5)
        with pytest.raises(FloorRefuses, match="unknown-table"):
            carried(table, self.room, self.proxies[0])
        self.others[table.name] = Journal({})
        table.close()

    def one_name_twice(self) -> None:
        table = self.stranger("BJ-0001", "twin")
        table.play(5)
        with pytest.raises(FloorRefuses, match="forked") as refused:
            carried(table, self.room, self.proxies[0])
        assert {one.kind for one in refused.value.findings} == {FindingKind.FORK}
        until(lambda: refused.value.findings == self.tables.played[0].findings)
        table.close()

    def restored(self) -> None:
        """Plays BJ-0102 and a computer that continues in its place from an earlier entry; the floor refuses the old."""
        table, other = self.stranger("BJ-0102", "old"), self.stranger("BJ-0102", "new", epoch=2)
        self.room.admit(table.name, table.signer)
        entries = list(islice(linked_entries(), 40))
        start = restored_start(12)
        table._entries, other._entries = iter(entries), iter([*entries[:11], start, *entries[12:]])
        table.play(30)
        other.play(34)
        carried(table, self.room, self.proxies[0])
        carried(other, self.room, self.proxies[1])
        with pytest.raises(FloorRefuses, match="old-epoch"):
            carried(table, self.room, self.proxies[0])
        self.others[other.name] = journal_in(other.directory)
        table.close()
        other.close()

    @property
    def port(self) -> int:
        return self.proxies[0].port


def restored_start(seq: int) -> Entry:
    """The entry number `seq`: the start of a computer that continues from a backup."""
    return entry(seq, "controller-started", findings=(f"restored epoch 2 entry {seq - 1} code x", "epoch 2"))


def is_settled(conninfo: str) -> bool:
    """True where no contribution waits for its pool and no hit for its amount."""
    with psycopg.connect(conninfo) as connection:
        asked = "select from contribution where number is null union all select from hit where micro is null"
        return connection.execute(asked).fetchall() == []


def decided(conninfo: str) -> dict[tuple[str, int, int], int]:
    """The amounts of hits in the floor's database, by table, epoch and entry."""
    with psycopg.connect(conninfo) as connection:
        found = connection.execute("select table_id, epoch, seq, micro from hit where micro is not null")
        return {(table, epoch, seq): micro for table, epoch, seq, micro in found}


class Changing(FloorEnd):
    """A connection to the floor that changes one byte of each batch."""

    def send(self, batch: Batch) -> FloorAnswer:
        changed = [batch.payloads[0].replace(b'"boot":1', b'"boot":2'), *batch.payloads[1:]]
        return super().send(msgspec.structs.replace(batch, payloads=changed))


def linked_entries() -> Iterator[Entry]:
    """Yields entries without end; some add to a linked pool, and some hit it."""
    for one in grown_entries():
        match one.seq % 20:
            case 7:
                yield linked(one.seq, [Contribution("gold", "EUR", one.seq)])
            case 13:
                yield linked(one.seq, hits=[PoolHit("gold", "EUR")])
            case _:
                yield one


@contextmanager
def loaded(tmp_path: Path, server: PrivatePostgres, conninfo: str = "") -> Iterator[Loaded]:
    """Runs tables under load on a database. `conninfo`: for several servers, their connection string."""
    evening = Evening(tuple(islice(linked_entries(), 200)), (), ())
    pace = Pace(20.0, 0.1, (0.0, -DAY_S, DAY_S))
    with DatabaseProxy(server) as line, Room(tmp_path, conninfo or line.conninfo) as room:
        with Database(server.conninfo(), writers=1) as database:
            assert rule_pool(database, GOLD, RULING)
        floors = [room.start(), room.start(has_page=False)]
        with Proxy(floors[0]) as one, Proxy(floors[1]) as other:
            tables = Tables(room, [one, other], [evening], TABLES, pace)
            playing = Loaded(server, room, floors, [one, other], line, tables)
            tables.start()
            try:
                yield playing
            finally:
                playing.tables.end()


def test_under_load_no_fault_loses_doubles_or_changes_an_entry(tmp_path: Path) -> None:
    """No fault under load loses, doubles or changes an entry, though two tables' clocks are a day off."""
    with PrivatePostgres() as server, loaded(tmp_path, server) as playing:
        conninfo = server.conninfo()
        for fault in (
            playing.network_cut,
            playing.database_cut,
            playing.floor_killed,
            playing.database_killed,
            playing.byte_changed,
            playing.unknown_key,
            playing.one_name_twice,
            playing.restored,
        ):
            playing.goes_on()
            fault()
            playing.goes_on()
            assert recount(conninfo, {}) == [], fault.__name__
        playing.ended(conninfo)


def test_under_load_a_replica_that_hangs_acknowledges_nothing_and_one_that_takes_over_has_everything(
    tmp_path: Path,
) -> None:
    """While the replica hangs no entry is acknowledged; after the primary's loss it has every acknowledged entry."""
    with primary_and_replica() as (primary, replica):
        both = f"host={primary.directory},{replica.directory} user=sabot dbname=postgres"
        with loaded(tmp_path, primary, both) as playing:
            playing.goes_on()
            with psycopg.connect(primary.conninfo(), autocommit=True) as connection:
                for _ in range(3 if IS_NIGHT else 1):
                    with replica.hanging():
                        until(lambda: bool(waiting(connection)))
                        before = playing.stands_still()
                        assert recount(primary.conninfo(), {}) == []
                        assert playing.acknowledged() == before
                        assert waiting(connection)
                    playing.goes_on()
                    assert recount(primary.conninfo(), {}) == []
            primary.stop(signal.SIGQUIT)
            replica.promote()
            playing.goes_on()
            assert recount(replica.conninfo(), {}) == []
            playing.ended(replica.conninfo())
