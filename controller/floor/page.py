"""The room's page: every table that has been heard of. It reads, within a time limit, and writes nothing."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

from anyio import to_thread
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.catalogue import Language, sentence
from controller.floor.database import Database, DatabaseAway, DatabaseBusy, statement
from controller.protocol.carried import FindingKind
from controller.protocol.shown import RoomHold, Shown, decode_shown

AWAY_S: Final = 30
"""A table that has not been heard for so long is away: it says every ten seconds that there is nothing new."""

_TABLES: Final = statement("tables")

_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


@dataclass(frozen=True, slots=True)
class TableRow:
    """One table as it is shown."""

    name: str
    epoch: int
    last_seq: int
    heard_at: datetime
    heard_s: int
    kind: str
    findings: tuple[FindingKind, ...]
    shown: Shown
    shown_s: int

    @property
    def is_away(self) -> bool:
        return self.heard_s > AWAY_S

    @property
    def holds(self) -> list[tuple[RoomHold, int]]:
        """Each with its minutes, the oldest first."""
        found = sorted(self.shown.holds, key=lambda hold: hold.since)
        return [(hold, ((self.shown.table_ms - hold.since) // 1000 + self.shown_s) // 60) for hold in found]


def tables(database: Database) -> list[TableRow]:
    """By name. Raises DatabaseAway, DatabaseBusy."""
    return [
        TableRow(
            *(name, epoch, last, heard_at, heard_s, kind or "", tuple(map(FindingKind, findings or ()))),
            *(decode_shown(document or b"") or Shown(), shown_s or 0),
        )
        for name, epoch, last, heard_at, heard_s, kind, findings, document, shown_s in database.read(_TABLES, {})
    ]


class Page:
    """Served on this computer alone."""

    def __init__(self, database: Database, language: Language) -> None:
        self._database = database
        self._language = language
        loader = FileSystemLoader(Path(__file__).parent / "templates")
        self._pages = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)

    def application(self) -> Starlette:
        return Starlette(routes=[Route("/", self._tables), Route("/floor.css", self._style)])

    async def _tables(self, _request: Request) -> Response:
        try:
            rows = await to_thread.run_sync(partial(tables, self._database))
        except (DatabaseAway, DatabaseBusy):
            return self._page([], 503)
        return self._page(rows, 200)

    def _page(self, rows: list[TableRow], status: int) -> Response:
        words = partial(sentence, language=self._language)
        text = self._pages.get_template("tables.html").render(
            rows=rows, is_there=status == 200, language=self._language.value, words=words
        )
        return Response(text, status, _HEADERS, "text/html")

    async def _style(self, _request: Request) -> Response:
        style = Path(__file__).parent / "templates" / "floor.css"
        return Response(style.read_bytes(), 200, _HEADERS, "text/css")
