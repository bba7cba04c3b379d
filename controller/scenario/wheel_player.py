"""A table of roulette in a scenario: the wheel's line tells of what happens, where the table has one."""

from controller.core.engine.act import Act, Fact
from controller.core.games.roulette.state import ChipColour, RouletteState, Spin
from controller.core.games.roulette.table import ROULETTE
from controller.core.games.roulette.wheel import ValuesShown, WheelHeard
from controller.core.setup import Setup
from controller.core.words import Cents, RoundPhase
from controller.scenario.table_player import TablePlayer


class WheelPlayer(TablePlayer[RouletteState]):
    """Wheel and display do at once what they should; what goes wrong the steps say."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(ROULETTE, setup)
        self.game = 0  # the wheel's own count
        self.display_hangs = False
        self._paid = Spin()  # the last one whose payments were confirmed

    @property
    def spin(self) -> Spin:
        """The spin that runs; between two the one before."""
        return self._paid if self.state.game.phase is RoundPhase.IDLE else self.state.game

    def start(self, *findings: str, setup: Setup | None = None) -> None:
        self.start_alone(*findings, setup=setup)
        if self.state.setup.has_wheel:
            self.put(WheelHeard())

    def put(self, event: Fact | Act) -> None:
        before = self.state.game
        super().put(event)
        if before.phase is RoundPhase.PAYING and self.state.game.phase is RoundPhase.IDLE:
            self._paid = before
        values = tuple((player.value if (player := self.state.with_colour(one)) else Cents(0)) for one in ChipColour)
        if self.state.setup.has_value_display and not self.display_hangs and values != self.state.shown:
            super().put(ValuesShown(values))
