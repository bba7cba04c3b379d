"""While the bets of a round are laid, every chip and every seat stays where it was, from the first touch on."""

from collections.abc import Callable, Iterator, Mapping

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page

from controller.catalogue import Language
from controller.panel.browsers import Browser
from controller.panel.moment import Moment, Place
from tests.panel.dealt import Dealt
from tests.panel.followed import page_of
from tests.panel.paper import SIZES, is_of

pytestmark = pytest.mark.waits

CHOSEN = 5
TABLES: Mapping[str, Callable[[], Dealt]] = {
    "plain": Dealt,
    "jackpot": lambda: Dealt(jackpot="manual"),
    "side bets": lambda: Dealt("mo-shoe"),
}
BEFORE = {(2, 2): 4000, (6, 6): 1000}
TOUCHES: tuple[tuple[Mapping[Place, int], Mapping[Place, int]], ...] = (
    ({}, BEFORE),
    ({(CHOSEN, CHOSEN): 1000}, BEFORE),
    ({(CHOSEN, CHOSEN): 6000, (2, 2): 3000}, {(6, 6): 1000}),
    ({(CHOSEN, CHOSEN): 6000, (2, 2): 3000, (6, 6): 5000, (1, 1): 1000}, {}),
)
"""The stakes, and the last round's stakes at the seats without a touch so far, after each touch of a round."""

BOXES = """(pages) => pages.map((page) => {
  document.getElementById('main').outerHTML = page;
  const one = (id) => { const box = document.getElementById(id).getBoundingClientRect();
    return [id, Math.round(box.left), Math.round(box.top)]; };
  const places = [...document.querySelectorAll('.seat, .strip-of-chips button')].map((button) => button.id);
  return places.map(one);
})"""


def evening(dealt: Dealt) -> Iterator[Moment]:
    """The moments of one round's bets, while the chips go to one seat."""
    pool = dealt.status.jackpot
    for stakes, kept in TOUCHES:
        chips = [seat for seat, _bettor in stakes]
        shown = dealt.status if pool is None else replace(dealt.status, jackpot=replace(pool, chips=chips))
        yield Moment(shown, True, (), frozenset({"dealer"}), stakes=dict(stakes), kept=dict(kept), seat=CHOSEN)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("table", TABLES)
def test_no_chip_and_no_seat_moves_while_bets_are_laid(paper: Page, table: str, size: tuple[int, int, str]) -> None:
    moments = tuple(evening(TABLES[table]()))
    is_of(paper, size)
    for language in Language:
        first, *later = paper.evaluate(BOXES, [page_of(one, Browser(language)) for one in moments])
        for number, found in enumerate(later, 1):
            moved = [(one, now) for one, now in zip(first, found, strict=False) if one != now]
            assert (language.value, number, moved) == (language.value, number, [])


CUT = """(pages) => pages.flatMap((page) => {
  document.getElementById('main').outerHTML = page;
  const isCut = (one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1;
  return [...document.querySelectorAll('.acts button')].filter(isCut).map((one) => one.id);
})"""


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_buttons_that_lay_the_bets_have_all_their_words(paper: Page, size: tuple[int, int, str]) -> None:
    is_of(paper, size)
    for language in Language:
        pages = [page_of(one, Browser(language)) for one in evening(TABLES["jackpot"]())]
        assert (language.value, paper.evaluate(CUT, pages)) == (language.value, [])
