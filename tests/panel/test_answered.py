"""Every touch of a button is answered: it is done, or the button says why not."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import Route, expect

from controller.catalogue import Language, sentence
from controller.panel.browsers import Browser, Pressed, View
from controller.protocol.status import PresentStatus
from tests.panel.conftest import OpenScreen
from tests.panel.desk import DEALER, Desk, Staffed, run, status, table_of
from tests.panel.screen import Screen
from tests.panel.tables import Closed
from tests.panel.test_pages import PAGES, page

pytestmark = pytest.mark.waits

OPENS = status("closed", "open-session", who=("dealer",))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Staffed]:
    with table_of(tmp_path) as found:
        yield found


def test_a_second_touch_on_a_page_that_has_not_followed_is_not_taken_for_the_first(table: Staffed) -> None:
    """The second touch was answered like the first one: nothing changed, and nothing was said."""

    async def evening() -> tuple[Pressed, Pressed, Pressed]:
        desk = Desk(table, OPENS)
        await desk.press("act:open-session")
        await desk.comes(DEALER)
        number = desk.browser.number
        first = await desk.press("act:open-session", touch="1")
        desk.browser.number = number  # the page still has the earlier number
        fields = {"name": "act:open-session", "value": "", "sure": "1", "number": str(number)}
        desk.browser.number = number + 1
        again = await desk.presses.press(desk.browser, fields | {"touch": "1"})
        other = await desk.presses.press(desk.browser, fields | {"touch": "2"})
        return first, again, other

    first, again, other = run(evening())
    assert (first.is_done, again, other.is_done) == (True, first, False)


def answers(screen: Screen, **told: object) -> None:
    def fulfil(route: Route) -> None:
        route.fulfill(status=200, content_type="application/json", body=json.dumps(told))

    screen.page.route("**/press", fulfil)


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({"ok": False, "say": "", "version": 1, "entry": 1}, "Not pressed: just changed"),
        ({"ok": False, "say": "No.", "version": 1, "entry": 1}, "Not done: read above"),
        ({"ok": False}, "Not pressed: no answer"),
    ],
)
def test_a_press_without_effect_says_so_on_its_button(
    open_screen: OpenScreen, closed: Closed, told: dict[str, object], says: str
) -> None:
    screen = open_screen(closed)
    answers(screen, **told)
    screen.page.locator("html:not(.fresh)").wait_for()
    screen.page.locator("#b-more").tap()
    expect(screen.page.locator("#b-more")).to_have_attribute("data-said", says)
    expect(screen.page.locator("#b-more")).not_to_have_attribute("data-said", says)


TOUCHES = """(kind) => {
  const button = document.getElementById('b-more');
  const about = { bubbles: true, isPrimary: kind !== 'second', pointerId: 7 };
  button.dispatchEvent(new PointerEvent('pointerdown', about));
  if (kind === 'cancelled') button.dispatchEvent(new PointerEvent('pointercancel', about));
  const beside = { ...about, clientX: 1, clientY: 1 };
  if (kind === 'slid') button.dispatchEvent(new PointerEvent('pointerup', beside));
}"""


@pytest.mark.parametrize("kind", ["second", "cancelled", "slid"])
def test_a_finger_too_many_and_a_finger_that_slips_are_told(open_screen: OpenScreen, closed: Closed, kind: str) -> None:
    screen = open_screen(closed)
    screen.page.locator("html:not(.fresh)").wait_for()
    screen.page.evaluate(TOUCHES, kind)
    expect(screen.page.locator("#b-more")).to_have_attribute("data-said", "Not pressed: one finger, and still")
    assert screen.sent == []


@pytest.mark.parametrize("language", list(Language))
def test_a_wait_that_counts_down_says_for_what_and_what_comes_then(language: Language) -> None:
    """The words "closes in 12 s" and "12 s" named neither the awaited thing nor the result at zero."""
    document = PAGES.document(View.TABLE, Browser(language), '<main id="main"></main>')
    closes, again = (sentence(f"panel.pad.{key}", {}, language) for key in ("closes", "again"))
    assert f'data-closes="{closes}" data-again="{again}"' in document
    present = [PresentStatus(21, "chief_supervisor", "loading", until=9000)]
    watched = replace(status("loading", "sign-in"), present=present)
    shown = page(watched, View.TABLE, language)
    assert sentence("panel.presence-then", {}, language) in shown.partition("data-left")[2]
