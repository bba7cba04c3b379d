"""Reads records of the journal for signed-in people, in a process beside the loop, one record at a time.

Replaying a session takes seconds, too long for the loop. The process reads the journal's files, writes nothing, and
runs at low priority.
"""

import asyncio
import contextlib
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from controller.catalogue import Language
from controller.protocol.lines import Answer, Request, decode_answer
from controller.protocol.record import RecordDocument
from controller.record.order import Order

WITHIN_S: Final = 120.0
LONGEST_LINE: Final = 1 << 20

OnPercent = Callable[[int], None]
OnRead = Callable[[RecordDocument | None], None]


class RecordReader:
    """Reads records from the journal in the directory `journal`, with names from the staff file `staff`. All methods
    are called in the loop.
    """

    def __init__(self, journal: Path, staff: Path) -> None:
        self._journal = journal
        self._staff = staff
        self._task: asyncio.Task[None] | None = None

    @property
    def is_busy(self) -> bool:
        return self._task is not None and not self._task.done()

    def start(self, request: Request, session: int, language: Language, percent: OnPercent, done: OnRead) -> None:
        """Begins to read the requested record. Later calls `done` with the record, or with None after a failure or
        WITHIN_S seconds.

        `session`: the session to read if the request names none. `percent`: called during the reading with the
        percentage of the journal that is verified.
        """
        wanted = request.session or session
        order = Order(str(self._journal), request.what, wanted, request.round, language, str(self._staff))
        self._task = asyncio.get_running_loop().create_task(self._run(order, percent, done))

    async def stop(self) -> None:
        """Cancels the reading under way. The client gets no answer."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self, order: Order, percent: OnPercent, done: OnRead) -> None:
        found: RecordDocument | None = None
        with contextlib.suppress(TimeoutError, OSError, ValueError):  # ValueError: a line longer than LONGEST_LINE
            async with asyncio.timeout(WITHIN_S):
                found = await _read(order, percent)
        done(found)


async def _read(order: Order, percent: OnPercent) -> RecordDocument | None:
    command = (sys.executable, "-m", "controller.record")
    process = await asyncio.create_subprocess_exec(
        *command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, limit=LONGEST_LINE
    )
    try:
        return await _heard(process, order, percent)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def _heard(process: Process, order: Order, percent: OnPercent) -> RecordDocument | None:
    if process.stdin is None or process.stdout is None:
        return None
    process.stdin.write(msgspec.json.encode(order))
    process.stdin.close()
    async for line in process.stdout:
        answer: Answer = decode_answer(line)
        if answer.checked_percent is not None:
            percent(answer.checked_percent)
        elif answer.record is not None:
            return answer.record
    return None
