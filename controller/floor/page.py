"""The room's web pages. They only read the database, within a time limit.

The first page shows each table as a tile and is kept up to date. Others show holds by age, devices that get worse,
jackpots, the program of each table, one table, and the reports of a day.

The pages are served to this computer alone or to people who sign in, and only under their own host name. So another
site cannot read them through a browser.
"""

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

import msgspec
from anyio import to_thread
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from controller.catalogue import Language, has_key, sentence
from controller.floor import report
from controller.floor.database import Database, DatabaseAway, DatabaseBusy, statement
from controller.floor.fleet import Certificate, fleet
from controller.floor.reading import AT_THIS_COMPUTER, Part, Person
from controller.floor.report import Day
from controller.floor.room import Rows, Standing, TableRow, Watch, tables
from controller.floor.tile import tile_of
from controller.machine.support import here_today, over_since
from controller.protocol.amount import units

if TYPE_CHECKING:
    from controller.floor.sign_in import SignIn  # takes half a second; only needed for sign-in

HERE: Final = Path(__file__).parent / "templates"
NAMES: Final = ("127.0.0.1", "localhost")
MOST_BROWSERS: Final = 64
MOST_ENTRIES: Final = 30
MICRO_OF_CENT: Final = 10_000
BACK: Final = "/sign-in/back"
OUT: Final = "/sign-out"
STATIC: Final = {"floor.css": "text/css", "floor.js": "text/javascript"}
REPORTS: Final = ("figures", "rounds", "incidents")

_ENTRIES: Final = statement("last_entries")
_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self';"
        " base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

Answer: TypeAlias = Callable[[Request], Awaitable[Response]]
T = TypeVar("T")


class Page:
    """The room's pages. `certificates`: the floor's own; `zone`: the time zone in which a day begins."""

    def __init__(
        self,
        database: Database,
        language: Language,
        certificates: Sequence[Certificate] = (),
        zone: str = "UTC",
        sign_in: "SignIn | None" = None,
    ) -> None:
        self._database = database
        self._language = language
        self._certificates = certificates
        self._zone = zone
        self._sign_in = sign_in
        self._watch = Watch(database)
        self._browsers = 0
        self._pages = Environment(loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined)
        words = {"words": partial(sentence, language=language), "said": self._said, "clock": _clock}
        self._pages.globals |= words | {"language": language.value, "support_over": lambda: over_since(here_today())}

    def application(self, names: Sequence[str] = NAMES) -> Starlette:
        """Makes the HTTP application of the pages. `names`: the host names that a browser may use to request them."""
        pages: dict[str, tuple[Part, Answer]] = {
            "/": (Part.ROOM, self._room),
            "/changes": (Part.ROOM, self._changes),
            "/table/{name}": (Part.ROOM, self._table),
            "/holds": (Part.ROOM, self._holds),
            "/devices": (Part.DEVICES, self._devices),
            "/jackpots": (Part.JACKPOTS, self._jackpots),
            "/fleet": (Part.FLEET, self._fleet),
            "/report": (Part.REPORT, self._report),
            "/report/{which}.csv": (Part.REPORT, self._csv),
        }
        routes = [Route(path, partial(self._read_by, part, does)) for path, (part, does) in pages.items()]
        routes.append(Route("/static/{name}", _static))
        middleware = [Middleware(TrustedHostMiddleware, allowed_hosts=list(names))]
        if self._sign_in is not None:
            middleware.append(self._sign_in.middleware)
            routes += [Route(BACK, self._signed_in), Route(OUT, self._out, methods=["POST"])]
        return Starlette(routes=routes, middleware=middleware)

    # ---- people

    async def _read_by(self, part: Part, does: Answer, request: Request) -> Response:
        """Returns the page if the person's role may read it, otherwise a refusal. If no person is signed in, redirects
        a browser to the provider, and gives any other request the status 401.
        """
        person = AT_THIS_COMPUTER if self._sign_in is None else self._sign_in.person(request)
        request.state.person = person
        if person is not None:
            return await does(request) if part in person.parts else self._refused(request, "not-yours", 403)
        if self._sign_in is None or request.headers.get("Sec-Fetch-Mode", "navigate") != "navigate":
            return Response("", 401, _HEADERS)
        return self._went(request, await self._sign_in.begin(request, BACK))

    async def _signed_in(self, request: Request) -> Response:
        request.state.person = None
        return self._went(request, None if self._sign_in is None else await self._sign_in.answered(request))

    def _went(self, request: Request, answer: Response | None) -> Response:
        if answer is None:
            return self._refused(request, "sign-in-failed", 403)
        answer.headers.update(_HEADERS)
        return answer

    async def _out(self, request: Request) -> Response:
        request.session.clear()
        request.state.person = None
        return self._refused(request, "signed-out", 200)

    def _refused(self, request: Request, why: str, status: int) -> Response:
        person: Person | None = request.state.person
        page = self._pages.get_template("refused.html").render(why=why, person=person)
        return Response(page, status, _HEADERS, "text/html")

    # ---- the room

    async def _room(self, request: Request) -> Response:
        return await self._shown(request, "room.html", lambda: {"tiles": self._tiles(tables(self._database))})

    def _tiles(self, rows: Rows) -> list[object]:
        return [tile_of(row, self._language) for row in rows.values()]

    async def _changes(self, request: Request) -> Response:
        """Returns the stream of changed tiles as server-sent events. Returns the status 503 if MOST_BROWSERS browsers
        already read it.
        """
        if self._browsers >= MOST_BROWSERS:
            return Response("", 503, _HEADERS)
        return StreamingResponse(self._lines(request.state.person), 200, _HEADERS, "text/event-stream")

    async def _lines(self, person: Person) -> AsyncIterator[bytes]:
        """Yields the events for one browser until the person's session ends: changed tiles, or `away` if the database
        does not answer.
        """
        self._browsers += 1
        try:
            async for tiles in self._watch.looks(partial(tile_of, language=self._language)):
                away = b"event: away\ndata:\n\n"
                yield away if tiles is None else b"data: " + msgspec.json.encode(tiles) + b"\n\n"
                if time.time() >= person.until_s:
                    return
        finally:
            self._browsers -= 1

    async def _table(self, request: Request) -> Response:
        name = request.path_params["name"]

        def found() -> dict[str, object]:
            row = tables(self._database).get(name)
            return {"row": row, "entries": [] if row is None else self._entries(row)}

        return await self._shown(request, "table.html", found)

    def _entries(self, row: TableRow) -> list[tuple[int, str, str]]:
        values = {"table": row.name, "epoch": row.epoch, "last": row.last_seq, "most": MOST_ENTRIES}
        found = self._database.read(_ENTRIES, values)
        return [(seq, kind, _clock(wall_ms)) for seq, kind, wall_ms in found]

    async def _holds(self, request: Request) -> Response:
        return await self._shown(request, "holds.html", lambda: self._standing(tables(self._database)))

    def _standing(self, rows: Rows) -> dict[str, object]:
        heard = [row for row in rows.values() if row.standing is not Standing.AWAY]
        holds = [(minutes, row, hold) for row in heard for hold, minutes in row.holds]
        duties = [(row.minutes(duty.since), row, duty) for row in heard for duty in row.shown.duties]
        oldest: Callable[[tuple[int, TableRow, object]], int] = lambda one: -one[0]  # noqa: E731
        return {"holds": sorted(holds, key=oldest), "duties": sorted(duties, key=oldest)}

    async def _devices(self, request: Request) -> Response:
        return await self._shown(request, "devices.html", lambda: {"worn": report.worn(self._database)})

    async def _jackpots(self, request: Request) -> Response:
        day = self._day(request)

        def found() -> dict[str, object]:
            database = self._database
            linked = {"meters": report.meters(database), "hits": report.hits(database, day)}
            return {"day": day.day, "pools": report.pools(database, day), "units": _units, **linked}

        return await self._shown(request, "jackpots.html", found)

    async def _fleet(self, request: Request) -> Response:
        return await self._shown(request, "fleet.html", lambda: {"fleet": fleet(self._database, self._certificates)})

    # ---- reports

    def _day(self, request: Request) -> Day:
        """Returns the day that the request names, or today if it names none or a wrong one."""
        return Day.named(request.query_params.get("day", ""), self._zone) or Day.today(self._zone)

    async def _report(self, request: Request) -> Response:
        day = self._day(request)

        def found() -> dict[str, object]:
            database = self._database
            rounds = report.rounds_by_hour(database, day)
            hours = sorted({hour for of_table in rounds.values() for hour in of_table})
            of_day = {"figures": report.figures(database, day), "incidents": self._incidents(day)}
            return {"day": day.day, "rounds": rounds, "hours": hours, "reports": REPORTS, **of_day}

        return await self._shown(request, "report.html", found)

    async def _csv(self, request: Request) -> Response:
        which, day = request.path_params["which"], self._day(request)
        if which not in REPORTS:
            return Response("", 404, _HEADERS)
        text = await self._read(partial(self._csv_of, which, day))
        if text is None:
            return Response("", 503, _HEADERS)
        name = {"Content-Disposition": f'attachment; filename="{which}-{day.day}.csv"'}
        return Response(text, 200, _HEADERS | name, "text/csv")

    def _csv_of(self, which: str, day: Day) -> str:
        if which == "rounds":
            rounds = report.rounds_by_hour(self._database, day)
            rows = [(table, hour, of_table[hour]) for table, of_table in rounds.items() for hour in sorted(of_table)]
            return report.as_csv(("table", "hour", "rounds"), rows)
        is_of_figures = which == "figures"
        kind = report.Figures if is_of_figures else report.Incident
        found = report.figures(self._database, day) if is_of_figures else self._incidents(day)
        return report.as_csv(kind.__struct_fields__, map(msgspec.structs.astuple, found))

    def _incidents(self, day: Day) -> list[report.Incident]:
        """Returns the day's incidents. An incident without a sentence of its table gets the name of its kind in the
        page's language.
        """
        return [
            one if one.words else msgspec.structs.replace(one, words=self._said("incident-kind", one.incident))
            for one in report.incidents(self._database, day)
        ]

    # ---- within

    def _said(self, of: str, word: str) -> str:
        """Returns the sentence `<of>.<word>` for a word in a table's status. If the catalogue lacks it, returns the
        word itself.
        """
        key = f"{of}.{word}"
        return sentence(key, {}, self._language) if has_key(key) else word

    async def _read(self, does: Callable[[], T]) -> T | None:
        """Runs `does` in a thread and returns its result. Returns None if the database does not answer."""
        try:
            return await to_thread.run_sync(does)
        except (DatabaseAway, DatabaseBusy):
            return None

    async def _shown(self, request: Request, template: str, does: Callable[[], dict[str, object]]) -> Response:
        found = await self._read(does)
        page = self._pages.get_template(template if found is not None else "away.html")
        status = 503 if found is None else 404 if found.get("row", "") is None else 200
        return Response(page.render((found or {}) | {"person": request.state.person}), status, _HEADERS, "text/html")


def _units(micro: int) -> str:
    """Returns an amount in millionths of a currency unit as text in whole cents, rounded towards zero."""
    return f"-{units(-micro // MICRO_OF_CENT)}" if micro < 0 else units(micro // MICRO_OF_CENT)


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in STATIC:
        return Response("", 404, _HEADERS)
    return Response((HERE / name).read_bytes(), 200, _HEADERS, STATIC[name])


def _clock(wall_ms: int) -> str:
    """Returns a time of a table's clock as text in UTC. Returns `?` for a time that is out of range."""
    try:
        return datetime.fromtimestamp(wall_ms / 1000, UTC).isoformat(" ", "seconds")
    except (ValueError, OverflowError, OSError):
        return "?"
