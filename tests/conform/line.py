"""A simulated device at the other end of a line, in virtual time."""

from collections import deque
from math import inf
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
