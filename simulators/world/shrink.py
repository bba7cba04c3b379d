"""Reduces the faults of a failing world to a few with which it still fails (delta debugging, bounded)."""

from collections.abc import Callable, Sequence
from typing import Final

MOST_RUNS: Final = 60

Fails = Callable[[tuple[int, ...]], bool]
"""True if the world still fails with only these faults, given by number."""


def shrink(numbers: Sequence[int], fails: Fails, most_runs: int = MOST_RUNS) -> tuple[int, ...]:
    """Returns a small subset of `numbers` with which a world still fails. Plays at most `most_runs` worlds.

    The world must fail with all of `numbers`.
    """
    left, pieces, runs = tuple(numbers), 2, 0
    while len(left) > 0 and runs < most_runs:
        smaller, tried = _smaller(left, min(pieces, len(left)), fails, most_runs - runs)
        runs += tried
        if smaller is not None:
            left, pieces = smaller, max(2, pieces - 1)
        elif pieces >= len(left):
            break
        else:
            pieces *= 2
    return left


def _smaller(left: tuple[int, ...], pieces: int, fails: Fails, most_runs: int) -> tuple[tuple[int, ...] | None, int]:
    """Tries each of `pieces` pieces of `left`, then `left` without each piece. Returns the first try that still fails
    (or None), and the number of worlds played.
    """
    size = -(-len(left) // pieces)
    parts = [left[at : at + size] for at in range(0, len(left), size)]
    rests = [tuple(number for number in left if number not in part) for part in parts]
    candidates = dict.fromkeys([*parts, *rests] if len(parts) > 1 else rests)
    for tried, candidate in enumerate(candidates, 1):
        if tried > most_runs:
            return None, tried - 1
        if fails(candidate):
            return candidate, tried
    return None, len(candidates)
