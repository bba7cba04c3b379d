"""The words of the scenarios of each game: the steps of `given` and `when`, and the facts of `then`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from controller.config.profile import GAME_OF, GameName
from controller.core.engine.act import Act
from controller.core.games.blackjack.table import TABLE
from controller.core.games.roulette.table import ROULETTE
from controller.core.house.registry import Registry
from controller.core.setup import Setup
from controller.scenario import facts, hands, house_words, jackpot, linked, reconfigured, steps, wheel_words
from controller.scenario.house_words import Fact
from controller.scenario.player import Player
from controller.scenario.shorthand import AnyPlayer, Step
from controller.scenario.wheel_player import WheelPlayer


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of the scenarios of one game. `player`: makes a table of this game."""

    player: Callable[[Setup], AnyPlayer]
    registry: Registry[Any]
    steps: Mapping[str, Step[Any]]
    facts: Mapping[str, Fact[Any]]

    @property
    def acts(self) -> dict[str, type[Act]]:
        """Returns each act's type, by the name that scenarios use."""
        return {rule.name: rule.act for rule in self.registry.acts}


VOCABULARIES: Final = {
    GameName.BLACKJACK: Vocabulary(
        Player,
        TABLE,
        {**house_words.STEPS, **steps.STEPS, **hands.STEPS, **jackpot.STEPS, **linked.STEPS, **reconfigured.STEPS},
        {**house_words.FACTS, **facts.FACTS, **hands.FACTS, **jackpot.FACTS, **linked.FACTS},
    ),
    GameName.ROULETTE: Vocabulary(
        WheelPlayer,
        ROULETTE,
        {**house_words.STEPS, **wheel_words.STEPS, **reconfigured.STEPS},
        {**house_words.FACTS, **wheel_words.FACTS},
    ),
}


def vocabulary_of(profile: str) -> Vocabulary:
    """Returns the words of the game that is played under this profile."""
    return VOCABULARIES[GAME_OF[profile]]
