"""A supervised TDP device and its peer in virtual time: no port, no loop, no waiting."""

from collections.abc import Callable

from tdp_peer import TdpPeer

from controller.devices.device_kinds import TDP_KINDS
from drivers.backoff import Backoff
from drivers.errors import PortLost, PortMissing
from drivers.events import DriverEvent
from drivers.expected import ExpectedDevice
from drivers.supervisor import DeviceSupervisor
from drivers.tdp_driver import make_tdp_driver
from firmware_protocols.framing import DELIMITER, decode_frame
from firmware_protocols.tdp.link import Header, parse
from firmware_protocols.tdp.schema import DeviceKind

TURNS_AT_MOST = 20_000  # in one `run`: an endless loop is a failure, not a hang

Damage = Callable[[bytes], bytes]


def intact(data: bytes) -> bytes:
    return data


def frames_where(passes: Callable[[Header], bool]) -> Damage:
    """A damage of the line that drops the device's frames whose header does not satisfy `passes`."""

    def damage(data: bytes) -> bytes:
        return b"".join(
            DELIMITER + frame + DELIMITER
            for frame in data.split(DELIMITER)
            if isinstance(body := decode_frame(frame), bytes) and passes(parse(body, from_device=True)[0])
        )

    return damage


class VirtualLine:
    """The line between host and device. `to_host` and `to_device` may damage or swallow frames."""

    def __init__(
        self,
        peer: TdpPeer,
        expected: ExpectedDevice | None = None,
        *,
        start_number: int = 1,
        committed: tuple[int, int] = (0, 0),
        now_s: float = 1000.0,
    ) -> None:
        self.peer = peer
        self.now_s = now_s
        self.committed = committed
        self.plugged = True
        self.answers = True  # the controller records the reports, and keeps its wish
        self.to_host: Damage = intact
        self.to_device: Damage = intact
        self.happened: list[DriverEvent] = []
        self.openings_s: list[float] = []
        make = make_tdp_driver(
            expected or ExpectedDevice(TDP_KINDS[peer.kind], simulated=True),
            start_number=start_number,
            committed=lambda: self.committed,
        )
        self.supervisor = DeviceSupervisor("device", make, Backoff(), lambda: 0.0)

    def run(self, seconds: float) -> list[DriverEvent]:
        """Lets virtual time pass; returns the driver's reports in that time."""
        end_s, before = self.now_s + seconds, len(self.happened)
        for _ in range(TURNS_AT_MOST):
            self._exchange()
            due_s = min((t for t in self._due() if t is not None), default=end_s)
            if due_s > end_s:
                break
            self.now_s = max(self.now_s, due_s)
            self.peer.link.handle_timeout(self.now_s)
            self.supervisor.handle_timeout(self.now_s)
            if due_s == end_s:
                break
        else:
            raise AssertionError("the line never rests")
        self.now_s = end_s
        self._exchange()
        return self.happened[before:]

    def unplug(self) -> None:
        self.plugged = False
        self.supervisor.port_lost(PortLost("/dev/device", "hung up"), self.now_s)

    def commit(self, boot: int, number: int) -> None:
        """Makes events up to `number` durable."""
        self.committed = (boot, number)
        self.supervisor.acknowledge(boot, number)

    def _due(self) -> tuple[float | None, ...]:
        return self.supervisor.next_timeout_s(), self.peer.link.next_timeout_s()

    def _exchange(self) -> None:
        for _ in range(TURNS_AT_MOST):
            self._open_and_close()
            down = self.supervisor.data_to_send() if self.plugged else b""
            up = self.peer.link.data_to_send()
            if self.plugged and (up := self.to_host(up)):
                self.supervisor.receive_data(up, self.now_s)
            if down := self.to_device(down):
                self.peer.receive_data(down, self.now_s)
            self.happened += self.supervisor.events()
            if self.supervisor.awaits_answer and self.supervisor.desired is not None and self.answers:
                self.supervisor.apply(self.supervisor.desired, self.now_s)
            if not (up or down or self.supervisor.wants_open or self.supervisor.wants_close):
                return
        raise AssertionError("the line never rests")

    def _open_and_close(self) -> None:
        if self.supervisor.wants_close:
            self.supervisor.port_closed()
        if self.supervisor.wants_open and self.plugged:
            self.openings_s.append(self.now_s)
            self.supervisor.port_opened(self.now_s)
        elif self.supervisor.wants_open:
            self.supervisor.port_failed(PortMissing("/dev/device", "not there"), self.now_s)


def line_to(kind: DeviceKind, **changes: object) -> VirtualLine:
    return VirtualLine(TdpPeer(kind, now_s=1000.0, **changes))
