"""The state of each table in the room, from the table's last status, and the changes for browsers that follow it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum, unique
from typing import Final

from anyio import to_thread

from controller.floor.database import Database, DatabaseAway, DatabaseBusy, statement
from controller.protocol.carried import FindingKind
from controller.protocol.shown import RoomHold, Shown, decode_shown

AWAY_S: Final = 30
"""Seconds without a report after which a table counts as away; tables report every ten seconds, even without news."""

LOOK_S: Final = 0.2
"""The interval of reading the database while a browser watches: one reading serves all browsers."""

_TABLES: Final = statement("tables")


@unique
class Standing(StrEnum):
    PLAYS = "plays"
    HELD = "held"
    CLOSED = "closed"
    AWAY = "away"


@dataclass(frozen=True, slots=True)
class TableRow:
    """One table of the room. `shown`: the table's last status; `number`: the status's number; `shown_s`: the status's
    age in seconds.
    """

    name: str
    epoch: int
    last_seq: int
    heard_at: datetime
    heard_s: int
    findings: tuple[FindingKind, ...]
    number: int
    shown_s: int
    shown: Shown

    @property
    def standing(self) -> Standing:
        if self.heard_s > AWAY_S:
            return Standing.AWAY
        if self.shown.holds:
            return Standing.HELD
        return Standing.CLOSED if self.shown.session == "closed" else Standing.PLAYS

    @property
    def holds(self) -> list[tuple[RoomHold, int]]:
        """Each open hold with its age in minutes, the oldest first."""
        found = sorted(self.shown.holds, key=lambda hold: hold.since)
        return [(hold, self.minutes(hold.since)) for hold in found]

    def minutes(self, since: int) -> int:
        """Returns the minutes from the table time `since` until now."""
        return max(0, ((self.shown.table_ms - since) // 1000 + self.shown_s) // 60)


Rows = dict[str, TableRow]
NO_ROWS: Final[Mapping[str, TableRow]] = {}


def tables(database: Database, known: Mapping[str, TableRow] = NO_ROWS) -> Rows:
    """Reads the state of all tables by name. `known`: earlier rows, from which unchanged statuses are taken. Raises
    DatabaseAway, DatabaseBusy.
    """
    numbers = {name: row.number for name, row in known.items()}
    found = database.read(_TABLES, {"names": list(numbers), "numbers": list(numbers.values())})
    rows: Rows = {}
    for name, epoch, last, heard_at, heard_s, findings, number, shown_s, document in found:
        shown = decode_shown(document) if document is not None else None
        if shown is None:
            shown = known[name].shown if name in known else Shown()
        kinds = tuple(map(FindingKind, findings or ()))
        rows[name] = TableRow(name, epoch, last, heard_at, heard_s, kinds, number, shown_s or 0, shown)
    return rows


class Watch:
    """Reads the state of the room at intervals while at least one browser follows it. All methods must be called in the
    event loop.
    """

    def __init__(self, database: Database, look_s: float = LOOK_S) -> None:
        self._database = database
        self._look_s = look_s
        self._rows: Rows | None = None
        self._looked = asyncio.Condition()
        self._looking: asyncio.Task[None] | None = None
        self._lookers = 0

    async def looks(self, drawn: Callable[[TableRow], object]) -> AsyncIterator[list[object] | None]:
        """Yields the changed results of `drawn` after each reading of the database. Yields None if the database does
        not answer.
        """
        self._lookers += 1
        before: dict[str, object] = {}
        try:
            while True:
                async with self._looked:
                    self._begin()
                    await self._looked.wait()
                    rows = self._rows
                if rows is None:
                    yield None
                    continue
                now = {name: drawn(row) for name, row in rows.items()}
                yield [one for name, one in now.items() if before.get(name) != one]
                before = now
        finally:
            self._lookers -= 1

    def _begin(self) -> None:
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while self._lookers:
            known = self._rows or {}
            try:
                self._rows = await to_thread.run_sync(tables, self._database, known)
            except (DatabaseAway, DatabaseBusy):
                self._rows = None
            async with self._looked:
                self._looked.notify_all()
            await asyncio.sleep(self._look_s)
