"""One Chromium and one closed table for the tests of this folder, and a whole table for those that play an evening.

Both end after this folder's tests: Playwright keeps an event loop running in the tests' thread, and later tests need
a loop of their own.
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.daemon.warm import Warm
from tests.panel.paper import empty_paper, made_empty
from tests.panel.screen import WAIT_MS, Screen
from tests.panel.tables import Closed, Evening, Panel, Table, begin

CHROMIUM = shutil.which("chromium")
YOU = "dealer,chief_supervisor"
OPTIONS = [
    "--disable-background-networking",
    "--disable-gpu",  # with the next two options the browser's own process draws, which is a sixth less work
    "--disable-software-rasterizer",
    "--in-process-gpu",
]
MISSING = "no Chromium: apt-get install -y --no-install-recommends chromium"

OpenScreen = Callable[..., Screen]


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.fail(MISSING)
    expect.set_options(timeout=WAIT_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def sheet(chromium: Browser) -> Iterator[Page]:
    with empty_paper(chromium) as page:
        yield page


@pytest.fixture
def paper(sheet: Page) -> Page:
    """The folder's one empty page, loaded anew: a page and a context of each test's own cost twice as much."""
    return made_empty(sheet)


@pytest.fixture(scope="package")
def forked_panels() -> Iterator[None]:
    """Panels are forked from a process that has imported them and compiled their templates."""
    with Warm("tests.panel.warm_panel") as warm, pytest.MonkeyPatch.context() as patch:
        patch.setattr(Panel, "warm", warm)
        yield


@pytest.fixture(scope="package")
def closed(tmp_path_factory: pytest.TempPathFactory, forked_panels: None) -> Iterator[Closed]:
    """A closed table that all tests share: no test opens it, and a test leaves at most an open page."""
    table = Closed(tmp_path_factory.mktemp("panel") / "closed")
    yield table
    table.end()


@pytest.fixture
def own_table(tmp_path: Path, forked_panels: None) -> Iterator[Closed]:
    """A closed table of one test, which may kill its controller."""
    table = Closed(tmp_path / "own")
    yield table
    table.end()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """A table at which the test is dealer and chief supervisor; the first jam comes in the first round.

    With this seed every jam of ten rounds is solved by hand, without a technician, whom the chief would have to call.
    """
    evening = begin(tmp_path / "table", "--seed", "23", "--faults", "jam-at-mouth", "--rounds", "500", "--you", YOU)
    yield evening
    evening.end()


@pytest.fixture
def open_screen(request: pytest.FixtureRequest, chromium: Browser, forked_panels: None) -> Iterator[OpenScreen]:
    """A function that opens a new browser at one view of a table's panel. An error of a page fails the test.

    A browser closes with the test, before any fixture ends: a panel that ends first cuts the streams of its pages,
    since a demo on a busy machine kills its panel.
    """
    screens: list[Screen] = []

    def open_at(table: Table, view: str = "", width: int = 1280, height: int = 800) -> Screen:
        context = chromium.new_context(
            viewport={"width": width, "height": height}, has_touch=True, locale="en-GB", reduced_motion="reduce"
        )
        request.node.addfinalizer(context.close)
        screen = Screen(context.new_page(), table)
        screens.append(screen)
        screen.page.goto(table.url + view)
        return screen

    yield open_at
    assert [trouble for screen in screens for trouble in screen.troubles] == []
