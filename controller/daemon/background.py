"""Short jobs beside the loop, such as hashing a PIN or reading the staff file. Each job has a time limit.

The threads are daemons, so a file on a dead mount blocks neither the loop nor the end of the process. While an overdue
job still runs, no new job is begun, so the number of threads stays small.
"""

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")

WITHIN_S: Final = 5.0
"""The time limit of a job in seconds. A hash takes 0.1 s, and a few seconds on a busy machine; a file that takes longer
counts as unreadable.
"""

_LEAVE_S: Final = 0.3  # the seconds that an orderly end waits for jobs that are about to finish


def call_in_loop(loop: asyncio.AbstractEventLoop, call: Callable[[], object]) -> bool:
    """Schedules `call` in the loop, from another thread. Returns False, and drops `call`, if the loop has ended."""
    try:
        loop.call_soon_threadsafe(call)
    except RuntimeError:  # the error of a closed loop
        return False
    return True


class BackgroundJobs:
    """Runs short jobs for one loop, each in a thread of its own. The methods must be called in the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, within_s: float = WITHIN_S) -> None:
        self._loop = loop
        self._within_s = within_s
        self._hanging = 0
        self._threads: list[threading.Thread] = []
        self._timers: list[asyncio.TimerHandle] = []
        self._is_closed = False

    def run(self, job: Callable[[], T], done: Callable[[T], None], late: Callable[[], None]) -> None:
        """Runs `job` in a thread. The loop later calls `done` with the job's result, or `late` if the job raises an
        error, exceeds its time or gets no thread.

        While an overdue job still runs, does not run `job` and calls `late` at once.
        """
        if self._hanging:
            self._loop.call_soon(late)
            return
        results: list[T] = []
        is_late = False

        def ended() -> None:
            thread.join()  # does not wait: the thread is at its last instruction
            self._threads.remove(thread)
            self._timers.remove(timer)
            timer.cancel()
            if self._is_closed:
                return
            if is_late:
                self._hanging -= 1
            elif results:
                done(results[0])
            else:
                late()

        def over() -> None:
            nonlocal is_late
            is_late = True
            self._hanging += 1
            late()

        def work() -> None:
            try:
                results.append(job())
            finally:
                call_in_loop(self._loop, ended)

        thread = threading.Thread(target=work, name="aside", daemon=True)
        try:
            thread.start()
        except RuntimeError:  # the system has no free thread
            self._loop.call_soon(late)
            return
        timer = self._loop.call_later(self._within_s, over)
        self._timers.append(timer)
        self._threads.append(thread)

    def close(self) -> None:
        """Waits at most _LEAVE_S seconds for the jobs' threads. From now on neither `done` nor `late` is called."""
        self._is_closed = True
        for timer in self._timers:
            timer.cancel()
        until_s = time.monotonic() + _LEAVE_S
        for thread in self._threads:
            thread.join(max(0.0, until_s - time.monotonic()))
