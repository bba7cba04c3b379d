"""Worlds of cards, for those who play worlds of any game."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from controller.core.games.blackjack.state import BlackjackState
from simulators.world.fault_kinds import FaultKind
from simulators.world.faults import FAULTS, PlannedFault
from simulators.world.games import Verdict, WorldGame
from simulators.world.jackpot import devices_at
from simulators.world.judge import judge
from simulators.world.looks import Looks
from simulators.world.money import Cashier
from simulators.world.pairs import check_secrecy
from simulators.world.plan import WorldPlan
from simulators.world.result import End
from simulators.world.world import World, make_world, procedure_at

PAIRED_EVERY: Final = 4
PAIRED_ROUNDS: Final = 2
"""Every so many seeds a short world is played twice, for secrecy, as far as its card is turned."""


def _judge(world: World) -> Callable[[End], Verdict]:
    looks, cashier = Looks(world), Cashier(world)

    def durable(seq: int, state: BlackjackState, waiting: int) -> None:
        looks.durable(seq, state, waiting)
        cashier.look(seq, state, waiting)

    def judged(end: End) -> Verdict:
        found = cashier.found + judge(world, end, looks)
        told, paired = _secrecy(world.plan)
        return Verdict(found + told, dict(sorted(cashier.stakes.items())), paired)

    world.on_durable = durable
    return judged


def _secrecy(plan: WorldPlan) -> tuple[list[str], tuple[World, ...]]:
    if plan.seed % PAIRED_EVERY or plan.only is not None:
        return [], ()
    return check_secrecy(replace(plan, rounds=min(plan.rounds, PAIRED_ROUNDS)), turn=plan.seed // PAIRED_EVERY)


def _planned(plan: WorldPlan) -> Sequence[PlannedFault]:
    return make_world(plan).scene.planned


def _subjects(plan: WorldPlan) -> frozenset[FaultKind]:
    devices, procedure = devices_at(plan), procedure_at(plan)
    return frozenset(row.kind for row in FAULTS if row.finds_a_subject(devices, procedure))


GAME: Final = WorldGame(FAULTS, make_world, _judge, _planned, _subjects)
run_world: Final = GAME.run
