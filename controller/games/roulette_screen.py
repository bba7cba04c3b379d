"""What a screen shows of a table of roulette, and the steps to the end of the holds that a wheel has."""

from typing import Final

from controller.core.games.roulette.state import RouletteState
from controller.core.words import HoldKind, HoldPhase
from controller.game_screen import GameScreen
from controller.steps import CALL, HOUSE_STEPS, Step, Steps, acts, never

_RAISED: Final = HoldPhase.RAISED
STEPS: Final[Steps[RouletteState]] = {
    **HOUSE_STEPS,
    HoldKind.IRREGULAR_SPIN: (CALL, Step("rule", _RAISED, never, acts("rule-on-spin"))),
    HoldKind.MOVED_CHIPS: (CALL, Step("decide", _RAISED, never, acts("rebuild-markings"))),
    HoldKind.COMPLAINT: (CALL, Step("decide", _RAISED, never, acts("decide-claim"))),
}
SCREEN: Final = GameScreen[RouletteState](steps=STEPS)
