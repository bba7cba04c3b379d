"""Rounds of a table that follows hands, played by taps: bets by chips, decisions, the bank, everybody's amounts."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from controller.catalogue import Language, sentence
from controller.core.engine.replacing import replace
from controller.core.words import HoldKind
from controller.panel.banner import banner
from controller.panel.browsers import Browser, View
from controller.panel.moment import Moment
from controller.panel.offer import Offer
from controller.panel.offers import beside, offers, pressable
from controller.panel.stakes import chips, in_units, stakes_of
from controller.panel.watch import Seen
from controller.protocol.status import HandStatus, HoldStatus, NextStatus, Status, StepState, StepStatus
from tests.daemon.rig import DEALER
from tests.panel.conftest import OpenScreen
from tests.panel.dealt import Dealt
from tests.panel.screen import SCREENS_AT_THE_TABLE, Screen
from tests.panel.tables import Painted
from tests.panel.test_pages import PAGES, whole

SERIOUS = {"serious", "critical"}
SCREENS = ((320, 640), (1280, 800))
STEPS = [StepStatus("rule", "Rule on it.", StepState.NEXT, ["chief_supervisor"])]
BESIDES_DECISIONS = 4
"""The most taps of a round besides the players' decisions."""


def moment(dealt: Dealt, stakes: dict[tuple[int, int], int] | None = None, seat: int | None = None) -> Moment:
    laid = stakes_of(dealt.status.money) if stakes is None else stakes
    return Moment(dealt.status, True, (), frozenset({"dealer"}), faces=tuple(dealt.hands), stakes=laid, seat=seat)


def names(dealt: Dealt) -> list[str]:
    return [one.name for one in offers(moment(dealt))]


def press(dealt: Dealt, name: str, stakes: dict[tuple[int, int], int] | None = None, seat: int | None = None) -> str:
    """Does all acts of the button `name`. Returns the reason of the first refusal, else ""."""
    about = moment(dealt, stakes, seat)
    found: Offer = next(one for one in pressable(about) if one.name == name)
    return next((reason for act, values in found.steps if (reason := dealt.ask(act, values))), "")


def test_the_same_bets_are_one_press_and_changed_ones_are_taken_back_first() -> None:
    dealt = Dealt()
    stakes = {(2, 2): 5000, (2, 8): 1000, (4, 4): 2000}
    for seat, bettor in stakes:
        values = {"seat": str(seat), "bettor": str(bettor), "amount": in_units(stakes[seat, bettor]), "consent": "yes"}
        assert dealt.ask("place-bet", values) == ""
    assert stakes_of(dealt.status.money) == stakes
    assert [one.name for one in offers(moment(dealt, stakes))] == ["bets-laid"]
    changed = {(2, 2): 5000, (4, 4): 3000}
    assert press(dealt, "bets-laid", changed) == ""
    assert stakes_of(dealt.status.money) == changed
    assert dealt.status.round == "playing"


def test_a_bet_that_is_refused_is_told_and_what_lies_there_stays() -> None:
    dealt = Dealt()
    assert press(dealt, "bets-laid", {(2, 2): 5000, (4, 4): 99_000}) != ""
    assert stakes_of(dealt.status.money) == {(2, 2): 5000}
    assert dealt.status.round == "betting"
    assert press(dealt, "bets-laid", {(2, 2): 5000}) == ""


def test_chips_make_up_what_may_be_bet() -> None:
    money = Dealt().status.money
    assert money is not None
    assert chips(money) == (1000, 5000, 10_000)  # each is a multiple of the minimum
    low = Dealt(minimum_bet="2.50", maximum_bet="50", smallest_chip="0.50").status.money
    assert low is not None
    assert chips(low) == (250, 500, 1250, 2500, 5000)


def test_decisions_are_those_of_the_hand_in_turn_and_others_stand_beside() -> None:
    dealt = Dealt()
    dealt.cards = ["8S", "AD", "AC", "8H", "KC", "10D"]
    press(dealt, "bets-laid", {(2, 2): 1000, (4, 4): 2000})
    assert names(dealt) == ["draw-card-2", "stand-2", "split-pair-2", "insure-2"]
    assert [(one.name, one.amount) for one in beside(moment(dealt))] == [
        ("take-even-money-4", ""),
        ("insure-4", "10.00"),
    ]
    press(dealt, "insure-2")
    assert names(dealt) == ["draw-card-2", "stand-2", "split-pair-2"]
    press(dealt, "split-pair-2")
    assert names(dealt)[:1] == ["draw-card-2"]
    assert banner(moment(dealt), Language.EN).headline == "SEAT 2/1?"
    dealt.cards = ["10S", "10H"]
    press(dealt, "draw-card-2")
    press(dealt, "stand-2")
    press(dealt, "draw-card-2-2")
    assert banner(moment(dealt), Language.EN).headline == "SEAT 2/2?"
    press(dealt, "stand-2-2")
    assert names(dealt) == ["turn-hole-card"]


def test_the_bank_has_no_turn_beside_a_payment_that_is_decided() -> None:
    """With no hand left to play against, the page does not offer the bank's turn; the list of acts still has it."""
    dealt = Dealt()
    dealt.cards = ["10S", "6C", "6H", "10D", "KH"]
    press(dealt, "bets-laid", {(2, 2): 1000})
    press(dealt, "draw-card-2")
    assert "turn-hole-card" in {one.act for one in dealt.status.next}
    assert banner(moment(dealt), Language.EN).headline == "PAY"
    assert "settled-collected" in names(dealt)
    assert "turn-hole-card" not in names(dealt)


def test_a_machine_that_offers_cards_has_no_button_for_one() -> None:
    dealt = Dealt(delivery="offers")
    dealt.cards = ["8S", "6C", "3H", "10D", "9C"]
    press(dealt, "bets-laid", {(2, 2): 1000})
    assert names(dealt) == ["double-down-2", "surrender-2"]
    dealt.draw()
    assert names(dealt) == ["stand-2"]
    assert banner(moment(dealt), Language.EN).headline == "SEAT 2?"


def test_others_on_the_place_are_asked_where_they_may_choose() -> None:
    dealt = Dealt()
    dealt.cards = ["8S", "6C", "8H", "10D"]
    press(dealt, "bets-laid", {(2, 2): 1000, (2, 8): 1000})
    split = next(one for one in offers(moment(dealt)) if one.act == "split-pair")
    assert (split.asks, split.steps) == ("split-pair", ())


def test_cards_that_lie_face_down_are_shown_one_by_one_before_the_amounts() -> None:
    dealt = Dealt("mo-shoe", player_cards="down")
    dealt.cards = ["9C", "7C", "9H", "10D"]
    press(dealt, "bets-laid", {(2, 2): 1000})
    press(dealt, "stand-2")
    shown = []
    while "settled-collected" not in names(dealt):
        shown.append(names(dealt)[0])
        press(dealt, shown[-1])
    assert shown == ["draw-card-bank", "turn-card", "turn-card"]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Painted]:
    table = Painted(tmp_path / "hands", Dealt(minimum_bet="5", maximum_bet="150"))
    yield table
    table.end()


@pytest.mark.waits
def test_rounds_with_hands_are_dealt_by_taps(open_screen: OpenScreen, table: Painted) -> None:
    dealt = table.shown
    assert isinstance(dealt, Dealt)
    screen = open_screen(table)
    screen.sees("BETS")
    for seat, chip in ((2, 5000), (4, 2500)):
        screen.tap(f"seat-{seat}")
        screen.tap(f"chip-{chip}")
    fits(screen)
    dealt.cards = ["8S", "AD", "6C", "8H", "KC", "10D", "3C", "10H", "9D", "10S"]
    screen.tap("bets-laid")
    screen.sign_in(DEALER)
    screen.signed_in()
    screen.sees("SEAT 2?")
    fits(screen)
    screen.picture("hands")
    screen.page.locator("html:not(.fresh)").wait_for()
    screen.page.locator("#b-surrender-2").tap()  # a button to be held says so, where the finger is, and does nothing
    expect(screen.page.locator("#b-surrender-2.short")).to_have_attribute("data-say", "Press for 1 s")
    places = where(screen)
    assert list(places) == ["draw-card", "stand", "double-down", "split-pair", "surrender", "insure", "take-even-money"]
    screen.tap("not-insure")
    reason = sentence("guard.insurance_is_offered.reason", (), Language.EN)
    expect(screen.page.locator("#said")).to_have_text(reason)
    for name in ("split-pair-2", "draw-card-2", "double-down-2", "draw-card-2-2", "stand-2-2"):
        screen.tap(name)
        screen.page.locator("html:not(.fresh)").wait_for()
        assert where(screen) in ({}, places)
    for name in ("turn-hole-card", "draw-card-bank"):
        screen.tap(name)
    screen.sees("PAY")
    rows = [" ".join(row.split()) for row in screen.page.locator("#money tbody tr").all_inner_texts()]
    assert rows == [
        "Seat 2, hand 1 100 × 1:1 the bank went beyond 21 +€100.00",
        "Seat 2, hand 2 50 × 1:1 the bank went beyond 21 +€50.00",
        "Seat 4 25 × 3:2 blackjack No chips make it up: people decide what is paid. +€37.50",
    ]
    fits(screen)
    screen.picture("money")
    screen.tap("settled-collected")
    screen.sees("BETS")
    dealt.cards = ["10S", "10H", "7C", "9S", "8H", "10C"]
    screen.taps = 0
    expect(screen.page.locator("#seat-2.kept")).to_contain_text("50?")
    screen.tap("same-bets")
    expect(screen.page.locator("#seat-4.bets")).to_contain_text("25")
    assert dealt.status.round == "betting"  # they lie for all to see, and more may be laid
    for name in ("bets-laid", "stand-2", "stand-4", "turn-hole-card", "settled-collected"):
        screen.tap(name)
    screen.sees("BETS")
    decisions = 2
    assert screen.taps - decisions <= BESIDES_DECISIONS


PLACES = """() => Object.fromEntries([...document.querySelectorAll('.places button')].map((button) => {
  const box = button.getBoundingClientRect(), name = button.className.match(/place-([a-z-]+)/)[1];
  return [name, [box.left, box.top, box.width, box.height]];
}))"""


def where(screen: Screen) -> dict[str, list[float]]:
    """The places of the possible and the impossible decisions on the screen, measured at one moment."""
    found: dict[str, list[float]] = screen.measured(PLACES)
    return found


LOST = """() => [...document.querySelectorAll('.acts button')]
  .filter((button) => button.scrollWidth > button.clientWidth).map((button) => button.id)"""
"""The buttons that are too small for their words."""


@pytest.mark.waits
def test_bets_of_every_seat_are_one_press(open_screen: OpenScreen, table: Painted) -> None:
    """One press suffices even for more acts than one request may have."""
    dealt = table.shown
    assert isinstance(dealt, Dealt)
    screen = open_screen(table)
    for seat in range(1, 8):
        screen.tap(f"seat-{seat}")
        screen.tap("chip-1000")
    dealt.cards = ["8S", "7C", "6C", "8H", "9C", "6D", "7S", "10H", "9D", "8C", "7D", "8D", "6H", "7H", "6S", "10D"]
    screen.tap("bets-laid")
    screen.sign_in(DEALER)
    screen.sees("SEAT 1?")
    assert len(stakes_of(dealt.status.money)) == 7


@pytest.mark.waits
@pytest.mark.drawn(1)
@pytest.mark.parametrize("language", ["pt", "zh-Hant", "en"])
def test_the_words_of_decisions_fit_their_places(open_screen: OpenScreen, table: Painted, language: str) -> None:
    dealt = table.shown
    assert isinstance(dealt, Dealt)
    dealt.cards = ["8S", "AC", "8H", "10D"]
    press(dealt, "bets-laid", {(2, 2): 1000})
    screen = open_screen(table)
    screen.speak(language)
    for at in (*SCREENS_AT_THE_TABLE, (320, 640, "10in")):
        screen.is_of(at)
        screen.page.locator(".places").wait_for()
        assert (at, screen.measured(LOST)) == (at, [])


@pytest.mark.waits
def test_a_complaint_is_recorded_with_three_taps_before_the_cards_go_back(
    open_screen: OpenScreen, table: Painted
) -> None:
    dealt = table.shown
    assert isinstance(dealt, Dealt)
    dealt.cards, dealt.lays_back = ["10S", "10H", "7C", "9S", "8H"], False
    press(dealt, "bets-laid", {(2, 2): 1000})
    press(dealt, "stand-2")
    screen = open_screen(table)
    screen.tap("turn-hole-card")
    screen.sign_in(DEALER)
    screen.signed_in()
    screen.tap("settled-collected")
    screen.sees("COMPLAINTS?")
    screen.taps = 0
    for name in ("record-complaint", "c-seat-2"):
        screen.tap(name)
    screen.is_of(SCREENS_AT_THE_TABLE[0])
    assert screen.hides("#sheet button[id^=c-], #sheet button[id^=d-]", "#middle") == []
    screen.tap("do")
    assert screen.taps == TAPS_OF_A_COMPLAINT
    assert [hold.kind for hold in dealt.player.state.house.holds] == [HoldKind.COMPLAINT]


TAPS_OF_A_COMPLAINT = 3


def fits(screen: Screen) -> None:
    """Checks at a telephone's and a table's size: nothing lies beyond the screen, axe finds no serious fault."""
    for width, height in SCREENS:
        screen.page.set_viewport_size({"width": width, "height": height})
        assert screen.measured("() => document.documentElement.scrollWidth") <= width
        found = Axe().run(screen.page).response["violations"]
        assert [one["id"] for one in found if one["impact"] in SERIOUS] == []


@pytest.mark.waits
def test_a_dispute_shows_the_supervisor_cards_and_money() -> None:
    dealt = Dealt()
    dealt.cards = ["AD", "6C", "KC", "10D"]
    press(dealt, "bets-laid", {(2, 2): 1000})
    for kind, is_shown in (("complaint", True), ("ruling", True), ("jam", False)):
        held = replace(dealt.status, holds=[HoldStatus("H1", kind, "raised", plan=STEPS, who=["chief_supervisor"])])
        about = Moment(held, True, (), frozenset({"chief_supervisor"}), faces=tuple(dealt.hands))
        seen = Seen(1, held, is_live=True, lost_at=1.0, heard_at=2.0)
        shown = PAGES.main(View.CHIEF, Browser(Language.EN), seen, about, 3.0)
        assert ('id="money"' in shown, 'id="seat-2"' in shown) == (is_shown, is_shown)


@pytest.mark.waits
def test_every_language_has_the_pages_of_hands() -> None:
    dealt = Dealt(minimum_bet="5", maximum_bet="150")
    stages = [moment(dealt, {(2, 2): 500, (4, 4): 2500}, 2)]
    dealt.cards = ["8S", "AD", "AC", "8H", "KC", "10D"]
    press(dealt, "bets-laid", {(2, 2): 500, (4, 4): 2500})
    stages.append(moment(dealt))
    press(dealt, "draw-card-2")
    for act in ("stand-2", "stand-4", "turn-hole-card", "draw-card-bank"):
        if act in names(dealt):
            press(dealt, act)
    stages.append(moment(dealt))
    assert stages[-1].amounts
    for language in Language:
        for about in stages:
            for view in (View.TABLE, View.CHIEF):
                seen = Seen(1, about.status, is_live=True, lost_at=1.0, heard_at=2.0)
                assert whole(PAGES.main(view, Browser(language), seen, about, 3.0))


def test_an_amount_that_no_chips_make_up_is_decided_by_a_tap() -> None:
    dealt = Dealt(minimum_bet="5", maximum_bet="150")
    dealt.cards = ["AD", "6C", "KC", "10D"]
    press(dealt, "bets-laid", {(2, 2): 2500})
    assert names(dealt)[1:] == ["decide-amount-2-37-00", "decide-amount-2-38-00"]
    press(dealt, "decide-amount-2-38-00")
    assert names(dealt) == ["settled-collected"]
    assert [one.decided for one in moment(dealt).amounts] == ["+38.00"]


def test_open_cards_of_the_box_are_named_on_a_sheet() -> None:
    dealt = Dealt("mo-box")
    press(dealt, "bets-laid", {(2, 2): 1000})
    assert "state-card" not in names(dealt)  # the dealer has named the open card
    nameless = replace(dealt.status, next=[NextStatus("state-card", ["dealer"])])
    about = with_faces(nameless, (HandStatus(2, [None, None]), HandStatus(0, ["", None])))
    named = next(one for one in beside(about) if one.name == "state-card")
    assert (named.asks, named.known) == ("state-card", {"seat": "bank", "position": "1"})


def with_faces(status: Status, faces: tuple[HandStatus, ...]) -> Moment:
    return Moment(status, True, (), frozenset({"dealer"}), faces=faces)
