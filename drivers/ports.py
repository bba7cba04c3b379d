"""The interface between drivers and the operating system: an open port that never makes its user wait."""

from collections.abc import Callable
from typing import Protocol, TypeAlias


class Port(Protocol):
    """An open port. Only `close` may block, so the event loop never calls it."""

    def fileno(self) -> int:
        """Returns the file descriptor on which to wait until the port can be read or written."""

    def read(self) -> bytes:
        """Returns the bytes that have arrived, at most READ_AT_MOST_BYTES; b"" if none. Raises PortLost."""

    def write(self, data: bytes) -> int:
        """Writes without waiting. Returns the number of bytes that the port has taken; 0 if the port is full. Raises
        PortLost.
        """

    def close(self) -> None:
        """Closes the port. May block for seconds. Raises no error. A second call does nothing."""


# One read per turn of the loop. Even noise at full speed costs a turn only this many bytes. Every other device, timer
# and socket gets its turn in between.
READ_AT_MOST_BYTES = 4096

OpenPort: TypeAlias = Callable[[], Port]
"""Opens the port of one device. The function may block, so it is called in a thread. Raises PortError."""
