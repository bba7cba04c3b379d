"""G28, G29: the floor's time for a durable entry, beside the same rows by a plain psycopg loop.

The subject is a process's whole way behind TLS: signature, chain, judgement, counts and one statement for a batch. The
peer executes an INSERT for each row, and commits once a batch; it checks nothing and counts nothing. One connection
each, on one private PostgreSQL with the disk's syncs on, so that a ratio shows our own share and not the medium's.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import date
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import psycopg

from controller.floor.database import Database
from controller.floor.keys import KnownKeys
from controller.floor.ledger import Ledger
from controller.floor.nonce import Nonces
from controller.floor.schema import migrate
from controller.floor.store import Store
from controller.protocol.carried import Said
from simulators.floor.postgres import PrivatePostgres
from tests.bench.rows import Goal, Plan, Row, interleave, ratios, spread
from tests.floor.kit import NOW_S, FloorTable

ENTRIES = 3300
BATCHES = {"G28": 5, "G29": 33}
"""Entries of a batch: a table's in a short while, and a table's where the floor is slower than the tables."""

NOTE = "x" * 300  # makes an entry of about 400 bytes, as in a real evening
PLAIN = """
create table plain (
    month date not null, table_id text not null, epoch integer not null, seq bigint not null, kind text not null,
    wall_ms bigint not null, chain bytea not null, payload bytea not null, primary key (table_id, epoch, seq)
)
"""
INSERT = b"insert into plain values (%s, %s, 1, %s, 'noted', %s, %s, %s)"

_names = count(1)


def run(plan: Plan) -> list[Row]:
    with ExitStack() as open_:
        directory = Path(open_.enter_context(TemporaryDirectory()))
        server = open_.enter_context(PrivatePostgres())
        migrate(server.conninfo())
        database = open_.enter_context(Database(server.conninfo(), writers=1))
        store = Store(database)
        ledger = Ledger(store, KnownKeys(directory), Nonces(store.secret(), bytes), lambda: NOW_S)
        peer = open_.enter_context(psycopg.connect(server.conninfo()))
        peer.execute(PLAIN)
        peer.commit()
        return [_row(plan, row, size, ledger, directory, peer) for row, size in BATCHES.items()]


def _row(plan: Plan, row: str, size: int, ledger: Ledger, keys: Path, peer: psycopg.Connection) -> Row:
    entries = -(-plan.count(ENTRIES) // size) * size
    ways = {"sabot": partial(_ours, ledger, keys, entries, size), "plain": partial(_plain, peer, entries, size)}
    times = interleave(ways, plan.repetitions)
    what = f"an entry until it is durable at the floor, in batches of {size}, over a plain psycopg loop"
    beside = {name: spread(values) for name, values in times.items()}
    return Row(row, what, ratios(times["sabot"], times["plain"]), beside, "us", Goal(1.0, gates=False))


def _table(entries: int) -> FloorTable:
    return FloorTable(f"T{next(_names)}").grown(entries, NOTE)


def _spans(entries: int, size: int) -> Iterator[tuple[int, int]]:
    return ((first, first + size - 1) for first in range(1, entries + 1, size))


def _ours(ledger: Ledger, keys: Path, entries: int, size: int) -> float:
    """Microseconds for each entry."""
    table = _table(entries)
    (keys / f"{table.name}.pub").write_bytes(table.signer.public_file())
    nonce = ledger.place(table.name).nonce
    batches = [table.batch(first, last, nonce) for first, last in _spans(entries, size)]
    began_s = perf_counter()
    for batch in batches:
        if ledger.take(table.name, batch).said is not Said.TAKEN:
            raise RuntimeError(table.name)
    return (perf_counter() - began_s) * 1e6 / entries


def _plain(peer: psycopg.Connection, entries: int, size: int) -> float:
    table, month = _table(entries), date(2026, 11, 1)
    began_s = perf_counter()
    for first, last in _spans(entries, size):
        for seq in range(first, last + 1):
            peer.execute(INSERT, (month, table.name, seq, NOW_S * 1000, table.heads[seq], table.payloads[seq - 1]))
        peer.commit()
    return (perf_counter() - began_s) * 1e6 / entries
