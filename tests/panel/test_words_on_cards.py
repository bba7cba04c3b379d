"""The words on a narrow card, and on the button of the hand in turn, are read whole at each size of screen."""

import pytest
from playwright.sync_api import Page

from controller.catalogue import Language
from controller.panel.browsers import Browser
from tests.panel.dealt import Dealt
from tests.panel.followed import page_of
from tests.panel.paper import SIZES, is_of
from tests.panel.test_hands_at_the_screen import moment, press

pytestmark = pytest.mark.waits

CUT = """(page) => {
  document.getElementById('main').outerHTML = page;
  return [...document.querySelectorAll('.hand .card:not(.back)')].filter((card) => {
    const words = document.createRange();
    words.selectNodeContents(card.querySelector('[aria-hidden]').firstChild);
    const at = words.getBoundingClientRect(), box = card.getBoundingClientRect();
    return at.right > box.right - 1 || at.left < box.left - .5;
  }).map((card) => card.textContent.trim());
}"""

INSURES = """(page) => {
  document.getElementById('main').outerHTML = page;
  return document.getElementById('b-insure-2').innerText;
}"""


def test_a_ten_among_three_cards_is_read(paper: Page) -> None:
    """A croupier read "1C" on the bank's hand."""
    dealt = Dealt()
    dealt.cards = [
        *("9S", "8H", "7D", "9C", "8D", "7H", "9H"),
        "10S",
        *("9D", "8C", "7C", "9S", "8S", "7S", "9C"),
        "2D",
    ]
    press(dealt, "bets-laid", {(seat, seat): 1000 for seat in range(1, 8)})
    for seat in range(1, 8):
        press(dealt, f"stand-{seat}")
    dealt.cards = ["2S", "KD"]
    press(dealt, "turn-hole-card")
    press(dealt, "draw-card-bank")
    assert len(dealt.hands[-1].cards) >= len(("10", "2", "2"))
    for size in SIZES:
        is_of(paper, size)
        assert paper.evaluate(CUT, page_of(moment(dealt), Browser(Language.PT))) == []


def test_the_insurance_of_the_hand_in_turn_has_its_amount(paper: Page) -> None:
    dealt = Dealt()
    dealt.cards = ["8S", "AD", "AC", "8H", "KC", "10D"]
    press(dealt, "bets-laid", {(2, 2): 1000, (4, 4): 2000})
    for size in SIZES:
        is_of(paper, size)
        assert "5.00" in paper.evaluate(INSURES, page_of(moment(dealt), Browser(Language.EN)))
