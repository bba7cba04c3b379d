"""The description of a decoder under fuzzing: its valid frames, its code, and the check of its output."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import CodeType

Chunks = tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Decoder:
    """One decoder. `run` feeds it the chunks and raises AssertionError where its output contradicts the bytes."""

    name: str
    codes: list[CodeType]
    frames: list[bytes]
    run: Callable[[Chunks], None]


def stand_in_order(claimed: Iterable[bytes], stream: bytes) -> bool:
    """True where all of these are in the stream, one after the other and none within another."""
    at = 0
    for one in claimed:
        place = stream.find(one, at)
        if place < 0:
            return False
        at = place + len(one)
    return True
