"""The table's state as the controller reports it: one subscription for each language in use."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from controller.catalogue import Language
from controller.panel.troubles import read_stopped
from controller.panel.wire import ControllerAway, Wire
from controller.protocol.lines import Answer
from controller.protocol.status import Status
from controller.protocol.stopped import Stopped

PING_EVERY_S: Final = 0.25
ANSWER_WITHIN_S: Final = 0.5
AGAIN_AFTER_S: Final = 0.25
SNAPSHOT_WITHIN_S: Final = 10.0
GATHER_S: Final = 0.05
"""The time in seconds within which changes are drawn together."""

BACK_SHOWN_S: Final = 10.0


class Seen(Struct, frozen=True):
    """The panel's knowledge of the table. `status`: None until the controller has sent one. `lost_at`, `back_at`: the
    times at which the controller was last lost and returned, in seconds of the wall clock. `version`: grows with each
    change. `is_live`: True while the controller answers. `table_ms`: the table's clock at `heard_at`. `stopped`: the
    reason why the controller failed to start.
    """

    version: int = 0
    status: Status | None = None
    is_live: bool = False
    lost_at: float = 0.0
    back_at: float | None = None
    heard_at: float = 0.0
    table_ms: int = 0
    stopped: Stopped | None = None


class Watch:
    """Follows the table in one language until `stop` is called. Calls `on_change` after each change."""

    def __init__(self, path: Path, language: Language, on_change: Callable[[], None]) -> None:
        self._path = path
        self._language = language
        self._on_change = on_change
        self._keys: dict[str, msgspec.Raw] = {}
        self._due: asyncio.TimerHandle | None = None
        self._zero_s = time.time()  # the computer's clock at table time 0
        self.seen = Seen(lost_at=time.time())
        self.first = asyncio.Event()  # set once a status is known, or the controller does not answer
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Ends the subscription. Returns once the subscription's connection is closed."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        if self._due is not None:
            self._due.cancel()

    async def _run(self) -> None:
        while True:
            try:
                await self._follow(await Wire.open(self._path))
            except (ControllerAway, msgspec.DecodeError):
                self._lost()
            await asyncio.sleep(AGAIN_AFTER_S)

    async def _follow(self, wire: Wire) -> None:
        """Follows the table until the controller is away or silent. Raises ControllerAway, DecodeError."""
        try:
            answer = await wire.ask(SNAPSHOT_WITHIN_S, do="subscribe", language=self._language.value)
            if answer.status is None:
                raise ControllerAway
            self._keys = dict(answer.status)
            self._ponged(await wire.ask(ANSWER_WITHIN_S, do="ping"))
            wire.on_line = self._changed
            self._draw()
            while True:
                self._ponged(await wire.ask(ANSWER_WITHIN_S, do="ping"))
                await asyncio.sleep(PING_EVERY_S)
        finally:
            await wire.closed()

    def _ponged(self, pong: Answer) -> None:
        """Stores the table's time from the answer to a ping. The page shows it with the next change."""
        if pong.table_ms is not None:
            self._zero_s = time.time() - pong.table_ms / 1000

    def _changed(self, line: Answer) -> None:
        if line.changed is not None:
            self._keys |= line.changed
            if self._due is None:
                self._due = asyncio.get_running_loop().call_later(GATHER_S, self._draw)

    def _draw(self) -> None:
        self._due = None
        now = time.time()
        before = self.seen
        status = msgspec.json.decode(msgspec.json.encode(self._keys), type=Status)
        back_at = before.back_at if before.is_live else (now if before.status is not None else None)
        self._tell(
            Seen(
                before.version + 1,
                status,
                is_live=True,
                lost_at=before.lost_at,
                back_at=back_at,
                heard_at=now,
                table_ms=round((now - self._zero_s) * 1000),
            )
        )

    def _lost(self) -> None:
        before = self.seen
        if self._due is not None:
            self._due.cancel()
            self._due = None
        stopped = read_stopped(self._path)
        if before.is_live or stopped != before.stopped:
            lost_at = time.time() if before.is_live else before.lost_at
            gone = Seen(before.version + 1, before.status, lost_at=lost_at, heard_at=before.heard_at, stopped=stopped)
            self._tell(gone)
        self.first.set()

    def _tell(self, seen: Seen) -> None:
        self.seen = seen
        self.first.set()
        self._on_change()
