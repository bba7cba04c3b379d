"""The last telegram heard from an Angel Eye, kept over connections and restarts, so that its copies are recognized."""

from typing import Final

from msgspec import Struct

from firmware_protocols.angel_eye.framing import Interrupt

_MARK_BITS: Final = 24


def mark_of(frame: Interrupt) -> int:
    """The mark of a telegram: its number, letter and check in 24 bits. A copy has the same mark."""
    check = frame.number
    for byte in frame.data:
        check ^= byte
    return frame.number << 16 | frame.data[0] << 8 | check


class Heard(Struct):
    """The event number of the last telegram handed over, kept across connections; its lowest 24 bits are the mark."""

    last: int = 0

    @property
    def mark(self) -> int:
        return self.last & (1 << _MARK_BITS) - 1

    def next_number(self, mark: int) -> int:
        """The event number of a new telegram, greater than any before; it is stored as the last number."""
        self.last = ((self.last >> _MARK_BITS) + 1) << _MARK_BITS | mark
        return self.last

    def pass_over(self, mark: int) -> None:
        """Stores the mark of a telegram that makes no event, so that its copies are recognized."""
        self.last = self.last >> _MARK_BITS << _MARK_BITS | mark
