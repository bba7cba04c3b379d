"""The page has the button, and shows the words, for each next act that it names."""

import re
from dataclasses import replace as replace_moment
from itertools import product
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from playwright.sync_api import Page

from controller.catalogue import Language
from controller.panel.banner import banner
from controller.panel.browsers import Browser, View
from controller.panel.complete import is_complete
from controller.panel.forms import enter, filled
from controller.panel.grid import Grid
from controller.panel.offers import offers
from controller.panel.wording import Wording
from controller.protocol.jackpot import JackpotStatus, PrizeStatus
from controller.protocol.lines import ActDocument, PersonDocument, RefusalDocument
from controller.protocol.status import (
    FiguresStatus,
    HoldStatus,
    NextStatus,
    OwedStatus,
    PresentStatus,
    ShoeStatus,
    Status,
    StepState,
    StepStatus,
)
from controller.protocol.suggestion import Suggestion
from tests.panel.desk import DEALER, Desk, run, status, table_of
from tests.panel.followed import ROUNDS, SEEDS, looked_at, page_of
from tests.panel.paper import PHONE, SIZES, is_of
from tests.panel.test_moments import moment
from tests.panel.test_sizes import LEAST, MEASURE


def stopped(*holds: tuple[str, str, str]) -> Status:
    """A table with holds of these kinds and phases, each with the act of its next step."""
    made = []
    for number, (kind, phase, act) in enumerate(holds, 10):
        step = Suggestion(act, {"hold": f"H{number}"}, [], ["dealer"], None, needs_pin=False)
        plan = [StepStatus(act, "", StepState.NEXT, ["dealer"], [step])]
        made.append(HoldStatus(f"H{number}", kind, phase, who=["dealer"], plan=plan))
    may = [NextStatus(act, ["dealer"]) for _kind, _phase, act in holds if act != "pay-jackpot"]
    return Status(session="in-play", round="playing", holds=made, next=may)


def test_a_stop_that_waits_for_the_dealer_comes_before_a_prize_that_cannot_be_paid_until_then() -> None:
    about = moment(stopped(("jackpot-owed", "raised", "pay-jackpot"), ("unread-card", "raised", "state-card")))
    assert about.hold is not None
    assert about.hold.id == "H11"
    assert [one.name for one in offers(about)] == ["state-card"]
    cleared = moment(stopped(("jackpot-owed", "raised", "pay-jackpot"), ("jam", "cleared", "confirm-hold")))
    assert [one.name for one in offers(cleared)] == ["play-on"]


@pytest.mark.waits
def test_a_card_that_no_device_can_name_opens_the_form_for_its_face(tmp_path: Path) -> None:
    with table_of(tmp_path) as table:
        here = [PresentStatus(DEALER, "dealer", "table")]
        desk = Desk(table, status("in-play", "turn-hole-card", who=("dealer",), round="playing", present=here))
        run(turned(desk))
        assert desk.browser.act is not None
        assert desk.browser.act.act == "turn-hole-card"
        assert desk.browser.said == "The face is not known. Dealer: state it."
        assert [one.name for one in desk.browser.act.values if not one.may_be_left_out] == ["card"]


async def turned(desk: Desk) -> None:
    await desk.press("act:turn-hole-card")
    missing = RefusalDocument(
        "face_is_given", "", None, None, "The face is not known.", "Dealer: state it.", ["dealer"]
    )
    desk.table.refusal = msgspec.to_builtins(missing)
    await desk.comes(DEALER)


def test_no_two_buttons_at_the_bottom_say_the_same() -> None:
    for picture in looked_at(SEEDS, ROUNDS).pictures:
        for language in Language:
            t = Wording(language, "EUR")
            said = [(t(one.word), one.hand, one.amount, one.known.get("bettor")) for one in offers(picture.moment)]
            assert len(said) == len(set(said)), (language, said)


@pytest.mark.parametrize("act", ["state-count", "enter-grid"])
def test_one_touch_states_no_count_that_nobody_has_made(act: str) -> None:
    form = looked_at(SEEDS, ROUNDS).forms["pt-csm", act].acts[Language.EN]
    browser = Browser(Language.EN, act=form, grid=Grid.full(1))
    assert not is_complete(browser, form)
    how, value = ("cell", "AS") if act == "enter-grid" else ("step", f"{form.values[0].name}=1")
    enter(browser, None, how, value)
    assert is_complete(browser, form)


def test_what_is_done_at_the_opening_of_a_shoe_is_no_button_any_more() -> None:
    may = [NextStatus(act, ["dealer"]) for act in ("state-players", "confirm-cut", "place-warning-card", "fill-shoe")]
    for shoe, mixed, cut in (
        (ShoeStatus(players=None, warning_card="waiting"), "state-players", "place-warning-card"),
        (ShoeStatus(players=[1], warning_card="placed"), "confirm-cut", "fill-shoe"),
    ):
        about = moment(Status(session="mixed", next=may[:2], shoe=shoe))
        assert next(one.name for one in offers(about) if one.name != "watch-loading") == mixed
        assert banner(about, Language.EN).headline == "CUT THE CARDS"
        assert offers(moment(Status(session="cut", next=may[2:], shoe=shoe)))[0].name == cut


def test_whoever_calls_for_a_complaint_reads_first_what_he_does_and_the_chief_sees_the_cards_first() -> None:
    held = stopped(("complaint", "raised", "decide-complaint"))
    held = replace(held, figures=FiguresStatus(seats=2), counts={"inside": 1, "outside": 0, "rack": 0, "total": 1})
    for view, first, then in ((View.TABLE, "step-now", "seat-1"), (View.CHIEF, "seat-1", "step-now")):
        page = page_of(moment(held), Browser(Language.EN), view).partition('id="middle"')[2]
        assert page.index(first) < page.index(then)


def test_whoever_confirms_a_prize_reads_which_one_and_how_much() -> None:
    form = ActDocument("pay-jackpot", "Jackpot paid", "", [], True, True, 0, *(None,) * 5, [], [])
    prizes = JackpotStatus(9000, next_prize=PrizeStatus(5, 5, 5000))
    shown = Status(session="in-play", round="playing", counts={"inside": 1, "rack": 0}, jackpot=prizes)
    browser = Browser(Language.EN, sheet="act:pay-jackpot", act=form)
    assert re.search(r'id="prize">Next prize: seat 5 <b>€50.00</b>', page_of(moment(shown), browser))


@pytest.mark.parametrize(
    ("won", "paid", "mark"), [([1], [], "Jackpot won"), ([], [1], "Jackpot paid"), ([], [], "Jackpot")]
)
def test_a_prize_that_was_paid_is_marked_as_paid_and_no_more_as_won(won: list[int], paid: list[int], mark: str) -> None:
    pool = JackpotStatus(9000, chips=[1], won=won, paid=paid)
    shown = replace(
        COUNTED, session="in-play", round="playing", seats=[1], jackpot=pool, figures=FiguresStatus(seats=1)
    )
    assert f'<span class="jackpot">{mark}</span>' in page_of(moment(shown), Browser(Language.EN))


@pytest.mark.parametrize("act", ["call-for-count", "confirm-card-dealt"])
def test_a_table_without_a_shuffler_says_what_to_do_where_a_card_is_stuck(act: str) -> None:
    owed = replace(COUNTED, session="in-play", round="dealing", owed=OwedStatus("player", 2))
    shown = banner(moment(replace(owed, next=[NextStatus(act, ["dealer"])])), Language.EN)
    assert shown.why.endswith(" If it is stuck: Report.") is (act == "call-for-count")


def test_a_seat_with_a_bet_is_marked_where_a_seat_is_chosen() -> None:
    form = looked_at(SEEDS, ROUNDS).forms["pt-csm", "record-complaint"]
    act = form.acts[Language.EN]
    shown = replace(COUNTED, session="in-play", round="collected", seats=[2, 4])
    about = replace_moment(moment(shown), bets=(2, 4))
    page = page_of(about, Browser(Language.EN, sheet="act:record-complaint", act=act))
    assert re.findall('id="c-seat-([0-9])" class="taken ', page) == ["2", "4"]


def test_a_seat_at_which_somebody_sits_says_so_before_he_bets() -> None:
    may = [NextStatus("take-bets", ["dealer"])]
    sits = {"shoe": ShoeStatus(players=[1, 2]), "figures": FiguresStatus(seats=3), "next": may}
    about = replace_moment(moment(replace(COUNTED, session="in-play", seats=[1], **sits)), bets=(1,))
    page = page_of(about, Browser(Language.EN))
    assert page.count("sits here") == 1


def test_a_list_says_first_how_long_an_act_is_held() -> None:
    closing = ActDocument("indicate-closing", "Close table", "", ["dealer"], True, True, 2000, *(None,) * 5, [], [])
    page = page_of(moment(COUNTED), Browser(Language.EN, sheet="more", acts=(closing,)))
    assert "Close table<small>press 2 s · dealer</small>" in page


COUNTED = Status(session="closed", round="idle", counts={"inside": 1, "rack": 0})


@pytest.mark.parametrize(("name", "title"), [("You", "PIN of 12 (You), dealer"), ("", "PIN of 12, dealer")])
def test_the_pad_says_whose_pin_it_wants_by_number_name_and_role(name: str, title: str) -> None:
    people = (PersonDocument(12, name, "dealer"),)
    browser = Browser(Language.EN, asks_pin=True, asks_person=12, people=people)
    shown = Status(session="closed", round="idle", counts={"inside": 0, "rack": 0})
    assert f'data-title="{title}"' in page_of(moment(shown), browser)


def test_a_bet_for_another_player_says_so() -> None:
    form = looked_at(SEEDS, ROUNDS).forms["pt-csm", "place-bet"]
    for picked, said in (({"seat": "1", "bettor": ""}, "Another player&#39;s bet"), ({"seat": "1"}, "Bet")):
        act = form.acts[Language.EN]
        browser = Browser(Language.EN, sheet="act:place-bet", act=act, picked=dict(picked), given={"seat": "1"})
        assert f"<h2>{said} · Seat 1</h2>" in page_of(form.moment, browser)


COUNTED_FORMS = (("pt-csm", "state-count"), ("pt-shoe", "state-whole-count"))
MOST_TOUCHES = 8
OF_THE_PAD = """(page) => {
  document.getElementById('main').outerHTML = page;
  const edge = document.getElementById('acts').getBoundingClientRect().top;
  const keys = [...document.querySelectorAll('#sheet .field, #sheet .digits button')];
  return keys.filter((one) => one.getBoundingClientRect().bottom <= edge).length;
}"""


@pytest.mark.parametrize(("profile", "act"), COUNTED_FORMS)
def test_a_count_of_three_digits_takes_few_touches(profile: str, act: str) -> None:
    """By steps of ten and one 306 cards took 36 touches."""
    form = looked_at(SEEDS, ROUNDS).forms[profile, act].acts[Language.EN]
    browser = Browser(Language.EN, act=form)
    touches = [("key", "rack"), *(("digit", f"={digit}") for digit in "306")]
    for how, value in touches:
        assert filled(browser, form)["rack"] in {"0", "3", "30"}
        enter(browser, None, how, value)
    assert filled(browser, form) == {one.name: "306" if one.name == "rack" else "0" for one in form.values}
    assert is_complete(browser, form)
    assert len(touches) <= MOST_TOUCHES
    enter(browser, None, "digit", "=")
    assert filled(browser, form)["rack"] == "30"


def test_a_touch_that_only_chooses_what_is_counted_states_nothing() -> None:
    form = looked_at(SEEDS, ROUNDS).forms["pt-csm", "state-count"].acts[Language.EN]
    browser = Browser(Language.EN, act=form)
    enter(browser, None, "key", "table")
    assert not is_complete(browser, form)
    for value in ("=2", "nobody=1"):
        enter(browser, None, "digit", value)
    assert {name: text for name, text in filled(browser, form).items() if text != "0"} == {"table": "2"}


@pytest.mark.waits
@pytest.mark.parametrize("size", SIZES, ids="{0[0]}x{0[1]}".format)
def test_every_place_of_a_count_and_every_digit_are_in_sight(paper: Page, size: tuple[int, int, str]) -> None:
    is_of(paper, size)
    for (profile, act), language in product(COUNTED_FORMS, (Language.PT, Language.EN)):
        form = looked_at(SEEDS, ROUNDS).forms[profile, act]
        page = page_of(form.moment, Browser(language, sheet=f"act:{act}", act=form.acts[language]))
        keys = len(form.acts[language].values) + len("1234567890⌫")
        assert (act, language, paper.evaluate(OF_THE_PAD, page)) == (act, language, keys)
        (measured,) = paper.evaluate(MEASURE, [[page], LEAST, size == PHONE])
        assert (act, language, measured) == (act, language, [])
