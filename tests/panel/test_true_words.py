"""The page's sentences are true at the moment in which they stand there."""

import dataclasses
import re

import pytest
from msgspec.structs import replace

from controller.catalogue import Language
from controller.panel.asked import asked_for
from controller.panel.banner import banner
from controller.panel.browsers import Browser, Right, Wanted
from controller.panel.moment import Moment
from controller.panel.offer import Offer
from controller.panel.said import seat_told
from controller.panel.second import second_of
from controller.panel.wording import Wording
from controller.protocol.jackpot import JackpotStatus, PrizeStatus
from controller.protocol.lines import ActDocument
from controller.protocol.money_status import MoneyStatus
from controller.protocol.status import (
    DeviceStatus,
    FiguresStatus,
    HandStatus,
    HoldStatus,
    NextStatus,
    NoticeStatus,
    OwedStatus,
    PresentStatus,
    SecondStatus,
    Status,
    StepState,
    StepStatus,
)
from tests.panel.followed import page_of as page_with
from tests.panel.test_hands_at_the_screen import moment as moment_of
from tests.panel.test_pages import Gone
from tests.panel.test_what_a_dealer_sees import dealt, seat
from tests.panel.test_what_a_dealer_sees import page as page_at

SIGNED_IN = ((12, "dealer", "table"), (22, "chief_supervisor", "look"))
T = Wording(Language.EN, "EUR")


def moment(status: Status) -> Moment:
    return Moment(status, True, (), frozenset({"dealer"}))


def why(status: Status) -> str:
    return T.text(banner(moment(status), Language.EN).why)


def act(name: str, label: str) -> ActDocument:
    return ActDocument(name, label, "", ["dealer"], True, False, 0, *(None,) * 5, [], [])


def page_of(about: Moment, browser: Browser | None = None) -> str:
    return page_with(about, browser or Browser(Language.EN))


def plain(page: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


PAY = StepStatus("pay", "Pay the prizes.", StepState.NEXT, ["dealer"])
WON = HoldStatus("H1", "jackpot-owed", "raised", text="Jackpot won: seat 7. Play on.", plan=[PAY], since=1)


def test_a_prize_that_may_be_paid_is_called_for_instead_of_play() -> None:
    """The page once said "play on" beside the button that pays the prize."""
    jackpot = JackpotStatus(1_000_000, won=[7], next_prize=PrizeStatus(7, 7, 2000))
    status = Status(session="in-play", round="playing", holds=[WON], jackpot=jackpot)
    assert why(status) == "Pay \u20ac20.00 at seat 7 now. The cards stay, face up, until it is paid."
    assert why(replace(status, jackpot=replace(jackpot, next_prize=None))) == WON.text


def test_a_table_that_plays_on_is_not_called_held() -> None:
    status = Status(session="in-play", round="playing", holds=[WON])
    assert "Held for" not in page_of(moment(status))
    assert "Held for" in page_of(moment(replace(status, holds=[replace(WON, kind="jam")])))


def test_the_page_names_the_second_person_until_two_messages_later() -> None:
    """Another person agreed at once and elsewhere, and the first person's page did not say so."""
    said = [NoticeStatus(1, "Agreed by 51", 51), NoticeStatus(2, "Bets are open")]
    assert 'id="agreed"><strong>51 agreed<' in page_of(moment(Status(session="closed", notices=said)))
    said = [*said, NoticeStatus(3, "Round 2 is over")]
    assert 'id="agreed"' not in page_of(moment(Status(session="closed", notices=said)))


def test_the_place_of_the_last_card_follows_the_deal() -> None:
    """The list was opened after the card for seat 6; the bank's card came while it was open."""
    browser, shown = Browser(Language.EN, sheet="report", stays_at="6"), []
    for round_, last_at in (("dealing", "6"), ("dealing", "0"), ("playing", "6"), ("playing", "2")):
        status = Status(session="in-play", round=round_, figures=FiguresStatus(last_at=last_at))
        shown.append(plain(page_of(moment(status), browser).partition('id="of-the-deal">')[2].partition("</p>")[0]))
    assert ["its place is Seat 6" in shown[0], "its place is Bank" in shown[1]] == [True, True]
    assert ["its place is Seat 6" in shown[2], shown[3]] == [True, ""]


@pytest.mark.parametrize(
    ("name", "steps", "told"),
    [
        ("watch-loading", (("sign-in", {"operation": "loading"}),), "CHIEF: I WATCH"),
        (
            "side-any-pair-1",
            (
                ("place-bet", {"seat": "1", "amount": "10"}),
                ("place-side-bet", {"seat": "1", "bet": "any-pair", "amount": "10"}),
            ),
            "SIDE BET · Seat 1 · any pair +10",
        ),
        ("bets-laid", (("place-bet", {"seat": "1"}), ("announce-no-more-bets", {})), "NO MORE BETS"),
        ("jackpot-1", (("place-bet", {"seat": "1"}), ("place-jackpot-bet", {"seat": "1"})), "Jackpot chip"),
    ],
)
def test_a_person_is_asked_for_what_was_touched(
    name: str, steps: tuple[tuple[str, dict[str, str]], ...], told: str
) -> None:
    """A side bet was once headed OTHER PLAYER'S BET, and a chief who watches a loading saw no act."""
    browser = Browser(Language.EN, wanted=Wanted(("dealer",), steps, name=name))
    assert asked_for(browser, T) == told


def test_a_void_round_gives_no_chip_back_where_no_jackpot_is_played() -> None:
    status = Status(session="in-play", round="settled", money=MoneyStatus())
    assert "chip" not in why(status)
    assert "any jackpot chip" in why(replace(status, jackpot=JackpotStatus(1_000_000)))


@pytest.mark.parametrize(
    ("devices", "told"),
    [
        ({}, "Raise the jackpot display by \u20ac0.80; then draw the card for seat 7."),
        (
            {"jackpot_display": DeviceStatus()},
            "See the jackpot display rise by \u20ac0.80; then draw the card for seat 7.",
        ),
    ],
)
def test_only_a_display_without_a_cable_is_raised_by_hand(devices: dict[str, DeviceStatus], told: str) -> None:
    may, jackpot = [NextStatus("raise-jackpot", ["dealer"])], JackpotStatus(1_000_080, increment_cents=80)
    owed = OwedStatus("seat", 7)
    status = Status(session="in-play", round="dealing", next=may, jackpot=jackpot, owed=owed, devices=devices)
    assert why(status) == told


def test_a_blackjack_that_took_even_money_says_so() -> None:
    table = dealt("AD", "10C", "AH", "KC", "9C")
    assert table.ask("take-even-money", {"seat": "2"}) == ""
    assert "BLACKJACK" in (shown := seat(page_at(moment_of(table)), 2))
    assert "even money" in shown


def test_whoever_rules_sees_which_card_is_the_last() -> None:
    """One of the decisions is "the card is discarded", and the form once named no card."""
    hold = HoldStatus("H3", "ruling", "raised", text="A dispute.")
    status = Status(session="in-play", holds=[hold], figures=FiguresStatus(last_at="1"))
    about = dataclasses.replace(moment(status), faces=(HandStatus(1, ["10C"]),))
    browser = Browser(Language.EN, sheet="act:make-ruling", act=act("make-ruling", "Ruling"))
    shown = page_of(about, browser).partition('id="last-card">')[2].partition("</p>")[0]
    assert "The last card, at Seat 1:" in plain(shown)
    assert "10 of clubs" in plain(shown)


def test_the_form_that_names_an_unread_card_says_where_it_lies() -> None:
    hold = HoldStatus("H4", "unread-card", "attended", text="A card.", about={"seat": "3", "position": "2"})
    browser = Browser(Language.EN, sheet="act:name-card", act=act("name-card", "Name the card"))
    assert "Name the card · Seat 3, card 2" in plain(page_of(moment(Status(session="in-play", holds=[hold])), browser))
    of_bank = replace(hold, about={"seat": "0", "position": "1"})
    shown = plain(page_of(moment(Status(session="in-play", holds=[of_bank])), browser))
    assert "Name the card · Bank, card 1" in shown


def test_whoever_signs_a_dealer_out_reads_how_another_one_comes() -> None:
    """Nothing on the page named a change of the dealer, and one who looked for it handed a supervisor's shift over."""
    rights = {purpose: Right(number, "Name", role, purpose, Gone()) for number, role, purpose in SIGNED_IN}
    browser = Browser(Language.EN, sheet="more", rights=rights)
    shown = page_of(moment(Status(session="closed")), browser)
    parts = [plain(shown.partition(f'id="out-{number}"')[2].partition("</button>")[0]) for number in (12, 22)]
    assert ["another dealer: number and PIN" in part for part in parts] == [True, False]


NAMED = {
    Language.EN: ("with table inspector 41", "the dealer agrees"),
    Language.PT: ("com fiscal de banca 41", "concorda o pagador"),
    Language.BR: ("com fiscal 41", "concorda o crupiê"),
    Language.ZH: ("並須監枱員 41同意", "其後須莊荷同意"),
}


@pytest.mark.parametrize("language", Language)
def test_the_second_person_who_is_at_the_table_has_his_number(language: Language) -> None:
    """ "With the inspector" left open which one, though one of them stood there."""
    possible = [NextStatus("confirm-differences", ["dealer"], second=[SecondStatus({}, ["table_inspector"])])]
    status = Status(session="in-play", round="playing", next=possible)
    here = replace(status, present=[PresentStatus(41, "table_inspector", "hold")])
    shown = plain(page_of(moment(here), Browser(language)))
    assert NAMED[language][0] in shown
    assert "41" not in plain(page_of(moment(status), Browser(language)))
    two = replace(here, present=[*here.present, PresentStatus(42, "table_inspector", "hold")])
    assert NAMED[language][0] not in plain(page_of(moment(two), Browser(language)))


def test_whoever_asks_first_is_not_named_as_the_second_person() -> None:
    """A supervisor who is signed in asks himself: another one, or the dealer, is the second person."""
    second = [SecondStatus({}, ["chief_supervisor"])]
    possible = [NextStatus("correct-entry", ["chief_supervisor"], second=second)]
    status = Status(session="in-play", next=possible, present=[PresentStatus(22, "chief_supervisor", "hold")])
    about = dataclasses.replace(moment(status), roles=frozenset({"chief_supervisor"}))
    line = second_of(Offer("correct-entry", ("chief_supervisor",), asks="correct-entry"), about)
    assert line is not None
    assert (line.who, any(line.people)) == (("chief_supervisor",), False)


def test_an_uncertain_second_person_has_words_whoever_it_is() -> None:
    """A chief's form with an amount to be typed had no sentence for the dealer alone: its page failed."""
    second = [SecondStatus({}, ["table_inspector"], certain=False)]
    possible = [NextStatus("raise-jackpot", ["dealer", "chief_supervisor"], second=second)]
    status = Status(session="in-play", round="playing", next=possible)
    about = moment(replace(status, present=[PresentStatus(12, "dealer", "table")]))
    about = dataclasses.replace(about, roles=frozenset({"chief_supervisor"}))
    form = replace(act("raise-jackpot", "Raise"), who=["dealer", "chief_supervisor"])
    assert "perhaps with dealer 12" in plain(page_of(about, Browser(Language.EN, sheet="act:raise-jackpot", act=form)))


CLOSED = {
    Language.EN: ("At the table", "Not signed out yet: dealer 12"),
    Language.PT: ("À mesa", "Ainda não saiu: pagador 12"),
    Language.BR: ("À mesa", "Ainda não saiu: crupiê 12"),
    Language.ZH: ("在枱", "尚未登出：莊荷 12"),
}


@pytest.mark.parametrize("language", Language)
def test_a_closed_table_does_not_say_that_its_dealer_is_there(language: Language) -> None:
    at_the_table, not_out = CLOSED[language]
    status = Status(session="closed", present=[PresentStatus(12, "dealer", "table")])
    strip = plain(page_of(moment(status), Browser(language)).partition('class="strip"')[2].partition("</p>")[0])
    assert (at_the_table in strip, not_out in strip) == (False, True)
    strip = page_of(moment(replace(status, session="in-play", round="idle")), Browser(language)).partition(
        'class="strip"'
    )[2]
    assert f"{at_the_table}" in plain(strip.partition("</p>")[0])


SEATS = {
    Language.EN: "Seat 4: nothing was done. A touch on a seat is for a bet, and bets are closed now. "
    "Possible now: Seat 2, dealer: CARD · STAND · SURRENDER.",
    Language.PT: "Lugar 4: nada foi feito. Tocar num lugar é para apostar, e as apostas estão fechadas. "
    "Agora pode: Lugar 2, pagador: CARTA · FICAR · DESISTIR.",
    Language.BR: "Lugar 4: nada foi feito. Tocar num lugar é para apostar, e as apostas estão fechadas. "
    "Agora pode: Lugar 2, crupiê: CARTA · FICAR · DESISTIR.",
    Language.ZH: "4號位：無效。按座位只為投注，而現時已停止投注。 現可：座位 2, 莊荷: 要牌 · 停牌 · 投降。",
}


@pytest.mark.parametrize("language", Language)
def test_a_seat_in_play_says_why_a_touch_on_it_does_nothing_and_what_may_be_done(language: Language) -> None:
    table = dealt("10S", "7C", "6D", "8H", "5C", "3S", "KC")
    assert seat_told(moment_of(table), "4", language) == SEATS[language]
    assert 'data-tells="4"' in page_at(moment_of(table))
    held = moment(Status(session="in-play", holds=[replace(WON, kind="jam")]))
    assert "The table is held" in seat_told(held, "0", Language.EN)
