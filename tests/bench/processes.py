"""Runs programs as processes at the other end of a line, and measures the processor time that they use."""

import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

HERE = Path(__file__).parent
ENVIRONMENT = os.environ | {"PYTHONPATH": str(HERE.parents[1])}
END_WITHIN_S = 5.0
LOOK_S: Final = 0.01

Wait = Callable[[float], None]
"""Passes at most so many seconds. A table's `serve` does, so that its devices are not lost meanwhile."""


@contextmanager
def running(
    script: str, *arguments: str, python: str = sys.executable, wait: Wait = time.sleep
) -> Iterator[subprocess.Popen[bytes]]:
    """Runs a script of this folder in a process of its own, from its first line of output until leaving.

    `wait` is called with seconds, again and again, until that line is there.
    """
    process = subprocess.Popen([python, str(HERE / script), *arguments], stdout=subprocess.PIPE, env=ENVIRONMENT)
    try:
        assert process.stdout is not None
        assert line_of(process.stdout, wait), f"{script} did not come up"
        yield process
    finally:
        process.kill()
        process.wait(END_WITHIN_S)
        if process.stdout is not None:
            process.stdout.close()


def line_of(output: IO[bytes], wait: Wait) -> bytes:
    """The next line of a process, after waiting for it; b"" where the process has ended."""
    while not select.select([output], [], [], 0)[0]:
        wait(LOOK_S)
    return output.readline()


def output(script: str, arguments: Sequence[str], *, python: str) -> bytes:
    """The output of a script of this folder."""
    command = [python, str(HERE / script), *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, env=ENVIRONMENT).stdout


def cpu_us(pid: int) -> float:
    """Microseconds of processor time of all threads of a process, including ended ones."""
    return time.clock_gettime_ns(~pid << 3 | _SCHEDULED) / 1000


_SCHEDULED: Final = 2
"""The clock of a process that the scheduler counts in nanoseconds (Linux: clock_getcpuclockid)."""
