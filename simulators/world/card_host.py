"""The controller's machine at a table of cards: TDP devices whose lines rest, a screen with cards."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from controller.core.house.state import State
from controller.core.words import Device, SessionPhase
from controller.games.blackjack import at_blackjack
from controller.games.table_status import hands
from controller.runtime.devices import MakeSupervisor, tdp_supervisor
from simulators.world.clock import VirtualClock
from simulators.world.device_end import DeviceEnd
from simulators.world.host import Host
from simulators.world.installation import Installation
from simulators.world.machine import MakeQuiet
from simulators.world.outputs import Outputs
from simulators.world.quiet import QuietLine
from simulators.world.screen import Screen, ScreenMaker
from simulators.world.wires import Line

_CARDS_COME_OUT: Final = (SessionPhase.LOADED, SessionPhase.IN_PLAY)
"""Before these steps no screen can know a face, and after them all are looked at: only here it is rendered."""


class CardHost(Host):
    """The controller's machine, and what its screen shows."""

    def __init__(
        self,
        clock: VirtualClock,
        seed: int,
        installation: Installation,
        lines: Mapping[Device, Line],
        ends: Mapping[Device, DeviceEnd],
        outputs: Outputs,
    ) -> None:
        super().__init__(clock, seed, installation, lines, outputs)
        self._ends = ends
        self._screen: ScreenMaker | None = None

    def look(self) -> Screen | None:
        """What the screen shows; None while it is dark."""
        if self.run is None:
            return None
        if self._screen is None or self._screen.runtime is not self.run.runtime:
            self._screen = ScreenMaker(self.run.runtime)
        return self._screen.look()

    def supervisor(
        self, device: Device, serial: str | None, start_number: int, jitter: Callable[[], float]
    ) -> MakeSupervisor:
        return tdp_supervisor(device, serial, simulated=True, start_number=start_number, jitter=jitter)

    def quiet(self, device: Device) -> MakeQuiet:
        return partial(QuietLine, self._ends[device])

    def says_nothing(self, latest: State) -> bool:
        """While a card of the reader's is missing, a status that says the same again is news."""
        return not at_blackjack(latest).devices.reader.missing

    def rendered(self, latest: State, durable: State) -> object | None:
        return hands(at_blackjack(durable)) if latest.house.session in _CARDS_COME_OUT else None
