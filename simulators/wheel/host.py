"""The simulated computer of a roulette table's controller: the wheel sends to it, and its screen shows the status."""

from collections.abc import Callable

from controller.catalogue import Language
from controller.core.house.state import State
from controller.core.words import Device
from controller.protocol.status import Status
from controller.runtime.devices import MakeSupervisor
from controller.runtime.kernel import Runtime
from controller.screen.status import StatusMaker
from drivers.backoff import Backoff
from drivers.cammegh_driver import make_cammegh_driver
from drivers.supervisor import DeviceSupervisor
from simulators.world.host import Host


class WheelHost(Host):
    """The simulated computer of a roulette table's controller, with its screen."""

    _maker: StatusMaker | None = None
    _shown: Status | None = None
    _of: Runtime | None = None
    _looked_at: tuple[State, State, int, bool] | None = None

    def look(self) -> Status | None:
        """Returns the screen's contents; None while the screen is dark."""
        if self.run is None:
            return None
        runtime, ledger = self.run.runtime, self.run.runtime.ledger
        if self._maker is None or self._of is not runtime:
            self._of, self._maker, self._looked_at = runtime, StatusMaker(runtime, Language.EN), None
        looked_at = (ledger.latest, ledger.durable, ledger.waiting, runtime.trouble() is None)
        if looked_at != self._looked_at:
            self._looked_at, self._shown = looked_at, self._maker.status(self.clock.now_s, [])
        return self._shown

    def supervisor(
        self, device: Device, serial: str | None, start_number: int, jitter: Callable[[], float]
    ) -> MakeSupervisor:
        if device is not Device.ROULETTE_WHEEL:
            return super().supervisor(device, serial, start_number, jitter)
        drivers = make_cammegh_driver(simulated=True, start_number=start_number)
        return lambda _committed: DeviceSupervisor(device.value, drivers, Backoff(), jitter)
