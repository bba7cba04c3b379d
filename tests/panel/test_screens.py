"""Screens before anybody plays: small ones, keys alone, poor sight, wrong PINs, a controller that is gone."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.panel.evening import Evening
from tests.panel.hands import DEALER
from tests.panel.screen import Screen

SERIOUS = {"serious", "critical"}


@pytest.mark.parametrize(("width", "height"), [(320, 640), (1280, 720)])
@pytest.mark.parametrize("view", ["", "chief", "devices", "record"])
def test_every_view_fits_its_screen_and_says_simulated(
    open_screen: Callable[..., Screen], view: str, width: int, height: int
) -> None:
    screen = open_screen(view, width, height)
    screen.sees("CLOSED")
    expect(screen.page.locator(".simulated")).to_have_text("SIMULATED")
    wide = screen.page.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= width
    found = Axe().run(screen.page).response["violations"]
    assert [one["id"] for one in found if one["impact"] in SERIOUS] == []


def test_keys_alone_open_the_pad_and_leave_it(open_screen: Callable[..., Screen]) -> None:
    screen = open_screen()
    screen.sees("CLOSED")
    screen.page.locator("html:not(.fresh)").wait_for()
    screen.page.locator("#b-open-session").focus()
    screen.page.keyboard.press("Enter")
    screen.page.locator("#pad").wait_for()
    screen.page.keyboard.type("12")
    screen.page.keyboard.press("Enter")
    screen.page.locator('#asks-pin[data-person="12"]').wait_for(state="attached")
    screen.page.keyboard.press("Escape")
    screen.signed_in()
    screen.sees("CLOSED")


def test_a_wrong_pin_waits_and_nothing_is_done(open_screen: Callable[..., Screen]) -> None:
    screen = open_screen()
    screen.tap("open-session")
    screen.sign_in(DEALER, "000000")
    expect(screen.page.locator("#pad .trouble")).to_contain_text("wrong")
    expect(screen.page.locator("#pad .dots")).to_have_text("")
    screen.sees("CLOSED")


def test_a_controller_that_is_killed_greys_the_page_and_comes_back(
    open_screen: Callable[..., Screen], evening: Evening
) -> None:
    screen = open_screen()
    screen.sees("CLOSED")
    began_s = time.monotonic()
    os.kill(controller_of(evening), signal.SIGKILL)
    screen.page.locator("#main.lost, #main.stale").wait_for()
    greyed_s = time.monotonic() - began_s
    assert screen.page.locator("#acts").count() == 0 or "stale" in (
        screen.page.locator("#main").get_attribute("class") or ""
    )
    screen.page.locator("#b-open-session").wait_for(timeout=60_000)
    screen.sees("CLOSED")
    assert greyed_s < 1.0 + SLOW_MACHINE_S


SLOW_MACHINE_S = 1.0


def controller_of(evening: Evening) -> int:
    """The process number of the demo's controller."""
    children = Path(f"/proc/{evening.process.pid}/task/{evening.process.pid}/children").read_text().split()
    return next(int(pid) for pid in children if b"run\0" in Path(f"/proc/{pid}/cmdline").read_bytes())
