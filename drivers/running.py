"""Runs a supervised device on its port in a thread. The program can talk to a person meanwhile."""

import asyncio
import threading
from collections.abc import Callable
from typing import Final, Self, TypeVar

from drivers.ports import OpenPort
from drivers.serial_io import SerialShell, Supervised

T = TypeVar("T")

ANSWERS_WITHIN_S: Final = 10.0
"""The time that a call into the thread may take."""


class Running:
    """A context in which a thread keeps a device's port open. At the end of the context the port is closed; an output
    then has no power.

    `look(now_s)`: called in the thread after each input, to take the supervisor's events.
    """

    def __init__(self, supervisor: Supervised, open_port: OpenPort, look: Callable[[float], None]) -> None:
        self._supervisor = supervisor
        self._open_port = open_port
        self._look = look
        self._loop = asyncio.new_event_loop()
        self._shell: SerialShell | None = None
        self._ending = asyncio.Event()
        self._awaited: list[tuple[Callable[[], bool], threading.Event]] = []
        self._thread = threading.Thread(target=self._run, name=f"try-{supervisor.name}")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._ending.set)
        self._thread.join()

    def call(self, what: Callable[[float], T]) -> T:
        """Calls `what(now_s)` in the thread and then `look`, and sends the bytes that follow. Returns the result of
        `what`.

        Raises TimeoutError if the thread does not answer within ANSWERS_WITHIN_S.
        """

        async def perform() -> T:
            result = what(self._loop.time())
            self._changed()
            return result

        return asyncio.run_coroutine_threadsafe(perform(), self._loop).result(ANSWERS_WITHIN_S)

    def until(self, is_so: Callable[[], bool], within_s: float) -> bool:
        """Waits until `is_so()` is true, up to `within_s`, and returns its last value. The thread calls `is_so` at once
        and after each input.
        """
        came = threading.Event()
        self.call(lambda _now_s: self._awaited.append((is_so, came)))
        came.wait(within_s)
        return self.call(lambda _now_s: is_so())

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        self._shell = SerialShell(self._loop, self._supervisor, self._open_port, self._heard)
        self._shell.start()
        await self._ending.wait()
        await self._shell.stop()

    def _heard(self) -> None:
        self._look(self._loop.time())
        for is_so, came in self._awaited:
            if is_so():
                came.set()

    def _changed(self) -> None:
        if self._shell is not None:
            self._heard()
            self._shell.pump()
