"""A shoe that is nothing but a pseudo-terminal and bytes by hand: another program's, as far as the command can know."""

import os
import select
import tty
from collections.abc import Iterator
from contextlib import contextmanager

COPIES = 3


class BareShoe:
    """`path` is its port."""

    def __init__(self) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)

    def says(self, *frames: str, copies: int = COPIES) -> None:
        """Sends each of these frames (hexadecimal) as often as a shoe does."""
        for frame in frames:
            os.write(self._master, bytes.fromhex(frame) * copies)

    def heard(self) -> bytes:
        """The bytes that were written to it and not fetched yet."""
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
