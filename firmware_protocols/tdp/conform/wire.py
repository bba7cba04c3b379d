"""The interface between the host of the checks and the line to one device."""

from typing import Protocol


class Line(Protocol):
    """A line to one device. The line sends and receives bytes, and gives the time."""

    def now_s(self) -> float:
        """The time in seconds, by a clock that never goes back."""

    def say(self, data: bytes) -> None:
        """Sends all of the bytes."""

    def hear(self, until_s: float) -> bytes:
        """Returns the bytes that have arrived. Without any, waits for some until `until_s`; b"" if none come."""
