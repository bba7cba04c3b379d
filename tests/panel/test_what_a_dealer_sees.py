"""The page shows a dealer the hands' totals, the cards for the rack, proposed bets, and disputes."""

import re

import pytest

from controller.catalogue import Language
from controller.core.engine.replacing import replace
from controller.panel.browsers import Browser, Right, View
from controller.panel.moment import Moment
from controller.panel.offers import offers
from controller.panel.said import of_seat
from controller.panel.stakes import AGAIN
from controller.panel.touch import touch_chip
from controller.panel.watch import Seen
from controller.protocol.jackpot import JackpotStatus
from controller.protocol.lines import ActDocument, Answer
from controller.protocol.status import HandStatus, HoldStatus, NextStatus, Status
from controller.protocol.values import Choice, ValueDocument, ValueKind
from tests.panel.dealt import Dealt
from tests.panel.test_hands_at_the_screen import STEPS, moment, names, press
from tests.panel.test_pages import PAGES, Gone

ACT = ActDocument("", "Decide", "", [], True, True, 0, None, None, None, None, None, [], [])
KEPT = {(2, 2): 5000, (4, 4): 2000}


def page(about: Moment, browser: Browser | None = None, view: View = View.TABLE) -> str:
    seen = Seen(1, about.status, is_live=True, lost_at=1.0, heard_at=2.0)
    return PAGES.main(view, browser or Browser(Language.EN), seen, about, 3.0)


def seat(shown: str, number: int) -> str:
    """The page's text at seat `number`, without markup."""
    at = re.split('<[a-z =]*id="seat-', shown.partition(f'id="seat-{number}"')[2])[0]
    return " ".join(re.sub(r"<[^>]*>", " ", at.partition(">")[2]).split())


def dealt(*cards: str, **settings: str) -> Dealt:
    """A table with these cards dealt: seat 2 plays for 50, seat 4 for 25; the third card is the bank's."""
    table = Dealt(**settings)
    table.cards = list(cards)
    press(table, "bets-laid", KEPT)
    return table


def test_a_hand_says_what_it_counts_and_the_bet_is_called_one() -> None:
    shown = page(moment(dealt("AD", "10C", "9H", "6C", "KC")))
    assert seat(shown, 2).endswith("7/17 bet 50 decides")
    assert seat(shown, 4).endswith("20 bet 20")
    assert "9 " in seat(shown, 0)
    assert 'class="total' not in shown.partition('id="seat-0"')[2]  # a card of the bank lies face down


@pytest.mark.parametrize(
    ("cards", "total", "called"),
    [
        (["AD", "10C", "9H", "KC", "KC"], "21", "blackjack"),
        (["AD", "10C", "9H", "5C", "KC", "7D", "5D"], "21", ""),
        (["6D", "10C", "9H", "5C", "KC", "7D", "KD"], "21", ""),
        (["6D", "10C", "9H", "6C", "KC", "7D", "KD"], "22", "bust"),
    ],
)
def test_totals_are_said_as_people_say_them(cards: list[str], total: str, called: str) -> None:
    table = dealt(*cards)
    if len(cards) > 5:
        press(table, "draw-card-2")
    hand = next(one for one in table.hands if one.seat == 2)
    assert (hand.total, hand.called) == (total, called)


def test_of_a_pair_that_was_separated_the_hand_that_is_asked_is_marked_and_each_has_its_own_result() -> None:
    table = dealt("8S", "10C", "9H", "8H", "KC", "KD")
    press(table, "split-pair-2")
    shown = page(moment(table))
    assert shown.count('class="one asked"') == 1
    assert re.search(r"Hand 1 decides 8 of spades 8 .* Hand 2 8 of hearts 8 ", seat(shown, 2))
    table.cards = ["10S", "2D", "KS"]
    for name in ("draw-card-2", "stand-2", "draw-card-2-2"):
        press(table, name)
    assert re.search("Hand 1 .* Hand 2 decides ", seat(page(moment(table)), 2))
    for name in ("draw-card-2-2", "stand-2-2", "stand-4", "turn-hole-card"):
        press(table, name)
    shown = page(moment(table))
    assert 'class="one asked"' not in shown
    assert re.search(r"Hand 1 .* bet 50 -50 Hand 2 .* bet 50 \+50$", seat(shown, 2))


def test_a_hand_that_may_not_stand_says_why_where_it_would() -> None:
    table = dealt("8S", "10C", "9H", "8H", "KC", "KD")
    press(table, "split-pair-2")
    place = page(moment(table)).partition('id="b-not-stand"')[2].partition("</button>")[0]
    assert "A hand that came of a pair takes a second card first." in place
    assert place.split(">")[0].count('aria-disabled="true"') == 1  # a touch on it gives the reason


def test_a_table_that_follows_cards_alone_and_a_card_face_down_have_no_total() -> None:
    down = Dealt("mo-shoe", player_cards="down")
    press(down, "bets-laid", KEPT)
    assert {one.total for one in down.hands if one.seat} == {""}


def test_a_hand_that_is_out_goes_to_the_rack_with_one_touch_on_its_seat() -> None:
    table = dealt("6D", "10C", "9H", "6C", "KC", "7D", "KD")
    press(table, "draw-card-2")
    shown = page(moment(table))
    assert seat(shown, 2) == "Seat 2 6 of diamonds 6 6 of clubs 6 K of diamonds K 22 BUST bet 50 -50 TO THE RACK"
    assert re.search('id="seat-2".*?<button [^>]*data-press="act:collect-hand-2".*id="seat-3"', shown, re.DOTALL)
    assert names(table)[0] == "draw-card-4"  # the next hand decides at the bottom
    press(table, "stand-4")
    assert names(table) == ["turn-hole-card"]  # a place at the bottom would be one where a decision stood
    assert press(table, "collect-hand-2") == ""
    assert table.status.collected == [2]
    assert names(table) == ["turn-hole-card"]


def test_bets_of_the_last_round_are_proposed_and_laid_by_a_press_that_says_so() -> None:
    table = Dealt()
    about = Moment(table.status, True, (), frozenset({"dealer"}), kept=KEPT)
    shown = page(about)
    assert seat(shown, 2) == "Seat 2 bet 50? as last round?"
    assert 'class="seat kept"' in shown
    assert [(one.name, {act for act, _values in one.steps}) for one in offers(about)] == [("same-bets", {"place-bet"})]
    some = Moment(table.status, True, (), frozenset({"dealer"}), stakes={(2, 2): 1000}, kept={(4, 4): 2000})
    assert [one.name for one in offers(some)] == ["rest-as-before", "without-the-rest"]
    only = next(one for one in offers(some) if one.name == "without-the-rest")
    assert only.steps == (("place-bet", {"seat": "2", "amount": "10"}), ("announce-no-more-bets", {}))
    same = next(one for one in offers(some) if one.name == "rest-as-before")
    assert ("place-bet", {"seat": "4", "amount": "20"}) in same.steps


def test_a_touch_says_that_a_seat_bets_as_before_or_not_at_all() -> None:
    table = Dealt()
    about = Moment(table.status, True, (), frozenset({"dealer"}), kept=KEPT, seat=4)
    assert 'id="chip-again"' in page(about)
    browser = Browser(Language.EN, seat=4)
    for value, stakes in ((AGAIN, {(4, 4): 2000}), ("", {(4, 4): 0}), ("1000", {(4, 4): 1000})):
        touch_chip(browser, about, value)
        assert browser.stakes == stakes


def test_a_bet_that_is_refused_names_its_seat() -> None:
    """One press places the bets of several seats, so its refusal names the seat of the refused bet."""
    assert of_seat(("place-bet", {"seat": "4", "amount": "15"}), "No multiple.", Language.EN) == "Seat 4: No multiple."
    assert of_seat(("announce-no-more-bets", {}), "Not now.", Language.EN) == "Not now."


def test_seats_of_the_last_round_are_proposed_too_where_no_hands_are_followed() -> None:
    status = Status(session="in-play", round="idle", next=[NextStatus("take-bets", ["dealer"])])
    for are_kept, name in ((True, "same-seats"), (False, "no-more-bets")):
        assert [one.name for one in offers(Moment(status, True, (2, 4), frozenset(), are_bets_kept=are_kept))] == [name]


def test_a_complaint_is_decided_with_its_seat_its_cards_and_who_recorded_it_in_sight() -> None:
    table = dealt("10D", "10C", "9H", "6C", "KC", "8D", "KD")
    table.lays_back = False
    press(table, "draw-card-2")
    press(table, "collect-hand-2")
    for name in ("stand-4", "turn-hole-card", "settled-collected"):
        press(table, name)
    lay = (HandStatus(2, ["10D", "6C", "KD"], total="26", called="bust"),)
    hold = HoldStatus("H1", "complaint", "raised", plan=STEPS, who=["chief_supervisor"], text="Seat 2; 11 recorded it.")
    held = replace(table.status, holds=[hold])
    about = Moment(held, True, (), frozenset({"dealer"}), faces=tuple(table.hands), lay=lay)
    act = replace(ACT, act="decide-complaint")
    for browser in (Browser(Language.EN), Browser(Language.EN, sheet="act:decide-complaint", act=act)):
        shown = page(about, browser)
        assert "26 BUST" in seat(shown, 2)
        assert "11 recorded it." in shown
        assert 'id="money"' in shown


def test_the_cards_of_a_round_are_known_until_the_next_to_whoever_is_signed_in() -> None:
    browser, wire = Browser(Language.EN), Gone()
    browser.sign_in(Right(11, "", "dealer", "table", wire))
    two, four = HandStatus(2, ["10D", "6C", "KD"]), HandStatus(4, ["9C"])
    for hands in ([two, four], [four], [], []):
        wire.on_line(Answer(hands=hands))
    assert list(browser.lay.values()) == [two, four]
    wire.on_line(Answer(hands=[four]))
    assert list(browser.lay.values()) == [four]
    browser.sign_out("table")
    assert browser.lay == {}


def test_a_page_says_when_nobody_can_play_for_the_jackpot() -> None:
    table = Dealt()
    for slots, is_said in (("lost", True), ("told", False)):
        status = replace(table.status, round="betting", jackpot=JackpotStatus(1_000_080, slots=slots))
        shown = page(Moment(status, True, (), frozenset({"dealer"})))
        assert ("nobody plays for it" in shown) is is_said


def test_once_the_deck_set_has_its_number_nobody_asks_for_it() -> None:
    may = [NextStatus(act, ["dealer"]) for act in ("number-deck-set", "confirm-display")]
    for number, buttons in ((0, ["number-deck-set"]), (7, ["confirm-display", "renumber-deck-set"])):
        status = Status(session="opened", next=may[: 1 + (number > 0)])
        figures = replace(status.figures, deck_set=number)
        about = Moment(replace(status, figures=figures), True, (), frozenset({"dealer"}))
        assert [one.name for one in offers(about)] == buttons
    assert "now: 7" in page(about)


def test_a_deck_check_that_can_be_confirmed_asks_for_no_grid() -> None:
    may = [NextStatus(act, ["dealer"]) for act in ("enter-grid", "confirm-deck-check")]
    for known, buttons in ((may[:1], ["enter-grid"]), (may, ["confirm-deck-check", "correct-grid"])):
        about = Moment(Status(session="checking", next=known), True, (), frozenset({"dealer"}))
        found = [one for one in offers(about) if "grid" in one.name or "check" in one.name]
        assert [one.name for one in found] == buttons
        assert [one.size.value for one in found] == ["main", "second"][: len(buttons)]


def test_a_form_that_was_opened_for_a_seat_names_it_and_asks_for_no_other() -> None:
    seats = ValueDocument("seat", "", "Seat", ValueKind.SEAT, choices=[Choice("4", "seat 4", [])])
    act = replace(ACT, act="place-bet", label="Bet", values=[seats])
    may = replace(Dealt().status, next=[NextStatus("place-bet", ["dealer"])])
    about = Moment(may, True, (), frozenset({"dealer"}))
    for given, title, is_asked in (({}, "<h2>Bet</h2>", True), ({"seat": "5"}, "<h2>Bet · Seat 5</h2>", False)):
        shown = page(about, Browser(Language.EN, sheet="act:place-bet", act=act, given=given))
        assert title in " ".join(shown.split())
        assert ('aria-label="seat 4">4</button>' in shown) is is_asked
