"""The table may change while a finger is on its way to a button: no act is done that the person has not seen."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Route, expect

from controller.core.words import JamPlace
from controller.panel.gone import shown_of
from controller.panel.moment import Moment
from controller.panel.offers import offer_of
from tests.daemon.rig import DEALER
from tests.night import IS_NIGHT
from tests.panel.conftest import OpenScreen
from tests.panel.dealt import Dealt, Served
from tests.panel.desk import DEALER as AT_DESK
from tests.panel.desk import Desk, Staffed, run, status, table_of
from tests.panel.screen import Screen
from tests.panel.tables import Painted
from tests.panel.test_hands_at_the_screen import names, press
from tests.waiting import wait_for

pytestmark = pytest.mark.waits

TOUCHES = 4000 if IS_NIGHT else 40
"""The number of touches. By night they take about an hour, since each with its answer takes most of a second."""


TOUCHES_IN_A_HOLD = 10
"""The number of touches at a held table, whose dealer cannot end the hold alone. Then another table is in play."""


class Seen(NamedTuple):
    """A button as a person saw it, with the place of its middle."""

    shown: str
    left: float
    top: float


@pytest.fixture
def offering(tmp_path: Path) -> Iterator[Painted]:
    """A panel of a table whose machine presents cards by itself; each card comes at the test's call."""
    dealt = Dealt(delivery="offers")
    table = Painted(tmp_path / "table", dealt)
    yield table
    table.end()


@pytest.fixture
def asking(tmp_path: Path) -> Iterator[Painted]:
    """A panel of a table whose dealer asks for each card; the card comes at the test's call."""
    table = Painted(tmp_path / "table", Dealt())
    yield table
    table.end()


@pytest.fixture
def staffed(tmp_path: Path) -> Iterator[Staffed]:
    with table_of(tmp_path) as found:
        yield found


def served(table: Painted) -> tuple[Dealt, Served]:
    assert isinstance(table.shown, Dealt)
    assert isinstance(table.table, Served)
    return table.shown, table.table


def buttons(screen: Screen) -> list[Seen]:
    """The buttons that record something, and accept a touch."""
    return [Seen(*found) for found in screen.page.evaluate(SEEN)]


SEEN = """() => [...document.querySelectorAll('button[data-shown]:not([disabled])')].map((one) => {
  const box = one.getBoundingClientRect();
  return [one.dataset.shown, box.left + box.width / 2, box.top + box.height / 2];
})"""


def has_stood(screen: Screen) -> None:
    """Moves the page's clock on, as if a person had looked at its buttons: a button locks for as long as it stood."""
    screen.page.evaluate(GOES_ON, STOOD_MS)
    screen.page.locator("#main:not(.stale)").wait_for()


GOES_ON = """(by) => {
  window.clock ??= { now: performance.now.bind(performance), by: 0 };
  window.clock.by += by;
  performance.now = () => window.clock.now() + window.clock.by;
  return new Promise((go) => setTimeout(go, 150));
}"""


def signed_in(screen: Screen) -> None:
    screen.tap("bets-laid")
    screen.sign_in(DEALER)
    screen.signed_in()


def test_the_first_touch_on_what_came_without_one_does_nothing(open_screen: OpenScreen, offering: Painted) -> None:
    """Hand 2 goes beyond 21 while the finger is on its way to STAND: without this rule hand 4 would stand."""
    dealt, table = served(offering)
    dealt.cards = ["10S", "10H", "7C", "6S", "7H", "3C"]
    screen = open_screen(offering)
    for seat in (2, 4):
        screen.tap(f"seat-{seat}")
        screen.tap("chip-1000")
    signed_in(screen)
    screen.page.locator("#b-double-down-2, #b-surrender-2").first.wait_for()
    table.happens(dealt.draw)
    screen.page.locator("#b-stand-2").wait_for()
    has_stood(screen)
    screen.page.touchscreen.tap(*BESIDE)  # however soon the fact comes after a touch, it is not the touch's result
    dealt.cards = ["KS", "2D"]
    while "stand-4" not in names(dealt):
        table.happens(dealt.draw)
    covered = screen.page.locator("#b-stand-4.covered")
    covered.wait_for()
    asked = list(table.asked)
    screen.page.locator("html:not(.fresh)").wait_for()
    screen.page.evaluate(KEEPS_WORDS)
    screen.page.locator("#b-stand-4").tap()
    expect(screen.page.locator("#b-stand-4:not(.covered)")).to_be_visible()
    assert table.asked == asked
    assert screen.page.evaluate("() => window.words") == ["b-stand-4: Not pressed: just changed"]
    screen.tap("stand-4")
    wait_for(lambda: table.asked[len(asked) :] == [("stand", {"seat": "4"})], lambda: table.asked)


KEEPS_WORDS = """() => {
  window.words = [];
  const keeps = (found) => found.filter((one) => one.target.dataset.said).forEach((one) => {
    window.words.push(`${one.target.id}: ${one.target.dataset.said}`);
  });
  new MutationObserver(keeps).observe(document, { subtree: true, attributeFilter: ["data-said"] });
}"""
"""A script that keeps what a button says over its own words, and for which touch."""

BESIDE = (640, 20)
"""A place without a button, in the banner."""


@pytest.mark.timeout(3 * 3600 if IS_NIGHT else 300)
def test_fingers_at_random_do_nothing_that_they_did_not_see(open_screen: OpenScreen, asking: Painted) -> None:
    dealt, table = served(asking)
    rng, done, held, tables = random.Random(7), 0, 0, 1  # noqa: S311
    screen = open_screen(asking)
    screen.tap("seat-2")
    screen.tap("chip-1000")
    signed_in(screen)
    dealt.waits = True
    for _touch in range(TOUCHES):
        shows_the_table(screen, table)
        has_stood(screen)
        seen = buttons(screen)
        for _fact in range(rng.choice((0, 1, 1, 3))):
            table.happens(dealt.fact)
        screen.page.wait_for_timeout(rng.choice((0, 100, 800)))
        before = len(table.asked)
        aim = rng.choice(seen) if seen else Seen("", 400, 300)
        screen.page.touchscreen.tap(aim.left, aim.top)
        screen.is_up_to_date()
        for act, values in table.asked[before:]:
            assert (act, tuple(sorted(values.items()))) in steps_of(aim.shown)
        done += len(table.asked) > before
        held = held + 1 if dealt.player.state.house.holds else 0
        if held > TOUCHES_IN_A_HOLD:
            table.happens(dealt.begin_again)
            held, tables = 0, tables + 1
        _lay_again(screen, dealt)
    print("acts", done, "of", TOUCHES, "touches at", tables, "tables")
    assert done > TOUCHES // 8


def shows_the_table(screen: Screen, table: Served) -> None:
    """Waits for the page after the table's last change, which shows everything that the last touch has done."""
    screen.is_up_to_date()
    screen.page.locator(f'#number[data-entry="{table.entry}"]').wait_for(state="attached")


SETTLES_MS = 250


def _lay_again(screen: Screen, dealt: Dealt) -> None:
    """Closes an open form with the browser's Back (changed facts may have closed the form already); lays a bet where
    the last round had none.
    """
    if screen.page.locator("#b-close").count():
        screen.page.evaluate("() => history.back()")
        screen.page.locator("#b-close").wait_for(state="detached")
        screen.is_up_to_date()
    if buttons(screen) or dealt.fact():
        return
    screen.page.wait_for_timeout(SETTLES_MS)
    if screen.page.locator("#seat-2[data-press='ui:seat']").count() and not buttons(
        screen
    ):  # no bets could be the same
        if not screen.page.locator("#chip-1000").count():
            screen.tap("seat-2")
        screen.tap("chip-1000")


def steps_of(shown: str) -> set[tuple[str, tuple[tuple[str, str], ...]]]:
    parts = (part.partition("?") for part in shown.split("|"))
    return {(act, tuple(sorted(parse_qsl(text, keep_blank_values=True)))) for act, _, text in parts}


@pytest.fixture
def insuring(asking: Painted) -> Painted:
    """A table with bets at three seats, whose bank's first card will be an ace."""
    dealt, _table = served(asking)
    dealt.cards = ["10S", "7C", "9S", "AD", "KC", "8D", "9D"]
    for seat in ("2", "4", "5"):
        assert dealt.ask("place-bet", {"seat": seat, "amount": "10"}) == ""
    return asking


def test_the_second_tap_of_a_double_tap_does_nothing_to_what_the_first_has_brought(
    open_screen: OpenScreen, insuring: Painted
) -> None:
    """The button of seat 5 once moved to the place of the button of seat 4; now each keeps the place below its seat."""
    dealt, table = served(insuring)
    dealt.ask("announce-no-more-bets", {})
    screen = open_screen(insuring)
    screen.tap("insure-2")
    screen.sign_in(DEALER)
    screen.page.locator("#b-insure-2").wait_for(state="detached")
    screen.page.evaluate(TAPS_ONCE_MORE, "b-insure-4")
    screen.tap("insure-4")
    screen.page.locator("html[data-tapped=nothing]").wait_for()
    screen.is_up_to_date()
    assert [values["seat"] for act, values in table.asked if act == "insure"] == ["2", "4"]


TAPS_ONCE_MORE = """(name) => {
  const { x, y, width, height } = document.getElementById(name).getBoundingClientRect();
  const at = { clientX: x + width / 2, clientY: y + height / 2, isPrimary: true, bubbles: true };
  const tapAgain = (_changes, watcher) => {
    if (document.getElementById(name)) return;
    watcher.disconnect();
    const there = document.elementFromPoint(at.clientX, at.clientY);
    ["pointerdown", "pointerup"].forEach((kind) => there.dispatchEvent(new PointerEvent(kind, at)));
    document.documentElement.dataset.tapped = (there.closest("button") || { id: "nothing" }).id;
  };
  new MutationObserver(tapAgain).observe(document.getElementById("main"), { childList: true, subtree: true });
}"""
"""A script that taps the place of a button as soon as the button is gone, as the second tap of a double tap does."""


def test_where_the_table_closes_a_form_its_finger_presses_no_button_that_lay_under_it(
    open_screen: OpenScreen, insuring: Painted
) -> None:
    dealt, table = served(insuring)
    screen = open_screen(insuring)
    screen.tap("seat-2")
    screen.tap("place-bet")
    screen.sign_in(DEALER)
    screen.page.locator("#sheet").wait_for()
    table.asked.clear()
    table.happens(lambda: dealt.ask("announce-no-more-bets", {}))
    screen.page.locator("#b-insure-5.covered").tap()
    expect(screen.page.locator("#b-insure-5:not(.covered)")).to_be_visible()
    assert table.asked == []
    screen.tap("insure-5")
    wait_for(lambda: table.asked == [("insure", {"seat": "5", "amount": "5.00"})], lambda: table.asked)


def test_what_comes_to_the_place_of_a_button_that_records_nothing_takes_no_first_touch(
    open_screen: OpenScreen, insuring: Painted
) -> None:
    """A finger on its way to a chip would insure a hand."""
    dealt, table = served(insuring)
    assert dealt.ask("place-bet", {"seat": "3", "amount": "10"}) == ""
    dealt.cards = ["10S", "7C", "9S", "6C", "AD", "KC", "8D", "9D", "5D"]
    screen = open_screen(insuring)
    screen.tap("seat-2")
    screen.page.locator("#chip-1000").wait_for()
    chips, acts = (screen.measured(BOXES, what) for what in ("[data-press='ui:chip']", "[data-shown]"))
    table.happens(lambda: dealt.ask("announce-no-more-bets", {}))
    screen.page.locator("#b-insure-3.covered").wait_for()
    (box,) = screen.measured(BOXES, "#b-insure-3")
    assert any(_meets(one, box) for one in chips)
    assert not any(_meets(one, box) for one in acts)


BOXES = """(what) => [...document.querySelectorAll(what)].map((one) => {
  const box = one.getBoundingClientRect();
  return [box.left, box.top, box.right, box.bottom];
})"""


def _meets(one: list[float], other: list[float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_a_button_that_first_asks_for_a_pin_waits_only_for_a_finger_on_its_way(
    open_screen: OpenScreen, insuring: Painted
) -> None:
    """At a jam, TAKE CHARGE stands where the lists stood: it was locked for 20 s, though its touch opens the pad."""
    dealt, table = served(insuring)
    dealt.ask("announce-no-more-bets", {})
    screen = open_screen(insuring)
    screen.page.locator("#b-more").wait_for()
    table.happens(lambda: dealt.player.jam(JamPlace.MOUTH, 1))
    charge = screen.page.locator("#b-take-charge")
    charge.and_(screen.page.locator(".covered")).wait_for(state="attached")
    expect(charge).not_to_contain_class("covered", timeout=STOOD_MS / 2)
    screen.tap("take-charge")
    screen.page.locator("#pad").wait_for()


STOOD_MS = 20_000
"""The time for which a button that records something at once takes no first touch where another button stood."""


def test_a_press_whose_values_are_others_now_does_nothing_and_says_what_has_changed(staffed: Staffed) -> None:
    dealt = Dealt()
    dealt.cards = ["10S", "7C", "9S", "10D"]
    press(dealt, "bets-laid", {(2, 2): 1000})
    desk = Desk(staffed, dealt.status)
    before = desk.shown("act:stand-2")
    assert before.startswith("stand?seat=2")

    async def evening() -> tuple[str, str]:
        await desk.press("act:stand-2")
        await desk.comes(AT_DESK)
        staffed.asked.clear()
        other = await desk.press("act:stand-2", shown=before.replace("seat=2", "seat=4"))
        desk.status = status("in-play", who=("dealer",))
        return other.say, (await desk.press("act:stand-2", shown=before)).say

    assert run(evening()) == (
        "The table has gone on: STAND: Seat 4: − STAND; Seat 2: + STAND. Nothing was done: look again.",
        "The table has gone on: STAND is not offered any more. Nothing was done.",
    )
    assert staffed.asked == []


def test_a_seat_touched_as_the_bets_close_changes_no_bet_of_the_next_round(staffed: Staffed) -> None:
    """The touch was taken for the next round's bets, silently."""
    desk = Desk(staffed, status("in-play", "announce-no-more-bets", who=("dealer",), round="dealing"))
    told = [run(desk.press("ui:seat", "4")).say, run(desk.press("ui:chip", "1000")).say]
    assert told == ["The table has gone on: look again."] * 2
    assert (desk.browser.seats, desk.browser.seat, desk.browser.stakes) == (None, None, {})


def test_a_press_shows_every_value_that_its_button_showed() -> None:
    dealt = Dealt()
    dealt.cards = ["10S", "7C", "9S", "10D"]
    press(dealt, "bets-laid", {(2, 2): 1000})
    for name in ("stand-2", "turn-hole-card"):
        press(dealt, name)
    about = Moment(dealt.status, True, (), frozenset({"dealer"}))
    offer = offer_of(about, "settled-collected")
    assert offer is not None
    assert next(one.amount for one in about.amounts).strip("+-") in shown_of(offer)


@pytest.mark.parametrize(("stands", "asked"), [(True, [("open-session", {})]), (False, [])])
def test_a_page_that_is_a_moment_behind_asks_again_for_what_its_button_still_shows(
    staffed: Staffed, stands: bool, asked: list[tuple[str, dict[str, str]]]
) -> None:
    """The controller refuses an act for an earlier scene; the panel asks again where the button is unchanged."""
    desk = Desk(staffed, status("closed", "open-session", who=("dealer",)))
    after = status("closed", *(("open-session",) if stands else ()), who=("dealer",), scene="later")

    def goes_on() -> None:
        desk.status = after

    async def evening() -> None:
        await desk.press("act:open-session")
        await desk.comes(AT_DESK)
        staffed.asked.clear()
        staffed.scene, staffed.on_elsewhere = "later", goes_on
        await desk.press("act:open-session")

    run(evening())
    assert staffed.asked == asked


def test_the_digits_of_a_pin_whose_act_is_over_fall_on_no_button(open_screen: OpenScreen, insuring: Painted) -> None:
    """Another screen insures hand 2 while the dealer types his PIN for it: his next digits once fell on the page."""
    dealt, table = served(insuring)
    dealt.ask("announce-no-more-bets", {})
    screen = open_screen(insuring, "", 800, 480)
    screen.tap("insure-2")
    screen.page.locator("#pad").wait_for()
    screen.page.locator("html:not(.fresh)").wait_for()
    keys = screen.measured(KEYS_OVER_BUTTONS)
    assert keys, "a key of the pad lies over a button"
    screen.page.evaluate(TYPES, [*keys[0], DIGIT_MS])
    table.happens(lambda: dealt.ask("insure", {"seat": "2", "amount": "5"}))
    screen.page.locator("#pad.over").wait_for()
    wait_for(lambda: screen.page.evaluate("typed.over") >= 6)
    expect(screen.page.locator("#pad .trouble")).to_contain_text("is not offered any more")
    expect(screen.page.locator("#pad .dots")).to_have_text("")
    screen.page.evaluate("clearInterval(typed.timer)")
    screen.signed_in()
    expect(screen.page.locator("#said")).to_contain_text("is not offered any more")
    assert table.asked == []
    assert screen.sent == ["act:insure-2"]


def test_a_closed_pad_stays_closed_for_a_page_that_was_made_before(open_screen: OpenScreen, insuring: Painted) -> None:
    """A card falls between the dealer's touch of the pad's back key and its answer: once the pad opened again."""
    dealt, table = served(insuring)
    dealt.ask("announce-no-more-bets", {})
    screen = open_screen(insuring)
    screen.tap("insure-2")
    screen.page.locator("#pad").wait_for()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    screen.page.route("**/press", hold)
    with screen.page.expect_request("**/press"):
        screen.page.keyboard.press("Escape")
    table.happens(lambda: dealt.ask("insure", {"seat": "4", "amount": "5"}))
    screen.page.locator("#b-insure-4").wait_for(state="detached")
    assert screen.page.locator("#asks-pin").count() == 1
    assert screen.page.locator("#pad").is_hidden()
    assert screen.page.evaluate("document.activeElement.id") == "b-insure-2", "focus is where it was"
    held[0].continue_()
    screen.page.unroute("**/press")
    screen.page.locator("#asks-pin").wait_for(state="detached")
    screen.tap("insure-2")
    screen.page.locator("#pad").wait_for()


DIGIT_MS = 300
"""The time from digit to digit of a person who types."""

TYPES = """([x, y, each_ms]) => {
  const tap = () => {
    typed.over += !!document.querySelector('#pad.over');
    for (const kind of ['pointerdown', 'pointerup', 'click'])
      document.elementFromPoint(x, y).dispatchEvent(new PointerEvent(kind, { bubbles: true, clientX: x, clientY: y }));
  };
  window.typed = { over: 0, timer: 0 };
  typed.timer = setInterval(tap, each_ms);
}"""
"""A finger that taps by the page's own clock, so that no gap between its digits is the test's."""

KEYS_OVER_BUTTONS = """() => {
  const boxes = (what) => [...document.querySelectorAll(what)].map((one) => one.getBoundingClientRect());
  const { max, min } = Math, shared = (one, other) =>
    [max(one.left, other.left), max(one.top, other.top), min(one.right, other.right), min(one.bottom, other.bottom)];
  const acts = boxes('#main button[data-press]'), both = boxes('#pad .keys button').flatMap((key) =>
    acts.map((act) => shared(key, act)));
  return both.filter(([left, top, right, bottom]) => right - left > 4 && bottom - top > 4)
    .map(([left, top, right, bottom]) => [(left + right) / 2, (top + bottom) / 2]);
}"""
"""A script for places on keys of the pad below which a button of the page lies."""
