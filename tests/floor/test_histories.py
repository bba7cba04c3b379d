"""Random histories of batches doubled, lost and reordered, from a table and its restored computer."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from controller.floor.database import Database
from controller.floor.keys import KnownKeys
from controller.floor.ledger import Ledger
from controller.floor.nonce import Nonces
from controller.floor.pools import Pools, rule_pool
from controller.floor.store import Store
from controller.protocol.carried import FindingKind, Said
from controller.protocol.linked import Contribution, PoolHit
from simulators.floor.postgres import PrivatePostgres
from simulators.floor.recount import recount
from tests.floor.kit import NOW_S, FloorTable, rows
from tests.floor.server import TEMPLATE, made
from tests.floor.test_linked import GOLD, RULING, SIGNER, linked
from tests.night import IS_NIGHT

pytestmark = pytest.mark.waits

ENTRIES = 12
DAY_S = 86_400
MONTHS_END_S = datetime(2026, 12, 1, tzinfo=UTC).timestamp()
HISTORIES = 10_000 if IS_NIGHT else 40
_names = count(1)


@pytest.fixture(scope="module")
def ledger(postgres: PrivatePostgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Ledger, Path]]:
    keys = tmp_path_factory.mktemp("tables")
    conninfo = made(postgres, "floor_histories", template=TEMPLATE)
    with Database(conninfo, writers=2) as database:
        store = Store(database)
        assert rule_pool(database, GOLD, RULING)
        pools = Pools(database, SIGNER)
        yield Ledger(store, KnownKeys(keys), Nonces(store.secret(), bytes), lambda: NOW_S, pools=pools), keys
        pools.look()
        assert recount(conninfo, {}) == []


place = st.integers(1, ENTRIES)
batches = st.lists(st.tuples(st.booleans(), place, place), max_size=14)


@settings(max_examples=HISTORIES, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(batches, st.integers(1, ENTRIES - 1), st.sampled_from((-DAY_S, 0, DAY_S)))
@example([(False, 1, 2), (True, 3, 3)], 1, 0)  # the start of the new epoch is lost, and its later entries come first
def test_each_entry_is_kept_once_in_its_place_and_what_was_acknowledged_is_there(
    ledger: tuple[Ledger, Path], given: list[tuple[bool, int, int]], restored_at: int, off_s: int
) -> None:
    """Each entry is kept once, whatever batches are repeated or lost, also where a wrong clock changes the month."""
    floor, keys = ledger
    old = FloorTable(f"T{next(_names)}").grown(ENTRIES // 2)
    for _ in range(ENTRIES // 4):
        old.add(linked(old.last + 1, [Contribution("gold", "EUR", old.last)], wall_s=MONTHS_END_S + off_s))
        old.add(linked(old.last + 1, hits=[PoolHit("gold", "EUR")]))
    new = old.restored(restored_at, 2).grown(ENTRIES - restored_at - 1, note="new")
    (keys / f"{old.name}.pub").write_bytes(old.signer.public_file())
    is_new_known, acknowledged = False, {1: 0, 2: 0}
    for is_new, one, other in given:
        table, first, last = new if is_new else old, min(one, other), max(one, other)
        said = table.give(floor, first, last).said
        if is_new_known and not is_new:
            assert said is Said.OLD_EPOCH
        else:
            assert said in {Said.TAKEN, Said.GO_ON_FROM}
        if said is Said.TAKEN:
            is_new_known = is_new_known or (is_new and last > restored_at)
            epoch = 2 if is_new and last > restored_at else 1
            acknowledged[epoch] = max(acknowledged[epoch], last)
    kept = rows(floor, old.name)
    of_old = [row[1] for row in kept if row[0] == 1]
    of_new = [row[1] for row in kept if row[0] == 2]
    assert of_old == list(range(1, len(of_old) + 1))
    assert of_new == list(range(restored_at + 1, restored_at + 1 + len(of_new)))
    assert len(of_old) >= acknowledged[1]
    assert not acknowledged[2] or of_new[-1] == acknowledged[2]
    for epoch, seq, head, payload in kept:
        table = old if epoch == 1 else new
        assert (head, payload) == (table.heads[seq], table.payloads[seq - 1])
    allowed = {FindingKind.RESTORED, FindingKind.TWIN}
    assert {finding.kind for finding in floor.place(old.name).findings} <= allowed
