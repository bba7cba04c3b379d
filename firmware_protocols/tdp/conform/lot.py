"""The random numbers of a walk. The same seed gives the same numbers on every computer."""

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Final, TypeVar

T = TypeVar("T")

_BLOCK: Final = 64


class Lot:
    """Draws random numbers that depend on the seed alone."""

    def __init__(self, seed: int) -> None:
        self._numbers = _numbers(seed)

    def below(self, end: int) -> int:
        """Draws a whole number from 0 to `end` - 1. `end` is at most 2^16."""
        return next(self._numbers) % end

    def choice(self, of: Sequence[T]) -> T:
        return of[self.below(len(of))]

    def bits(self, count: int) -> int:
        """Draws a whole number of `count` bits, at most 32."""
        return next(self._numbers) % (1 << count)

    def data(self, size: int, least: int = 0) -> bytes:
        """Draws `size` bytes, each at least `least`."""
        return bytes(least + self.below(256 - least) for _ in range(size))

    def sample(self, of: Sequence[T], count: int) -> list[T]:
        """Draws `count` elements of `of` in random order, each at most once."""
        left = list(of)
        return [left.pop(self.below(len(left))) for _ in range(count)]

    def weighted(self, of: Sequence[tuple[T, int]]) -> T:
        """Draws the first part of a pair in `of`. The second part of each pair is its weight."""
        return self.choice([one for one, weight in of for _ in range(weight)])


def _numbers(seed: int) -> Iterator[int]:
    block = seed.to_bytes(8, "little")
    while True:
        block = blake2b(block, digest_size=_BLOCK).digest()
        yield from (int.from_bytes(block[at : at + 4], "little") for at in range(0, _BLOCK // 2, 4))
