"""A simulated device at the other end of a line, in virtual time."""

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
