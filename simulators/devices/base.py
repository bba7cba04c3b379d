"""The interface that every simulated device offers to the port, world or test that runs it."""

from random import Random
from typing import Protocol


class SimulatedDevice(Protocol):
    """A simulated device with its firmware. The caller passes it bytes and the time, and fetches the bytes that it
    sends. Times in seconds.
    """

    def receive_data(self, data: bytes, now_s: float) -> None:
        """Receives bytes from the wire."""

    def data_to_send(self) -> bytes:
        """Returns the bytes to send on the wire, and forgets them; b"" for none."""

    def next_time_s(self) -> float | None:
        """Returns the time at which `on_time` is due next; None if no call is due."""

    def on_time(self, now_s: float) -> None:
        """Does all work that is due at `now_s`. An early or late call does no harm."""


class Quiet:
    """A base class for devices without input and timers: bytes to send are collected in `_out`."""

    def __init__(self) -> None:
        self._out = bytearray()

    def receive_data(self, data: bytes, now_s: float) -> None:
        """Ignores the bytes from the wire."""

    def data_to_send(self) -> bytes:
        """Returns the bytes to send on the wire, and forgets them."""
        taken = bytes(self._out)
        self._out.clear()
        return taken

    def next_time_s(self) -> float | None:
        return None

    def on_time(self, now_s: float) -> None:
        """Does nothing."""


def seeded(seed: int) -> Random:
    """Returns a random generator with this seed. A device draws all its random numbers from one such generator."""
    return Random(seed)
