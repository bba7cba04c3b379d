"""An Alpha driver and a simulated sign on one line in virtual time; the line may lose, damage or add bytes."""

from collections.abc import Callable

from drivers.alpha_driver import AlphaDriver
from drivers.alpha_sign import AlphaSettings
from drivers.driver import ConnectionEnd
from drivers.events import DeviceConnected, DriverEvent, Reported, StatusHeard
from firmware_protocols.tdp.display import DisplayApply, DisplayStatus
from simulators.devices.alpha_sign import SimulatedAlphaSign
from tests.drivers.toy_driver import taken

TICK_S = 0.05
FAULT = "TABLE HELD"

Line = Callable[[bytes], bytes]


def intact(data: bytes) -> bytes:
    return data


def dead(_data: bytes) -> bytes:
    return b""


class SignBench:
    """`to_sign` and `to_host` are the line; an ended connection is opened again like by the supervisor."""

    def __init__(self, *, read_back: bool = True, checksum: bool = False, sign_answers: bool = True) -> None:
        self.settings = AlphaSettings(FAULT, simulated=True, checksum=checksum, read_back=read_back)
        self.sign = SimulatedAlphaSign(reads_back=sign_answers)
        self.now_s = 100.0
        self.to_sign: Line = intact
        self.to_host: Line = intact
        self.port_takes = True
        self.wanted: DisplayApply | None = None
        self.connections = 0
        self.ends: list[ConnectionEnd] = []
        self.happened: list[DriverEvent] = []
        self.status: DisplayStatus | None = None
        self.written: list[bytes] = []  # the packets sent, one by one
        self._unsent = b""
        self.open()

    def open(self) -> None:
        self.connections += 1
        self.driver = AlphaDriver(self.settings, self.connections, self.now_s)
        self.status, self._unsent = None, b""
        if self.wanted is not None:
            self.driver.apply(self.wanted, self.now_s, is_answer=True)

    def show(self, cents: int, *, fault: bool = False) -> None:
        self.wanted = DisplayApply(cents, fault)
        self.driver.apply(self.wanted, self.now_s, is_answer=True)

    def run(self, seconds: float) -> list[DriverEvent]:
        """Lets virtual time pass; returns the driver's reports in that time."""
        before, end_s = len(self.happened), self.now_s + seconds
        while self.now_s < end_s:
            self._tick()
        return self.happened[before:]

    @property
    def faults(self) -> int:
        return sum(isinstance(event, Reported) for event in self.happened)

    def _tick(self) -> None:
        self.now_s += TICK_S
        self.sign.receive_data(self.to_sign(self._from_driver()), self.now_s)
        self.driver.receive_data(self.to_host(self.sign.data_to_send()), self.now_s + TICK_S / 2)
        due_s = self.driver.next_timeout_s()
        if due_s is not None and due_s <= self.now_s:
            self.driver.handle_timeout(self.now_s)
        for event in taken(self.driver):
            self.happened.append(event)
            if isinstance(event, StatusHeard):
                self.status = event.status
            assert not isinstance(event, DeviceConnected) or event.identity.boot == self.connections
        if self.driver.end is not None:
            self.ends.append(self.driver.end)
            self.open()

    def _from_driver(self) -> bytes:
        """Takes all of the driver's output, as the shell does; while the port is full keeps it and returns b""."""
        if not self.port_takes:
            self._unsent = self._unsent or self.driver.data_to_send()
            return b""
        taken = b""
        while data := self._unsent or self.driver.data_to_send():
            self._unsent = b""
            self.written.append(data)
            taken += data
        return taken
