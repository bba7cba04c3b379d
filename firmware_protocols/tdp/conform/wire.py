"""The interface of a line to one device, for the host of the checks."""

from typing import Protocol


class Line(Protocol):
    """The bytes to and from one device, and the time."""

    def now_s(self) -> float:
        """The time in seconds, by a clock that never goes back."""

    def say(self, data: bytes) -> None:
        """Sends all of the bytes."""

    def hear(self, until_s: float) -> bytes:
        """Returns the bytes that have arrived. Waits for some until `until_s`, then returns b""."""
