"""One world from its seed to its result: run to the end, then let the oracles look at what is left of it."""

import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Final

from controller.core.games.blackjack.state import BlackjackState
from simulators.world.ends import End
from simulators.world.evidence import stored_digest
from simulators.world.faults import FaultKind, PlannedFault
from simulators.world.judge import Snapshots, judge
from simulators.world.money import Cashier
from simulators.world.pairs import check_secrecy
from simulators.world.play import run_to_end
from simulators.world.speed import Played
from simulators.world.world import World, WorldPlan, make_world

_CHECKPOINT: Final = ".checkpoint"
PAIRED_EVERY: Final = 4
PAIRED_ROUNDS: Final = 2
"""Every so many seeds a short world is played twice, for secrecy, as far as its card is turned."""


@dataclass(frozen=True, slots=True)
class Digests:
    """SHA-256 (hex) of a whole world in three parts, so that of a difference is known where it lies."""

    play: str  # what left the table, where the cards are, what the devices say, the faults met, the end
    journal: str  # segments and seals
    state: str  # the checkpoints beside them

    @property
    def whole(self) -> str:
        return sha256(f"{self.play} {self.journal} {self.state}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one world."""

    seed: int
    end: End
    virtual_s: float
    played: Played  # with the worlds that were played for secrecy
    entries: int
    faults: dict[str, int]
    met: tuple[int, ...]  # numbers of the planned faults that were met
    violations: tuple[str, ...]
    digests: Digests
    stakes: dict[str, int] = field(default_factory=dict)  # where hands are followed: what was decided in the rounds
    planned: tuple[PlannedFault, ...] = field(default=(), repr=False)


def run_world(plan: WorldPlan, prepare: Callable[[World], None] = lambda _world: None) -> Result:
    """Makes, runs and judges one world; `prepare` may watch it."""
    began_s = time.process_time()
    world = make_world(plan)
    snapshots = Snapshots(world)
    cashier = Cashier(world)

    def durable(seq: int, state: BlackjackState, waiting: int) -> None:
        snapshots.look(seq, state, waiting)
        cashier.look(seq, state, waiting)

    world.on_durable = durable
    prepare(world)
    paired: tuple[World, ...] = ()
    end, found = _run(world)
    if end is not End.CRASHED:
        found += cashier.found + judge(world, end, snapshots)
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


def _run(world: World) -> tuple[End, list[str]]:
    try:
        return run_to_end(world)
    except Exception as error:  # noqa: BLE001 - whatever the program raises is a finding about it
        return End.CRASHED, [f"crash: {type(error).__name__}: {error} ({_place(error)})"]


def _place(error: BaseException) -> str:
    """Where it was raised, without the line's number: that differs between two states of the same code."""
    frames = traceback.extract_tb(error.__traceback__)
    return " < ".join(f"{Path(frame.filename).name}:{frame.name}" for frame in reversed(frames[-4:]))


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
        journal=stored_digest(storage, lambda name: not name.endswith(_CHECKPOINT)),
        state=stored_digest(storage, lambda name: name.endswith(_CHECKPOINT)),
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


ALL_KINDS: Final = frozenset(FaultKind)
