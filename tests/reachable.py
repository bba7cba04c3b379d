"""The memory reachable from some objects: the number of bytes, by type."""

import gc
import sys
from collections import Counter
from collections.abc import Iterable
from enum import Enum
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, ModuleType
from typing import Final

_NOT_FOLLOWED: Final = (type, ModuleType, FunctionType, BuiltinFunctionType, CodeType, FrameType, Enum)
"""Types of objects whose number does not grow while a program runs."""


def held_bytes(roots: Iterable[object], *, without: tuple[str, ...]) -> Counter[str]:
    """Bytes by type of all reachable objects, except those of the packages `without` and those that only they hold."""
    seen: set[int] = set()
    waiting, found = list(roots), Counter[str]()
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, _NOT_FOLLOWED) or type(one).__module__.startswith(without):
            continue
        seen.add(id(one))
        found[type(one).__qualname__] += sys.getsizeof(one)
        waiting += gc.get_referents(one)
    return found
