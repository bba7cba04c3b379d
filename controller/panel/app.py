"""The web application: serves the pages and their event streams, and passes on presses and PINs."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from controller.catalogue import Language
from controller.machine.crash import tell_of
from controller.machine.places import Caller, Places, caller_of
from controller.panel.banner import banner
from controller.panel.browsers import Browser, Browsers, Pressed, Stream, View
from controller.panel.fields import fields_of
from controller.panel.forms import follow_table
from controller.panel.history import History
from controller.panel.moment import Moment, Place
from controller.panel.pages import Pages
from controller.panel.pending import follow_request
from controller.panel.press import Presses
from controller.panel.reading import WITHIN_S
from controller.panel.said import let_fade
from controller.panel.security import Doorkeeper
from controller.panel.settings import PanelSettings
from controller.panel.stakes import Stakes, last_stakes, stakes_of
from controller.panel.stream import PageStream
from controller.panel.watch import Watch
from controller.panel.wire import ControllerAway, Wire
from controller.protocol.record import RecordKind
from controller.protocol.status import Status

COOKIE: Final = "__Host-sabot"
MOST_PAGES: Final = 128
"""The most streams open at one time: each open page is drawn again with each change of the table."""

PAGES_KEPT_FOR_THIS_COMPUTER: Final = 32
PAGES_OF_AN_ADDRESS: Final = 16
HERE: Final = Path(__file__).parent
LISTS_OF_ACTS: Final = frozenset({"more", "report", "why"})


class Panel:
    """The state of one running panel: its browsers, pages and subscriptions, until `stop`."""

    def __init__(self, settings: PanelSettings) -> None:
        self.settings = settings
        self.browsers = Browsers()
        self._places = Places(MOST_PAGES, PAGES_KEPT_FOR_THIS_COMPUTER, PAGES_OF_AN_ADDRESS)
        self._history = History()
        self._pages = Pages(settings, self._history)
        self._watches: dict[Language, Watch] = {}
        self._last_stakes: Stakes = {}
        self._last_bets: tuple[int, ...] = ()
        self._presses = Presses(settings, self.moment)
        self._filling: asyncio.Task[None] | None = None

    def application(self, port: int) -> ASGIApp:
        doors = Middleware(Doorkeeper, hosts=self.settings.hosts(port), scheme=self.settings.scheme)
        routes = [
            Route("/", self._page, methods=["GET"]),
            *(Route(f"/{view.value}", self._page, methods=["GET"]) for view in View if view is not View.TABLE),
            Route("/stream/{view}", self._stream, methods=["GET"]),
            Route("/press", self._press, methods=["POST"]),
            Route("/pin", self._pin, methods=["POST"]),
            Route("/forms", self._forms, methods=["GET"]),
            Mount("/static", StaticFiles(directory=HERE / "static")),
        ]
        return Starlette(routes=routes, middleware=[doors], exception_handlers={Exception: _crashed})

    async def stop(self) -> None:
        """Ends every event stream, sign-in and subscription, and the task that reads the pool's movements."""
        self.browsers.end()
        if self._filling is not None:
            self._filling.cancel()
            await asyncio.gather(self._filling, return_exceptions=True)
        for watch in self._watches.values():
            await watch.stop()

    def watch(self, language: Language) -> Watch:
        """Returns the subscription to the table in `language`. The first call for a language begins the
        subscription.
        """
        if language not in self._watches:
            self._watches[language] = Watch(self.settings.socket, language, self._changed)
        return self._watches[language]

    def moment(self, browser: Browser) -> Moment | None:
        """Returns the table as `browser` sees it. Returns None until the controller has sent a first status."""
        seen = self.watch(browser.language).seen
        if seen.status is None:
            return None
        said = browser.seats if browser.seats is not None else seen.status.seats
        roles = frozenset(right.role for right in browser.rights.values())
        stakes, is_open = _stakes(browser, seen.status), seen.status.round in {"idle", "betting"}
        return Moment(
            seen.status,
            seen.is_live,
            tuple(sorted(said or (() if browser.seats is not None else self._last_bets))),
            roles,
            browser.hold,
            tuple(browser.hands) if roles and seen.status.hands else (),
            stakes,
            self._kept(stakes) if is_open else {},
            are_bets_kept=is_open and browser.seats is None and not said and bool(self._last_bets),
            seats_before=() if browser.seats is None or seen.status.seats else self._last_bets,
            seat=browser.seat if is_open else None,
            lay=tuple(browser.lay.values()) if roles else (),
            here=browser.names_here,
            supervisors=browser.supervisors,
            is_upheld=self._presses.heard.is_to_be_put_right(seen.status),
            words={one.id: self._presses.heard.of(one) for one in seen.status.holds} if roles else {},
        )

    def _kept(self, stakes: Mapping[Place, int]) -> dict[Place, int]:
        """Returns the last round's stakes in cents by place, except at seats for which `stakes` has an entry."""
        touched = {seat for seat, _bettor in stakes}
        return {place: cents for place, cents in self._last_stakes.items() if place[0] not in touched}

    def _changed(self) -> None:
        for watch in self._watches.values():
            if watch.seen.status is not None and watch.seen.status.seats:
                self._last_bets = tuple(watch.seen.status.seats)
            if watch.seen.status is not None:
                self._last_stakes = last_stakes(watch.seen.status, self._last_stakes)
                if stakes := stakes_of(watch.seen.status.money):
                    for browser in self.browsers.all():
                        browser.drop_laid(stakes)
            if watch.seen.status is not None and watch.seen.is_live:
                self._history.take(time.time(), watch.seen.status.devices)
                self._history.pool.take(time.time(), watch.seen.status.jackpot)
                self._fill_pool()
        statuses = (watch.seen.status for watch in self._watches.values())
        self._presses.heard.follow(hold for status in statuses if status is not None for hold in status.holds)
        self.browsers.wake()

    def _fill_pool(self) -> None:
        """Starts a task that reads the missing movements of the jackpot's pool from the journal, unless one already
        runs.
        """
        if self._history.pool.lacks and (self._filling is None or self._filling.done()):
            self._history.pool.lacks = False
            self._filling = asyncio.create_task(self._filled())

    async def _filled(self) -> None:
        """Reads the missing movements of the jackpot's pool from the journal.

        If the journal is busy with another reading, the next change of the table starts another attempt.
        """
        with contextlib.suppress(ControllerAway):
            wire = await Wire.open(self.settings.socket)
            try:
                answer = await wire.ask(WITHIN_S, do="record", what=RecordKind.POOL.value)
            finally:
                await wire.closed()
            if answer.record is not None:
                self._history.pool.fill(answer.record.pool)
                self.browsers.wake()
            self._history.pool.lacks |= answer.error is not None and answer.error.code == "record-busy"

    def _main(self, view: View, browser: Browser) -> str:
        seen, moment = self.watch(browser.language).seen, self.moment(browser)
        if moment is not None:
            follow_table(browser, moment)
            follow_request(browser, moment)
            let_fade(browser, f"{moment.phase} {banner(moment, browser.language).why}", time.monotonic())
        return self._pages.main(view, browser, seen, moment, time.time())

    # ---- requests

    async def _page(self, request: Request) -> Response:
        view = View(request.url.path.strip("/") or View.TABLE.value)
        browser, cookie = self._browser_of(request), None
        if browser is not None and browser.sheet in LISTS_OF_ACTS:
            browser.close_sheet()  # this sheet led to the request
        if browser is None:
            cookie, browser = self.browsers.new(self._begins_in(request), _caller(request))
        await self.watch(browser.language).first.wait()
        answer = HTMLResponse(self._pages.document(view, browser, self._main(view, browser)))
        _give(answer, cookie)
        return answer

    def _browser_of(self, request: Request) -> Browser | None:
        return self.browsers.find(request.cookies.get(COOKIE), _caller(request))

    def _begins_in(self, request: Request) -> Language:
        return language_of(request.headers.get("accept-language", ""), _caller(request), self.settings)

    async def _stream(self, request: Request) -> Response | PageStream:
        browser, view = self._browser_of(request), request.path_params["view"]
        if browser is None or view not in set(View):
            return PlainTextResponse("", status_code=404)
        stream = Stream(View(view))
        return PageStream(
            self._places,
            browser,
            stream,
            lambda: self._main(stream.view, browser),
            lambda: self.watch(browser.language).seen.is_live,
        )

    async def _forms(self, _request: Request) -> Response:
        """Answers "1" while a person fills in a form about a simulated table, else "0".

        The simulated people wait while the answer is "1".
        """
        return PlainTextResponse("1" if any(map(self._is_filling, self.browsers.all())) else "0")

    def _is_filling(self, browser: Browser) -> bool:
        moment = self.moment(browser) if browser.act is not None else None
        if moment is None:
            return False
        follow_table(browser, moment)
        return moment.status.simulated and moment.phase == browser.form_in

    async def _press(self, request: Request) -> Response:
        return await self._answered(request, self._presses.press)

    async def _pin(self, request: Request) -> Response:
        return await self._answered(request, self._presses.pin)

    async def _answered(
        self, request: Request, answer: Callable[[Browser, dict[str, str]], Awaitable[Pressed]]
    ) -> Response:
        browser, fields = self._browser_of(request), await fields_of(request)
        if browser is None:
            return JSONResponse({"ok": False}, status_code=403)
        if fields is None:
            return JSONResponse({"ok": False}, status_code=400)
        async with browser.lock:
            if self._browser_of(request) is not browser:  # a sign-in meanwhile has replaced this cookie
                return JSONResponse({"ok": False}, status_code=403)
            before = set(browser.rights.values())
            pressed = await answer(browser, fields)
            cookie = None if before.issuperset(browser.rights.values()) else self.browsers.renewed(browser)
        if browser.wanted is not None and not pressed.is_done:
            browser.changed()  # a page drawn during the press has not checked the request
        outcome = {"ok": pressed.is_done, "say": pressed.say, "wait_ms": pressed.wait_ms}
        told = JSONResponse(outcome | {"version": browser.version, "entry": browser.entry})
        _give(told, cookie)
        return told


def _caller(request: Request) -> Caller:
    here, there = request.scope["server"], request.scope["client"]
    return caller_of(there[0], here[0])


def _give(answer: Response, cookie: str | None) -> None:
    if cookie is not None:
        answer.set_cookie(COOKIE, cookie, path="/", secure=True, httponly=True, samesite="strict")


def _stakes(browser: Browser, status: Status) -> dict[Place, int]:
    """Returns the stakes in cents by place.

    A stake tapped at `browser` in the present round replaces the one on the table.
    """
    laid = stakes_of(status.money) if status.round == "betting" else {}
    is_of_this = browser.stakes_before == (status.session_number, status.round_number)
    return laid | (browser.stakes if is_of_this else {})


async def _crashed(_request: Request, error: Exception) -> Response:
    """Reports an unexpected error without any value from the request. Returns an empty page with the status 500."""
    tell_of(error)
    return PlainTextResponse("", status_code=500)


def language_of(accepted: str, caller: Caller, settings: PanelSettings) -> Language:
    """Returns the language of the pages for `caller`. At the table's own screen this is the table's language. Elsewhere
    it is the first language in `accepted`, the header `Accept-Language`, that the panel has. If the panel has none of
    these, it is the table's language. A demo or a practice has no screen of the table: each visitor has a browser of
    his own.
    """
    wanted = [part.split(";")[0].strip().lower() for part in accepted.split(",")]
    own = settings.languages[0]
    if caller.is_own and settings.has_own_screen:
        return own
    return next((one for word in wanted for one in settings.languages if _is_of(word, one)), own)


def _is_of(word: str, language: Language) -> bool:
    own = language.value.lower()
    return (
        word.startswith(own.split("-")[0])
        if own != "zh-hant"
        else word.startswith(("zh-hant", "zh-mo", "zh-hk", "zh-tw"))
    )
