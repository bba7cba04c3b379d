"""Two tables hit one pool in the same second, over TLS and two processes of a floor, with and without an outage."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import psycopg
import pytest

from controller.floor.database import Database
from controller.floor.pools import pools_now, rule_pool
from controller.floor.report import meters
from controller.journal.entry import Entry
from controller.protocol.linked import Contribution, PoolHit
from simulators.floor.recount import journal_in, recount
from simulators.floor.replayed import ReplayedTable
from simulators.floor.room import Room
from simulators.floor.tables import PlayedTable
from tests.floor.kit import entry
from tests.floor.proxy import Cut, Proxy
from tests.floor.test_linked import EURO, GOLD, RULING, linked
from tests.floor.test_traps import WITHIN_S, until
from tests.night import IS_NIGHT

pytestmark = pytest.mark.waits

TIMES = 20 if IS_NIGHT else 4
PLAYED = 3
SECOND_MS = 1000


class Winner:
    """A table with its uplink behind a proxy. Its next entry adds to the pool, hits it, or does neither."""

    def __init__(self, room: Room, proxy: Proxy, directory: Path, name: str) -> None:
        self.proxy, self.name = proxy, name
        self._added: tuple[Contribution, ...] = ()
        self._hits: tuple[PoolHit, ...] = ()
        self.table = ReplayedTable(directory, name, self._entries())
        self.played = PlayedTable(self.table, room, proxy, rate=1.0)
        room.admit(name, self.table.signer)

    def _entries(self) -> Iterator[Entry]:
        yield entry(1, "controller-started", wall_s=time.time())
        for seq in count(2):
            yield linked(seq, self._added, self._hits, wall_s=time.time() - seq / 1000)

    def plays(self, added: tuple[Contribution, ...] = (), hits: tuple[PoolHit, ...] = ()) -> int:
        """Plays one entry, and has it carried where the line is whole; returns its number."""
        self._added, self._hits = added, hits
        seq = self.table.play(1)
        self.played.step()
        return seq

    def hits(self) -> int:
        return self.plays(hits=(PoolHit("gold", "EUR"),))

    def hears(self, seq: int) -> None:
        until(lambda: self.plays() and (1, seq) in self.table.told)


def kept(conninfo: str) -> list[tuple[str, int, int, int]]:
    """The decided hits in their order: table, entry, amount, the table's clock."""
    with psycopg.connect(conninfo) as connection:
        asked = "select table_id, seq, micro, wall_ms from hit where micro is not null order by place"
        return connection.execute(asked).fetchall()


def hit_at_once(winners: list[Winner], conninfo: str, *, is_cut: bool) -> None:
    """Has both tables hit within a second; the amounts are one order's, and each table hears its own."""
    before = kept(conninfo)
    for one in winners if is_cut else ():
        one.proxy.cut = Cut(1, 0.0)
        one.proxy.hang_up()
    with ThreadPoolExecutor(len(winners)) as threads:
        seqs = {one.name: threads.submit(one.hits) for one in winners}
    if is_cut:
        assert kept(conninfo) == before
    for one in winners:
        one.proxy.cut = None
    with ThreadPoolExecutor(len(winners)) as threads:
        list(threads.map(lambda one: one.hears(seqs[one.name].result()), winners, timeout=WITHIN_S))
    first, second = kept(conninfo)[len(before) :]
    assert {first[:2], second[:2]} == {(name, seq.result()) for name, seq in seqs.items()}
    assert abs(first[3] - second[3]) < SECOND_MS
    assert first[2] > second[2] >= GOLD.reset
    for one in winners:
        assert one.table.told == {(1, seq): {micro} for name, seq, micro, _ in kept(conninfo) if name == one.name}


def test_two_hits_in_one_second_have_one_order_and_signs_and_meters_agree(
    room: Room, conninfo: str, tmp_path: Path
) -> None:
    """With and without an outage between, each table hears one amount for its hit, in the order of the COMMITs."""
    (tmp_path / "journals").mkdir()
    with ExitStack() as opened:
        database = opened.enter_context(Database(conninfo, writers=2))
        assert rule_pool(database, GOLD, RULING)
        proxies = [opened.enter_context(Proxy(room.start(has_page=False))) for _ in range(2)]
        winners = [
            Winner(room, proxy, tmp_path / "journals", f"BJ-{number}") for number, proxy in enumerate(proxies, 1)
        ]
        for one in winners:
            opened.callback(one.table.close)
            opened.callback(one.played.hang_up)
        for times in range(TIMES):
            for one in winners * PLAYED:
                one.plays((Contribution("gold", "EUR", EURO),))
            hit_at_once(winners, conninfo, is_cut=times % 2 == 1)
        (now,) = pools_now(database)
        for one in winners:
            until(lambda one=one: one.plays() and one.table.pool_number >= now.number)
        assert {one.table.pool_micro for one in winners} == {now.amount}
        (of_pool,) = meters(database)
    assert recount(conninfo, {one.name: journal_in(one.table.directory) for one in winners}) == []
    assert (of_pool.difference, of_pool.hits) == (0, 2 * TIMES)
    assert of_pool.contributed == (TIMES * PLAYED - 1) * len(winners) * EURO  # the first entry is the start
