"""Every page of every kind of table has its buttons, large enough and with all their words, at every screen size.

The pages and forms come from whole tables in virtual time, and are measured in a browser.
"""

import html
import re
from collections.abc import Iterator
from itertools import product

import pytest
from playwright.sync_api import Page

from controller.catalogue import Language, sentence
from controller.panel.browsers import Browser, View
from controller.panel.cloth import NUMBERS
from controller.panel.complete import first_grid
from controller.panel.forms import JUDGES
from controller.panel.pages import HERE
from tests.panel.followed import ROUNDS, SEEDS, Form, Looked, looked_at, page_of
from tests.panel.paper import PHONE, SIZES, is_of

pytestmark = pytest.mark.waits

CASES = {f"{one}-{size[0]}x{size[1]}": (one, size) for one, size in product(Language, SIZES)}
SHEETS = ("more", "report")

MEASURE = """([pages, least, mayScroll]) => pages.map((page) => {
  document.getElementById('main').outerHTML = page;
  document.querySelectorAll('#main .sr').forEach((one) => one.remove());
  const found = [], acts = document.getElementById('acts'), head = document.querySelector('h1');
  const edge = acts ? acts.getBoundingClientRect().top : innerHeight, words = document.createRange();
  const of = (box) => `${box.width | 0}x${box.height | 0}`;
  const say = (wrong, one, by) => found.push(`${wrong}: ${one.id || one.textContent.trim().slice(0, 30)} ${by}`);
  const isCut = (one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1;
  for (const one of document.querySelectorAll('#main :is(button, a[href], input)')) {
    const box = one.getBoundingClientRect();
    if (!one.getClientRects().length) continue;
    if (Math.min(box.width, box.height) < least - .1) say('small', one, of(box));
    if (box.left < -1 || box.right > innerWidth + 1) say('beside the screen', one, box.right | 0);
    words.selectNodeContents(one);
    const text = words.getBoundingClientRect(), isOut = text.width > box.width + 1 || text.height > box.height + 1;
    if (one.tagName === 'BUTTON' && (isOut || isCut(one))) say('cut', one, `${of(text)} in ${of(box)}`);
    const seen = Math.min(box.bottom, edge) - box.top, isInBar = one.closest('.acts');
    if (one.dataset.shown && !isInBar && !mayScroll && seen < least) say('below', one, seen | 0);
    if (isInBar && box.bottom > innerHeight + 1) say('below', one, innerHeight - box.bottom | 0);
  }
  if (head.scrollWidth > head.clientWidth + 1) say('cut', head, head.scrollWidth - head.clientWidth);
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) say('wide', document.body, scrollWidth);
  return found;
})"""

LEAST = 44
"""CSS pixels of a target's width and height (WCAG 2.2, 2.5.5)."""


def opened(form: Form, language: Language) -> Browser:
    act = form.acts[language]
    return Browser(language, sheet=f"act:{act.act}", act=act, grid=first_grid(form.moment, act))


def pages_of(looked: Looked, language: Language) -> Iterator[tuple[str, str]]:
    """Yields a name and the page for each picture, each form as it opens, each list of acts, and each other view."""
    for picture in looked.pictures:
        for view in (View.TABLE, View.CHIEF) if picture.moment.hold else (View.TABLE,):
            yield f"{view} {picture.shape}", page_of(picture.moment, Browser(language), view)
    listed: dict[str, list[Form]] = {}
    for (profile, act), form in looked.forms.items():
        listed.setdefault(profile, []).append(form)
        yield f"{profile} {act}", page_of(form.moment, opened(form, language))
    for profile, forms in listed.items():
        acts = tuple(form.acts[language] for form in forms)
        for sheet in SHEETS:
            yield f"{profile} {sheet}", page_of(forms[0].moment, Browser(language, sheet=sheet, acts=acts))
        for view in (View.DEVICES, View.RECORD):
            yield f"{profile} {view}", page_of(forms[-1].moment, Browser(language), view)


@pytest.mark.drawn(2)
@pytest.mark.parametrize(("language", "size"), CASES.values(), ids=CASES)
def test_every_target_is_large_enough_and_in_sight_and_its_words_are_whole(
    paper: Page, language: Language, size: tuple[int, int, str]
) -> None:
    names, pages = zip(*pages_of(looked_at(SEEDS, ROUNDS), language), strict=True)
    is_of(paper, size)
    measured = paper.evaluate(MEASURE, [pages, LEAST, size == PHONE])
    wrong: dict[str, str] = {}
    for name, found in zip(names, measured, strict=True):
        for one in found:
            wrong.setdefault(re.sub("[0-9]+", "#", one), f"{one} ({name})")
    assert not wrong, "\n".join(wrong.values())


PAD = """([title, reason, why, trouble]) => {
  const pad = document.getElementById('pad'), who = pad.querySelector('.who');
  pad.hidden = false;
  const put = { h2: title, '.reason': reason, '.each-time': why, '.dots': '••••••••', '.trouble': trouble };
  for (const [what, words] of Object.entries(put)) pad.querySelector(what).textContent = words;
  const read = [...pad.querySelectorAll('h2, .reason, .each-time, .dots, .trouble, .out button')];
  const shown = read.filter((one) => one.getClientRects().length), room = who.getBoundingClientRect();
  const keys = pad.querySelector('.keys').getBoundingClientRect();
  const isIn = (one, frame) => one.left >= frame.left - 1 && one.right <= frame.right + 1
    && one.top >= frame.top - 1 && one.bottom <= frame.bottom + 1;
  const frame = room.width ? room : { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const meets = (one) => one.right > keys.left + 1 && one.bottom > keys.top + 1 && one.top < keys.bottom - 1;
  const isCut = (one) => getComputedStyle(one).overflow === 'hidden' && one.scrollHeight > one.clientHeight + 3;
  return shown.filter((one) => {
    const box = one.getBoundingClientRect();
    return !isIn(box, frame) || meets(box) || isCut(one);
  }).map((one) => `${one.className || one.tagName}: ${one.textContent}`);
}"""
CHIEF = "21 (Maria do Céu Albuquerque)"


@pytest.mark.parametrize("size", SIZES, ids="{0[0]}x{0[1]}".format)
def test_the_pad_says_whole_for_what_and_whose_the_pin_is(paper: Page, size: tuple[int, int, str]) -> None:
    """The line that says how to give the credential was cut behind a long name and an act with its values."""
    is_of(paper, size)
    for language in Language:
        title = sentence("panel.pad.pin", {"person": f"{CHIEF}, {_say('role.chief_supervisor', language)}"}, language)
        act = _say("act.correct-entry.label", language)
        reason = f"{act} · 3. {_say('act.place-bet.label', language)}, 3: €20.00 · 30.00 · H12"
        for hint, trouble in product(HINTS, ("", _say("panel.said.no-number", language))):
            given = [title, reason, _say(f"panel.pad.{hint}", language), trouble]
            assert (language, paper.evaluate(PAD, given)) == (language, [])


HINTS = ("why-own", "why-own-badge", "why-another")


def _say(key: str, language: Language) -> str:
    return sentence(key, (), language)


IN_SIGHT = """([page]) => {
  document.getElementById('main').outerHTML = page;
  const edge = document.getElementById('acts').getBoundingClientRect().top;
  const tiles = [...document.querySelectorAll('#sheet .tiles.many button')];
  return tiles.filter((one) => one.getBoundingClientRect().bottom <= edge).length;
}"""


def test_every_number_that_the_chief_can_rule_for_is_in_sight_at_the_table(paper: Page) -> None:
    form = looked_at(SEEDS, ROUNDS).forms["pt-roulette", "rule-on-spin"]
    is_of(paper, (1024, 600, "10in"))
    page = page_of(form.moment, opened(form, Language.PT))
    assert paper.evaluate(IN_SIGHT, [page]) == len(NUMBERS)


def test_a_table_in_macau_says_no_english_word_and_every_sign_has_its_glyph() -> None:
    looked, font = looked_at(SEEDS, ROUNDS), set((HERE / "static" / "han.txt").read_text())
    pages = [page_of(moment, Browser(Language.ZH), view) for moment in looked.chinese for view in View]
    for (profile, act), form in looked.forms.items():
        if profile.startswith("mo-") and act not in JUDGES:  # they show the hold's own words
            shown = page_of(form.moment, opened(form, Language.ZH)).partition('id="sheet"')[2]
            pages.append(shown.partition(">")[2].partition("</section>")[0])
    words: set[str] = set().union(*map(_words, pages))
    assert {word for word in words if LATIN.fullmatch(word)} - KNOWN == set()
    signs = {sign for word in words for sign in word if sign > "\u2e7f"}
    assert signs - font == set()


LATIN = re.compile("[A-Za-z]{2,}")
KNOWN = {"world", "mo", "PIN"}
"""Latin words that a Chinese page may have: the table's name, a clause's first word, and PIN."""

SERIAL = re.compile("SIM-[A-Z0-9/-]+")
"""A device's serial number, which stands on the device and is no word."""


def _words(page: str) -> set[str]:
    """The words that a person reads on the page, or hears from a screen reader."""
    said = re.sub('<p class="code">[^<]*', "", page)
    said = re.sub(SERIAL, "", said)
    text = re.sub("<[^>]*>", " ", said) + " ".join(re.findall('(?:aria-label|data-say|data-title)="([^"]*)"', page))
    return set(re.findall("[A-Za-z]+|[^A-Za-z\\s]+", html.unescape(text)))
