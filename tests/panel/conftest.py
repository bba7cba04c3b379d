"""One Chromium and one table for the tests of a file.

Both end with the file: Playwright keeps an event loop running in the thread of the tests, and later tests need
their own.
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.panel.evening import Evening, begin
from tests.panel.screen import Screen

CHROMIUM = shutil.which("chromium")
YOU = "dealer,chief_supervisor"
MISSING = "no Chromium: apt-get install -y --no-install-recommends chromium"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.fail(MISSING)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--disable-background-networking"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    """A table at which the test is dealer and chief supervisor."""
    directory: Path = tmp_path_factory.mktemp("panel") / "table"
    evening = begin(directory, "--seed", "3", "--faults", "jam-at-mouth", "--rounds", "500", "--you", YOU)
    yield evening
    evening.end()


@pytest.fixture
def open_screen(chromium: Browser, evening: Evening) -> Iterator[Callable[..., Screen]]:
    """Opens a browser of its own at one view of the panel; whatever it complains of fails the test."""
    screens: list[Screen] = []

    def open_at(view: str = "", width: int = 1280, height: int = 800) -> Screen:
        context = chromium.new_context(viewport={"width": width, "height": height}, has_touch=True, locale="en-GB")
        screen = Screen(context.new_page(), evening)
        screens.append(screen)
        screen.page.goto(evening.url + view)
        return screen

    yield open_at
    for screen in screens:
        screen.page.context.close()
    assert [trouble for screen in screens for trouble in screen.troubles] == []
