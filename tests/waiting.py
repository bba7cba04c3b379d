"""Waits of tests for a condition, with a bound that only a hanging test reaches; and measures on a busy machine.

The bounds of the tests are those of the program on a machine of its own. Two times are subtracted from the passed
seconds: those in which a thread was ready and no processor was free, as the kernel counts them (`tests.endings`), and
those in which the tests' own process collected garbage.
"""

import gc
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar

from tests.endings import HANGS_S, waited_s

T = TypeVar("T")

_LOOKS_EVERY_S: Final = 0.005


def wait_for(what: Callable[[], T], told: Callable[[], object] = lambda: "", within_s: float = HANGS_S) -> T:
    """Calls `what` until its value is true, and returns that value. AssertionError (`told()`) after `within_s`."""
    until_s = time.monotonic() + within_s
    while not (found := what()):
        assert time.monotonic() < until_s, told()
        time.sleep(_LOOKS_EVERY_S)
    return found


def sleeps(pid: int) -> bool:
    """True while the process, which has one thread, waits in the kernel.

    A signal that comes just before a waiting call has no effect until the call returns: send signals once this is true.
    """
    return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] == "S"


def whole_lines(file: Path) -> list[str]:
    """The lines of the file that end with a line feed; another process may be writing the next one."""
    return file.read_text("utf-8").rpartition("\n")[0].splitlines()


def descendants(of: str = "self") -> set[int]:
    """The ids of all processes below process `of`: its children, their children, and so on."""
    found: set[int] = set()
    for listed in Path(f"/proc/{of}/task").glob("*/children"):
        with suppress(FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
            found.update(map(int, listed.read_text("ascii").split()))
    return found.union(*map(descendants, map(str, found)))


class _Collections:
    """The seconds that Python's collector has taken in this process: behind many tests one collection takes 0.3 s."""

    def __init__(self) -> None:
        self.taken_s = self._began_s = 0.0

    def __call__(self, phase: str, _info: dict[str, int]) -> None:
        now_s = time.monotonic()
        if phase == "start":
            self._began_s = now_s
        else:
            self.taken_s += now_s - self._began_s


_COLLECTIONS: Final = _Collections()
gc.callbacks.append(_COLLECTIONS)


def stopwatch(*pids: int) -> Callable[[], float]:
    """Returns a function that gives the seconds since this call, without waits for a processor and own collections.

    The waits are those of this process and of the processes `pids`.
    """
    names = ("self", *map(str, pids))
    began_s, before_s = time.monotonic(), {name: waited_s(name) for name in names}
    collected_s = _COLLECTIONS.taken_s

    def waited() -> float:
        """The seconds that the processes have waited since the start; an ended process counts as 0."""
        return sum(max(0.0, waited_s(name) - before_s[name]) for name in names)

    return lambda: time.monotonic() - began_s - waited() - (_COLLECTIONS.taken_s - collected_s)
