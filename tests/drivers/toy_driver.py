"""A toy protocol behind the DeviceDriver interface, for tests of supervision: one letter is one report."""

from dataclasses import dataclass, field

from drivers.driver import ConnectionEnd, DeviceDriver
from drivers.events import (
    ConnectionEvent,
    DeviceConnected,
    DeviceLost,
    DeviceRefused,
    DeviceStatus,
    EventsMissed,
    LostReason,
    Mismatch,
    Reported,
)
from drivers.stats import DeviceStats
from drivers.wishes import Desired
from firmware_protocols.tdp.link import Identity
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shoe import CardPassed, ShoeStatus

STATUS = ShoeStatus(passages=0)


def identity(boot: int) -> Identity:
    return Identity(
        boot=boot,
        major=1,
        minor=0,
        kind=DeviceKind.SHOE,
        simulated=True,
        model="toy",
        serial="1",
        firmware="1",
        oldest_event=1,
        next_event=1,
    )


def taken(driver: DeviceDriver) -> list[ConnectionEvent]:
    """Takes the driver's reports since the last call, as its supervisor does."""
    reported, driver.reported = driver.reported, []
    return reported


def card(boot: int, number: int) -> Reported:
    return Reported(boot, number, CardPassed(number, 0x18), STATUS)


@dataclass
class ToyDriver:
    """A driver of letters: C connected, c connected with the next boot, 1..9 event, m events 2 to 5 missed, S silent,
    W wrong device."""

    connection: int
    made_s: float
    boot: int = 1
    end: ConnectionEnd | None = None
    status: DeviceStatus | None = None
    command_outstanding: bool = False
    reported: list[ConnectionEvent] = field(default_factory=list)
    applied: list[Desired] = field(default_factory=list)
    answers: list[bool] = field(default_factory=list)
    acknowledged: list[tuple[int, int]] = field(default_factory=list)
    timeouts: list[float] = field(default_factory=list)
    received: int = 0

    @property
    def stats(self) -> DeviceStats:
        return DeviceStats(good=self.received, rejected={"odd": 1}, retransmissions=2, last_good_s=self.made_s)

    def receive_data(self, data: bytes, now_s: float) -> None:
        for letter in data.decode():
            self.received += 1
            self._take(letter)

    def _take(self, letter: str) -> None:
        match letter:
            case "C" | "c":
                self.boot += letter == "c"
                self.status = STATUS
                self.reported.append(DeviceConnected(identity(self.boot), STATUS))
            case "m":
                self.reported.append(EventsMissed(2, 5))
            case "S":
                self.end = DeviceLost(LostReason.SILENT, "toy", self.command_outstanding)
            case "W":
                self.end = DeviceRefused(Mismatch.SERIAL, "1", "2")
            case _:
                self.reported.append(card(self.boot, int(letter)))

    def data_to_send(self) -> bytes:
        return b"?"

    def next_timeout_s(self) -> float | None:
        return self.made_s + 1.0

    def handle_timeout(self, now_s: float) -> None:
        self.timeouts.append(now_s)

    def apply(self, desired: Desired, now_s: float, *, is_answer: bool) -> None:
        self.applied.append(desired)
        self.answers.append(is_answer)

    def acknowledge(self, boot: int, number: int) -> None:
        self.acknowledged.append((boot, number))
