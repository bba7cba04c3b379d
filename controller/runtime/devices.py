"""The table's devices as the runtime sees them: the devices' events, the wished state of each device, and the
acknowledgements. A device may forget an event once it is acknowledged.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final, TypeAlias

from controller.core.house.state import State, link_of
from controller.core.house.wanted import Desired, DeviceDesired
from controller.core.words import Device
from controller.devices.device_kinds import KINDS, tdp_of
from controller.runtime.budget import Budget
from drivers.alpha_driver import make_alpha_driver
from drivers.alpha_sign import AlphaSettings
from drivers.angel_eye_driver import make_angel_eye_driver
from drivers.backoff import Backoff
from drivers.events import DriverEvent, StatusHeard
from drivers.expected import ExpectedDevice, Pair
from drivers.supervisor import DeviceSupervisor
from drivers.tdp_driver import make_tdp_driver, session_opening
from drivers.tdp_kinds import TDP_DEALING_SHOE
from drivers.wishes import Basis
from firmware_protocols.angel_eye.framing import ChecksumRule

Committed: TypeAlias = Callable[[], tuple[int, int]]
"""Returns the boot and number of a device's last durable event; the driver calls the function at each connection."""

MakeSupervisor: TypeAlias = Callable[[Committed], DeviceSupervisor]

STARTS_IN_OPENING: Final = 1 << 20


def number_of_sessions(start_number: int, *, is_recorded: bool, draw: Callable[[int], int]) -> int:
    """Returns the number of this start for the openings of its TDP sessions: `start_number`, or a random number if
    `is_recorded` is False. `draw(n)`: returns a random number from 0 to n - 1.

    Without an entry of this start the next start would use `start_number` again. A device with a session of the same
    number would answer new commands from memory, without obeying them.
    """
    return start_number if is_recorded else draw(STARTS_IN_OPENING)


def tdp_supervisor(
    device: Device,
    serial: str | None,
    *,
    simulated: bool,
    start_number: int,
    jitter: Callable[[], float],
    model: str | None = None,
    approved_firmware: tuple[str, ...] = (),
    deals: bool = False,
    pair: Pair | None = None,
) -> MakeSupervisor:
    """Returns a function that makes the supervisor of a device that speaks TDP.

    `serial`, `model`: None accepts any. `jitter`: returns a number in [0, 1]. `approved_firmware`: the firmware
    versions that may replace each other without a person's confirmation. `deals`: True for a shoe from which cards are
    drawn; False for a shoe that reads the cards at a shuffler's mouth. `pair`: the key that the device shares with the
    table; None without a key.
    """
    expected = ExpectedDevice(
        TDP_DEALING_SHOE if deals and device is Device.SHOE else tdp_of(device),
        simulated=simulated,
        serial=serial,
        model=model,
        approved_firmware=approved_firmware,
        pair=pair,
    )

    def make(committed: Committed) -> DeviceSupervisor:
        drivers = make_tdp_driver(expected, start_number=start_number, committed=committed)
        return DeviceSupervisor(device.value, drivers, Backoff(), jitter)

    return make


def alpha_supervisor(
    device: Device, settings: AlphaSettings, *, start_number: int, jitter: Callable[[], float]
) -> MakeSupervisor:
    """Returns a function that makes the supervisor of a sign that speaks the Alpha protocol. `start_number` and the
    connection's number together give each connection its own number.
    """

    def make(_committed: Committed) -> DeviceSupervisor:
        drivers = make_alpha_driver(settings, partial(session_opening, start_number))
        return DeviceSupervisor(device.value, drivers, Backoff(), jitter)

    return make


def angel_eye_supervisor(
    device: Device, rule: ChecksumRule, *, simulated: bool, jitter: Callable[[], float]
) -> MakeSupervisor:
    """Returns a function that makes the supervisor of an Angel Eye shoe. `rule`: states if a command's checksum covers
    its first byte (STX).
    """

    def make(committed: Committed) -> DeviceSupervisor:
        drivers = make_angel_eye_driver(rule, simulated=simulated, committed=committed)
        return DeviceSupervisor(device.value, drivers, Backoff(), jitter)

    return make


EVENTS_AT_ONCE: Final = 200
EVENTS_PER_S: Final = 100
"""The number of entries that one device may cause per second, after EVENTS_AT_ONCE at once: a simulated unloading makes
50 a second, a real one 12.

Further events stay with the device, unacknowledged. If the excess continues, the supervisor ends the connection.
"""

FIGURES_AT_ONCE: Final = 20
FIGURES_PER_S: Final = 5
"""The number of status reports without an event that one device may cause per second, after FIGURES_AT_ONCE at once. A
further report waits, and a newer one replaces it.
"""

MOST_AT_ONCE: Final = 64
"""The most events of one device that one step of the runtime handles."""


class Devices:
    """The supervisors of one table's devices, in the order of the configuration."""

    def __init__(self, supervisors: Mapping[Device, DeviceSupervisor]) -> None:
        self.supervisors = dict(supervisors)
        self.desired: Desired | None = None  # the state wished of all devices now
        self.recorded = {device: Budget(EVENTS_AT_ONCE, EVENTS_PER_S) for device in supervisors}
        self.heard = {device: Budget(FIGURES_AT_ONCE, FIGURES_PER_S) for device in supervisors}
        self._told: dict[Device, DeviceDesired] = {}
        self._connections: dict[Device, int] = {}  # the connection over which each device's last taken report came
        self._forgotten: dict[Device, tuple[int, int]] = {}
        self.spoken: set[Device] = set()  # told something since the last `spoken_to`

    def events(self, now_s: float) -> Iterator[tuple[Device, DriverEvent, Budget]]:
        """Yields the devices' new events, each with the budget from which the caller must pay for the event's entry.
        Yields at most MOST_AT_ONCE events of each device, and only while the device has a budget.
        """
        for device, supervisor in self.supervisors.items():
            left = MOST_AT_ONCE
            while supervisor.reported and left:
                budget = self._budget(device, supervisor.reported[0])
                if not budget.has_some(now_s):
                    break
                left -= 1
                yield device, supervisor.reported.popleft(), budget
            if not supervisor.reported:
                self._connections[device] = supervisor.connection

    def _budget(self, device: Device, event: DriverEvent) -> Budget:
        return self.heard[device] if isinstance(event, StatusHeard) else self.recorded[device]

    def wait_s(self, now_s: float) -> float | None:
        """Returns the seconds until `events` may yield the next event; None if no device has a new event."""
        speaking = [(device, one.reported[0]) for device, one in self.supervisors.items() if one.reported]
        return min([self._budget(device, event).wait_s(now_s) for device, event in speaking], default=None)

    def bring_about(self, desired: Desired, now_s: float) -> None:
        """Gives each device its wish in `desired`, if the wish has changed or the device waits for an answer to its
        reports. Skips sensors, which take no commands.
        """
        is_news = desired != self.desired
        self.desired = desired
        for device, supervisor in self.supervisors.items():
            awaits_answer = not supervisor.is_answered and supervisor.awaits_answer
            if not (is_news or awaits_answer):
                continue
            wanted, to_wish = desired.devices.get(device), KINDS[device].wish
            if wanted is None or to_wish is None:
                continue  # a sensor takes no commands
            if awaits_answer or self._told.get(device) != wanted:
                self._told[device] = wanted
                self.spoken.add(device)
                basis = Basis(wanted.basis.serial, wanted.basis.boot, self._connections.get(device, 0))
                supervisor.apply(to_wish(wanted), now_s, basis)

    def spoken_to(self) -> tuple[Device, ...]:
        """Returns the devices that got a wish or an acknowledgement since the last call.

        The supervisors of these devices may have bytes to send.
        """
        taken, self.spoken = self.spoken, set()
        return tuple([device for device in self.supervisors if device in taken])

    def acknowledge(self, durable: State) -> None:
        """Acknowledges to each device its events up to the last one in the state `durable`. The device may then forget
        these events. `durable` must be on the disk.
        """
        for device, supervisor in self.supervisors.items():
            link = link_of(durable, device)
            if self._forgotten.get(device) != (link.boot, link.taken):
                self._forgotten[device] = (link.boot, link.taken)
                self.spoken.add(device)
                supervisor.acknowledge(link.boot, link.taken)
