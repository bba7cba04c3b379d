"""After the first person's touch the page shows beside the button which person must agree, and to what."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from controller.catalogue import Language
from controller.panel.browsers import Browser
from controller.panel.moment import Moment
from tests.panel.dealt import Dealt
from tests.panel.followed import page_of
from tests.panel.paper import PHONE, SIZES, is_of
from tests.panel.spun import Spun
from tests.panel.test_put_right import corrected, decided_wrong

pytestmark = pytest.mark.waits

DEALER_IS_HERE = frozenset({"dealer"})
THIRTY = {"entry": "1", "amount": "30.00"}


def while_bets_are_open() -> Dealt:
    dealt = Dealt(minimum_bet="5", maximum_bet="150")
    for seat in ("1", "3"):
        assert dealt.ask("place-bet", {"seat": seat, "amount": "10"}) == ""
    assert dealt.ask("correct-entry", THIRTY) == ""
    return dealt


def before_complaints() -> Dealt:
    dealt = decided_wrong()
    dealt.lays_back = False
    for act, values in (("stand", {"seat": "1"}), ("stand", {"seat": "3"}), ("turn-hole-card", {})):
        assert dealt.ask(act, values) == ""
    for act, values in (("confirm-settled", {}), ("collect-cards", {}), ("correct-entry", THIRTY)):
        assert dealt.ask(act, values) == ""
    return dealt


def at_the_wheel() -> Spun:
    spun = Spun(27)
    for act, values in (
        ("give-colour", {"player": "1", "colour": "red", "value": "10"}),
        ("confirm-value", {"player": "1"}),
        ("place-chips", {"player": "1", "bet": "straight-17", "chips": "1"}),
        ("correct-spin-entry", {"entry": "1", "bet": "straight-18"}),
    ):
        assert spun.ask(act, values) == ""
    return spun


def to_be_paid() -> Dealt:
    """Every hand is played, and the settlement waits for an agreement with a correction of cards."""
    dealt = corrected()
    for act, values in (("stand", {"seat": "4"}), ("turn-hole-card", {}), ("draw-card", {"seat": "bank"})):
        assert dealt.ask(act, values) == ""
    return dealt


def asking() -> Iterator[Moment]:
    for table in (while_bets_are_open(), before_complaints(), at_the_wheel(), to_be_paid()):
        bets = (1, 3) if isinstance(table, Dealt) else ()
        seat = 5 if table.status.round == "betting" and bets else None
        yield Moment(table.status, True, bets, DEALER_IS_HERE, faces=tuple(table.hands), seat=seat)


SEEN = """(page) => {
  document.getElementById('main').outerHTML = page;
  const asks = document.querySelector('.why.asks'), button = document.querySelector('.acts [id^="b-agree"]');
  if (!asks || !button) return ['none'];
  const words = document.createRange(), whole = asks.getBoundingClientRect(), box = button.getBoundingClientRect();
  const text = asks.querySelector('span').firstChild;
  words.setStart(text, 0);
  words.setEnd(text, text.textContent.indexOf('.') > 0 ? text.textContent.indexOf('.') : text.length);
  const who = words.getBoundingClientRect(), middle = document.getElementById('middle').getBoundingClientRect();
  return [
    ['the whole', whole.bottom <= middle.top + 1 && whole.height > 0],
    ['who', who.bottom <= whole.bottom + 6],
    ['the button', box.height >= 40 && box.bottom <= innerHeight + 1 && box.right <= innerWidth + 1],
  ].filter(([, is]) => !is).map(([what]) => what);
}"""


@pytest.mark.parametrize("language", [Language.EN, Language.PT])
def test_who_is_asked_for_what_stands_in_sight_with_the_agreeing_button(paper: Page, language: Language) -> None:
    """While bets were open it was a grey line below the chips or the cloth, and no person was asked."""
    found = list(asking())
    for size in (one for one in SIZES if one != PHONE):
        is_of(paper, size)
        for about in found:
            page = page_of(about, Browser(language))
            assert (size, about.status.round, paper.evaluate(SEEN, page)) == (size, about.status.round, [])


def test_every_role_that_may_agree_with_corrected_cards_is_named_though_the_dealer_is_here() -> None:
    about = Moment(corrected().status, True, (), DEALER_IS_HERE)
    page = page_of(about, Browser(Language.PT))
    button = page.partition('id="b-agree-corrections"')[2].partition("</button>")[0]
    assert "pagador, fiscal de banca, fiscal-chefe" in button
    assert 'id="waits-agree-corrections"' in page
