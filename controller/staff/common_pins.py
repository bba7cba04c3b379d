"""Finds easily guessed PINs: patterns of digits, and paths over the keypad known from lists of leaked PINs."""

from itertools import pairwise
from re import findall
from typing import Final

_LISTED: Final = """
    101112 102030 112358 123789 131420 142536 147258 147369 147852 147896 147963 159357 159753 159951 201314
    246810 258147 258369 258456 271828 314159 321456 321654 357159 357951 369147 369258 456123 456789 456852
    520131 521521 741852 741963 753159 753951 789123 789456 789632 789654 852456 951357 951753 963258 963741
    963852 987456 998877
"""
_WALKS: Final = frozenset(findall(r"[0-9]+", _LISTED))
_LONGEST_BLOCK: Final = 4


def is_common(pin: str) -> bool:
    """True if a PIN of at least six digits is a simple pattern or a known path over the keypad."""
    return pin in _WALKS or _repeats(pin) or _steps(pin) or _mirrors(pin) or _doubles(pin)


def _repeats(pin: str) -> bool:
    """True if the PIN repeats a block of at most four digits: 111111, 121212, 123123, 12341234."""
    return any(pin == (pin[:size] * len(pin))[: len(pin)] for size in range(1, min(_LONGEST_BLOCK, len(pin) // 2) + 1))


def _steps(pin: str) -> bool:
    """True if all steps from one digit to the next are equal: 123456, 654321, 890123, 135791."""
    return len({(int(after) - int(before)) % 10 for before, after in pairwise(pin)}) == 1


def _mirrors(pin: str) -> bool:
    """True if the PIN is a palindrome and its first half has equal steps or repeats a digit: 123321."""
    half = pin[: (len(pin) + 1) // 2]
    return pin == pin[::-1] and (_steps(half) or len(set(half)) <= len(half) - 1)


def _doubles(pin: str) -> bool:
    """True if each digit comes twice and the steps between the pairs are equal: 112233, 445566."""
    return pin[::2] == pin[1::2] and _steps(pin[::2])
