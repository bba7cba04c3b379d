"""Remembers the last telegram of an Angel Eye over connections and restarts, so that its copies are recognised."""

from typing import Final

from msgspec import Struct

from firmware_protocols.angel_eye.framing import Interrupt

_MARK_BITS: Final = 24


def mark_of(frame: Interrupt) -> int:
    """Returns a telegram's mark: number, letter and check in 24 bits. All copies of a telegram have the same mark."""
    check = frame.number
    for byte in frame.data:
        check ^= byte
    return frame.number << 16 | frame.data[0] << 8 | check


class Heard(Struct):
    """The event number of the last telegram handed over, kept across connections.

    Its lowest 24 bits are the mark of the last telegram heard, also of a telegram that made no event.
    """

    last: int = 0

    @property
    def mark(self) -> int:
        return self.last & (1 << _MARK_BITS) - 1

    def next_number(self, mark: int) -> int:
        """Returns the event number of a new telegram, greater than any before, and stores it as the last number."""
        self.last = ((self.last >> _MARK_BITS) + 1) << _MARK_BITS | mark
        return self.last

    def pass_over(self, mark: int) -> None:
        """Stores the mark of a telegram that makes no event, so that its copies are recognized."""
        self.last = self.last >> _MARK_BITS << _MARK_BITS | mark
