"""Buttons keep their places, have a finger's size, and ignore a second tap."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.daemon.rig import CHIEF, DEALER
from tests.drawn import every
from tests.panel.conftest import OpenScreen
from tests.panel.dealt import Dealt
from tests.panel.desk import status
from tests.panel.screen import SCREENS_AT_THE_TABLE, Screen
from tests.panel.tables import Closed, Painted
from tests.panel.test_hands_at_the_screen import LOST, press

pytestmark = pytest.mark.waits

SMALLEST = (800, 480, "10in")
SCREENS = (*SCREENS_AT_THE_TABLE, SMALLEST)
LANGUAGES = ("pt", "zh-Hant", "en")
CHIEF_CAME = (CHIEF, "chief_supervisor")
PLACE = """(one) => { const box = document.querySelector(one).getBoundingClientRect();
  return [box.left, box.top, box.width, box.height].map(Math.round); }"""


@pytest.fixture
def numbering(tmp_path: Path) -> Iterator[Painted]:
    table = Painted(tmp_path / "numbering", status("opened", "number-deck-set"), CHIEF_CAME)
    yield table
    table.end()


@pytest.fixture
def hands(tmp_path: Path) -> Iterator[Painted]:
    table = Painted(tmp_path / "hands", Dealt())
    yield table
    table.end()


def place(screen: Screen, what: str) -> list[int]:
    found: list[int] = screen.measured(PLACE, what)
    return found


def languages(screen: Screen) -> Iterator[str]:
    """Sets the page to each language in turn, by day to one that is drawn; yields the language."""
    for language in every(LANGUAGES, len(LANGUAGES)):
        screen.speak(language)
        yield language


def test_a_second_tap_at_one_place_closes_no_form(open_screen: OpenScreen, numbering: Painted) -> None:
    """A second tap falls on the opened page's way back, in the same place, which accepts taps only a moment later."""
    screen = open_screen(numbering, "", 1024, 600)
    screen.tap("number-deck-set")
    screen.tap("close")
    screen.page.locator("#b-number-deck-set").wait_for()
    screen.page.locator("html:not(.fresh)").wait_for()
    left, top, _width, height = place(screen, "#b-number-deck-set")
    at = (left + 20, top + height / 2)
    screen.page.touchscreen.tap(*at)
    screen.page.locator("#d-deck_set-1").wait_for()
    screen.page.locator("html:not(.fresh)").wait_for()
    screen.page.touchscreen.tap(*at)
    screen.tap("d-deck_set-1")
    expect(screen.page.locator("#o-deck_set")).to_have_text("1")
    screen.tap("close")
    screen.page.locator("#b-number-deck-set").wait_for()


def test_the_keys_of_the_pad_stand_where_they_stood_whatever_is_asked(
    open_screen: OpenScreen, numbering: Painted
) -> None:
    screen = open_screen(numbering)
    for size in every(SCREENS, 2):
        screen.page.goto(numbering.url)
        screen.is_of(size)
        screen.tap("number-deck-set")
        screen.tap("d-deck_set-1")
        screen.tap("do")
        screen.page.locator("#pad").wait_for()
        before = place(screen, "#pad .keys")
        for words in ("#pad-title", "#pad .reason", "#pad .each-time", "#pad .trouble"):
            screen.page.evaluate(LONG, words)
        assert (size, place(screen, "#pad .keys")) == (size, before)
        screen.page.locator('#pad [data-key="back"]').tap()
        screen.signed_in()
        screen.tap("close")


LONG = "(one) => { document.querySelector(one).textContent = 'You are signed in here for something else. '.repeat(2); }"


def test_what_comes_next_keeps_its_place_whether_or_not_a_hand_is_out(open_screen: OpenScreen, hands: Painted) -> None:
    dealt = hands.shown
    assert isinstance(dealt, Dealt)
    dealt.cards = ["6D", "10C", "9H", "6C", "KC", "7D", "KD"]
    press(dealt, "bets-laid", {(2, 2): 5000, (4, 4): 2000})
    press(dealt, "draw-card-2")
    screen = open_screen(hands, "", 1024, 600)
    screen.tap("stand-4")
    screen.sign_in(DEALER)
    screen.page.locator("#b-turn-hole-card").wait_for()
    before = place(screen, "#b-turn-hole-card")
    screen.tap("collect-hand-2")
    screen.page.locator("#b-collect-hand-2").wait_for(state="detached")
    after = place(screen, "#b-turn-hole-card")
    assert (before[:2], before[3]) == (after[:2], after[3])


def test_a_touch_on_a_seat_in_play_does_nothing_and_says_why(open_screen: OpenScreen, hands: Painted) -> None:
    """The touch did nothing, and the page said nothing."""
    dealt = hands.shown
    assert isinstance(dealt, Dealt)
    dealt.cards = ["6D", "10C", "9H", "6C", "KC", "7D", "KD"]
    press(dealt, "bets-laid", {(2, 2): 5000, (4, 4): 2000})
    screen = open_screen(hands, "", *SMALLEST[:2])
    for seat, told in (("4", "Seat 4: nothing was done."), ("0", "Bank: nothing was done."), ("1", "Seat 1: nothing")):
        screen.page.locator(f"#seat-{seat}").tap()
        expect(screen.page.locator("#said")).to_contain_text(told)
        expect(screen.page.locator("#said")).to_contain_text("Possible now: Seat 2, dealer: ")
    assert "act:" not in "".join(screen.sent)


def test_results_at_the_seats_are_whole_and_no_table_is_cut(open_screen: OpenScreen, hands: Painted) -> None:
    dealt = hands.shown
    assert isinstance(dealt, Dealt)
    dealt.cards, dealt.lays_back = ["8S", "10C", "9H", "8H", "KC", "KD", "10S", "2D", "KS"], False
    press(dealt, "bets-laid", {(2, 2): 5000, (4, 4): 2000})
    screen = open_screen(hands)
    screen.tap("split-pair-2")
    screen.sign_in(DEALER)
    screen.signed_in()
    for name in ("draw-card-2", "stand-2", "draw-card-2-2", "draw-card-2-2"):
        screen.tap(name)
    for size in SCREENS:
        screen.is_of(size)
        assert (size, screen.hides(".one.asked, .one.asked *", "#middle")) == (size, [])
    for name in ("stand-2-2", "stand-4", "turn-hole-card"):
        screen.tap(name)
    screen.sees("PAY")
    fits_at_the_seats(screen)
    screen.tap("settled-collected")
    screen.sees("COMPLAINTS?")
    fits_at_the_seats(screen)
    for language in languages(screen):
        for size in SCREENS:
            screen.is_of(size)
            assert (language, size, screen.measured(LOST)) == (language, size, [])


def fits_at_the_seats(screen: Screen) -> None:
    for size in SCREENS:
        screen.is_of(size)
        assert (size, screen.hides(".seat .brings", "#middle")) == (size, [])
        if screen.page.locator("#money").is_visible():
            assert (size, screen.hides("#money caption, #money thead, #money tr", "#middle")) == (size, [])


@pytest.mark.drawn(2)
@pytest.mark.parametrize(
    ("session", "acts"),
    [
        ("mixed", ("begin-loading",)),
        ("loading", ("open-packet",)),
        ("unloading", ("complete-unloading",)),
        ("checking", ("confirm-deck-check", "enter-grid")),
    ],
)
def test_words_at_the_bottom_fit_their_buttons(
    open_screen: OpenScreen, tmp_path: Path, session: str, acts: tuple[str, ...]
) -> None:
    """The words of each button at the bottom leave room at the button's edges."""
    table = Painted(tmp_path / "table", status(session, "sign-in", *acts, who=("dealer",)))
    try:
        screen = open_screen(table)
        for language in languages(screen):
            for size in SCREENS:
                screen.is_of(size)
                assert (language, size, screen.measured(LOST)) == (language, size, [])
                beside = screen.measured(BESIDE)
                assert beside >= LEAST_BESIDE, (language, size)
    finally:
        table.end()


LEAST_BESIDE = 4
BESIDE = """() => Math.min(...[...document.querySelectorAll('.acts button')].map((button) => {
  const words = document.createRange(), box = button.getBoundingClientRect();
  words.selectNodeContents(button);
  const found = words.getBoundingClientRect();
  return Math.min(found.left - box.left, box.right - found.right);
}))"""
"""A script for the least distance in pixels between a button's words and the button's edge."""


def test_a_page_that_goes_on_below_the_bar_says_so_until_its_end_is_in_sight(
    open_screen: OpenScreen, hands: Painted
) -> None:
    screen = open_screen(hands, "", *SMALLEST[:2])
    screen.tap("more")
    screen.page.locator("#main.goes-on #b-why").wait_for(state="attached")
    screen.page.evaluate("() => { const middle = document.getElementById('middle'); middle.scrollTop = 99999; }")
    expect(screen.page.locator("#main.goes-on")).to_have_count(0)


def test_no_button_of_any_view_lies_beside_the_smallest_screen(open_screen: OpenScreen, closed: Closed) -> None:
    screen = open_screen(closed, "", *SMALLEST[:2])
    for view in ("", "chief", "devices", "record"):
        screen.page.goto(closed.url + view)
        screen.sees("CLOSED")
        assert (view, screen.measured(BEYOND)) == (view, [])


BEYOND = """() => [...document.querySelectorAll('button')].filter((button) => button.getClientRects().length
  && button.getBoundingClientRect().right > innerWidth).map((button) => button.id)"""
