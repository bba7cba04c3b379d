"""Two shufflers with the same input: ours in Python, and the C core; their output and state must be the same."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Final, TypeVar

from firmware_protocols.tdp.common import Query
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import FrameKind, Header, build
from firmware_protocols.tdp.link_rows import HEARTBEAT_LAYOUT, HELLO_LAYOUT, HeartbeatBody, HelloBody
from firmware_protocols.tdp.shuffler import SHUFFLER, ShufflerApply, ShufflerCommand
from simulators.c.build import SANITIZED, device_program
from simulators.c.firmware import CProgram
from simulators.devices.c_shuffler import CShuffler
from simulators.devices.cards import make_cards
from simulators.devices.faults import Spot
from simulators.devices.firmware import Power
from simulators.devices.shuffler import SimulatedShuffler
from simulators.devices.shuffler_model import Stuck

NOW_S: Final = 100.0
CARDS: Final = 3
OPENING: Final = 40
BOOT: Final = 7
TICK_S: Final = 0.002
"""The C core counts milliseconds."""
ROUNDED_S: Final = 1e-6


def sanitized(kind: str) -> CProgram:
    """The program built with sanitizers, which ends the process at a finding."""
    return CProgram(device_program(SANITIZED), kind)


class Pair:
    """Both shufflers, from their first boot on, with cards inside."""

    link_type: ClassVar[type[DeviceLink]] = DeviceLink

    def __init__(self, program: CProgram) -> None:
        """`program` may have served an earlier pair."""
        self.now_s = NOW_S
        link = {"link_type": self.link_type}
        made = type("Shared", (CShuffler,), {"program": lambda _kind: program, **link})
        ours = type("Ours", (SimulatedShuffler,), link)
        self.ours: SimulatedShuffler = ours(rng=Random(1), now_s=NOW_S, boot=BOOT)  # noqa: S311
        self.in_c: CShuffler = made(rng=Random(1), now_s=NOW_S, boot=BOOT)  # noqa: S311
        self.said = b""
        self.meet()
        self.do(lambda device, now_s: device.push_in(make_cards(1)[:CARDS], now_s))

    def meet(self) -> None:
        """Gives both the input that must come before their first deed."""

    def do(self, deed: Callable[[SimulatedShuffler, float], object]) -> None:
        """Does the deed of hands at both devices."""
        for device in (self.ours, self.in_c):
            deed(device, self.now_s)
        self.compare()

    def hear(self, data: bytes) -> None:
        """Gives these bytes to both devices."""
        for device in (self.ours, self.in_c):
            device.receive_data(data, self.now_s)
        self.compare()

    def wait(self, seconds: float) -> None:
        """Lets time pass for both; each wakes at its own times."""
        until_s = self.now_s + seconds
        while (due_s := self._due_s()) is not None and due_s <= until_s + ROUNDED_S:
            self.now_s = max(self.now_s, due_s)
            for device in (self.ours, self.in_c):
                device.on_time(self.now_s)
            self.compare()
        self.now_s = until_s

    def _due_s(self) -> float | None:
        due = (self.ours.next_time_s(), self.in_c.next_time_s())
        return max((due_s for due_s in due if due_s is not None), default=None)

    def compare(self) -> None:
        """Compares the messages since the last comparison, and the present state, of both."""
        self.said = self.ours.data_to_send()
        assert frames(self.in_c.data_to_send()) == frames(self.said)
        assert self.in_c.power is self.ours.power
        assert self.ours.power is not Power.ON or self.in_c.status == self.ours.status
        assert self.in_c.waiting_events == self.ours.waiting_events
        ours_s, c_s = self.ours.next_time_s(), self.in_c.next_time_s()
        assert (ours_s is None) is (c_s is None)
        assert ours_s is None or c_s is None or abs(ours_s - c_s) < TICK_S


def frames(data: bytes) -> list[bytes]:
    """Each frame as on the line; a device may choose the order of one call's frames, except its events'."""
    return sorted(piece for piece in data.split(b"\0") if piece)


# ---- a host's messages, and faults

Deed = Callable[[Pair], None]
P = TypeVar("P", bound=Pair)


def hello(opening: int, committed: int = 0, boot: int = BOOT) -> bytes:
    payload = HELLO_LAYOUT.encode(HelloBody(1, 0, boot if committed else 0, committed))
    return build(Header(FrameKind.HELLO, opening, 0, 0), payload)


def of_session(
    kind: FrameKind, number: int, payload: bytes = b"", *, opening: int = OPENING, boot: int = BOOT
) -> bytes:
    return build(Header(kind, opening, boot, number), payload)


def command(number: int, wanted: ShufflerCommand, *, opening: int = OPENING) -> bytes:
    return of_session(FrameKind.COMMAND, number, SHUFFLER.encode_command(wanted), opening=opening)


def heartbeat(*, late: bool = False) -> bytes:
    return of_session(FrameKind.HEARTBEAT, 5, HEARTBEAT_LAYOUT.encode(HeartbeatBody(late)))


def says(data: bytes) -> Deed:
    return lambda pair: pair.hear(data)


def passes(seconds: float) -> Deed:
    return lambda pair: pair.wait(seconds)


def hands(deed: Callable[[SimulatedShuffler, float], object]) -> Deed:
    return lambda pair: pair.do(deed)


def _jam(machine: SimulatedShuffler, now_s: float) -> None:
    if machine.machine.inside and machine.power is Power.ON:
        machine.jam_now(Stuck(Spot.MOUTH, 1), now_s)


LETTERS: Final[dict[str, Deed]] = {
    "hello": says(hello(OPENING)),
    "hello-newer": says(hello(OPENING + 1)),
    "hello-older": says(hello(OPENING - 1)),
    "hello-committed": says(hello(OPENING, committed=2)),
    "hello-long": says(build(Header(FrameKind.HELLO, OPENING, 0, 0), bytes((1, *range(10))))),
    "hello-numbered": says(build(Header(FrameKind.HELLO, OPENING, 0, 1), bytes((1, *bytes(9))))),
    "hello-other-major": says(build(Header(FrameKind.HELLO, OPENING, 0, 0), b"\2\0")),
    "release": says(command(1, ShufflerApply(1))),
    "all": says(command(2, ShufflerApply(5, True, True, True, 1, 3))),
    "lock": says(command(2, ShufflerApply(0))),
    "query": says(command(1, Query())),
    "nonsense": says(of_session(FrameKind.COMMAND, 1, b"\1\2")),
    "ack": says(of_session(FrameKind.ACK, 1)),
    "ack-more": says(of_session(FrameKind.ACK, 9)),
    "ack-all": says(of_session(FrameKind.ACK, CARDS + 1)),
    "ack-many": says(of_session(FrameKind.ACK, 44)),
    "ack-too-much": says(of_session(FrameKind.ACK, 99)),
    "beat": says(heartbeat()),
    "beat-late": says(heartbeat(late=True)),
    "beat-wrong": says(of_session(FrameKind.HEARTBEAT, 5, b"\7")),
    "other-boot": says(of_session(FrameKind.ACK, 1, boot=BOOT - 1)),
    "a-moment": passes(0.1),
    "a-retry": passes(0.2),
    "silence": passes(2.0),
    "lid": hands(lambda machine, now_s: (machine.open_lid(now_s), machine.close_lid(now_s))),
    "jam": hands(_jam),
    "clear": hands(lambda machine, now_s: machine.take_jammed(now_s)),
    "draw": hands(lambda machine, now_s: machine.pull_cards(now_s)),
    "flutter": hands(lambda machine, now_s: machine.tell_retries(15, now_s)),
    "power": hands(lambda machine, now_s: machine.reboot(now_s, off_s=0.05)),
}


@dataclass(frozen=True)
class Path:
    """The letters so far, for the message of a failure."""

    letters: Sequence[str]

    def walk(self, pair: P, letters: Mapping[str, Callable[[P], object]]) -> None:
        for at, letter in enumerate(self.letters):
            try:
                letters[letter](pair)
            except AssertionError as error:
                raise AssertionError(" ".join(self.letters[: at + 1])) from error
