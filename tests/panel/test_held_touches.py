"""A finger that is still down when the page changes: the next page's buttons are free soon after it is lifted."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import CDPSession, expect

from tests.daemon.rig import DEALER
from tests.panel.conftest import OpenScreen
from tests.panel.dealt import Dealt, Served
from tests.panel.screen import Screen
from tests.panel.tables import Painted
from tests.panel.test_put_right import decided_wrong

pytestmark = pytest.mark.waits

FREE_MS = 5_000
"""The longest lock after a change that no finger can have been on its way to; a lock without this rule lasts 20 s."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Painted]:
    table = Painted(tmp_path / "hands", decided_wrong())
    yield table
    table.end()


class Finger:
    """A finger, or a mouse, that is put down on a button and lifted when the test says so."""

    def __init__(self, screen: Screen, *, is_mouse: bool) -> None:
        self._screen = screen
        self._session: CDPSession = screen.page.context.new_cdp_session(screen.page)
        self._is_mouse = is_mouse

    def down(self, name: str) -> None:
        box = self._screen.page.locator(name).bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if self._is_mouse:
            self._screen.page.mouse.move(x, y)
            self._screen.page.mouse.down()
        else:
            self._touch("touchStart", [{"x": x, "y": y}])

    def up(self) -> None:
        if self._is_mouse:
            self._screen.page.mouse.up()
        else:
            self._touch("touchEnd", [])

    def _touch(self, kind: str, points: list[dict[str, float]]) -> None:
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def about_to_take_back(screen: Screen) -> None:
    """Opens the correction that takes seat 1's STAND back, up to the press that asks a second person to agree."""
    screen.tap("stand-1")
    screen.sign_in(DEALER)
    screen.signed_in()
    screen.tap("report")
    screen.tap("m-correct-entry")
    screen.page.locator("#c-entry-1").tap()
    screen.page.locator("#b-do:not([disabled])").wait_for()
    screen.page.locator("html:not(.fresh)").wait_for()


def agrees(table: Painted) -> None:
    dealt, served = table.shown, table.table
    assert isinstance(dealt, Dealt)
    assert isinstance(served, Served)
    (waiting,) = dealt.status.waiting
    served.happens(lambda: dealt.ask(waiting.act, waiting.values, "chief_supervisor"))
    assert dealt.status.waiting == []


@pytest.mark.parametrize("is_mouse", [False, True], ids=["touch", "mouse"])
@pytest.mark.parametrize("is_lifted_before", [False, True], ids=["still-down", "lifted"])
def test_the_buttons_after_an_agreement_are_free_without_another_touch(
    open_screen: OpenScreen, table: Painted, is_mouse: bool, is_lifted_before: bool
) -> None:
    """The entry waits for a second person, while seat 3 is asked; he agrees within a second, and seat 1 is asked.

    Seat 3's buttons had stood for that second, and the buttons of seat 1 were locked for 20 s.
    """
    screen = open_screen(table, "", 800, 480)
    about_to_take_back(screen)
    finger = Finger(screen, is_mouse=is_mouse)
    finger.down("#b-do")
    screen.page.locator("#b-agree-correct-entry").wait_for()
    if is_lifted_before:
        finger.up()
    agrees(table)
    screen.page.locator("#b-stand-1.covered").wait_for()
    if not is_lifted_before:
        finger.up()
    expect(screen.page.locator("#b-stand-1")).not_to_contain_class("covered", timeout=FREE_MS)
    screen.tap("stand-1")
    assert screen.sent[-1] == "act:stand-1"


def test_a_button_that_came_under_a_finger_locks_nothing_once_the_finger_is_lifted(
    open_screen: OpenScreen, table: Painted
) -> None:
    """The finger stays down long after its act: what it could not have been on its way to is no reason for a lock."""
    screen = open_screen(table, "", 800, 480)
    about_to_take_back(screen)
    finger = Finger(screen, is_mouse=False)
    finger.down("#b-do")
    screen.page.locator("#b-agree-correct-entry").wait_for()
    screen.page.wait_for_timeout(2 * FREE_MS)
    agrees(table)
    screen.page.locator("#b-stand-1.covered").wait_for()
    finger.up()
    expect(screen.page.locator("#b-stand-1")).not_to_contain_class("covered", timeout=FREE_MS)


def test_a_finger_is_lifted_where_its_button_is_gone(open_screen: OpenScreen, table: Painted) -> None:
    screen = open_screen(table, "", 800, 480)
    about_to_take_back(screen)
    finger = Finger(screen, is_mouse=False)
    finger.down("#b-do")
    screen.page.locator("#b-agree-correct-entry").wait_for()
    screen.page.evaluate("() => document.querySelectorAll('#sheet, #b-do').forEach((one) => one.remove())")
    screen.page.wait_for_timeout(2 * FREE_MS)
    agrees(table)
    screen.page.locator("#b-stand-1.covered").wait_for()
    finger.up()
    expect(screen.page.locator("#b-stand-1")).not_to_contain_class("covered", timeout=FREE_MS)
