"""Remembers an Angel Eye's last telegram across connections and restarts, so that its copies are recognised."""

from typing import Final

from msgspec import Struct

from firmware_protocols.angel_eye.framing import Interrupt

_MARK_BITS: Final = 24


def mark_of(frame: Interrupt) -> int:
    """Returns a telegram's mark, 24 bits with its number, letter and check. All copies of a telegram have the same
    mark.
    """
    check = frame.number
    for byte in frame.data:
        check ^= byte
    return frame.number << 16 | frame.data[0] << 8 | check


class Heard(Struct):
    """Remembers the last telegram across connections, in one number.

    `last`: the event number of the newest event. Its lowest 24 bits are the mark of the last telegram heard, which may
    have made no event; the bits above count the events.
    """

    last: int = 0

    @property
    def mark(self) -> int:
        return self.last & (1 << _MARK_BITS) - 1

    def next_number(self, mark: int) -> int:
        """Returns and stores the event number of a new telegram, which is greater than any before."""
        self.last = ((self.last >> _MARK_BITS) + 1) << _MARK_BITS | mark
        return self.last

    def pass_over(self, mark: int) -> None:
        """Stores the mark of a telegram that makes no event, so that its copies are recognised."""
        self.last = self.last >> _MARK_BITS << _MARK_BITS | mark
