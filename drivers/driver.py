"""The interface between supervision and protocols. A driver is one connection to one device.

A driver is sans-IO: bytes and times go in, bytes and events come out. The supervisor makes it when a port has opened.
The driver brings the device into the wished state, and ends with the connection. The next connection gets a new driver,
so no old state remains. State that must survive (wish, counters, the last event passed on) belongs to the supervisor.
"""

from typing import Protocol, TypeAlias

from drivers.events import ConnectionEvent, DeviceLost, DeviceRefused, DeviceStatus
from drivers.stats import DeviceStats
from drivers.wishes import Desired

ConnectionEnd: TypeAlias = DeviceLost | DeviceRefused


class Connection:
    """The base class of drivers, for any protocol. `end`: the reason why the connection ended; None before its end.
    `reported`: the events that the supervisor has not taken yet.
    """

    def __init__(self, *reported: ConnectionEvent) -> None:
        self.end: ConnectionEnd | None = None
        self.reported = list(reported)


class DeviceDriver(Protocol):
    """One connection to one device, in any protocol.

    `end`: the reason why the connection ended; None while it lasts. A DeviceRefused comes only before DeviceConnected.
    `reported`: the events, DeviceConnected first; the supervisor takes them from this list.
    """

    end: ConnectionEnd | None
    reported: list[ConnectionEvent]

    @property
    def command_outstanding(self) -> bool:
        """True from the sending of a command until its result is known."""

    @property
    def status(self) -> DeviceStatus | None:
        """Returns the last known status of the device; None before the first status."""

    @property
    def stats(self) -> DeviceStats:
        """Returns the counters of this connection."""

    def receive_data(self, data: bytes, now_s: float) -> None:
        """Receives the bytes that the port has read."""

    def data_to_send(self) -> bytes:
        """Returns the bytes to write now, each byte once; b"" if nothing is to be written."""

    def next_timeout_s(self) -> float | None:
        """Returns the time at which `handle_timeout` is due, in monotonic seconds of the caller; None if no call is."""

    def handle_timeout(self, now_s: float) -> None:
        """Does the work that is due at `now_s`, if any."""

    def apply(self, desired: Desired, now_s: float, *, is_answer: bool) -> None:
        """Sets the wish for the device from now on. The driver fulfils it as soon as the protocol allows.

        `is_answer`: True if the controller made the wish for this connection and knew all its reports. Only such a wish
        lets the driver send a command that permits, until another wish or a further report comes. Otherwise the driver
        sends only commands that stop or warn.
        """

    def acknowledge(self, boot: int, number: int) -> None:
        """Notes that the journal has the device's events of boot `boot` up to event `number`. Does nothing if the
        device now has another boot.
        """


class MakeDriver(Protocol):
    """A function that makes the driver for a port that was just opened. `connection`: the number of this connection,
    counted from 1.
    """

    def __call__(self, connection: int, now_s: float) -> DeviceDriver: ...
