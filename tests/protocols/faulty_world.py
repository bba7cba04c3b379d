"""A host and a device joined by a bad line, in virtual time, with a record of forbidden events.

The host journals its events: a commit takes a moment, and a crash loses uncommitted ones. It reconnects by itself and
starts again after a crash. The device counts its boots in memory that survives. Each event has its boot and its number,
and each command a running number of its own, so that the record identifies them independently of the links.
"""

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from random import Random

from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.host_link import HostLink
from firmware_protocols.tdp.link import (
    CommandAnswered,
    CommandReceived,
    DeviceIdentity,
    EventsMissed,
    EventTaken,
    Identified,
    LinkDown,
    SessionOpened,
)
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.proof import DevicePairing, HostPairing
from firmware_protocols.tdp.schema import DeviceKind

IDENTITY = DeviceIdentity(DeviceKind.SHOE, True, "Sabot shoe", "SIM-7", "1.0.0")
STATUS = bytes(5)
OK = 0
LATEST_ARRIVAL_S = 1.9  # the protocol rests on the bound that no frame is older than 2 s


def secret_at(event: bytes) -> int | None:
    """The position of the event's last byte, which is secret; None for an empty event, which has no secret."""
    return len(event) - 1 if event else None


@dataclass(frozen=True)
class Fate:
    """The line's treatment of one write: how often and when the bytes arrive, and their damage."""

    copies: int = 1
    delay_s: float = 0.0
    later_s: float = 0.0  # of the second copy
    flipped_bit: int | None = None
    cut_at: int | None = None
    noise: bytes = b""

    def of(self, data: bytes) -> bytes:
        """The bytes as they arrive: with a flipped bit, cut, or with noise."""
        changed = bytearray(data)
        if self.flipped_bit is not None:
            changed[self.flipped_bit // 8 % len(data)] ^= 1 << self.flipped_bit % 8
        if self.cut_at is not None:
            del changed[self.cut_at % len(data) :]
        return self.noise + bytes(changed)


PERFECT = Fate()


def seeded_fate(rng: Random, badness: float) -> Fate:
    """A random fate; with `badness` 0.2 about one write in three suffers."""

    def happens() -> bool:
        return rng.random() < badness / 2

    return Fate(
        copies=0 if happens() else 2 if happens() else 1,
        delay_s=rng.uniform(0, LATEST_ARRIVAL_S) if happens() else rng.uniform(0, 0.02),
        later_s=rng.uniform(0, LATEST_ARRIVAL_S),
        flipped_bit=rng.randrange(10_000) if happens() else None,
        cut_at=rng.randrange(500) if happens() else None,
        noise=rng.randbytes(rng.randrange(300)) if happens() else b"",
    )


@dataclass
class Book:
    """A record, apart from both links, of the events and commands that really happened."""

    posted: dict[int, int] = field(default_factory=lambda: defaultdict(int))  # by boot: the events made
    committed: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    missed: list[tuple[int, EventsMissed]] = field(default_factory=list)
    executed: Counter[int] = field(default_factory=Counter)
    answered: Counter[int] = field(default_factory=Counter)
    unknown: list[LinkDown] = field(default_factory=list)
    sent: int = 0


class FaultyWorld:
    """Host, device and line in virtual time, advanced with `step` or `run_until`. `fate` treats each write.

    `key`: of the pair; None: without proofs. `heard`: every write, as an attacker on the cable has recorded it.
    """

    def __init__(self, fate: Callable[[], Fate], commit_s: Callable[[], float], key: bytes | None = None) -> None:
        self.key = key
        self.heard: list[bytes] = []
        self._nonces = count(1)
        self._pairing = DevicePairing(self._draw, secret_at, key)
        self.fate = fate
        self.commit_s = commit_s
        self.now_s = 100.0
        self.book = Book()
        self.journal = (0, 0)  # boot and number of the last committed event
        self.connections = 0
        self.starts = 1
        self.boot = 0
        self._arriving: list[tuple[float, int, bool, bytes]] = []
        self._writes = 0
        self._commits: list[tuple[float, int, int]] = []
        self._taken = 0
        self._reconnect_at_s: float | None = None
        self.reboot_device()
        self._connect()

    # ---- faults at the two ends ----

    def reboot_device(self) -> None:
        """Restarts the device: it gets a new boot number and has no waiting events."""
        self.boot += 1
        if self.key is None:
            self.device = DeviceLink(IDENTITY, self.boot, self.now_s)
        else:
            self.device = PairableLink(IDENTITY, self.boot, self.now_s, self._pairing)
        self.device.set_status(STATUS)

    def crash_host(self) -> None:
        """The controller dies and starts again: uncommitted events are forgotten."""
        self._commits.clear()
        self.starts += 1
        self._connect()

    def post_event(self) -> None:
        """Makes the device report a new event."""
        self.book.posted[self.boot] += 1
        payload = self.boot.to_bytes(4, "little") + self.book.posted[self.boot].to_bytes(4, "little")
        assert self.device.post_event(payload, self.now_s) == self.book.posted[self.boot]
        self._carry()

    def send_command(self) -> None:
        """Makes the host send a command, if the host may send one now."""
        if self.host.is_identified and not self.host.command_outstanding:
            self.book.sent += 1
            self.host.send_command(self.book.sent.to_bytes(4, "little"), self.now_s)
            self._carry()

    def inject(self, data: bytes, *, to_device: bool, after_s: float = 0.0) -> None:
        """Sends the bytes to one end after `after_s` seconds, as an attacker on the cable would."""
        self._writes += 1
        heapq.heappush(self._arriving, (self.now_s + after_s, self._writes, to_device, data))

    def _draw(self) -> bytes:
        return next(self._nonces).to_bytes(16, "little")

    # ---- time ----

    def run_until(self, end_s: float) -> None:
        """Does everything that is due up to `end_s`, in order."""
        while (next_s := self._next_s()) <= end_s:
            self.now_s = max(self.now_s, next_s)
            self._do_what_is_due()
        self.now_s = end_s

    def _next_s(self) -> float:
        times = [self.host.next_timeout_s(), self.device.next_timeout_s(), self._reconnect_at_s]
        times += [at for at, *_ in self._arriving[:1]] + [at for at, *_ in self._commits[:1]]
        return min((at for at in times if at is not None), default=float("inf"))

    def _do_what_is_due(self) -> None:
        while self._arriving and self._arriving[0][0] <= self.now_s:
            _, _, to_device, data = heapq.heappop(self._arriving)
            (self.device if to_device else self.host).receive_data(data, self.now_s)
            self._carry()
        while self._commits and self._commits[0][0] <= self.now_s:
            self._commit(*self._commits.pop(0)[1:])
        if self._reconnect_at_s is not None and self._reconnect_at_s <= self.now_s:
            self._connect()
        self.host.handle_timeout(self.now_s)
        self.device.handle_timeout(self.now_s)
        self._carry()

    # ---- the two ends' shells ----

    def _connect(self) -> None:
        self.connections += 1
        self._reconnect_at_s = None
        self._taken = 0
        self._told = self.journal
        self.host = HostLink(
            opening=self.starts << 12 | self.connections & 0xFFF,
            committed_boot=self._told[0],
            committed_number=self._told[1],
            now_s=self.now_s,
            pairing=None if self.key is None else HostPairing(self.key, self._draw(), secret_at),
        )
        self._connected_boot = 0
        self._carry()

    def _carry(self) -> None:
        """Lets both ends react to their input, and puts their output on the line."""
        self._host_reacts()
        self._device_reacts()
        self._write(self.host.data_to_send(), to_device=True)
        self._write(self.device.data_to_send(), to_device=False)
        self._check_what_the_device_forgot()

    def _write(self, data: bytes, *, to_device: bool) -> None:
        if not data:
            return
        self.heard.append(data)
        fate = self.fate()
        for copy in range(fate.copies):
            self._writes += 1
            at_s = self.now_s + fate.delay_s + (fate.later_s if copy else 0.0)
            at_s = min(at_s, self.now_s + LATEST_ARRIVAL_S)
            heapq.heappush(self._arriving, (at_s, self._writes, to_device, fate.of(data)))

    def _host_reacts(self) -> None:
        for event in self.host.events():
            match event:
                case Identified():
                    self._connected_boot = event.identity.boot
                    boot, number = self._told
                    self._taken = number if boot == self._connected_boot else 0
                case EventTaken():
                    self._take(event)
                case EventsMissed():
                    self.book.missed.append((self._connected_boot, event))
                    self._taken = event.last
                case CommandAnswered():
                    self.book.answered[self._command_sent()] += 1
                case LinkDown():
                    self.book.unknown += [event] * (event.command_unknown is not None)
                    self._reconnect_at_s = self.now_s + 0.2

    def _take(self, event: EventTaken) -> None:
        boot = int.from_bytes(event.payload[:4], "little")
        number = int.from_bytes(event.payload[4:], "little")
        assert (boot, number) == (self._connected_boot, event.number), "an event of another session"
        assert number == self._taken + 1, "taken twice, or out of order, in one connection"
        self._taken = number
        due_s = max([self.now_s + self.commit_s(), *(at for at, *_ in self._commits)])
        self._commits.append((due_s, boot, number))

    def _commit(self, boot: int, number: int) -> None:
        """Commits events up to `number`: notes each once, though a reconnect may repeat it, and acknowledges them."""
        if self.journal[0] != boot or number > self.journal[1]:
            self.journal = (boot, number)
            self.book.committed[boot].append(number)
        if boot == self._connected_boot:
            self.host.acknowledge(min(self.journal[1], self._taken))

    def _command_sent(self) -> int:
        assert self.book.answered[self.book.sent] == 0, "one command answered twice"
        assert self.book.executed[self.book.sent] == 1, "answered and not executed"
        return self.book.sent

    def _device_reacts(self) -> None:
        for event in self.device.events():
            match event:
                case CommandReceived():
                    command = int.from_bytes(event.payload, "little")
                    self.book.executed[command] += 1
                    assert self.book.executed[command] == 1, "one command executed twice"
                    self.device.answer(event.number, OK, STATUS)
                case SessionOpened():
                    pass

    def _check_what_the_device_forgot(self) -> None:
        """Checks that the device forgets an event only when the host has committed it, or for lack of room."""
        forgotten = self.book.posted[self.boot] - self.device.waiting_events - self.device.stats.events_discarded
        committed = self.journal[1] if self.journal[0] == self.boot else 0
        assert forgotten <= committed, "acknowledged and not committed"

    # ---- the end ----

    def heal(self, for_s: float = 30.0) -> None:
        """Stops the faults; the line works from now on."""
        self.fate = lambda: PERFECT
        self.run_until(self.now_s + for_s)

    def check_all_events_came(self) -> None:
        """Checks, after healing, that every event of this boot is committed once, in order, or known to be missed."""
        assert self.host.is_identified
        assert self.device.waiting_events == 0
        for boot, numbers in self.book.committed.items():
            assert numbers == sorted(set(numbers)), "delivered twice or out of order"
            lost = {n for b, event in self.book.missed if b == boot for n in range(event.first, event.last + 1)}
            if boot == self.boot:
                assert set(numbers) | lost == set(range(1, self.book.posted[boot] + 1)), "an event vanished"
            if not self.device.stats.events_discarded and boot == self.boot:
                assert not lost
        if self.book.posted[self.boot]:
            assert self.boot in self.book.committed
