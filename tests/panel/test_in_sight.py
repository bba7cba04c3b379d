"""Fields with their keys, and hands of cards with their buttons, are in sight at every size of a table's screen."""

import pytest
from playwright.sync_api import Page

from controller.catalogue import Language
from controller.panel.browsers import Browser
from controller.panel.forms import pick
from controller.protocol.values import ValueKind
from tests.panel.followed import ROUNDS, SEEDS, looked_at, page_of
from tests.panel.paper import PHONE, SIZES, is_of
from tests.panel.test_sizes import opened

pytestmark = pytest.mark.waits

AT_A_TABLE = [one for one in SIZES if one != PHONE]
SPOKEN = (Language.EN, Language.PT)

TYPES = """(page) => {
  document.getElementById('main').outerHTML = page;
  const found = [], isOut = (one, frame) => {
    const box = one.getBoundingClientRect();
    return !box.width || box.bottom > frame.bottom + 1 || box.top < frame.top - 1;
  };
  for (const input of document.querySelectorAll('#sheet input')) {
    document.activeElement.blur();
    input.focus();
    const value = input.closest('.value'), middle = document.getElementById('middle');
    value.scrollIntoView({ block: value.offsetHeight > middle.clientHeight ? 'end' : 'nearest' }); // as panel.js does
    const frame = middle.getBoundingClientRect(), typed = [input, ...value.querySelectorAll('button')];
    found.push(...typed.filter((one) => isOut(one, frame)).map((one) => `${input.id} ${one.textContent}`));
  }
  return found;
}"""


@pytest.mark.parametrize("size", AT_A_TABLE, ids="{0[0]}x{0[1]}".format)
def test_a_touched_field_and_its_keys_are_in_sight(paper: Page, size: tuple[int, int, str]) -> None:
    is_of(paper, size)
    forms = looked_at(SEEDS, ROUNDS).forms
    for language in SPOKEN:
        pages = {" ".join(name): page_of(form.moment, opened(form, language)) for name, form in forms.items()}
        typed = {name: page for name, page in pages.items() if 'class="keyboard"' in page}
        assert any("record-complaint" in name for name in typed)
        wrong = {name: found for name, page in typed.items() if (found := paper.evaluate(TYPES, page))}
        assert wrong == {}


OUT = """(pages) => pages.map((page) => {
  document.getElementById('main').outerHTML = page;
  const edge = document.getElementById('acts').getBoundingClientRect().top;
  const split = [...document.querySelectorAll('.seat:has(.do):has(.one ~ .one)')];
  return split.flatMap((seat) => [...seat.querySelectorAll('.do, .one.asked')].filter((one) => {
    const box = one.getBoundingClientRect(), frame = seat.getBoundingClientRect();
    const isWide = one.scrollWidth > one.clientWidth + 1, isHigh = one.scrollHeight > one.clientHeight + 1;
    const isCut = one.matches('.do') && (isWide || isHigh || box.height > 60);
    return isCut || box.bottom > edge + 1 || box.bottom > frame.bottom + 1;
  }).map((one) => `${one.className} ${one.textContent.trim()}`.replace(/\\s+/g, ' ')));
})"""


@pytest.mark.parametrize("size", [one for one in AT_A_TABLE if one[2] == "10in"], ids="{0[0]}x{0[1]}".format)
def test_the_rack_of_a_split_hand_leaves_the_hand_in_turn_in_sight(paper: Page, size: tuple[int, int, str]) -> None:
    is_of(paper, size)
    pictures = looked_at(SEEDS, ROUNDS).pictures
    split = [one for one in pictures if one.moment.is_pair_separated and one.moment.hands_out]
    assert split
    for language in SPOKEN:
        pages = [page_of(one.moment, Browser(language)) for one in split]
        assert [found for found in paper.evaluate(OUT, pages) if found] == []
        assert any("Hand " in page or "Mão " in page for page in pages)


def test_a_number_that_may_stay_empty_says_what_it_means() -> None:
    """A player's number showed nothing between its steps, and a complaint's round was empty until it was touched."""
    forms = looked_at(SEEDS, ROUNDS).forms
    complaint = next(form for (_profile, act), form in forms.items() if act == "record-complaint")
    browser = opened(complaint, Language.EN)
    page = page_of(complaint.moment, browser)
    number = complaint.moment.status.round_number
    assert f'<output id="o-round">{number}</output>' in page
    assert 'class="presumed"' not in page
    assert browser.act is not None
    pick(browser, browser.act, "pick", "seat=3")
    assert 'id="c-bettor-3" class="presumed"' in page_of(complaint.moment, browser)
    pick(browser, browser.act, "pick", "bettor=8")
    page = page_of(complaint.moment, browser)
    assert 'id="c-bettor-8" class="on"' in page
    assert [name for name in ("8", "9", "10") if f'id="c-bettor-{name}"' in page] == ["8", "9"], "and the next free one"
    pick(browser, browser.act, "pick", "bettor=8")
    assert browser.picked["bettor"] == "", "a second touch empties it"
    assert {one.kind for one in browser.act.values if one.name == "bettor"} == {ValueKind.NUMBER}
