"""The panel before play: on small screens, by keys alone, with poor sight, after wrong PINs, without a controller."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Route, expect

from tests.daemon.rig import CHIEF, DEALER
from tests.panel.conftest import OpenScreen
from tests.panel.screen import SCREENS_AT_THE_TABLE, Screen
from tests.panel.tables import Closed
from tests.waiting import descendants, stopwatch

pytestmark = pytest.mark.waits

SERIOUS = {"serious", "critical"}


@pytest.mark.drawn(1)
@pytest.mark.parametrize(("width", "height"), [(320, 640), (1280, 720)])
def test_every_view_fits_its_screen_and_says_simulated(
    open_screen: OpenScreen, closed: Closed, width: int, height: int
) -> None:
    screen = open_screen(closed, "", width, height)
    for view in ("", "chief", "devices", "record"):
        screen.page.goto(closed.url + view)
        screen.sees("CLOSED")
        expect(screen.page.locator(".simulated")).to_have_text("SIMULATED")
        wide = screen.measured("() => document.documentElement.scrollWidth")
        assert wide <= width
        found = Axe().run(screen.page).response["violations"]
        assert [(view, one["id"]) for one in found if one["impact"] in SERIOUS] == []


def test_keys_alone_open_the_pad_and_leave_it(open_screen: OpenScreen, closed: Closed) -> None:
    screen = open_screen(closed)
    screen.sees("CLOSED")
    screen.page.locator("html:not(.fresh)").wait_for()
    screen.page.locator("#b-open-session").focus()
    screen.page.keyboard.press("Enter")
    screen.page.locator("#pad").wait_for()
    screen.page.keyboard.type(str(DEALER))
    screen.page.keyboard.press("Enter")
    screen.page.locator(f'#asks-pin[data-person="{DEALER}"]').wait_for(state="attached")
    for size in (*SCREENS_AT_THE_TABLE, (320, 640, "10in")):
        screen.is_of(size)
        assert (size, screen.hides("#pad h2, #pad button")) == (size, [])
    screen.page.locator('#pad [data-key="other"]').tap()
    screen.page.locator('#asks-pin[data-person=""]').wait_for(state="attached")
    screen.page.keyboard.press("Escape")
    screen.signed_in()
    screen.sees("CLOSED")
    assert screen.measured("() => document.activeElement.id") == "b-open-session", "focus is where it was"


def test_keys_alone_sign_in_read_and_sign_out(open_screen: OpenScreen, closed: Closed) -> None:
    screen = open_screen(closed, "record")
    screen.page.locator("html:not(.fresh)").wait_for()
    by_keys(screen, "r-summary", "Enter")
    screen.page.locator("#pad").wait_for()
    screen.page.keyboard.type(str(CHIEF))
    screen.page.keyboard.press("Enter")
    screen.page.locator(f'#asks-pin[data-person="{CHIEF}"]').wait_for(state="attached")
    screen.page.keyboard.type(closed.pins[CHIEF])
    screen.page.keyboard.press("Enter")
    screen.page.locator("#record .summary").wait_for()
    by_keys(screen, "b-more", "Enter")
    screen.page.locator(f"#out-{CHIEF}").wait_for()
    by_keys(screen, f"out-{CHIEF}", " ")
    expect(screen.page.locator("#record")).to_have_count(0)


def by_keys(screen: Screen, button: str, key: str) -> None:
    """Moves to the button with the Tab key, and presses it with `key`."""
    for _step in range(MOST_TABS):
        screen.page.keyboard.press("Tab")
        if screen.page.evaluate("() => document.activeElement.id") == button:
            screen.page.locator("html:not(.fresh)").wait_for()
            screen.page.keyboard.press(key)
            return
    raise AssertionError(button)


MOST_TABS = 60


def test_a_wrong_pin_waits_and_nothing_is_done(open_screen: OpenScreen, closed: Closed) -> None:
    screen = open_screen(closed)
    screen.tap("open-session")
    screen.sign_in(DEALER, "000000")
    expect(screen.page.locator("#pad .trouble")).to_contain_text("wrong")
    screen.page.locator('#pad [data-key="1"]').tap()
    expect(screen.page.locator("#pad .trouble")).to_have_text("")  # the refusal was about the number before
    screen.page.locator('#pad [data-key="delete"]').tap()
    for _try in range(MOST_TRIES):  # each doubles the wait
        screen.page.locator('#asks-pin[data-person=""]').wait_for(state="attached")
        with screen.page.expect_response(lambda one: "pin=000000" in (one.request.post_data or "")) as told:
            screen.sign_in(DEALER, "000000")
        if told.value.json()["wait_ms"]:
            break
    expect(screen.page.locator("#pad .trouble")).to_have_text(re.compile(r" [0-9]+ s$"))
    expect(screen.page.locator("#pad .dots")).to_have_text("")
    screen.sees("CLOSED")


MOST_TRIES = 5


def test_somebody_of_another_post_opens_nothing(open_screen: OpenScreen, closed: Closed) -> None:
    screen = open_screen(closed)
    screen.tap("open-session")
    screen.sign_in(CHIEF)
    expect(screen.page.locator("#pad .trouble")).not_to_be_empty()
    screen.sees("CLOSED")


def test_what_was_offered_before_the_table_went_on_is_refused(open_screen: OpenScreen, closed: Closed) -> None:
    screen = open_screen(closed)
    screen.sees("CLOSED")

    def of_a_page_before(route: Route) -> None:
        """Changes the request into a press of a button that only another page has."""
        route.continue_(post_data=(route.request.post_data or "").replace("open-session", "turn-hole-card"))

    screen.page.route("**/press", of_a_page_before)
    screen.tap("open-session")
    screen.page.unroute("**/press")
    expect(screen.page.locator("#said")).to_contain_text("The table has gone on")
    expect(screen.page.locator("#pad")).to_be_hidden()


def test_an_evening_is_read_by_who_may_and_gone_when_he_goes(open_screen: OpenScreen, closed: Closed) -> None:
    screen = open_screen(closed, "record")
    screen.tap("r-summary")
    screen.sign_in(CHIEF)
    expect(screen.page.locator("#record .summary")).to_contain_text("Wrong PINs")
    screen.tap("r-check")
    expect(screen.page.locator("#record")).to_contain_text("Well:")
    screen.tap("more")
    screen.tap(f"out-{CHIEF}")
    screen.page.locator("#r-story").wait_for()
    expect(screen.page.locator("#record")).to_have_count(0)


GREYS_WITHIN_S = 1.0
SINCE_WHEN = re.compile("^0:(0[2-9]|[1-5][0-9])$")
KILLS = 3
"""The number of tries. The quickest one counts, since other work of the machine only adds to the time."""


def test_a_page_greys_without_controller_and_comes_back_from_another_panel_too(
    open_screen: OpenScreen, own_table: Closed
) -> None:
    screen = open_screen(own_table)
    for _kill in range(KILLS):
        screen.page.locator("#b-open-session").wait_for()
        took_s = stopwatch(*descendants())  # browser and panel too
        own_table.rig.kill()
        screen.page.locator("#main.lost, #main.stale").wait_for()
        greyed_s = took_s()
        screen.sees("NO CONTROLLER")
        expect(screen.page.locator(".why time")).to_have_text(
            re.compile("^0:(0[2-9]|[1-5][0-9])$")
        )  # with the time of the loss
        expect(screen.page.locator("#acts")).to_have_count(0)
        own_table.rig.start()
        screen.sees("CLOSED")
        if greyed_s < GREYS_WITHIN_S:
            break
    else:
        raise AssertionError(greyed_s)
    screen.page.evaluate("() => { document.documentElement.dataset.isOld = 'yes'; }")
    own_table.restart_panel()
    screen.page.locator("html:not([data-is-old])").wait_for(state="attached")
    screen.tap("open-session")
    screen.page.locator("#pad").wait_for()
    assert all("Failed to load resource" in one for one in screen.troubles)  # while no server answered
    screen.troubles.clear()
