"""A sign-in gives the browser a new cookie, valid at one address; the browser's older cookie has no effect."""

import asyncio
import threading
from pathlib import Path
from urllib.parse import urlencode

import pytest
from starlette.types import ASGIApp, Message

from controller.catalogue import Language
from controller.core.games.blackjack.state import initial_state
from controller.panel.app import Panel
from controller.panel.settings import PanelSettings
from tests.core.table import SETUP
from tests.daemon.rig import CHIEF, DEALER, PINS, WITHIN_S
from tests.panel.desk import Staffed, run, status
from tests.panel.scripted import Json
from tests.panel.tables import Closed
from tests.panel.visitor import OURS, Visitor

pytestmark = pytest.mark.waits

HOST = "127.0.0.1:8021"


def test_a_sign_in_renews_the_cookie_and_ends_the_one_before(own_table: Closed) -> None:
    person, fixed = Visitor(own_table.url), Visitor(own_table.url)
    person.visit()
    fixed.cookie = person.cookie
    assert person.sign_in(DEALER, PINS[DEALER])["ok"]
    assert fixed.cookie != person.cookie
    assert fixed.post("/press", "name=ui:close")[0] == 403
    assert person.post("/press", "name=ui:close")[0] == 200


def test_a_cookie_is_good_for_nothing_at_another_address(own_table: Closed) -> None:
    person, thief = Visitor(own_table.url), Visitor(own_table.url, "127.0.0.2")
    person.visit()
    assert person.sign_in(DEALER, PINS[DEALER])["ok"]
    taken = thief.cookie = person.cookie
    assert thief.post("/press", "name=ui:close")[0] == 403
    assert f"Person {DEALER}" not in thief.ask("GET", "/")[1]
    assert thief.cookie != taken, "it is another browser"
    person.press("ui:close")  # the form of the deck set has opened with the session
    assert f"{DEALER} Person {DEALER}" in person.ask("GET", "/")[1]


class Slow(Staffed):
    """A table that answers a sign-in only at the test's command."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory / "control.sock", status("closed"), initial_state(SETUP), {})
        self.is_asked, self.may_answer = threading.Event(), threading.Event()

    def _answer(self, request: Json) -> Json:
        if request["do"] == "sign-in":
            self.is_asked.set()
            assert self.may_answer.wait(WITHIN_S)
        return super()._answer(request)


async def asked(app: ASGIApp, method: str, path: str, cookie: str = "", **fields: str) -> tuple[int, str]:
    """Sends a request; returns the answer's status, and its cookie, else the request's."""
    given = OURS | {"Host": HOST, "Cookie": cookie, "Content-Length": str(len(urlencode(fields)))}
    headers = [(name.lower().encode(), text.encode()) for name, text in given.items()]
    ends = {"client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8021), "query_string": b"", "http_version": "1.1"}
    told: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": urlencode(fields).encode(), "more_body": False}

    async def send(message: Message) -> None:
        told.append(message)

    await app({"type": "http", "method": method, "path": path, "headers": headers, **ends}, receive, send)
    new = [value.decode().split(";")[0] for name, value in told[0]["headers"] if name == b"set-cookie"]
    return told[0]["status"], (*new, cookie)[0]


def test_what_waits_with_an_old_cookie_while_somebody_signs_in_is_not_done(tmp_path: Path) -> None:
    """Else a press that waits under a planted cookie would be done in the name of the person who signs in."""

    async def go(app: ASGIApp, panel: Panel, table: Slow) -> None:
        _status, cookie = await asked(app, "GET", "/")
        (browser,) = panel.browsers.all()
        assert (await asked(app, "POST", "/press", cookie, name="read:summary", number="1"))[0] == 200
        assert (await asked(app, "POST", "/pin", cookie, pin=str(CHIEF), person=""))[0] == 200
        pin = asyncio.create_task(asked(app, "POST", "/pin", cookie, pin="314159", person=str(CHIEF)))
        assert await asyncio.to_thread(table.is_asked.wait, WITHIN_S)
        press = asyncio.create_task(asked(app, "POST", "/press", cookie, name="ui:close"))
        async with asyncio.timeout(WITHIN_S):
            while not browser.lock._waiters:
                await asyncio.sleep(0)
        table.may_answer.set()
        answered, renewed = await pin
        assert (answered, renewed != cookie, len(browser.rights)) == (200, True, 1)
        assert (await press)[0] == 403
        assert (await asked(app, "POST", "/press", renewed, name="ui:close"))[0] == 200

    async def played(table: Slow) -> None:
        panel = Panel(PanelSettings(table.socket, "127.0.0.1", 8021, None, (), "10in", (Language.EN,), "EUR"))
        try:
            await go(panel.application(8021), panel, table)
        finally:
            await panel.stop()

    with Slow(tmp_path) as table:
        run(played(table))
