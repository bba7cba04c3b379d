"""The games that a world can play. A game's module is imported when the first world plays that game."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from importlib import import_module
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct, field

from controller.config.profile import GAME_OF, GameName
from simulators.world.fault_kinds import FaultKind
from simulators.world.faults import FaultRow, PlannedFault
from simulators.world.plan import WorldPlan
from simulators.world.play import ended
from simulators.world.playable import Playable
from simulators.world.result import CHECKPOINT, Digests, End, Result
from simulators.world.speed import Played
from simulators.world.story import Storyteller, Tell

PlayableT = TypeVar("PlayableT", bound=Playable)


class Verdict(Struct, frozen=True):
    """The judgement of a world at its end. `paired`: the additional worlds that the test of secrecy played."""

    found: Sequence[str] = ()
    stakes: dict[str, int] = field(default_factory=dict)
    paired: Sequence[Playable] = ()


class WorldGame(Struct, Generic[PlayableT], frozen=True):
    """The functions that make and judge the worlds of one game, and the kinds of fault in it."""

    rows: tuple[FaultRow, ...]  # the kinds of fault in this game
    make: Callable[[WorldPlan], PlayableT]
    judge: Callable[[PlayableT], Callable[[End], Verdict]]  # observes a world from its beginning on
    subjects: Callable[[WorldPlan], frozenset[FaultKind]]  # the kinds of fault that can occur at the plan's table

    @property
    def kinds(self) -> frozenset[FaultKind]:
        return frozenset(row.kind for row in self.rows)

    def planned(self, plan: WorldPlan) -> Sequence[PlannedFault]:
        return self.make(plan).scene.planned

    def run(self, plan: WorldPlan, prepare: Callable[[PlayableT], None] = lambda _world: None) -> Result:
        """Makes, plays and judges the world of `plan`, and returns the result. `prepare`: called with the world before
        the play, for example to observe the world.
        """
        began_s = time.process_time()
        world = self.make(plan)
        judged = self.judge(world)
        prepare(world)
        end, found = ended(world)
        verdict = Verdict() if end is End.CRASHED else judged(end)
        found += verdict.found
        scene = world.scene
        counts = Counter(fault.kind.value for fault in scene.planned if fault.number in scene.met)
        return Result(
            seed=plan.seed,
            end=end,
            virtual_s=world.virtual_s,
            stakes=verdict.stakes,
            played=_played((world, *verdict.paired), time.process_time() - began_s),
            entries=world.entries,
            faults=dict(sorted(counts.items())),
            met=tuple(sorted(scene.met)),
            violations=tuple(found),
            digests=_digests(world, end, found),
            planned=tuple(scene.planned),
        )

    def told(self, plan: WorldPlan, tell: Tell) -> Result:
        """Plays the world of `plan` as `run` does, and passes the story to `tell` line by line. Returns the result."""
        tellers: list[Storyteller] = []

        def watch(world: Playable) -> None:
            tellers.append(Storyteller(world, tell, self.rows))
            tellers[0].watch()

        result = self.run(plan, watch)
        tellers[0].end()
        return result


def _played(worlds: Sequence[Playable], cpu_s: float) -> Played:
    return Played(
        sum(world.virtual_s for world in worlds),
        cpu_s,
        sum(world.witness.rounds for world in worlds),
        sum(world.entries for world in worlds),
    )


def _digests(world: Playable, end: End, found: Sequence[str]) -> Digests:
    storage, journal, state = world.host.disk.storage, sha256(), sha256()
    for file in storage.list():
        digest = state if file.name.endswith(CHECKPOINT) else journal
        digest.update(f"{file.name}\0{file.size}\0".encode() + storage.read(file.name))
    return Digests(world.digest(end, found), journal.hexdigest(), state.hexdigest())


_MODULES: Final = {GameName.BLACKJACK: "simulators.world.card_game", GameName.ROULETTE: "simulators.wheel.judge"}
"""The module of each game; its WorldGame is named GAME there."""


@cache
def world_game(profile: str) -> WorldGame[Any]:
    """Returns the game of the profile with this name, after importing its module. Raises KeyError for
    an unknown name.
    """
    game = import_module(_MODULES[GAME_OF[profile]]).GAME
    if not isinstance(game, WorldGame):
        raise TypeError(game)
    return game
