"""Remembers an Angel Eye's last telegram across connections and restarts, to recognise its copies."""

from typing import Final

from msgspec import Struct

from firmware_protocols.angel_eye.framing import Interrupt

_MARK_BITS: Final = 24


def mark_of(frame: Interrupt) -> int:
    """Returns 24 bits that identify a telegram: its number, letter and check. All copies of a telegram have the same
    bits.
    """
    check = frame.number
    for byte in frame.data:
        check ^= byte
    return frame.number << 16 | frame.data[0] << 8 | check


class Heard(Struct):
    """One number for the last telegram and the newest event of an Angel Eye, kept across connections. `last`: the event
    number of the newest event. The lowest 24 bits of `last` identify the last telegram (`mark_of`), even if this
    telegram made no event. The bits above count the events.
    """

    last: int = 0

    @property
    def mark(self) -> int:
        return self.last & (1 << _MARK_BITS) - 1

    def next_number(self, mark: int) -> int:
        """Returns and stores the event number for a new telegram, which `mark_of` identifies by `mark`. The number is
        greater than any earlier number.
        """
        self.last = ((self.last >> _MARK_BITS) + 1) << _MARK_BITS | mark
        return self.last

    def pass_over(self, mark: int) -> None:
        """Stores `mark`, which identifies a telegram that makes no event. Its copies are then recognised."""
        self.last = self.last >> _MARK_BITS << _MARK_BITS | mark
