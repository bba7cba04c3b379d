"""The roulette table of a scenario. The table may have a simulated wheel and a simulated display of chip values."""

from fractions import Fraction

from controller.core.engine.act import Act, Fact
from controller.core.engine.replacing import replace
from controller.core.games.roulette.markers import BLANK, ValuesShown, values_given
from controller.core.games.roulette.state import ChipColour, RouletteState, Spin
from controller.core.games.roulette.table import ROULETTE
from controller.core.games.roulette.wheel import WheelHeard
from controller.core.house.facts import DeviceConnected, DeviceLost
from controller.core.house.worked_out import played_again
from controller.core.setup import Setup
from controller.core.words import Cents, Device, RoundPhase
from controller.scenario.table_player import TablePlayer


class WheelPlayer(TablePlayer[RouletteState]):
    """The roulette table of a scenario. A connected display of chip values follows the table at once, until a step
    makes it hang. The wheel reports only what the scenario's steps say.
    """

    def __init__(self, setup: Setup) -> None:
        super().__init__(ROULETTE, setup)
        self.game = 0  # the wheel's own count of games
        self.display_hangs = True  # the markers no longer follow the table
        self._markers = (BLANK,) * len(ChipColour)
        self._display_boot = 0
        self._paid = Spin()  # the last spin with confirmed payments
        self._half_cents_before = 0  # the bank's result before that spin

    @property
    def spin(self) -> Spin:
        """Returns the spin in progress; between two spins, the last one."""
        return self._paid if self.state.game.phase is RoundPhase.IDLE else self.state.game

    @property
    def house(self) -> Fraction | None:
        """Returns the bank's result of the spin `spin` in cents, with later corrections. None before the number is
        known, and at a table that does not track bets.
        """
        settled = self.spin.settled
        if settled is None or self.state.game.phase is not RoundPhase.IDLE:
            return None if settled is None else settled.house
        return Fraction(self.state.takings.half_cents - self._half_cents_before, 2)

    def start(self, *findings: str, setup: Setup | None = None) -> None:
        self.start_alone(*findings, setup=setup)
        if self.state.setup.has_wheel:
            self.put(WheelHeard())
        if self.state.setup.has_value_display:
            self.display_connects()

    def display_connects(self) -> None:
        """Connects the display of chip values. From now on the display follows the table."""
        self._display_boot = self._display_boot or 1
        self.display_hangs = False
        who = (Device.VALUE_DISPLAY, "value display", "V1", "1", self._display_boot)
        self.put(DeviceConnected(*who, simulated=True, shuffler=None, passages=None, values=self._markers))

    def display_lost(self) -> None:
        """Cuts the power of the display of chip values. The display then shows no values."""
        self._markers, self.display_hangs = (BLANK,) * len(ChipColour), True
        self._display_boot += 1
        self.put(DeviceLost(Device.VALUE_DISPLAY, "silent"))

    def display_shows(self, colour: ChipColour, value: Cents) -> None:
        """Makes the display show `value` for the colour `colour`. From now on the display does not follow the table."""
        self.display_hangs = True
        self._show(tuple(value if one is colour else was for one, was in zip(ChipColour, self._markers, strict=True)))

    def _show(self, values: tuple[Cents, ...]) -> None:
        self._markers = values
        super().put(ValuesShown(values))

    def put(self, event: Fact | Act) -> None:
        before, half_cents, corrected = self.state.game, self.state.takings.half_cents, self.state.log.corrected
        super().put(event)
        if before.phase is RoundPhase.IDLE and self.state.game.number > before.number:  # no spin that is opened again
            self._half_cents_before = half_cents
        if before.phase is RoundPhase.PAYING and self.state.game.phase is RoundPhase.IDLE:
            self._paid = before
        elif self.state.log.corrected > corrected and self.state.game.phase is RoundPhase.IDLE:
            self._paid = self._paid_by_the_log()
        if not self.display_hangs and (values := values_given(self.state)) != self._markers:
            self._show(values)

    def _paid_by_the_log(self) -> Spin:
        """Returns the last paid spin as it was before the payments were confirmed, by replaying the corrected log."""
        log = self.state.log
        ends = [at for at, one in enumerate(log.events) if one.name == "confirm-payments" and not one.is_back]
        again = played_again(self.registry, self.state, replace(log, events=log.events[: ends[-1]])) if ends else None
        return again.game if isinstance(again, RouletteState) else self._paid
