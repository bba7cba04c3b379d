"""Every form is filled in by touch alone: a kiosk at a table has no keyboard."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from controller.catalogue import Language
from controller.panel.browsers import Browser
from controller.panel.forms import filled, pick
from controller.protocol.lines import ActDocument
from controller.protocol.values import ValueDocument, ValueKind
from tests.daemon.rig import DEALER
from tests.panel.conftest import OpenScreen
from tests.panel.dealt import Dealt
from tests.panel.followed import ROUNDS, SEEDS, looked_at, page_of
from tests.panel.screen import Screen
from tests.panel.tables import Painted
from tests.panel.test_hands_at_the_screen import press
from tests.panel.test_sizes import opened

pytestmark = pytest.mark.waits


def entered(kind: ValueKind, *touches: tuple[str, str]) -> dict[str, str]:
    """The values of a form with the one value `what`, after these touches."""
    value = ValueDocument("what", "", "", kind)
    act = ActDocument("enter-cards", "", "", [], True, True, 0, None, None, None, None, None, [value], [])
    browser = Browser(Language.EN, act=act)
    for how, given in touches:
        pick(browser, act, how, given)
    return filled(browser, act)


def card(rank: str, suit: str) -> tuple[tuple[str, str], tuple[str, str]]:
    return ("pick", f"what.rank={rank}"), ("pick", f"what.suit={suit}")


BACK = ("digit", "what=")


def test_cards_are_entered_by_rank_and_suit_and_taken_back_one_by_one() -> None:
    two = (*card("10", "h"), *reversed(card("Q", "s")))
    assert entered(ValueKind.CARDS, *two) == {"what": "10H,QS"}
    assert entered(ValueKind.CARDS, *two, *card("10", "h")) == {"what": "10H,QS,10H"}
    assert entered(ValueKind.CARDS, *two, BACK) == {"what": "10H"}
    assert entered(ValueKind.CARDS, *two, card("2", "d")[0], BACK) == {"what": "10H,QS"}
    assert entered(ValueKind.CARDS, *two, BACK, BACK, BACK) == {}
    assert entered(ValueKind.CARDS, *two, ("digit", "what=JOKER"), ("digit", "what=X")) == {"what": "10H,QS,JOKER"}


@pytest.mark.parametrize("kind", [ValueKind.NUMBERS, ValueKind.SEATS])
def test_numbers_are_entered_by_digits_and_commas(kind: ValueKind) -> None:
    typed = [("digit", f"what={one}") for one in "12,,7,"]
    assert entered(kind, *typed) == {"what": "12,7"}
    assert entered(kind, *typed, BACK, BACK, ("digit", "what=x")) == {"what": "12"}


def test_each_field_for_words_has_its_keys_and_nothing_else_is_typed() -> None:
    for (_profile, act), form in looked_at(SEEDS, ROUNDS).forms.items():
        page = page_of(form.moment, opened(form, Language.EN))
        fields = re.findall('<input type="text"[^>]* id="t-([^"]*)"', page)
        kinds = {one.name: one.kind for one in form.acts[Language.EN].values}
        assert (act, {kinds[name] for name in fields} - {ValueKind.TEXT}) == (act, set())
        assert (act, page.count('data-letter="delete"')) == (act, len(fields))


@pytest.fixture
def hands(tmp_path: Path) -> Iterator[Painted]:
    table = Painted(tmp_path / "hands", Dealt())
    yield table
    table.end()


def complaint(open_screen: OpenScreen, hands: Painted, width: int, height: int) -> Screen:
    """A screen of this size with the form of a complaint behind a round."""
    dealt = hands.shown
    assert isinstance(dealt, Dealt)
    dealt.cards, dealt.lays_back = ["10S", "10H", "7C", "9S", "8H"], False
    press(dealt, "bets-laid", {(2, 2): 1000})
    press(dealt, "stand-2")
    screen = open_screen(hands, "", width, height)
    screen.tap("turn-hole-card")
    screen.sign_in(DEALER)
    screen.signed_in()
    screen.tap("settled-collected")
    screen.sees("COMPLAINTS?")
    screen.tap("record-complaint")
    return screen


def test_a_phone_has_a_keyboard_of_its_own(open_screen: OpenScreen, hands: Painted) -> None:
    screen = complaint(open_screen, hands, 390, 844)
    words = screen.page.locator("#t-words")
    expect(screen.page.locator(".value:has(#t-words) .keyboard").first).to_be_hidden()
    words.tap()
    assert words.evaluate("input => input.inputMode") == "text"


def test_a_players_words_are_typed_on_the_page(open_screen: OpenScreen, hands: Painted) -> None:
    screen = complaint(open_screen, hands, 800, 480)
    words = screen.page.locator("#t-words")
    words.tap()
    for key in ("shift", "n", "ã", "o", "o", "delete", " ", "p"):
        screen.page.locator(f'.value:has(#t-words) [data-letter="{key}"]').tap()
    expect(words).to_have_value("Não p")
    screen.picture("letters")
    screen.page.locator('.value:has(#t-words) [data-letter="done"]').tap()
    screen.tap("c-seat-2")
    screen.page.locator("#c-seat-2.on").wait_for()
    expect(words).to_have_value("Não p")


def test_a_big_button_that_waits_for_a_value_says_so_at_a_touch(open_screen: OpenScreen, hands: Painted) -> None:
    screen = complaint(open_screen, hands, 800, 480)
    button = screen.page.locator("#b-do[disabled]")
    box = button.bounding_box()
    assert box is not None
    screen.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(screen.page.locator("#b-do")).to_have_attribute("data-said", "Not yet: something is missing")
