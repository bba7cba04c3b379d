"""A host and a simulated device on one wire in virtual time: the peer of the device tests."""

from typing import Generic

from firmware_protocols.tdp.host_link import HostLink
from firmware_protocols.tdp.link import (
    CommandAnswered,
    EventsMissed,
    EventTaken,
    Identified,
    Identity,
    LinkDown,
    StatusHeard,
)
from firmware_protocols.tdp.schema import DeviceSchema
from simulators.devices.firmware import CommandT, EventT, StatusT, TdpFirmware


class VirtualHost(Generic[StatusT, CommandT, EventT]):
    """Time passes only in `run`; bytes travel at once while the cable is in."""

    def __init__(
        self,
        schema: DeviceSchema[StatusT, CommandT, EventT],
        device: TdpFirmware[StatusT, CommandT, EventT],
        now_s: float = 0.0,
    ) -> None:
        self.schema = schema
        self.device = device
        self.now_s = now_s
        self.cable_in = True
        self.acknowledges = True
        self.events: list[EventT] = []
        self.told: list[tuple[EventT, StatusT]] = []
        self.missed: list[EventsMissed] = []
        self.identity: Identity | None = None
        self.heard_status: StatusT | None = None
        self.down: LinkDown | None = None
        self.openings = 0
        self.committed = (0, 0)
        self._answers: dict[int, int] = {}
        self._link = self._new_link()

    def connect(self) -> None:
        """Opens a new connection, as a host does after a restart."""
        self.down = None
        self._answers.clear()
        self._link = self._new_link()
        self.run(0.0)

    def run(self, for_s: float) -> None:
        """Lets time pass: everything due happens at its own time."""
        end_s = self.now_s + for_s
        self._exchange()
        while (due_s := self._next_time_s()) is not None and due_s <= end_s:
            self._let_time_be(max(due_s, self.now_s))
        self.now_s = end_s

    def ask(self, command: CommandT) -> int:
        """Sends a command and waits for its result."""
        number = self._link.send_command(self.schema.encode_command(command), self.now_s)
        return self._wait_for_answer(number)

    def wish(self, command: CommandT) -> None:
        """Sends a command if one can be sent now; its arrival is not certain."""
        if self._link.is_identified and not self._link.command_outstanding:
            self._link.send_command(self.schema.encode_command(command), self.now_s)
            self.run(0.0)

    def send_raw(self, payload: bytes) -> int:
        """Sends a command payload that the tables would not make."""
        return self._wait_for_answer(self._link.send_command(payload, self.now_s))

    @property
    def status(self) -> StatusT:
        """The device's status, as the host knows it after the next heartbeat; time passes until then."""
        self.run(0.6)
        assert self.heard_status is not None
        return self.heard_status

    def of_kind(self, kind: type[EventT]) -> list[EventT]:
        """The events of one kind so far."""
        return [event for event in self.events if isinstance(event, kind)]

    def _new_link(self) -> HostLink:
        self.openings += 1
        boot, number = self.committed
        return HostLink(opening=self.openings, committed_boot=boot, committed_number=number, now_s=self.now_s)

    def _wait_for_answer(self, number: int) -> int:
        self.run(0.0)
        while number not in self._answers:
            assert self.down is None, self.down
            due_s = self._next_time_s()
            assert due_s is not None
            self._let_time_be(max(due_s, self.now_s))
        return self._answers[number]

    def _next_time_s(self) -> float | None:
        times = (self._link.next_timeout_s(), self.device.next_time_s())
        return min((time_s for time_s in times if time_s is not None), default=None)

    def _let_time_be(self, now_s: float) -> None:
        self.now_s = now_s
        self._link.handle_timeout(now_s)
        self.device.on_time(now_s)
        self._exchange()
        due_s = self.device.next_time_s()
        assert due_s is None or due_s > now_s, "the device asks for a time that is over: a host would spin"

    def _exchange(self) -> None:
        busy = True
        while busy:
            down, up = self._link.data_to_send(), self.device.data_to_send()
            if self.cable_in:
                self.device.receive_data(down, self.now_s)
                self._link.receive_data(up, self.now_s)
            self._hear()
            busy = bool(down or up)

    def _hear(self) -> None:
        for happened in self._link.events():
            match happened:
                case Identified(identity=identity, status_payload=payload):
                    self.identity = identity
                    self.heard_status = self.schema.decode_status(payload)
                case EventTaken(number=number, payload=payload):
                    self._take(number, payload)
                case CommandAnswered(number=number, result=result, status_payload=payload):
                    self._answers[number] = result
                    self.heard_status = self.schema.decode_status(payload)
                case StatusHeard(status_payload=payload):
                    self.heard_status = self.schema.decode_status(payload)
                case EventsMissed():
                    self.missed.append(happened)
                case LinkDown():
                    self.down = happened
                case _:
                    pass

    def _take(self, number: int, payload: bytes) -> None:
        event, status = self.schema.decode_event(payload)
        self.events.append(event)
        self.told.append((event, status))
        if self.acknowledges:
            self.acknowledge(number)

    def acknowledge(self, number: int) -> None:
        """Acknowledges events up to `number` as durable."""
        assert self.identity is not None
        self.committed = (self.identity.boot, number)
        self._link.acknowledge(number)
