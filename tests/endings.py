"""The time that a process takes to end, without the time that other work on the machine takes from it.

The bounds of the tests are those of the program on a machine of its own. The seconds in which a thread of the process
was ready and no processor was free, as the kernel counts them (schedstat), are subtracted from the passed seconds.
"""

import time
from pathlib import Path
from typing import Final, Protocol

HANGS_S: Final = 60.0
_LOOKS_EVERY_S: Final = 0.005


class Ending(Protocol):
    """The methods of `subprocess.Popen` that this module needs of a child process."""

    pid: int

    def poll(self) -> int | None: ...


def seconds_to_end(process: Ending, *others: int) -> float:
    """Waits until `process` has ended; returns the seconds, without those of waits for a processor.

    `others`: processes for whose end `process` waits. Raises AssertionError where `process` hangs.
    """
    began_s = time.monotonic()
    pids = ("self", str(process.pid), *map(str, others))
    first = {pid: waited_s(pid) for pid in pids}
    last = dict(first)
    while process.poll() is None:
        assert time.monotonic() - began_s < HANGS_S
        last |= {pid: max(last[pid], waited_s(pid)) for pid in pids}
        time.sleep(_LOOKS_EVERY_S)
    return time.monotonic() - began_s - sum(last[pid] - first[pid] for pid in pids)


def waited_s(pid: str) -> float:
    """Seconds for which the threads of a process have waited for a processor; 0 after the process has ended."""
    try:
        return _counted_s(pid, 1)
    except FileNotFoundError:
        return 0.0


def computed_s(pid: str) -> float:
    """Seconds for which the threads of a process have had a processor. Raises FileNotFoundError after its end."""
    return _counted_s(pid, 0)


def _counted_s(pid: str, word: int) -> float:
    return sum(_counted_ns(task, word) for task in list(Path(f"/proc/{pid}/task").iterdir())) / 1e9


def _counted_ns(task: Path, word: int) -> int:
    try:
        return int((task / "schedstat").read_text().split()[word])
    except (FileNotFoundError, ProcessLookupError):  # a thread that has ended meanwhile
        return 0
