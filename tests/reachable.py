"""The memory held from some objects on: the number of bytes, by type, as far as references lead."""

import gc
import sys
from collections import Counter
from collections.abc import Iterable
from enum import Enum
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, ModuleType
from typing import Final

_NOT_FOLLOWED: Final = (type, ModuleType, FunctionType, BuiltinFunctionType, CodeType, FrameType, Enum)
"""The objects that a program has once, for any length of its run."""


def held_bytes(roots: Iterable[object], *, without: tuple[str, ...]) -> Counter[str]:
    """Bytes by type of all that is reachable, but for objects of the packages `without` and what they alone hold."""
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
