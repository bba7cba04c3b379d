"""A shoe made of a pseudo-terminal and bytes by hand, which shares no code with the tested command."""

import os
import select
import tty
from collections.abc import Iterator
from contextlib import contextmanager

COPIES = 3


class BareShoe:
    """The shoe; `path` is its port."""

    def __init__(self) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)

    def says(self, *frames: str, copies: int = COPIES) -> None:
        """Sends each of these frames (hexadecimal) `copies` times, by default as often as a shoe does."""
        for frame in frames:
            os.write(self._master, bytes.fromhex(frame) * copies)

    def heard(self) -> bytes:
        """The bytes written to the shoe since the last call."""
        return os.read(self._master, 4096) if select.select([self._master], [], [], 0)[0] else b""

    def unplug(self) -> None:
        for descriptor in (self._master, self._slave):
            if descriptor >= 0:
                os.close(descriptor)
        self._master = self._slave = -1


@contextmanager
def bare_shoe() -> Iterator[BareShoe]:
    shoe = BareShoe()
    try:
        yield shoe
    finally:
        shoe.unplug()
