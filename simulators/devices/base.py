"""The methods that every simulated device offers to its host: a port, a world or a test."""

from random import Random
from typing import Protocol


class SimulatedDevice(Protocol):
    """A physical model and its firmware; the host gives bytes and time and takes bytes. Times in seconds."""

    def receive_data(self, data: bytes, now_s: float) -> None:
        """Receives bytes from the wire."""

    def data_to_send(self) -> bytes:
        """Returns the bytes to send on the wire, and forgets them; b"" for none."""

    def next_time_s(self) -> float | None:
        """Returns the time at which `on_time` is due next; None for never."""

    def on_time(self, now_s: float) -> None:
        """Does all work that is due at `now_s`; an early or late call is harmless."""


class Quiet:
    """A base for devices: output waits in `_out`, input is ignored, and nothing is ever due."""

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
    """Returns a device's only random generator, seeded with `seed`."""
    return Random(seed)
