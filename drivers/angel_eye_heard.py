"""Remembers an Angel Eye's last telegram across connections and restarts, to recognise its copies."""

from typing import Final

from msgspec import Struct

from firmware_protocols.angel_eye.framing import Interrupt

_MARK_BITS: Final = 24


def mark_of(frame: Interrupt) -> int:
    """Returns the mark of a telegram: 24 bits with its number, letter and check. All copies of a telegram have the same
    mark.
    """
    check = frame.number
    for byte in frame.data:
        check ^= byte
    return frame.number << 16 | frame.data[0] << 8 | check


class Heard(Struct):
    """One number for the last telegram and the newest event of an Angel Eye, kept across connections.

    `last`: the event number of the newest event. Its lowest 24 bits are the mark of the last telegram, even if this
    telegram made no event. The bits above count the events.
    """

    last: int = 0

    @property
    def mark(self) -> int:
        return self.last & (1 << _MARK_BITS) - 1

    def next_number(self, mark: int) -> int:
        """Returns and stores the event number for a new telegram with this `mark`: greater than any earlier number."""
        self.last = ((self.last >> _MARK_BITS) + 1) << _MARK_BITS | mark
        return self.last

    def pass_over(self, mark: int) -> None:
        """Stores the mark of a telegram that makes no event, to recognise its copies."""
        self.last = self.last >> _MARK_BITS << _MARK_BITS | mark
