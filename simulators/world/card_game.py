"""Worlds of cards, for those who play worlds of any game."""

from collections.abc import Sequence
from typing import Final

from simulators.world.fault_kinds import FaultKind
from simulators.world.faults import FAULTS, PlannedFault
from simulators.world.games import Tell, WorldGame
from simulators.world.jackpot import devices_at
from simulators.world.plan import WorldPlan
from simulators.world.result import Result
from simulators.world.run import run_world
from simulators.world.story import Storyteller
from simulators.world.world import World, make_world, procedure_at


def _told(plan: WorldPlan, tell: Tell) -> Result:
    tellers: list[Storyteller] = []

    def watch(world: World) -> None:
        tellers.append(Storyteller(world, tell))
        tellers[0].watch()

    result = run_world(plan, watch)
    tellers[0].end()
    return result


def _planned(plan: WorldPlan) -> Sequence[PlannedFault]:
    return make_world(plan).scene.planned


def _subjects(plan: WorldPlan) -> frozenset[FaultKind]:
    devices, procedure = devices_at(plan), procedure_at(plan)
    return frozenset(row.kind for row in FAULTS if row.finds_a_subject(devices, procedure))


GAME: Final = WorldGame(FAULTS, run_world, _told, _planned, _subjects)
