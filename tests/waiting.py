"""Waits of tests for a condition, with a bound that only a hanging test reaches; and measures on a busy machine.

The bounds of the tests are those of the program on a machine of its own. From the seconds that have passed those are
taken away in which a thread was ready and no processor was free, as the kernel counts them (`tests.endings`).
"""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar

from tests.endings import HANGS_S, waited_s

T = TypeVar("T")

_LOOKS_EVERY_S: Final = 0.005


def wait_for(what: Callable[[], T], told: Callable[[], object] = lambda: "", within_s: float = HANGS_S) -> T:
    """The first true value of `what`. AssertionError, with `told`, without one."""
    until_s = time.monotonic() + within_s
    while not (found := what()):
        assert time.monotonic() < until_s, told()
        time.sleep(_LOOKS_EVERY_S)
    return found


def sleeps(pid: int) -> bool:
    """True while a process of one thread waits in the kernel.

    A signal between Python's check for signals and a waiting call is not seen before the call returns.
    """
    return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] == "S"


def whole_lines(file: Path) -> list[str]:
    """The whole lines of a file that is being written."""
    return file.read_text("utf-8").rpartition("\n")[0].splitlines()


def descendants(of: str = "self") -> set[int]:
    """The processes that this process has begun, and the processes that those have begun."""
    found: set[int] = set()
    for listed in Path(f"/proc/{of}/task").glob("*/children"):
        with suppress(FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
            found.update(map(int, listed.read_text("ascii").split()))
    return found.union(*map(descendants, map(str, found)))


def stopwatch(*pids: int) -> Callable[[], float]:
    """The seconds from now on, without the seconds in which a named process or this one waited for a processor."""
    names = ("self", *map(str, pids))
    began_s, before_s = time.monotonic(), {name: waited_s(name) for name in names}

    def waited() -> float:
        """The waits so far; 0 for an ended process."""
        return sum(max(0.0, waited_s(name) - before_s[name]) for name in names)

    return lambda: time.monotonic() - began_s - waited()
