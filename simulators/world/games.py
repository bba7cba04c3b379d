"""What is played in a world: one value for each game, loaded where the first world of it is asked for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Final

from controller.config.profile import GAME_OF, GameName
from simulators.world.fault_kinds import FaultKind
from simulators.world.faults import FaultRow, PlannedFault
from simulators.world.plan import WorldPlan
from simulators.world.result import Result

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class WorldGame:
    """One game's worlds."""

    rows: tuple[FaultRow, ...]  # what can go wrong there
    run: Callable[[WorldPlan], Result]
    told: Callable[[WorldPlan, Tell], Result]  # the same, as a story
    planned: Callable[[WorldPlan], Sequence[PlannedFault]]
    subjects: Callable[[WorldPlan], frozenset[FaultKind]]  # the kinds that find one at the table of this plan

    @property
    def kinds(self) -> frozenset[FaultKind]:
        return frozenset(row.kind for row in self.rows)


_MODULES: Final = {GameName.BLACKJACK: "simulators.world.card_game", GameName.ROULETTE: "simulators.wheel.game"}
"""Each has its game as GAME."""


@cache
def world_game(profile: str) -> WorldGame:
    """The game of a profile. Raises KeyError for a name that is none."""
    game = import_module(_MODULES[GAME_OF[profile]]).GAME
    if not isinstance(game, WorldGame):
        raise TypeError(game)
    return game
