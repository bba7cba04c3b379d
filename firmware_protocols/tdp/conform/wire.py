"""The line to one device, as a host of the checks needs it."""

from typing import Protocol


class Line(Protocol):
    """The bytes to and from one device, and the time."""

    def now_s(self) -> float:
        """Seconds of a clock that never goes back."""

    def say(self, data: bytes) -> None:
        """Sends all of the bytes."""

    def hear(self, until_s: float) -> bytes:
        """The bytes that have arrived; waits for some until `until_s`, then gives b""."""
