"""Two real tables with uplinks hit one linked pool at a real floor of two processes on PostgreSQL."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import msgspec
import pytest

from controller.catalogue import Language
from controller.config.model import Tracks
from controller.core.house.linked_acts import Added, DecidedHere
from controller.core.jackpot_rules import CENT, Marking
from controller.floor.database import Database
from controller.floor.findings import Ending
from controller.floor.pools import pools_now, rule_pool
from controller.journal.linked import signed_pool
from controller.journal.signing import Signer, public_path
from controller.journal.verify import entries_of
from controller.protocol.linked import PoolRules, PoolStatement
from controller.uplink.table import TableEnd
from controller.witness.place import name_and_signer
from simulators.demo.house import House, furnish
from simulators.demo.options import DemoOptions
from simulators.demo.played import Demo
from simulators.demo.report import document
from simulators.floor.recount import recount
from simulators.floor.room import Room
from tests.demo.evenings import PLAYS_S
from tests.endings import HANGS_S
from tests.floor.proxy import Cut, Proxy
from tests.waiting import wait_for

pytestmark = [pytest.mark.waits, pytest.mark.first, pytest.mark.drawn(1, of="demo evenings")]

EURO: Final = 1_000_000
GOLD: Final = PoolRules("gold", "EUR", seed=1000 * EURO, reset=500 * EURO, rate_ppm=20_000, reserve_ppm=100_000)
RULING: Final = Ending("Ana Silva", "root", "As the commission has agreed.")
ROUNDS: Final = 2


class LinkedTable:
    """One table, from its configuration to its end; any two cards hit the pool."""

    def __init__(self, room: Room, port: int, number: int) -> None:
        self.name, self.room = f"BJ-{number}", room
        self.may_begin, self.is_called_off = threading.Event(), False
        settings = room.settings(self.name, port)
        more = f"""
[uplink]
address = "127.0.0.1:{port}"
authority = "{settings.authority}"
certificate = "{settings.certificate}"

[linked]
pool = "gold"
currency = "EUR"
floor = "{room.witness.text}"
combination = "X-X"
away_after = 600
bets_when_away = "play-on"
sign = "linked"
"""
        self.options = DemoOptions(
            rounds=ROUNDS, seed=number, profile="house", tracks=Tracks.HANDS, jackpot=Marking.MANUAL, as_json=True,
            faults=(), id=self.name, more=more,
        )  # fmt: skip
        self.house: House = furnish(room.directory / self.name, Language.EN, self.options)

    def play(self) -> tuple[object, object]:
        """Plays the table to the end; returns the oracles' findings, and the cents on the sign."""
        demo = Demo(self.options, self.house, self._is_stopping)
        found = document(self.house, demo.play())
        return found["violations"], found["jackpot_cents"]

    def _is_stopping(self) -> bool:
        """False once the controller runs and people may begin."""
        return self.public.exists() and not (self.may_begin.wait(PLAYS_S) and not self.is_called_off)

    @property
    def public(self) -> Path:
        return public_path(self.house.journal)

    @contextmanager
    def uplink(self) -> Iterator[None]:
        """Runs the uplink beside the table; gives the floor the table's key as soon as the controller has made it."""
        wait_for(self.public.exists, within_s=HANGS_S)
        (self.room.keys / f"{self.name}.pub").write_bytes(self.public.read_bytes())
        words = [sys.executable, "-m", "controller.cli.main", "uplink", "--config", str(self.house.config)]
        with (self.house.directory / "uplink.log").open("wb") as log:
            child = subprocess.Popen(words, stdout=log, stderr=log, env=os.environ)
        try:
            yield
        finally:
            self.is_called_off = not self.may_begin.is_set()
            self.may_begin.set()
            child.terminate()
            child.wait(HANGS_S)

    def of_kind(self, kind: str) -> list[bytes]:
        return [bytes(one.body) for one in entries_of(self.house.journal) if one.kind == kind]

    def has(self, text: bytes) -> bool:
        """True where the table's journal contains this text."""
        return any(text in path.read_bytes() for path in self.house.journal.glob("*") if path.is_file())


HEARD: Final = b'"kind":"linked-pool-heard"'
HIT: Final = b'"linked_hits":[{'


def refused(table: LinkedTable, statement: PoolStatement, signer: Signer) -> str:
    with TableEnd(table.house.socket) as end:
        return end.pool(signed_pool(statement, signer))


def decided(database: Database) -> dict[tuple[str, int, int], int]:
    """The amount of each hit that the floor has decided, by table, epoch and entry, in the order of the hits."""
    rows = database.read("select table_id, epoch, seq, micro from hit order by place", {})
    return {(table, epoch, seq): micro for table, epoch, seq, micro in rows}


class Adds(msgspec.Struct):
    linked: tuple[Added, ...] = ()


class Told(msgspec.Struct):
    hits: tuple[DecidedHere, ...] = ()


def heard(table: LinkedTable) -> dict[tuple[str, int, int], int]:
    """The amounts of hits that the floor has stated and the table has recorded, by table, epoch and entry."""
    found = (msgspec.json.decode(body, type=Told).hits for body in table.of_kind("linked-pool-heard"))
    return {(table.name, one.epoch, one.seq): one.micro for hits in found for one in hits}


def added(table: LinkedTable) -> int:
    """The sum of the contributions in the table's own journal."""
    told = (msgspec.json.decode(body, type=Adds).linked for body in table.of_kind("linked-told"))
    return sum(one.micro for entry in told for one in entry)


def test_two_tables_hit_one_pool_behind_an_outage_and_without_one(room: Room, conninfo: str) -> None:
    """Both tables hit the pool while the floor is away: on its return both hits get one order and are paid by it.

    Both hit again without an outage; their signs show the floor's pool, as each has heard it last.
    """
    with ExitStack() as opened:
        database = opened.enter_context(Database(conninfo, writers=2))
        assert rule_pool(database, GOLD, RULING)
        floors = [room.start(), room.start(has_page=False)]
        proxies = [opened.enter_context(Proxy(floor)) for floor in floors]
        tables = [LinkedTable(room, proxy.port, number) for number, proxy in enumerate(proxies, 1)]
        threads = opened.enter_context(ThreadPoolExecutor(len(tables)))
        plays = [threads.submit(table.play) for table in tables]
        for table in tables:
            opened.enter_context(table.uplink())
        wait_for(lambda: all(table.has(HEARD) for table in tables), within_s=PLAYS_S)
        for proxy in proxies:
            proxy.cut = Cut(1, 0.0)
            proxy.hang_up()
        (statement,) = pools_now(database)
        assert (
            refused(tables[0], msgspec.structs.replace(statement, number=2**53), Signer(b"\1" * 32))
            == "pool-not-signed"
        )
        _name, signer = name_and_signer(room.directory / "witness")
        assert refused(tables[0], msgspec.structs.replace(statement, number=1), signer) == "pool-not-newer"
        for table in tables:
            table.may_begin.set()
        wait_for(lambda: all(table.has(HIT) for table in tables), within_s=PLAYS_S)
        assert decided(database) == {}
        for proxy in proxies:
            proxy.cut = None
        violations, signs = zip(*(play.result(PLAYS_S) for play in plays), strict=True)
        found = decided(database)
        contributed = database.read("select contributed from linked_pool", {})
    assert violations == ([], [])
    assert all(GOLD.reset // CENT <= cents < GOLD.seed // CENT for cents in signs)  # the oracles compare each cent
    assert len(found) == ROUNDS * len(tables)
    assert heard(tables[0]) | heard(tables[1]) == found
    assert next(iter(found.values())) >= GOLD.seed > max(list(found.values())[1:])
    assert contributed == [(sum(map(added, tables)),)]
    assert recount(conninfo, {}) == []
