"""The driver of any device that speaks the Table Device Protocol. It sends commands until the device's status matches
the wish.

Sending: a wish names a state, not a change, so a command is sent only if the newest status differs from the wish. A
device that has refused a command, or could not execute it, would do so again. So a command is repeated only after the
wish or the device's status (counts aside) has changed. A command whose outcome is unknown ends the connection. The next
connection begins with the status in IDENTITY, and compares again.

Executing: after the answer OK, the status must soon show the command's effect. If it does not, the command is sent
again and the controller gets a report (obedience.py).

Permitting: any report of the device may end a permission. So only commands that protect are sent in two times: after
a report, until the controller answers it with a wish; and while the newest status counts events that have not arrived.
If a command on its way permits more than the wish, a lock with the same number replaces it (PROTOCOL.md, section 5).
"""

from collections.abc import Callable
from enum import IntEnum
from typing import Generic, assert_never

from drivers.driver import Connection, ConnectionEnd, DeviceDriver, MakeDriver
from drivers.errors import DriverError
from drivers.events import (
    CommandRefused,
    CommandUndone,
    ConnectionEvent,
    DeviceConnected,
    DeviceLost,
    DeviceRefused,
    EventsMissed,
    LostReason,
    Mismatch,
    Reported,
    StatusHeard,
)
from drivers.expected import ExpectedDevice, mismatch
from drivers.obedience import TOLD_TIMES, Obedience
from drivers.stats import DeviceStats
from drivers.tdp_kinds import CommandT, DesiredT, Guidance, StatusT, TdpKind, needed
from drivers.wishes import Desired
from firmware_protocols.errors import FrameError, RejectReason
from firmware_protocols.tdp import link as tdp
from firmware_protocols.tdp.host_link import HostLink
from firmware_protocols.tdp.proof import NONCE_BYTES, HostPairing

RESULT_OK = 0  # the same number in every kind's list of results

CONNECTIONS_IN_OPENING = 12  # bits

PAIRED, UNPAIRED = "paired", "unpaired"
"""Words for a mismatch: a device is expected, or found, with or without a key."""


class TdpDriver(Connection, Generic[StatusT, DesiredT, CommandT]):
    """One connection to one TDP device (satisfies `DeviceDriver`)."""

    def __init__(self, kind: TdpKind[StatusT, DesiredT, CommandT], expected: ExpectedDevice, link: HostLink) -> None:
        super().__init__()
        self._kind = kind
        self._schema = kind.schema
        self._expected = expected
        self._link = link
        self.data_to_send: Callable[[], bytes] = link.data_to_send  # until the connection ends
        self._guidance = kind.guidance  # None: a sensor, which takes no commands
        self._boot: int | None = None
        self._taken = 0  # the last event that the link passed on
        self._durable = (0, 0)  # boot and number that the caller acknowledged last
        self._acknowledged = 0  # the last number of that boot that the link has acknowledged
        self.status: StatusT | None = None  # the newest status
        self._status_after = 0  # the event that this status follows
        self._told: StatusT | None = None  # the status in the last event that carried one
        self._told_ahead = 0  # the newest event that any status counted
        self._desired: DesiredT | None = None
        self._is_answered = False  # the controller has decided after all reported events
        self._sent: CommandT | None = None  # the outstanding command
        self._obedience = Obedience()
        # The wish behind that command. None after a lock has replaced the command.
        self._asked: tuple[DesiredT, bool] | None = None
        # the last wish sent by a command that permits (True) or protects (False), and the status after that command
        self._tried: dict[bool, tuple[DesiredT, object]] = {}

    @property
    def command_outstanding(self) -> bool:
        return self._link.command_outstanding

    @property
    def stats(self) -> DeviceStats:
        seen = self._link.stats
        return DeviceStats(
            good=seen.good_frames,
            rejected={reason.value: count for reason, count in seen.rejected.items()},
            retransmissions=seen.retransmissions,
            rtt_ms=None if seen.rtt_s is None else seen.rtt_s * 1000,
            last_good_s=seen.last_good_s,
        )

    def receive_data(self, data: bytes, now_s: float) -> None:
        if self.end is None:
            self._link.receive_data(data, now_s)
            self._take_from_link(now_s)

    def handle_timeout(self, now_s: float) -> None:
        if self.end is None:
            if not self._is_answered and self._link.command_is_due(now_s):
                self._withdraw(now_s)
            self._link.handle_timeout(now_s)
            self._take_from_link(now_s)

    def next_timeout_s(self) -> float | None:
        if self.end is not None:
            return None
        due_s, owed_s = self._link.next_timeout_s(), self._obedience.due_s
        if due_s is None or owed_s is None or self._sent is not None:
            return due_s  # a command on its way is answered before another is found undone
        return min(due_s, owed_s)

    def apply(self, desired: Desired, now_s: float, *, is_answer: bool) -> None:
        """Sets the wish for the device from now on. Raises DriverError if the device is a sensor, or if the wish is for
        another kind of device.
        """
        if self._guidance is None or not isinstance(desired, self._guidance.desired):
            raise DriverError(f"a {self._schema.kind.name} cannot become {desired}")
        self._desired, self._is_answered = desired, is_answer
        self._bring_about(now_s)

    def acknowledge(self, boot: int, number: int) -> None:
        self._durable = (boot, number)
        self._acknowledge_taken()

    # The link's events

    def _take_from_link(self, now_s: float) -> None:
        for event in self._link.events():
            if self.end is not None:
                return
            try:
                self._take(event, now_s)
            except FrameError as error:
                # A whole frame with invalid content comes from the device, not from the line. If the driver dropped the
                # event, a card would be lost without a trace. So the connection ends, and the event stays
                # unacknowledged.
                self._ends(DeviceLost(LostReason.PROTOCOL_BROKEN, str(error), self.command_outstanding))
        self._acknowledge_taken()
        self._bring_about(now_s)

    def _take(self, event: tdp.LinkEvent, now_s: float) -> None:
        match event:
            case tdp.EventTaken():
                self._event_taken(event)
            case tdp.Identified():
                self._identified(event.identity, event.status_payload)
            case tdp.CommandAnswered():
                self._answered(event, now_s)
            case tdp.StatusHeard():
                status = self._schema.decode_status(event.status_payload)
                self._status_is(status, event.newest_event, is_news=self._kind.tells_each_status)
            case tdp.EventsMissed():
                self._taken = event.last
                self._report(EventsMissed(event.first, event.last))
            case tdp.LinkDown():
                self._ends(_end_of(event, is_connected=self._boot is not None))
            case tdp.FrameRejected():
                pass  # the link counts bad frames; they make no events
            case _:
                assert_never(event)

    def _ends(self, end: ConnectionEnd) -> None:
        self.end, self.data_to_send = end, bytes  # bytes that are left in the link must not be sent

    def _report(self, event: ConnectionEvent) -> None:
        self._is_answered = False
        self.reported.append(event)

    def _identified(self, identity: tdp.Identity, status_payload: bytes) -> None:
        if (another := mismatch(self._expected, identity)) is not None:
            self._ends(another)
            return  # its status block may be that of another kind
        self._boot = identity.boot
        self.status = self._schema.decode_status(status_payload)
        # a sensor's first status is reported after its connection
        self._told = self.status if self._kind.guidance else None
        self._status_after = identity.next_event - 1
        approved = identity.firmware in self._expected.approved_firmware
        self._report(DeviceConnected(identity, self.status, approved))

    def _event_taken(self, taken: tdp.EventTaken) -> None:
        if self._boot is None:
            raise DriverError("an event before the device was identified")
        event, status = self._schema.decode_event(taken.payload)
        self._taken = taken.number
        if taken.number > self._status_after:  # a resent event describes the past
            self.status, self._status_after = status, taken.number
        self._told = status
        self._forget_tries(status)
        self._report(Reported(self._boot, taken.number, event, status))

    def _answered(self, answer: tdp.CommandAnswered, now_s: float) -> None:
        status = self._schema.decode_status(answer.status_payload)
        self._status_is(status, answer.newest_event, is_news=False)
        asked, sent, self._asked, self._sent = self._asked, self._sent, None, None
        if asked is None or self._guidance is None:
            return
        is_obeyed = self._guidance.is_obeyed
        if sent is not None and answer.result == RESULT_OK and is_obeyed is not None and not is_obeyed(sent, status):
            self._obedience.owes(now_s)
        desired, permits = asked
        self._tried[permits] = (desired, self._guidance.status_without_counters(status))
        if answer.result != RESULT_OK:
            self._report(CommandRefused(desired, self._result(answer.result), status))

    # The device's state

    def _status_is(self, status: StatusT, newest_event: int, *, is_news: bool) -> None:
        """Stores a status, unless a status after a later event has come.

        Reports the status if `is_news`, if it counts events that have not arrived, or if it has changed by more than
        commands explain.
        """
        if newest_event < self._status_after:
            return  # a later event has arrived before it and has a newer status
        self.status, self._status_after = status, newest_event
        self._forget_tries(status)
        is_ahead = newest_event > max(self._link.inbox.taken, self._told_ahead)
        if is_news or is_ahead or self._is_told_otherwise(status):
            self._told = status
            self._told_ahead = max(newest_event, self._told_ahead)
            self._report(StatusHeard(status, newest_event))

    def _is_told_otherwise(self, status: StatusT) -> bool:
        told, beside = self._told, self._kind.beside_commands
        return told != status and (told is None or beside(told) != beside(status))

    def _forget_tries(self, status: StatusT) -> None:
        """Forgets the commands tried before if the status has changed since: the device may obey them now."""
        if self._tried and self._guidance is not None:
            now = self._guidance.status_without_counters(status)
            for permits, (_, then) in tuple(self._tried.items()):
                if then != now:
                    del self._tried[permits]

    def _result(self, number: int) -> IntEnum:
        try:
            return self._schema.results(number)
        except ValueError as error:
            raise FrameError(RejectReason.OUT_OF_BOUNDS, f"result {number}") from error

    def _acknowledge_taken(self) -> None:
        boot, durable = self._durable
        number = min(durable, self._taken)  # an event in the journal may still be on its way to this connection
        if boot == self._boot and number > self._acknowledged:
            self._acknowledged = number
            self._link.acknowledge(number)

    def _see_to_obedience(
        self, guided: Guidance[StatusT, DesiredT, CommandT], desired: DesiredT, status: StatusT, now_s: float
    ) -> None:
        """Reports that the device has executed an accepted command at last. If the time for this is over, has the
        command sent again, and reports this the first TOLD_TIMES times.
        """
        is_obeyed = guided.is_obeyed
        if is_obeyed is None or self._sent is not None:
            return
        if is_obeyed(guided.command(desired, status), status):
            if self._obedience.has_done():
                self._report(CommandUndone(0, status))
        elif self._obedience.is_asked_again(now_s):
            self._tried = {}
            if self._obedience.times <= TOLD_TIMES:
                self._report(CommandUndone(self._obedience.times, status))

    def _bring_about(self, now_s: float) -> None:
        guided = self._guidance
        if self.end is not None or self._desired is None or self.status is None or guided is None:
            return
        if self._obedience.due_s is not None:
            self._see_to_obedience(guided, self._desired, self.status, now_s)
        if self._sent is not None:
            if guided.exceeds(self._sent, guided.command(self._desired, self.status)):
                self._withdraw(now_s)
            return
        may_permit = self._is_answered and self._status_after <= self._link.inbox.taken
        command = needed(guided, self._desired, self.status, may_permit=may_permit)
        if command is None:
            return
        permits = command != guided.protection(self._desired, self.status)
        if self._tried.get(permits) == (self._desired, guided.status_without_counters(self.status)):
            return
        self._link.send_command(self._schema.encode_command(command), now_s)
        self._sent, self._asked = command, (self._desired, permits)

    def _withdraw(self, now_s: float) -> None:
        """Replaces the command that waits for its answer by a lock. The status in the answer shows which of the two the
        device has executed.
        """
        if self._desired is None or self.status is None or self._sent is None or self._guidance is None:
            return
        lock = self._guidance.protection(self._desired, self.status)
        if lock != self._sent:
            self._link.change_command(self._schema.encode_command(lock), now_s)
            self._sent, self._asked = lock, None


def make_tdp_driver(
    expected: ExpectedDevice, *, start_number: int, committed: Callable[[], tuple[int, int]]
) -> MakeDriver:
    """Returns a function that makes the expected device's driver for each connection.

    `start_number`: greater at each start of the controller. `committed`: called for each connection; returns boot and
    number of the device's last event in the journal, or (0, 0) if the journal has none.
    """

    def make(connection: int, now_s: float) -> DeviceDriver:
        boot, number = committed()
        opening = session_opening(start_number, connection)
        pair, schema = expected.pair, expected.kind.schema
        link = HostLink(
            opening=opening,
            committed_boot=boot,
            committed_number=number,
            now_s=now_s,
            pairing=None if pair is None else HostPairing(pair.key, pair.draw(NONCE_BYTES), schema.secret_at),
        )
        return TdpDriver(expected.kind, expected, link)

    return make


def session_opening(start_number: int, connection: int) -> int:
    """Returns the number that opens a TDP session. This number grows with each connection and with each start of the
    controller.

    After 4096 connections in one start, the count of connections in the number begins again at 0, so no two starts use
    the same number. The first session after that needs longer to open: a device accepts a smaller number only after its
    time limit for a silent host.
    """
    count = connection & (1 << CONNECTIONS_IN_OPENING) - 1
    return (start_number << CONNECTIONS_IN_OPENING | count) & 0xFFFF_FFFF


def _end_of(down: tdp.LinkDown, *, is_connected: bool) -> ConnectionEnd:
    match down.reason:
        case tdp.LinkDownReason.PAIRED:
            return DeviceRefused(Mismatch.PROOF, UNPAIRED, PAIRED)
        case tdp.LinkDownReason.UNPROVEN if not is_connected:
            return DeviceRefused(Mismatch.PROOF, PAIRED, down.detail)
        case tdp.LinkDownReason.UNPROVEN:
            reason = LostReason.UNPROVEN
        case tdp.LinkDownReason.VERSION:
            return DeviceRefused(Mismatch.VERSION, *down.detail.removeprefix("host ").split(", device "))
        case tdp.LinkDownReason.BOOT_NUMBER_REUSED:
            return DeviceRefused(Mismatch.BOOT_NUMBER, "a boot number not used before", down.detail)
        case tdp.LinkDownReason.SILENT:
            reason = LostReason.SILENT
        case tdp.LinkDownReason.REBOOTED:
            reason = LostReason.REBOOTED
        case tdp.LinkDownReason.SESSION_LOST:
            reason = LostReason.SESSION_LOST
        case tdp.LinkDownReason.COMMAND_UNANSWERED:
            reason = LostReason.COMMAND_UNANSWERED
        case _:
            assert_never(down.reason)
    return DeviceLost(reason, down.detail, down.command_unknown is not None)
