"""The floor tells tables only durable amounts of a pool, which the loss of the primary cannot take back."""

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec
import psycopg
import pytest

from controller.floor.database import Database, DatabaseAway, DatabaseBusy
from controller.floor.keys import KnownKeys
from controller.floor.ledger import Ledger
from controller.floor.nonce import Nonces
from controller.floor.pools import Pools, rule_pool
from controller.floor.store import Store
from controller.journal.linked import read_pool
from controller.protocol.carried import Said
from simulators.floor.postgres import PrivatePostgres
from simulators.floor.recount import recount
from tests.floor.kit import NOW_S, FloorTable
from tests.floor.test_linked import EURO, GOLD, RULING, SIGNER, adds, all_of, wins
from tests.floor.test_linked import tables as tables
from tests.floor.test_replica import primary_and_replica
from tests.floor.test_traps import WITHIN_S, until, waiting

pytestmark = pytest.mark.waits


@dataclass
class Replicated:
    """Two processes of a floor on a primary with a synchronous replica."""

    primary: PrivatePostgres
    replica: PrivatePostgres
    floors: list[Ledger]
    threads: ThreadPoolExecutor

    def begun(self, does: Callable[[], None]) -> Future[None]:
        """Begins the write of one process, and returns once it waits for the replica, or is over."""
        doing = self.threads.submit(does)
        with psycopg.connect(self.primary.conninfo(), autocommit=True) as connection:
            until(lambda: doing.done() or bool(waiting(connection)))
        return doing


def pools_of(floor: Ledger) -> Pools:
    assert floor.pools is not None
    return floor.pools


@contextmanager
def replicated(keys: Path) -> Iterator[Replicated]:
    with ExitStack() as opened:
        primary, replica = opened.enter_context(primary_and_replica())
        both = f"host={primary.directory},{replica.directory} user=sabot dbname=postgres"
        floors = []
        for _ in range(2):
            database = opened.enter_context(Database(both, writers=2))
            store = Store(database)
            nonces = Nonces(store.secret(), bytes)
            floors.append(Ledger(store, KnownKeys(keys), nonces, lambda: NOW_S, pools=Pools(database, SIGNER)))
        yield Replicated(primary, replica, floors, opened.enter_context(ThreadPoolExecutor(2)))


def told(table: FloorTable, floor: Ledger, known: int = 0) -> dict[int, int]:
    """The amounts of the table's own hits, by entry, as the floor states them with its next answer."""
    batch = table.batch(table.last + 1, table.last, floor.place(table.name).nonce)
    answer = floor.take(table.name, msgspec.structs.replace(batch, pools={"gold": known}))
    assert answer.said is Said.TAKEN
    statements = [read_pool(one, SIGNER.public_key) for one in answer.pools]
    return {hit.seq: hit.micro for one in statements if one for hit in one.hits if hit.table == table.name}


def test_an_amount_that_the_replica_may_lack_is_said_to_nobody(keys: Path, tables: list[FloorTable]) -> None:
    """A decision that one machine alone has, visible behind its restart, is not said: the replica decides otherwise."""
    winner, other = tables[:2]
    with replicated(keys) as both:
        deciding, saying = both.floors
        assert rule_pool(deciding.store._database, GOLD, RULING)
        wins(winner)
        assert all_of(winner, Ledger(deciding.store, deciding.keys, deciding.nonces, deciding.now_s)).said is Said.TAKEN
        both.replica.stop(signal.SIGQUIT)
        decision = both.begun(pools_of(deciding).look)
        assert not decision.done()
        both.primary.stop(signal.SIGQUIT)
        with pytest.raises((DatabaseAway, DatabaseBusy)):
            decision.result(WITHIN_S)
        both.primary.start()
        until(lambda: saying.place(winner.name).said is Said.TAKEN)
        look = both.begun(pools_of(saying).look)
        both.primary.stop(signal.SIGQUIT)
        with suppress(DatabaseAway, DatabaseBusy):
            look.result(WITHIN_S)
        both.replica.start()
        both.replica.promote()
        until(lambda: saying.place(winner.name).said is Said.TAKEN)
        adds(other, 10 * EURO)
        assert all_of(other, saying).said is Said.TAKEN
        before = told(winner, saying)
        pools_of(saying).look()
        after = told(winner, saying)
        assert after == {2: 1009 * EURO}
        assert before in ({}, after)
        assert recount(both.replica.conninfo(), {}) == []
