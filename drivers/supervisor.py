"""Supervises one device: has its port opened, notices a loss, and tries again. Sans-IO.

    WAITING --time--> OPENING --port_opened--> LINKED --device or port gone--> WAITING
                      OPENING --port_failed--> WAITING

When a connection ends, its port is still open. It must be closed before the next is opened, so `wants_close` stays true
until `port_closed`. The supervisor reconnects by itself and decides nothing else. The procedure decides what a loss
means, and which people may let the table go on.
"""

from collections import deque
from collections.abc import Callable
from enum import StrEnum
from typing import Final, assert_never

from drivers.backoff import Backoff
from drivers.deduplicator import EventDeduplicator
from drivers.driver import ConnectionEnd, DeviceDriver, MakeDriver
from drivers.errors import PortError, PortRefused
from drivers.events import (
    CardsMayHavePassed,
    CommandRefused,
    CommandUndone,
    ConnectionEvent,
    DeviceConnected,
    DeviceLost,
    DeviceRefused,
    DeviceStatus,
    DriverEvent,
    EventsMissed,
    LostReason,
    Reported,
    StatusHeard,
)
from drivers.stats import DeviceStats, total
from drivers.trouble import Trouble, trouble_with_device, trouble_with_port
from drivers.wishes import Basis, Desired
from firmware_protocols.tdp.link import Identity

MOST_EVENTS: Final = 256
"""The most events that may wait to be taken.

Above it the connection ends; a device keeps only 64 unacknowledged events.
"""

STATUSES_KEPT: Final = 8
"""A new status replaces the last waiting event if that is a status and at least so many events wait."""

AFTER_FLOOD_S: Final = 30.0
"""The time until the next try after a connection that ended by a flood of events, in seconds."""


class SupervisorState(StrEnum):
    WAITING = "waiting"
    OPENING = "opening"
    LINKED = "linked"


class DeviceSupervisor:
    """Keeps one device connected. `jitter`: returns numbers in [0, 1]. Times are the caller's monotonic seconds."""

    def __init__(self, name: str, make_driver: MakeDriver, backoff: Backoff, jitter: Callable[[], float]) -> None:
        self.name = name
        self._make_driver = make_driver
        self._backoff = backoff
        self._jitter = jitter
        self._state = SupervisorState.OPENING
        self._driver: DeviceDriver | None = None
        self.data_to_send: Callable[[], bytes] = bytes  # takes the bytes to write now: the driver's own, or none
        self._port_is_held = False
        self.connection = 0  # the number of ports opened so far, which is the number of the present connection
        self._connections_made = 0  # devices that identified themselves so far
        self._connected_at_s: float | None = None
        self._retry_at_s = 0.0
        self._failures = 0  # failed tries in a row since the last connection
        self._short_lived = 0  # connections in a row that lasted too short a time
        self._desired: Desired | None = None
        self.is_answered = True  # True if the controller has decided the last wish after all reports
        self.reported: deque[DriverEvent] = deque()  # in order; its reader takes from the front
        self.statuses_replaced = 0  # statuses replaced by later statuses before the controller took them
        self._deduplicator = EventDeduplicator()
        self._refusal: DeviceRefused | None = None
        self._trouble: Trouble | None = None
        self._past = DeviceStats()
        self._identity: Identity | None = None
        self._basis: Basis | None = None  # of a wish for the device at the present connection
        self._last_status: DeviceStatus | None = None  # of the connections before

    # For the shell and the status

    @property
    def state(self) -> SupervisorState:
        return self._state

    @property
    def connected(self) -> bool:
        """True from the time at which the expected device identifies itself until its connection ends."""
        return self._connected_at_s is not None

    @property
    def trouble(self) -> Trouble | None:
        """The reason why no device is connected. None while a device is connected, and before the first attempt has
        failed.
        """
        return self._trouble

    @property
    def identity(self) -> Identity | None:
        """The identity of the device at the port, or of the last device there; None before the first device."""
        return self._identity

    @property
    def status(self) -> DeviceStatus | None:
        """Returns the last status of the device; None before the first status."""
        return (self._driver.status if self._driver else None) or self._last_status

    @property
    def desired(self) -> Desired | None:
        """Returns the last wish for the device; None before the first wish."""
        return self._desired

    @property
    def wants_open(self) -> bool:
        """True if the shell should open the port, and then call `port_opened` or `port_failed`."""
        return self._state is SupervisorState.OPENING

    @property
    def wants_close(self) -> bool:
        """True if the shell should close the port that it has open, and then call `port_closed`."""
        return self._port_is_held and self._driver is None

    @property
    def awaits_answer(self) -> bool:
        """True if the controller has taken all reports and must now call `apply`. Until then the driver sends no
        permission.
        """
        return not self.is_answered and not self.reported and self._driver is not None

    @property
    def stats(self) -> DeviceStats:
        """Returns the counters summed over all connections of this process."""
        reconnects = DeviceStats(reconnects=max(0, self._connections_made - 1))
        return total(total(self._past, self._driver.stats if self._driver else DeviceStats()), reconnects)

    @property
    def frames_rejected(self) -> int:
        """The number of bad frames over all connections of this process."""
        now = self._driver.stats.rejected if self._driver else {}
        return sum(self._past.rejected.values()) + sum(now.values())

    def next_timeout_s(self) -> float | None:
        """Returns the time at which `handle_timeout` is due; None if the supervisor waits only for the shell or the
        device.
        """
        if self._driver is not None:
            return self._driver.next_timeout_s()
        if self._state is SupervisorState.WAITING and not self._port_is_held:
            return self._retry_at_s
        return None

    def events(self) -> list[DriverEvent]:
        """Returns all events since the last call, in order, and forgets them."""
        taken = list(self.reported)
        self.reported.clear()
        return taken

    # From the shell

    def port_opened(self, now_s: float) -> None:
        self._port_is_held = True
        self._state = SupervisorState.LINKED
        self.connection += 1
        self._is_at_port(self._identity)
        self._driver = self._make_driver(self.connection, now_s)
        self.data_to_send = self._driver.data_to_send
        if self._desired is not None:
            self._driver.apply(self._desired, now_s, is_answer=False)
        self._settle(now_s)

    def port_failed(self, error: PortError, now_s: float) -> None:
        """Notes that the port could not be opened."""
        self._refusal = None  # the fault shows that plugs are being changed: a wrong device is news again
        self._trouble = trouble_with_port(error)
        self._wait(now_s, at_cap=isinstance(error, PortRefused))

    def port_lost(self, error: PortError, now_s: float) -> None:
        """Notes that the open port failed, which ends the connection. The shell must still close the port."""
        if self._driver is None:
            return  # the connection had ended already; its port fails while it waits to be closed
        self._settle(now_s)
        if self._driver is not None:
            self._refusal = None
            outstanding = self._driver.command_outstanding
            self._finish(DeviceLost(LostReason.PORT_LOST, str(error), outstanding), now_s)

    def port_closed(self) -> None:
        """Notes that the shell has closed the port."""
        self._port_is_held = False

    def receive_data(self, data: bytes, now_s: float) -> None:
        """Receives bytes from the open port. Drops bytes after the connection's end."""
        if self._driver is not None:
            self._driver.receive_data(data, now_s)
            self._settle(now_s)

    def handle_timeout(self, now_s: float) -> None:
        """Does all work that is due. To be called at `next_timeout_s`. An earlier call does nothing."""
        if self._driver is not None:
            self._driver.handle_timeout(now_s)
            self._settle(now_s)
        elif self._state is SupervisorState.WAITING and not self._port_is_held and now_s >= self._retry_at_s:
            self._state = SupervisorState.OPENING

    # From the controller

    def apply(self, desired: Desired, now_s: float, basis: Basis | None = None) -> None:
        """Sets the wish for the device from now on. The supervisor keeps the wish across connections until the next
        call. To be called again whenever `awaits_answer` is true. A permission is sent only if all reports were taken
        and `basis` names the present device. `basis`: None for a technician's wish, which is meant for any device at
        the port.
        """
        self._desired = desired
        if self._driver is not None:
            self.is_answered = not self.reported and (basis is None or basis == self._basis)
            self._driver.apply(desired, now_s, is_answer=self.is_answered)
            if self._driver.reported or self._driver.end is not None:
                self._settle(now_s)

    def acknowledge(self, boot: int, number: int) -> None:
        """Notes that the journal has the device's events of boot `boot` up to event `number`. The device may then
        forget them. Does nothing without a connection.
        """
        if self._driver is not None:
            self._driver.acknowledge(boot, number)

    # Internal

    def _settle(self, now_s: float) -> None:
        """Takes the driver's events. Ends the connection if the driver has ended or too many events wait.

        If all events were repetitions, which the core already has, gives the driver the wish again as the answer.
        """
        if self._driver is None:
            return
        reported, self._driver.reported = self._driver.reported, []
        for event in reported:
            self._take(event, now_s)
        if self._driver.end is not None:
            self._finish(self._driver.end, now_s)
        elif len(self.reported) > MOST_EVENTS:
            waiting = f"{len(self.reported)} events wait"
            self._finish(DeviceLost(LostReason.FLOOD, waiting, self._driver.command_outstanding), now_s)
        elif self.reported:
            self.is_answered = False
        elif reported and self.is_answered and self._desired is not None:  # none of the reports was new
            self._driver.apply(self._desired, now_s, is_answer=True)

    def _take(self, event: ConnectionEvent, now_s: float) -> None:
        match event:
            case Reported():
                if self._deduplicator.is_new(event.number):
                    self.reported.append(event)
            case DeviceConnected():
                self._greet(event, now_s)
            case EventsMissed():
                if (new := self._deduplicator.unreported_part(event)) is not None:
                    self.reported.append(new)
            case CardsMayHavePassed():
                self.reported.append(event)
            case StatusHeard():
                if self._replaces_last():
                    self.reported.pop()
                    self.statuses_replaced += 1
                self.reported.append(event)
            case CommandRefused() | CommandUndone():
                self.reported.append(event)
            case _:
                assert_never(event)

    def _replaces_last(self) -> bool:
        return len(self.reported) >= STATUSES_KEPT and isinstance(self.reported[-1], StatusHeard)

    def _is_at_port(self, who: Identity | None) -> None:
        self._identity = who
        self._basis = None if who is None else Basis(who.serial, who.boot, self.connection)

    def _greet(self, event: DeviceConnected, now_s: float) -> None:
        self._connected_at_s = now_s
        self._connections_made += 1
        self._trouble = self._refusal = None
        self._is_at_port(event.identity)
        self._deduplicator.start_of_connection(event.identity.boot)
        self.reported.append(event)

    def _finish(self, end: ConnectionEnd, now_s: float) -> None:
        """Ends the connection for the reason `end`, reports this as at most one event, and plans the next attempt."""
        if self._driver is not None:
            self._past = total(self._past, self._driver.stats)
            self._last_status = self.status
        self._driver, self.data_to_send = None, bytes
        self._trouble = trouble_with_device(end)
        match end:
            case DeviceLost():
                self._lost(end, now_s)
            case DeviceRefused():
                self._refused(end, now_s)
            case _:
                assert_never(end)

    def _lost(self, end: DeviceLost, now_s: float) -> None:
        if self._connected_at_s is not None:  # a device that never identified itself cannot be lost
            self.reported.append(end)
            stable = now_s - self._connected_at_s >= self._backoff.stable_s
            self._failures = self._short_lived = 0 if stable else self._short_lived + 1
        self._wait(now_s, at_cap=False)
        if end.reason is LostReason.FLOOD:
            self._retry_at_s = now_s + AFTER_FLOOD_S

    def _refused(self, end: DeviceRefused, now_s: float) -> None:
        if end != self._refusal:
            self.reported.append(end)
        self._refusal = end
        self._wait(now_s, at_cap=True)

    def _wait(self, now_s: float, *, at_cap: bool) -> None:
        self._failures += 1
        jitter = self._jitter()
        delay_s = self._backoff.longest_s(jitter) if at_cap else self._backoff.delay_s(self._failures, jitter)
        self._retry_at_s = now_s + delay_s
        self._connected_at_s = None
        self._state = SupervisorState.WAITING
