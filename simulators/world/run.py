"""One world from its seed to its result: run to the end, then let the oracles look at what is left of it."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Final

from controller.core.games.blackjack.state import BlackjackState
from simulators.world.ends import End
from simulators.world.faults import FAULTS
from simulators.world.judge import judge
from simulators.world.looks import Looks
from simulators.world.money import Cashier
from simulators.world.pairs import check_secrecy
from simulators.world.plan import WorldPlan
from simulators.world.play import ended
from simulators.world.result import CHECKPOINT, Digests, Result
from simulators.world.speed import Played
from simulators.world.stored import stored_digest
from simulators.world.world import World, make_world

PAIRED_EVERY: Final = 4
PAIRED_ROUNDS: Final = 2
"""Every so many seeds a short world is played twice, for secrecy, as far as its card is turned."""


def run_world(plan: WorldPlan, prepare: Callable[[World], None] = lambda _world: None) -> Result:
    """Makes, runs and judges one world; `prepare` may watch it."""
    began_s = time.process_time()
    world = make_world(plan)
    looks = Looks(world)
    cashier = Cashier(world)

    def durable(seq: int, state: BlackjackState, waiting: int) -> None:
        looks.durable(seq, state, waiting)
        cashier.look(seq, state, waiting)

    world.on_durable = durable
    prepare(world)
    paired: tuple[World, ...] = ()
    end, found = ended(world)
    if end is not End.CRASHED:
        found += cashier.found + judge(world, end, looks)
    if end is not End.CRASHED and plan.seed % PAIRED_EVERY == 0 and plan.only is None:
        told, paired = check_secrecy(
            replace(plan, rounds=min(plan.rounds, PAIRED_ROUNDS)), turn=plan.seed // PAIRED_EVERY
        )
        found += told
    scene = world.mischief.scene
    counts = Counter(fault.kind.value for fault in scene.planned if fault.number in scene.met)
    return Result(
        seed=plan.seed,
        end=end,
        virtual_s=world.virtual_s,
        stakes=dict(sorted(cashier.stakes.items())),
        played=_played((world, *paired), time.process_time() - began_s),
        entries=world.witness.entries,
        faults=dict(sorted(counts.items())),
        met=tuple(sorted(scene.met)),
        violations=tuple(found),
        digests=_digests(world, end, found),
        planned=tuple(scene.planned),
    )


def _played(worlds: Sequence[World], cpu_s: float) -> Played:
    return Played(
        sum(world.virtual_s for world in worlds),
        cpu_s,
        sum(world.witness.rounds for world in worlds),
        sum(world.witness.entries for world in worlds),
    )


def _digests(world: World, end: End, found: Sequence[str]) -> Digests:
    storage = world.host.disk.storage
    return Digests(
        play=_play_digest(world, end, found),
        journal=stored_digest(storage, lambda name: not name.endswith(CHECKPOINT)),
        state=stored_digest(storage, lambda name: name.endswith(CHECKPOINT)),
    )


def _play_digest(world: World, end: End, found: Sequence[str]) -> str:
    digest = sha256(end.value.encode())
    for place, cards in world.equipment.room.cards_by_place().items():
        digest.update(f"{place} {[card.number for card in cards]}".encode())
    for of_device in world.equipment.ends.values():
        digest.update(repr(of_device.device.status).encode())
    digest.update(world.outputs.digest().encode())
    digest.update(repr((sorted(world.mischief.scene.met.items()), tuple(found), world.virtual_s)).encode())
    return digest.hexdigest()


ALL_KINDS: Final = frozenset(row.kind for row in FAULTS)
