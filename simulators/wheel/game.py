"""Worlds of spins, for those who play worlds of any game."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Final

from simulators.wheel.faults import WHEEL_FAULTS
from simulators.wheel.judge import judge
from simulators.wheel.world import WheelWorld, make_wheel_world, planned_faults
from simulators.world.ends import End
from simulators.world.fault_kinds import FaultKind
from simulators.world.games import Tell, WorldGame
from simulators.world.plan import WorldPlan
from simulators.world.play import ended
from simulators.world.result import CHECKPOINT, Digests, Result
from simulators.world.speed import Played
from simulators.world.stored import stored_digest
from simulators.world.story import Storyteller


def run_wheel_world(plan: WorldPlan, prepare: Callable[[WheelWorld], None] = lambda _world: None) -> Result:
    """Makes, runs and judges one world; `prepare` may watch it."""
    began_s = time.process_time()
    world = make_wheel_world(plan)
    prepare(world)
    end, found = ended(world)
    if end is not End.CRASHED:
        found += judge(world, end)
    scene = world.scene
    counts = Counter(fault.kind.value for fault in scene.planned if fault.number in scene.met)
    return Result(
        seed=plan.seed,
        end=end,
        virtual_s=world.virtual_s,
        played=Played(world.virtual_s, time.process_time() - began_s, world.witness.rounds, world.entries),
        entries=world.entries,
        faults=dict(sorted(counts.items())),
        met=tuple(sorted(scene.met)),
        violations=tuple(found),
        digests=_digests(world, end, found),
        planned=tuple(scene.planned),
    )


def _digests(world: WheelWorld, end: End, found: Sequence[str]) -> Digests:
    storage = world.host.disk.storage
    play = (end.value, world.outputs.digest(), world.room.wheel.spins, sorted(world.scene.met.items()), found)
    return Digests(
        play=sha256(repr((play, world.virtual_s)).encode()).hexdigest(),
        journal=stored_digest(storage, lambda name: not name.endswith(CHECKPOINT)),
        state=stored_digest(storage, lambda name: name.endswith(CHECKPOINT)),
    )


def _told(plan: WorldPlan, tell: Tell) -> Result:
    tellers: list[Storyteller] = []

    def watch(world: WheelWorld) -> None:
        tellers.append(Storyteller(world, tell, WHEEL_FAULTS))
        tellers[0].watch()

    result = run_wheel_world(plan, watch)
    tellers[0].end()
    return result


def _subjects(_plan: WorldPlan) -> frozenset[FaultKind]:
    return frozenset(row.kind for row in WHEEL_FAULTS)


GAME: Final = WorldGame(WHEEL_FAULTS, run_wheel_world, _told, planned_faults, _subjects)
