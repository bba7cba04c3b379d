"""Which telegram of an Angel Eye was heard last, over connections and restarts: what tells its copies from the next."""

from dataclasses import dataclass
from typing import Final

from firmware_protocols.angel_eye.framing import Interrupt

_MARK_BITS: Final = 24


def mark_of(frame: Interrupt) -> int:
    """The part that tells a copy from another telegram: number, letter and check, in 24 bits."""
    check = frame.number
    for byte in frame.data:
        check ^= byte
    return frame.number << 16 | frame.data[0] << 8 | check


@dataclass(slots=True)
class Heard:
    """The last telegram that was handed over, kept across connections: its number, which ends in its mark."""

    last: int = 0

    @property
    def mark(self) -> int:
        return self.last & (1 << _MARK_BITS) - 1

    def next_number(self, mark: int) -> int:
        """The number of a new telegram, greater than any before; it is the last one from now on."""
        self.last = ((self.last >> _MARK_BITS) + 1) << _MARK_BITS | mark
        return self.last

    def pass_over(self, mark: int) -> None:
        """A telegram that says nothing was heard: its copies are copies."""
        self.last = self.last >> _MARK_BITS << _MARK_BITS | mark
