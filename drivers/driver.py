"""The seam between supervision and protocols: one driver object is one connection to one device.

A driver is sans-IO: bytes and times go in, bytes and events come out. It is made when a port has opened,
brings the device's desired state about, and ends for good when the connection does. The next one gets a
new driver, so nothing of the old one leaks into it; what must survive (desired state, counters, what was
delivered) is the supervisor's.
"""

from typing import Protocol, TypeAlias

from drivers.events import ConnectionEvent, DeviceLost, DeviceRefused, DeviceStatus
from drivers.stats import DeviceStats
from drivers.wishes import Desired

ConnectionEnd: TypeAlias = DeviceLost | DeviceRefused


class Connection:
    """A connection of any wire format: its end, and the events on it that are not reported yet."""

    def __init__(self, *reported: ConnectionEvent) -> None:
        self.end: ConnectionEnd | None = None
        self.reported = list(reported)


class DeviceDriver(Protocol):
    """One connection to one device, in whatever protocol it speaks.

    `end`: why it is over; None while it lives. DeviceRefused only before DeviceConnected. `reported`: what happened,
    DeviceConnected first; the supervisor takes it from there.
    """

    end: ConnectionEnd | None
    reported: list[ConnectionEvent]

    @property
    def command_outstanding(self) -> bool:
        """True where an effect was sent whose outcome is not known yet."""

    @property
    def status(self) -> DeviceStatus | None:
        """The device's last status; None before the first."""

    @property
    def stats(self) -> DeviceStats:
        """Counters of this connection."""

    def receive_data(self, data: bytes, now_s: float) -> None:
        """Takes what the port read."""

    def data_to_send(self) -> bytes:
        """Takes the bytes to write now; b"" when there are none."""

    def next_timeout_s(self) -> float | None:
        """When `handle_timeout` is due, in the caller's monotonic seconds."""

    def handle_timeout(self, now_s: float) -> None:
        """Does what is due; harmless when nothing is."""

    def apply(self, desired: Desired, now_s: float, *, is_answer: bool) -> None:
        """Set the device's right state from now on; brought about as soon as the protocol allows.

        `is_answer`: it was decided for this connection, after everything that it has reported. Of a wish that was
        not, and after each further report, a driver brings about only what protects, until an answer comes.
        """

    def acknowledge(self, boot: int, number: int) -> None:
        """Events up to `number` of that boot are durable here. Of another boot: nothing happens."""


class MakeDriver(Protocol):
    """Makes the driver for a port that has just opened; `connection` counts the openings from 1."""

    def __call__(self, connection: int, now_s: float) -> DeviceDriver: ...
