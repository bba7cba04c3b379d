"""An empty page with the panel's style sheet, into which a test puts generated pages to measure them."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, Route

from controller.catalogue import Language
from controller.panel.browsers import Browser as Reader
from controller.panel.browsers import View
from controller.panel.pages import HERE
from tests.panel.test_pages import PAGES

PHONE = (390, 844, "10in")
SIZES = ((1280, 800, "10in"), (800, 480, "10in"), (1024, 600, "10in"), (1280, 720, "7in"), PHONE)
TYPES = {"css": "text/css", "woff2": "font/woff2", "svg": "image/svg+xml"}


@contextmanager
def empty_paper(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.route("**/*", _served)
    yield made_empty(page)
    context.close()


def made_empty(paper: Page) -> Page:
    """Loads the empty page anew, with nothing of what was on it or was set for it."""
    paper.set_viewport_size({"width": 1280, "height": 720})
    paper.goto("http://panel.test/")
    return paper


def _served(route: Route) -> None:
    name = route.request.url.partition("/static/")[2].partition("?")[0]
    if not name:
        document = PAGES.document(View.TABLE, Reader(Language.EN), '<main id="main"></main>')
        route.fulfill(body=document, content_type="text/html")
    elif name.endswith(".js"):
        route.fulfill(body="", content_type="text/javascript")
    else:
        route.fulfill(body=(HERE / "static" / name).read_bytes(), content_type=TYPES[name.rpartition(".")[2]])


def is_of(paper: Page, size: tuple[int, int, str]) -> None:
    """Gives the page a screen's size and loads the fonts: an empty page would load them only with its first words."""
    width, height, screen = size
    paper.set_viewport_size({"width": width, "height": height})
    paper.evaluate(SCREEN, screen)


SCREEN = """(screen) => {
  document.documentElement.dataset.screen = screen;
  return Promise.all([...document.fonts].map((one) => one.load())).then(() => null);
}"""
