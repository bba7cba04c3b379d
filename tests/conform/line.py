"""A simulated device at the other end of a line, in virtual time."""

from collections import deque
from math import inf
from random import Random
from typing import Protocol

NEVER_RESTS = 100_000


class Wired(Protocol):
    """A device without a clock of its own."""

    def receive_data(self, data: bytes, now_s: float) -> None:
        """Takes the bytes of its line."""

    def data_to_send(self) -> bytes:
        """Returns the bytes for the line, each once."""

    def next_time_s(self) -> float | None:
        """The time of its next action."""

    def on_time(self, now_s: float) -> None:
        """Does the actions that are due."""


class VirtualLine:
    """A line in virtual time (satisfies `Line`). `spoil` changes the device's output."""

    def __init__(self, device: Wired, now_s: float) -> None:
        self.device = device
        self._now_s = now_s
        self.spoil = lambda data: data

    def now_s(self) -> float:
        return self._now_s

    def say(self, data: bytes) -> None:
        self.device.receive_data(data, self._now_s)

    def hear(self, until_s: float) -> bytes:
        for _ in range(NEVER_RESTS):
            if said := self.spoil(self.device.data_to_send()):
                return said
            due_s = self.device.next_time_s()
            if due_s is None or due_s > until_s:
                self._now_s = max(self._now_s, until_s)
                return self.spoil(self.device.data_to_send())
            self._now_s = max(self._now_s, due_s)
            self.device.on_time(self._now_s)
        raise AssertionError("the device never rests")


class LateLine(VirtualLine):
    """Each byte of the device arrives `late_s` after it was sent, as from a computer that is busy."""

    def __init__(self, device: Wired, now_s: float, late_s: float) -> None:
        super().__init__(device, now_s)
        self._late_s = late_s
        self._coming: deque[tuple[float, bytes]] = deque()

    def hear(self, until_s: float) -> bytes:
        for _ in range(NEVER_RESTS):
            if said := self.device.data_to_send():
                self._coming.append((self._now_s + self._late_s, said))
            arrives_s = self._coming[0][0] if self._coming else inf
            due_s = self.device.next_time_s()
            next_s = min(arrives_s, inf if due_s is None else due_s)
            self._now_s = max(self._now_s, min(next_s, until_s))
            if next_s > until_s:
                return b""
            if arrives_s == next_s:
                return self._coming.popleft()[1]
            self.device.on_time(self._now_s)
        raise AssertionError("the device never rests")


class StallingLine(VirtualLine):
    """Both directions are late by a lot; now and then the line or the computer stalls for up to `worst_s`."""

    def __init__(self, device: Wired, now_s: float, seed: int, worst_s: float) -> None:
        super().__init__(device, now_s)
        self._random, self._worst_s = Random(seed), worst_s  # noqa: S311 (no secret)
        self._to: deque[tuple[float, bytes]] = deque()
        self._back: deque[tuple[float, bytes]] = deque()

    def say(self, data: bytes) -> None:
        self._to.append((self._arrives_s(self._to), data))

    def hear(self, until_s: float) -> bytes:
        for _ in range(NEVER_RESTS):
            if said := self.device.data_to_send():
                self._back.append((self._arrives_s(self._back), said))
            due_s = self.device.next_time_s()
            to_s, back_s = (queue[0][0] if queue else inf for queue in (self._to, self._back))
            next_s = min(to_s, back_s, inf if due_s is None else due_s)
            self._now_s = max(self._now_s, min(next_s, until_s))
            if next_s > until_s:
                self._now_s += self._stall_s(0.02)
                return b""
            if back_s == next_s:
                return self._back.popleft()[1]
            if to_s == next_s:
                self.device.receive_data(self._to.popleft()[1], self._now_s)
            else:
                self.device.on_time(self._now_s)
        raise AssertionError("the device never rests")

    def _arrives_s(self, queue: deque[tuple[float, bytes]]) -> float:
        late_s = self._stall_s(0.05) or self._random.uniform(0, 0.03)
        return max(queue[-1][0] if queue else 0.0, self._now_s + late_s)

    def _stall_s(self, share: float) -> float:
        return self._random.uniform(0, self._worst_s) if self._random.random() < share else 0.0
