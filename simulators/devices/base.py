"""The verbs of every simulated device for the port, the world or the test that hosts it."""

from random import Random
from typing import Protocol


class SimulatedDevice(Protocol):
    """A physical model and its firmware; the host gives bytes and time and takes bytes. Times in seconds."""

    def receive_data(self, data: bytes, now_s: float) -> None:
        """Take bytes from the wire."""

    def data_to_send(self) -> bytes:
        """Hand over the bytes for the wire; empty when there are none."""

    def next_time_s(self) -> float | None:
        """When `on_time` is due next; None when nothing is."""

    def on_time(self, now_s: float) -> None:
        """Do whatever is due at `now_s`; calling it early or late is harmless."""


class Quiet:
    """The least that a device is: what it says waits in `_out`, it hears nothing, and nothing is ever due."""

    def __init__(self) -> None:
        self._out = bytearray()

    def receive_data(self, data: bytes, now_s: float) -> None:
        """Nothing is heard."""

    def data_to_send(self) -> bytes:
        """Hand over the bytes for the wire."""
        taken = bytes(self._out)
        self._out.clear()
        return taken

    def next_time_s(self) -> float | None:
        return None

    def on_time(self, now_s: float) -> None:
        """Nothing happens by itself."""


def seeded(seed: int) -> Random:
    """The one generator of a device: everything random in it comes from here."""
    return Random(seed)
