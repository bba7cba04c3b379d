"""The first start's pages on the smallest screen: every button is on it, and typed text arrives."""

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from controller.commission.desk import Desk, served
from controller.config.profile import PROFILES
from controller.protocol.commission import Choice, Code, Input, Question
from tests.panel.conftest import OpenScreen
from tests.panel.screen import HIDDEN, at_rest
from tests.panel.tables import Closed
from tests.panel.visitor import Visitor

pytestmark = pytest.mark.waits

SMALLEST = {"width": 800, "height": 480}
LONG = (
    "Is it mended, or will you answer otherwise? yes: it is asked and looked at again; no: it stays so, and is listed."
)
WRONG = (
    "The user sabot may not open /dev/sabot/lamp, the port of the jam lamp. Put it into the group that owns the port."
)
PATHS = tuple(f"/dev/serial/by-path/platform-fd500000.pcie-pci-0000:01:00.0-usb-0:1.{n}:1.0" for n in range(7))
OF_KEY = "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="
KEY = f"-----BEGIN PUBLIC KEY-----\n{OF_KEY}\n-----END PUBLIC KEY-----\n"

PAGES = {
    "languages": Question(0, Input.CHOICE, "Language", "en", choices=tuple(Choice(one, one) for one in ("pt", "en"))),
    "profiles": Question(0, Input.CHOICE, LONG, "en", choices=tuple(Choice(one, one) for one in PROFILES)),
    "text": Question(0, Input.TEXT, LONG, "pt", usual="/var/lib/sabot/journal", said=(WRONG,), may_go_back=True),
    "number": Question(0, Input.NUMBER, LONG, "en", usual="7", said=(WRONG, WRONG), may_go_back=True),
    "pin": Question(0, Input.PIN, LONG, "zh-Hant", may_go_back=True),
    "sees": Question(0, Input.YES_NO, LONG, "en", said=(WRONG,), may_go_back=True),
    "wait": Question(0, Input.WAIT, "Turn the key.", "en"),
    "closed": Question(0, Input.READ, LONG, "en", codes=(Code("Public key", KEY), Code("Code", "1F2A-0C44-9D01"))),
}


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[tuple[Desk, str]]:
    """Commissioning's desk, and the address of its panel."""
    desk = Desk()
    with served(desk, tmp_path / "commission.sock"), started(tmp_path) as panel:
        assert panel.stdout is not None
        yield desk, panel.stdout.readline().split()[-1]
        panel.terminate()


def started(directory: Path, **environment: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "controller.cli.main", "panel", "--config", str(directory / "none.toml")]
    options = ["--commission", str(directory / "commission.sock"), "--port", "0"]
    return subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True, env=os.environ | environment)


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 800, "height": 480}, has_touch=True)
    yield context.new_page()
    context.close()


def test_no_button_is_below_the_fold_and_no_page_complains(desk: tuple[Desk, str], page: Page) -> None:
    table, url = desk
    troubles: list[str] = []
    page.on("console", lambda message: troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.route("**/*", unless_it_looks)
    for name, question in PAGES.items():
        table.show(question)
        page.goto(url)
        expect(page.locator("#asked")).to_have_text(question.text)
        assert page.evaluate(at_rest(HIDDEN), ["button, input, svg.qr", "html"]) == [], name
        assert page.evaluate(at_rest(HIDDEN), [".middle button, .middle input", "#middle"]) == [], name
    assert troubles == []


def test_systemd_hears_that_the_panel_serves(tmp_path: Path) -> None:
    """The kiosk's browser waits for it: one that asked a panel that did not yet listen kept a white page."""
    desk, address = Desk(), str(tmp_path / "notify")
    desk.show(PAGES["languages"])
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd, served(desk, tmp_path / "commission.sock"):
        systemd.bind(address)
        systemd.settimeout(60)
        with started(tmp_path, NOTIFY_SOCKET=address) as panel:
            try:
                assert systemd.recv(64) == b"READY=1"
                assert panel.stdout is not None
                host = panel.stdout.readline().split("/")[2]
                with closing(HTTPConnection(host, timeout=60)) as browser:
                    browser.request("GET", "/")
                    assert browser.getresponse().status == 200
            finally:
                panel.terminate()


def test_a_page_that_stands_still_is_drawn_anew(
    desk: tuple[Desk, str], page: Page, open_screen: OpenScreen, closed: Closed
) -> None:
    """On an emulated screen the last picture of a page was lost, and the one before stood for minutes."""
    table, url = desk
    table.show(PAGES["languages"])
    page.goto(url)
    for one in (page, open_screen(closed).page):
        for beat in ("html.beat", "html:not(.beat)", "html.beat"):
            expect(one.locator(beat)).to_be_attached()


@pytest.mark.parametrize("name", ["wait", "number"])
def test_a_page_stays_until_another_comes(desk: tuple[Desk, str], page: Page, name: str) -> None:
    """A browser keeps the old picture until a new page has one: on a slow screen, a page that came again and again had
    none. A question may be answered at another browser.
    """
    table, url = desk
    table.show(PAGES[name])
    page.goto(url)
    page.evaluate("document.title = 'the same page'")
    for _ in range(3):
        with page.expect_response(lambda answer: answer.request.resource_type == "fetch"):
            pass
        expect(page).to_have_title("the same page")
    table.show(PAGES["languages"])
    expect(page.locator("#asked")).to_have_text(PAGES["languages"].text)
    expect(page).not_to_have_title("the same page")


def unless_it_looks(route: Route) -> None:
    """Stops the waiting page's look for the next page, while the test itself goes to another page."""
    if route.request.resource_type != "fetch":
        route.continue_()


def test_ports_with_long_names_are_reached_by_scrolling_and_fit_the_width(desk: tuple[Desk, str], page: Page) -> None:
    table, url = desk
    table.show(Question(0, Input.CHOICE, "Port", "en", choices=tuple(Choice(one, one) for one in PATHS)))
    page.goto(url)
    page.locator("#c-7").scroll_into_view_if_needed()
    expect(page.locator("#c-7")).to_be_in_viewport()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= SMALLEST["width"]


def test_several_sentences_above_a_question_do_not_lie_over_each_other(desk: tuple[Desk, str], page: Page) -> None:
    table, url = desk
    table.show(Question(0, Input.READ, LONG, "en", said=(LONG, WRONG) * 4))
    page.goto(url)
    page.locator("#middle").evaluate("(middle) => { middle.scrollTop = 80; }")
    tops = [place["y"] for line in page.locator(".said").all() if (place := line.bounding_box()) is not None]
    assert len(tops) == 8
    assert all(later - before > 20 for before, later in pairwise(tops)), tops


def test_what_fingers_type_arrives_and_a_pin_is_not_shown(desk: tuple[Desk, str], page: Page) -> None:
    table, url = desk
    given: list[str | None] = []
    questions = (PAGES["text"], PAGES["pin"], PAGES["sees"], PAGES["text"])

    def asks() -> None:
        given.extend([table.ask(one) for one in questions])
        table.show(PAGES["closed"])

    thread = threading.Thread(target=asks)
    thread.start()
    page.goto(url)
    expect(page.locator("#typed")).to_have_value("/var/lib/sabot/journal")
    page.locator("#typed").fill("")
    space = page.locator('[data-key=" "]')
    word = space.inner_text()
    for key in ("shift", "b", "j", "-", "0", "7", "8", "delete"):
        page.locator(f'[data-key="{key}"]').tap()
        expect(space).to_have_text(word)
    page.locator("#b-on").tap()
    expect(page.locator("#typed.hidden-digits")).to_be_visible()
    for digit in "739164":
        page.locator(f'[data-key="{digit}"]').tap()
    page.locator("#b-on").tap()
    page.locator("#b-no").tap()
    page.locator("#b-back").tap()
    expect(page.locator("svg.qr")).to_have_count(2)
    thread.join()
    assert given == ["Bj-07", "739164", "no", None]
    assert "739164" not in page.content()


def test_another_site_answers_nothing(desk: tuple[Desk, str]) -> None:
    table, url = desk
    table.show(PAGES["languages"])
    stranger = Visitor(url)
    body = "do=answer&number=1&answer=pt"
    assert stranger.post("/answer", body, **{"Sec-Fetch-Site": "cross-site"})[0] == 403
    assert stranger.ask("POST", "/answer", body)[0] == 403
    assert stranger.ask("GET", "/", Host="elsewhere")[0] == 421
    assert stranger.post("/answer", "do=write&number=1")[0] == 400
