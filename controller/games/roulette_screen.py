"""What a screen shows of a table of roulette: the steps of its holds, the values of its acts."""

from collections.abc import Iterator, Sequence
from typing import Final

from controller.act_values import Field
from controller.core.engine.act import Act
from controller.core.games.roulette.bets import PlaceChips, PlaceValueChips, RemoveBet
from controller.core.games.roulette.cloth import LAST
from controller.core.games.roulette.state import RouletteState
from controller.core.words import HoldKind, HoldPhase
from controller.game_screen import GameScreen
from controller.offers import GameOffers
from controller.steps import CALL, HOUSE_STEPS, Step, Steps, acts, never
from controller.who_may import Fields

_RAISED: Final = HoldPhase.RAISED
STEPS: Final[Steps[RouletteState]] = {
    **HOUSE_STEPS,
    HoldKind.IRREGULAR_SPIN: (CALL, Step("rule", _RAISED, never, acts("rule-on-spin"))),
    HoldKind.MOVED_CHIPS: (CALL, Step("decide", _RAISED, never, acts("rebuild-markings"))),
    HoldKind.COMPLAINT: (CALL, Step("decide", _RAISED, never, acts("decide-claim"))),
}


def _numbers(state: RouletteState, name: str) -> Sequence[Field]:
    match name:
        case "player":
            held = tuple(one.number for one in state.players)
            return (*held, next(number for number in range(1, len(held) + 2) if number not in held))
        case "number":
            return range(LAST + 1)
        case "diameter_mm":
            return (state.rules.figures.ball_mm,)
        case _:
            return ()


def _tries(state: RouletteState, act: type[Act], fields: Fields) -> Iterator[Fields]:
    """A bet is of one chip on a chance that every table has, or one of those that lie."""
    if act is RemoveBet:
        yield from (fields | {"bet": one.bet} for one in state.stakes)
    elif act in (PlaceChips, PlaceValueChips):
        yield fields | {"bet": "red"} | ({"chips": 1} if act is PlaceChips else {})
    else:
        yield fields


def _amount(state: RouletteState, _act: type[Act]) -> int:
    return state.rules.limits.minimum


SCREEN: Final = GameScreen[RouletteState](offers=GameOffers(_numbers, _tries, _amount), steps=STEPS)
