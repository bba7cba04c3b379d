"""The decisions of a seat stand below it, and stay there when another seat's is taken, or when a touch is refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from controller.catalogue import Language
from controller.panel.browsers import Browser
from controller.panel.moment import Moment
from controller.panel.offers import beside
from tests.daemon.rig import DEALER
from tests.panel.conftest import OpenScreen
from tests.panel.dealt import Dealt
from tests.panel.followed import page_of
from tests.panel.paper import SIZES, is_of
from tests.panel.tables import Painted
from tests.panel.test_hands_at_the_screen import press

pytestmark = pytest.mark.waits

BOXES = """(page) => {
  document.getElementById('main').outerHTML = page;
  const rolls = window.innerWidth < 561, round = (one) => { const box = one.getBoundingClientRect();
    return [box.left, rolls ? 0 : box.top, box.right].map(Math.round); };
  const named = (what) => [...document.querySelectorAll(what)].map((one) => [one.id, round(one)]);
  return Object.fromEntries(named('.seat, .at-seats button'));
}"""
"""A script for the places of seats and decisions; without their heights on a telephone, whose whole page rolls."""

CUT = """(pages) => pages.flatMap((page) => {
  document.getElementById('main').outerHTML = page;
  const isCut = (one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1;
  return [...document.querySelectorAll('.at-seats button, .marks button')].filter(isCut).map((one) => one.id);
})"""


def insuring() -> Dealt:
    """Seven hands against an ace; seat 4 has a blackjack, and seat 6 a second player."""
    dealt = Dealt(minimum_bet="10", maximum_bet="200")
    dealt.cards = ["7S", "3C", "QH", "AH", "8D", "3S", "JH", "AS", "3D", "2C", "6D", "KD", "8S", "9C", "10S"]
    for seat in range(1, 8):
        assert dealt.ask("place-bet", {"seat": str(seat), "amount": "10"}) == ""
    assert dealt.ask("place-bet", {"seat": "6", "bettor": "8", "amount": "10", "consent": "yes"}) == ""
    assert dealt.ask("announce-no-more-bets", {}) == ""
    return dealt


def about(dealt: Dealt) -> Moment:
    return Moment(dealt.status, True, (), frozenset({"dealer"}), faces=tuple(dealt.hands))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_no_decision_moves_when_another_seat_has_taken_its_own(paper: Page, size: tuple[int, int, str]) -> None:
    """A croupier went from left to right and insured seat 6 at the place where seat 5 had stood."""
    dealt = insuring()
    is_of(paper, size)
    first = paper.evaluate(BOXES, page_of(about(dealt), Browser(Language.EN)))
    assert {"b-insure-2", "b-insure-4", "b-take-even-money-4", "b-insure-6"} <= first.keys()
    for name, (left, _top, right) in first.items():
        seat = name.removeprefix("b-take-even-money-").removeprefix("b-insure-").partition("-")[0]
        if name.startswith("b-"):
            assert first[f"seat-{seat}"][0] - 1 <= left < right <= first[f"seat-{seat}"][2] + 1, name
    for taken in ("insure-2", "take-even-money-4", "insure-6"):
        press(dealt, taken)
        now = paper.evaluate(BOXES, page_of(about(dealt), Browser(Language.EN)))
        assert {one: box for one, box in now.items() if first.setdefault(one, box) != box} == {}, taken


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_words_at_a_seat_are_whole(paper: Page, size: tuple[int, int, str]) -> None:
    is_of(paper, size)
    for language in Language:
        pages = [page_of(about(insuring()), Browser(language))]
        assert (language.value, paper.evaluate(CUT, pages)) == (language.value, [])


def test_a_decision_of_another_hand_stands_at_its_seat_alone() -> None:
    page = page_of(about(insuring()), Browser(Language.EN))
    for one in beside(about(insuring())):
        assert page.count(f'id="b-{one.name}"') == 1, one.name


@pytest.fixture
def betting(tmp_path: Path) -> Iterator[Painted]:
    dealt = Dealt("mo-shoe")
    assert dealt.ask("place-bet", {"seat": "2", "amount": "10"}) == ""
    assert dealt.ask("place-side-bet", {"seat": "2", "bet": "any-pair", "amount": "10"}) == ""
    table = Painted(tmp_path / "hands", dealt)
    yield table
    table.end()


PLACES = """() => [...document.querySelectorAll('.seat, .marks button, .acts button')].map((one) => {
  const box = one.getBoundingClientRect();
  return [one.id, Math.round(box.left), Math.round(box.top)];
})"""


def test_a_refusal_moves_nothing_under_the_finger(open_screen: OpenScreen, betting: Painted) -> None:
    """The words pushed the seats down, and the next touch fell on another side bet."""
    screen = open_screen(betting, "", 800, 480)
    screen.tap("mark-side-back-any-pair-2")
    screen.sign_in(DEALER)
    screen.signed_in()
    screen.tap("mark-side-any-pair-2")
    screen.page.locator("#mark-side-back-any-pair-2").wait_for()
    before = screen.measured(PLACES)
    screen.tap("mark-side-sevens-2")
    screen.page.locator("#said.refused").wait_for()
    assert screen.measured(PLACES) == before
    assert screen.hides("#said") == []
