"""One connection to the controller's socket: sends requests, and receives their answers and all other lines."""

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Final, Self

import msgspec

from controller.machine.places import Caller, Places
from controller.machine.unix_socket import connected
from controller.protocol.lines import Answer, decode_answer

LONGEST_ANSWER: Final = 4 * 1024 * 1024
MOST_FOR_BROWSERS: Final = 26
"""The most connections for browsers. A process may have 32; the other six follow the table in up to four languages."""

KEPT_FOR_THIS_COMPUTER: Final = 8
MOST_FOR_AN_ADDRESS: Final = 6
CONNECT_WITHIN_S: Final = 2.0
ANSWER_WITHIN_S: Final = 10.0

_ENCODER: Final = msgspec.json.Encoder()


class ControllerAway(Exception):  # noqa: N818 (the name says what is so)
    """The socket has no listener, no answer came in time, or the connection has ended."""


class Wire:
    """An open connection to the controller. The connection ends with `close` or when the controller hangs up. `on_line`
    gets each line that answers no request. `on_end` is called when the connection is over.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._last_id = 0
        self._waiting: dict[int, asyncio.Future[Answer]] = {}
        self.on_line: Callable[[Answer], None] = lambda _line: None
        self.on_end: Callable[[], None] = lambda: None
        self._is_leaving = False
        self._task = asyncio.create_task(self._read())
        self.when_over(writer.close)  # here, since a task that is cancelled before it begins runs no `finally`

    @classmethod
    async def open(cls, path: Path) -> Self:
        """Opens a connection to the controller's socket. Raises ControllerAway."""
        try:
            async with asyncio.timeout(CONNECT_WITHIN_S):
                line = await connected(path)
                reader, writer = await asyncio.open_unix_connection(sock=line, limit=LONGEST_ANSWER)
        except (OSError, TimeoutError) as error:
            raise ControllerAway(str(error)) from error
        return cls(reader, writer)

    def when_over(self, then: Callable[[], None]) -> None:
        """Calls `then` once the connection is closed."""
        self._task.add_done_callback(lambda _task: then())

    @property
    def is_open(self) -> bool:
        return not self._task.done()

    async def ask(self, within_s: float, **request: object) -> Answer:
        """Sends a request and returns its answer.

        Raises ControllerAway if no answer comes within `within_s` seconds.
        """
        self._last_id += 1
        number = self._last_id
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            if not self.is_open:
                raise ControllerAway
            self._writer.write(_ENCODER.encode({"id": number, **request}) + b"\n")
            return await asyncio.wait_for(answer, within_s)
        except (TimeoutError, OSError) as error:
            raise ControllerAway(str(error)) from error
        finally:
            self._waiting.pop(number, None)
            if self._is_leaving:
                self.leave()

    def leave(self) -> None:
        """Hangs up once every request has its answer."""
        self._is_leaving = True
        if not self._waiting:
            self.close()

    def close(self) -> None:
        """Hangs up. Each request that still waits for its answer raises ControllerAway."""
        self._task.cancel()

    async def closed(self) -> None:
        """Hangs up, and returns once the connection is closed."""
        self.close()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    async def _read(self) -> None:
        try:
            while line := await self._reader.readline():
                self._take(decode_answer(line))
        except (OSError, ValueError):  # not the controller's format, or a line above the limit
            pass
        finally:
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(ControllerAway())
            self.on_end()

    def _take(self, answer: Answer) -> None:
        future = self._waiting.get(answer.id) if isinstance(answer.id, int) else None
        if future is None:
            self.on_line(answer)
        elif not future.done():
            future.set_result(answer)


class Wires:
    """The connections that are opened for browsers. No network address can take them all."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._places = Places(MOST_FOR_BROWSERS, KEPT_FOR_THIS_COMPUTER, MOST_FOR_AN_ADDRESS)

    async def open(self, caller: Caller) -> Wire:
        """Opens a connection for the caller. Raises ControllerAway if the controller is away or the caller has too
        many.
        """
        if not self._places.take(caller):
            raise ControllerAway
        wire: Wire | None = None
        try:
            wire = await Wire.open(self._path)
        finally:
            if wire is None:
                self._places.give_back(caller)
        wire.when_over(lambda: self._places.give_back(caller))
        return wire
