"""The driver of a Slingshot 2 wheel, over a line that is only read. The driver never sends anything to the wheel.

"Connected" means only that the port is open. The events `LineHeard` and `LineSilent` tell if the wheel sends anything.
The wheel waits for no acknowledgement and repeats nothing. If the wheel's own counter shows spins from a time when no
host listened, the driver reports them as unseen. The controller treats each of its own starts as such a gap.

Event numbers grow over connections and restarts, so that no two events have the same number.
"""

from collections import Counter
from typing import Final

from msgspec import Struct

from drivers.driver import Connection, DeviceDriver, MakeDriver
from drivers.errors import DriverError
from drivers.events import DeviceConnected, Reported
from drivers.stats import DeviceStats
from drivers.unproven import unproven_identity
from drivers.wishes import Desired
from firmware_protocols.cammegh.lines import LineDecoder
from firmware_protocols.cammegh.spins import LineHeard, SpinEvent, SpinTracker
from firmware_protocols.cammegh.words import Status
from firmware_protocols.errors import RejectReason

MODEL: Final = "Slingshot 2"
BOOT: Final = 1 << 32
"""The boot number of every connection, since the wire carries none. A device's own boot number is smaller."""


class WheelStatus(Struct, frozen=True, gc=False):
    """The last status that the wheel sent over this connection. `said`: this status; None before the first."""

    said: Status | None = None


class CammeghDriver(Connection):
    """One connection to one wheel (satisfies `DeviceDriver`). The connection ends only when its port is lost.
    `first_event`: one less than the number of the connection's first event.
    """

    def __init__(self, first_event: int, now_s: float, *, simulated: bool) -> None:
        super().__init__()
        self._decoder = LineDecoder()
        self._tracker = SpinTracker(now_s)
        self._number = first_event
        self._is_heard = False
        self._status = WheelStatus()
        self._good = 0
        self._rejected: Counter[str] = Counter()
        self._last_good_s: float | None = None
        identity = unproven_identity(None, MODEL, boot=BOOT, simulated=simulated)
        self.reported.append(DeviceConnected(identity, self._status))

    @property
    def command_outstanding(self) -> bool:
        return False

    @property
    def status(self) -> WheelStatus:
        return self._status

    @property
    def stats(self) -> DeviceStats:
        return DeviceStats(self._good, dict(self._rejected), last_good_s=self._last_good_s)

    def receive_data(self, data: bytes, now_s: float) -> None:
        for found in self._decoder.feed(data):
            if isinstance(found, RejectReason):
                self._rejected[found.value] += 1
                continue
            self._good += 1
            self._last_good_s = now_s
            if isinstance(found, Status):
                self._status = WheelStatus(found)
                self._begin()
            self._report(self._tracker.take(found, now_s))

    def _begin(self) -> None:
        if not self._is_heard:
            self._is_heard = True
            self._report([LineHeard()])

    def data_to_send(self) -> bytes:
        return b""

    def next_timeout_s(self) -> float | None:
        return self._tracker.next_time_s()

    def handle_timeout(self, now_s: float) -> None:
        self._report(self._tracker.on_time(now_s))

    def apply(self, desired: Desired, _now_s: float, *, is_answer: bool) -> None:  # noqa: ARG002
        """Always raises DriverError: a wheel gets no commands."""
        raise DriverError(f"a wheel cannot become {desired}")

    def acknowledge(self, boot: int, number: int) -> None:
        """Does nothing: this wire has no acknowledgement."""

    def _report(self, told: list[SpinEvent]) -> None:
        for event in told:
            self._number += 1
            self.reported.append(Reported(BOOT, self._number, event, self._status))


CONNECTION_BITS: Final = 20
"""Bits of an event number: so many count the events of a connection (about six a minute), so many the connections."""


def make_cammegh_driver(*, simulated: bool, start_number: int) -> MakeDriver:
    """Returns a function that makes the wheel's driver for each connection.

    `start_number`: the number of this start of the controller, from 1.
    """

    def make(connection: int, now_s: float) -> DeviceDriver:
        first = (start_number << CONNECTION_BITS | connection) << CONNECTION_BITS
        return CammeghDriver(first, now_s, simulated=simulated)

    return make
