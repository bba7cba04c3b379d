"""A table of roulette in a scenario: the wheel's line tells of what happens, where the table has one."""

from controller.core.engine.act import Act, Fact
from controller.core.games.roulette.markers import BLANK, ValuesShown, values_given
from controller.core.games.roulette.state import ChipColour, RouletteState, Spin
from controller.core.games.roulette.table import ROULETTE
from controller.core.games.roulette.wheel import WheelHeard
from controller.core.house.facts import DeviceConnected, DeviceLost
from controller.core.setup import Setup
from controller.core.words import Cents, Device, RoundPhase
from controller.scenario.table_player import TablePlayer


class WheelPlayer(TablePlayer[RouletteState]):
    """Wheel and display do at once what they should; what goes wrong the steps say."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(ROULETTE, setup)
        self.game = 0  # the wheel's own count
        self.display_hangs = True  # the markers stay as they are
        self._markers = (BLANK,) * len(ChipColour)
        self._display_boot = 0
        self._paid = Spin()  # the last one whose payments were confirmed

    @property
    def spin(self) -> Spin:
        """The spin that runs; between two the one before."""
        return self._paid if self.state.game.phase is RoundPhase.IDLE else self.state.game

    def start(self, *findings: str, setup: Setup | None = None) -> None:
        self.start_alone(*findings, setup=setup)
        if self.state.setup.has_wheel:
            self.put(WheelHeard())
        if self.state.setup.has_value_display:
            self.display_connects()

    def display_connects(self) -> None:
        """The value display comes, and follows from now on."""
        self._display_boot = self._display_boot or 1
        self.display_hangs = False
        who = (Device.VALUE_DISPLAY, "value display", "V1", "1", self._display_boot)
        self.put(DeviceConnected(*who, simulated=True, shuffler=None, passages=None, values=self._markers))

    def display_lost(self) -> None:
        """Its power is gone, and what its markers showed."""
        self._markers, self.display_hangs = (BLANK,) * len(ChipColour), True
        self._display_boot += 1
        self.put(DeviceLost(Device.VALUE_DISPLAY, "silent"))

    def display_shows(self, colour: ChipColour, value: Cents) -> None:
        """One marker shows this, whatever it should, and none follows any more."""
        self.display_hangs = True
        self._show(tuple(value if one is colour else was for one, was in zip(ChipColour, self._markers, strict=True)))

    def _show(self, values: tuple[Cents, ...]) -> None:
        self._markers = values
        super().put(ValuesShown(values))

    def put(self, event: Fact | Act) -> None:
        before = self.state.game
        super().put(event)
        if before.phase is RoundPhase.PAYING and self.state.game.phase is RoundPhase.IDLE:
            self._paid = before
        if not self.display_hangs and (values := values_given(self.state)) != self._markers:
            self._show(values)
