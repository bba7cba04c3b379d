"""The interface between supervision and protocols: one driver object is one connection to one device.

A driver is sans-IO: bytes and times go in, bytes and events come out. It is made when a port has opened,
brings the device into the wished state, and ends for good when the connection does. The next connection gets a
new driver, so no state of the old one leaks into it. State that must survive (wish, counters, the last event
handed over) belongs to the supervisor.
"""

from typing import Protocol, TypeAlias

from drivers.events import ConnectionEvent, DeviceLost, DeviceRefused, DeviceStatus
from drivers.stats import DeviceStats
from drivers.wishes import Desired

ConnectionEnd: TypeAlias = DeviceLost | DeviceRefused


class Connection:
    """A connection of any wire format: `end`, the reason for its end, and `reported`, its events not yet taken."""

    def __init__(self, *reported: ConnectionEvent) -> None:
        self.end: ConnectionEnd | None = None
        self.reported = list(reported)


class DeviceDriver(Protocol):
    """One connection to one device, in any protocol.

    `end`: the reason for its end; None while it lives. DeviceRefused only before DeviceConnected. `reported`: the
    events, DeviceConnected first; the supervisor takes them from this list.
    """

    end: ConnectionEnd | None
    reported: list[ConnectionEvent]

    @property
    def command_outstanding(self) -> bool:
        """True where the outcome of a sent command is not known yet."""

    @property
    def status(self) -> DeviceStatus | None:
        """The device's last status; None before the first."""

    @property
    def stats(self) -> DeviceStats:
        """Counters of this connection."""

    def receive_data(self, data: bytes, now_s: float) -> None:
        """Takes the bytes that the port has read."""

    def data_to_send(self) -> bytes:
        """Returns the bytes to write now, each once; b"" for none."""

    def next_timeout_s(self) -> float | None:
        """The time at which `handle_timeout` is due, in the caller's monotonic seconds; None for never."""

    def handle_timeout(self, now_s: float) -> None:
        """Does all work that is due; without due work it has no effect."""

    def apply(self, desired: Desired, now_s: float, *, is_answer: bool) -> None:
        """Sets the wish for the device from now on; the driver brings it about as soon as the protocol allows.

        `is_answer`: the wish was decided for this connection, after all that it has reported. For any other wish, and
        after each further report, the driver sends only commands that stop or warn until such a wish comes.
        """

    def acknowledge(self, boot: int, number: int) -> None:
        """Notes that the journal holds the events of `boot` up to `number`; no effect for another device's boot."""


class MakeDriver(Protocol):
    """Makes the driver for a port that has just opened; `connection` counts the openings from 1."""

    def __call__(self, connection: int, now_s: float) -> DeviceDriver: ...
