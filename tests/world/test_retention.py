"""A table of the world whose evening was exported, acknowledged and removed: it starts and goes on after it."""

from pathlib import Path

from controller.core.words import SessionPhase
from controller.journal.export import export
from controller.journal.verify import noted_now, verify
from controller.record.retention import prune
from simulators.disk import MemoryStorage
from simulators.oracles.export_reader import read_export_file
from simulators.world.fault_kinds import FaultKind as K
from simulators.world.installation import SIGNER
from simulators.world.plan import WorldPlan
from simulators.world.play import run_to_end
from simulators.world.record import record_of
from simulators.world.result import End
from simulators.world.world import World, make_world

FAULTS = frozenset((K.POWER_CUT, K.DISK_FULL, K.COPY_FULL))


def restart(world: World, storage: MemoryStorage | None = None) -> None:
    """Kills the controller and starts it from this disk (or its own); runs until the start is durable."""
    host = world.host
    host.kill()
    if storage is not None:
        host.disk.storage = storage
    host.start()
    until_s = world.clock.now_s + 5
    while world.clock.now_s < until_s:
        world.clock.step()


def to_directory(storage: MemoryStorage, path: Path) -> Path:
    path.mkdir()
    for file in storage.list():
        (path / file.name).write_bytes(storage.read(file.name))
    return path


def from_directory(path: Path) -> MemoryStorage:
    storage = MemoryStorage()
    for file in path.iterdir():
        storage.replace(file.name, file.read_bytes())
    return storage


def test_a_table_goes_on_behind_what_was_acknowledged_and_removed(tmp_path: Path) -> None:
    world = make_world(WorldPlan(3, 2, FAULTS, decks=1))
    assert run_to_end(world)[0] is End.CLOSED
    restart(world)
    assert world.host.run is not None
    before = world.host.run.runtime.ledger.durable
    path, out = to_directory(world.host.disk.storage, tmp_path / "journal"), tmp_path / "evening.txt"
    export(path, out, SIGNER)
    found = prune(path, out, noted_now(out), SIGNER)
    assert found.entries > 200
    assert verify(path).ok

    restart(world, from_directory(path))
    assert world.host.run is not None
    assert world.host.run.permits
    after = world.host.run.runtime.ledger.durable
    assert (after.house.tally, after.house.session_number, after.house.session) == (
        before.house.tally,
        before.house.session_number,
        SessionPhase.CLOSED,
    )
    assert after.house.start_number == before.house.start_number + 1

    acknowledged, rest = read_export_file(out), record_of(world, End.CLOSED).export
    assert not acknowledged.faults
    assert not rest.faults
    assert rest.begins == found.first_seq
    assert rest.behind == acknowledged.entries[rest.begins - 2].chain
    assert rest.entries[0] == acknowledged.entries[rest.begins - 1], "what is left is the same, entry for entry"
