"""The subject of a page and the entries of a form: the hold that waits for a person, the bank's turn, typed numbers."""

import dataclasses
from typing import Any

import pytest
from msgspec.structs import replace

from controller.catalogue import Language
from controller.panel.banner import banner
from controller.panel.browsers import Browser, Right, View
from controller.panel.complete import is_complete
from controller.panel.forms import asking, filled, pick, shown_first
from controller.panel.lanes import placed_in_hold
from controller.panel.listed import arranged, reported, stays_at
from controller.panel.moment import Moment
from controller.panel.offer import Lane, Offer
from controller.panel.offers import beside, offers
from controller.panel.watch import Seen
from controller.protocol.jackpot import JackpotStatus
from controller.protocol.lines import ActDocument, Answer
from controller.protocol.money_status import BetStatus, MoneyStatus, StakedHandStatus
from controller.protocol.status import (
    FiguresStatus,
    HandStatus,
    HoldStatus,
    LoadingStatus,
    NextStatus,
    PresentStatus,
    Status,
    StepState,
    StepStatus,
)
from controller.protocol.suggestion import Suggestion
from controller.protocol.values import Choice, ValueDocument, ValueKind
from tests.panel.followed import page_of
from tests.panel.test_pages import PAGES, Gone, page, table


def moment(status: Status, chosen: str = "") -> Moment:
    return Moment(status, True, (), frozenset({"dealer"}), chosen)


def held(*phases: str) -> Status:
    attend = Suggestion("attend-hold", {"hold": "H2"}, [], ["dealer"], None, True)
    count = Suggestion("state-count", {}, ["rack"], ["dealer"], None, True)
    plans = {
        "raised": [StepStatus("take-charge", "", StepState.NEXT, ["dealer"], [attend])],
        "attended": [StepStatus("count", "", StepState.NEXT, ["dealer"], [count])],
    }
    holds = [
        HoldStatus(f"H{number}", "count", phase, who=["dealer"], plan=plans.get(phase, []))
        for number, phase in enumerate(phases, 1)
    ]
    may = [NextStatus(act, ["dealer"]) for act in ("attend-hold", "state-count", "state-cards-moved")]
    return Status(session="in-play", round="dealing", holds=holds, next=may)


def test_a_hold_that_waits_for_another_makes_room_for_it() -> None:
    """A cleared jam ends only with the count that its wrongly stated card causes: the page shows the count's hold."""
    about = moment(held("cleared", "raised"))
    assert about.hold is not None
    assert about.hold.id == "H2"
    assert [offer.name for offer in offers(about)] == ["take-charge"]
    chosen = moment(held("cleared", "raised"), "H1")
    assert chosen.hold is not None
    assert chosen.hold.id == "H1"


def test_a_difference_of_counts_is_counted_or_a_place_put_right() -> None:
    assert [offer.name for offer in offers(moment(held("attended")))] == ["state-count", "state-cards-moved"]


def test_a_jam_that_hands_do_not_solve_has_the_technician_beside_the_places() -> None:
    hold = HoldStatus("H1", "jam", "attended", who=["chief_supervisor"])
    status = Status(session="in-play", holds=[hold], counts={"jammed": 2}, next=[NextStatus("call-technician", ["x"])])
    found = offers(moment(status))
    assert [offer.name for offer in found] == ["jammed-rack", "jammed-inside", "call-technician"]
    assert found[0].cards == 2


@pytest.mark.parametrize(
    ("session", "places"),
    [
        ("loading", ["outside", "rack", "inside"]),
        ("in-play", ["rack", "inside"]),
        ("closing", ["rack", "inside"]),
        ("unloading", ["outside", "rack", "inside"]),
        ("checking", ["outside", "rack", "inside"]),
    ],
)
def test_freed_cards_may_lie_outside_while_others_do(session: str, places: list[str]) -> None:
    hold = HoldStatus("H1", "jam", "attended", who=["chief_supervisor"])
    found = offers(moment(Status(session=session, holds=[hold], counts={"jammed": 2})))
    assert [offer.name for offer in found] == [f"jammed-{place}" for place in places]
    assert [offer.size.value for offer in found[:2]] == ["main", "main"]


@pytest.mark.parametrize(
    ("found", "entered", "left"),
    [([6] * 51 + [0], [], 6), ([6] * 51 + [0], [1], 0), ([6] * 52, [], 0), ([], [], 312)],
)
def test_cards_that_no_reader_has_seen_are_not_called_missing(found: list[int], entered: list[int], left: int) -> None:
    """At the deck check people enter the unread cards first; only cards that lack after that count as missing."""
    figures = FiguresStatus(decks=6, found=found)
    shown = table("checking", "idle", counts=WHOLE, figures=figures, grids_entered=entered, jackpot=None)
    text = page(shown, View.TABLE, Language.EN)
    assert (f"Cards that no device has read: {left}." in text) is (left > 0)
    if found:
        assert ("Not entered yet:" in text) is (left > 0)
        assert ("Missing:" in text) is (left == 0)


WHOLE = {"outside": 312, "inside": 0, "rack": 0, "total": 312}


@pytest.mark.parametrize(
    ("shown", "headline", "why"),
    [
        ({"session": "unloading"}, "UNLOADED", "Every card is out of the machine."),
        (
            {"session": "loading", "loading": LoadingStatus([150, 162], packet_open=True)},
            "LOADED",
            "All cards are inside.",
        ),
        ({"session": "opened", "figures": FiguresStatus(deck_set=7)}, "DISPLAY CARDS", "The deck set has its number."),
        ({"holds": [HoldStatus("H1", "jam", "cleared", text="A card is jammed.")]}, "JAM", "The cause is gone."),
        ({"holds": [HoldStatus("H1", "jam", "attended", text="A card is jammed.")]}, "JAM", "A card is jammed."),
    ],
)
def test_a_sentence_says_what_is_so_now(shown: dict[str, Any], headline: str, why: str) -> None:
    """The page's sentence describes the present state, not the state of the step before."""
    counts = {"inside": 0, "outside": 312} if shown.get("session") == "unloading" else {"inside": 312, "outside": 0}
    found = banner(moment(Status(**(shown | {"counts": counts}))), Language.EN)
    assert found.headline == headline
    assert found.why.startswith(why)


def test_once_all_cards_are_inside_the_last_packet_is_closed_by_one_button() -> None:
    may = [NextStatus(act, ["dealer"]) for act in ("close-packet", "complete-loading")]
    followed = ["next-packet", "close-packet"]
    for outside, last, names in ((0, 162, ["last-packet"]), (5, 157, followed), (162, 0, ["close-packet"])):
        loading = LoadingStatus([150, last], packet_open=True)
        status = Status(session="loading", counts={"outside": outside}, loading=loading, next=may[: 1 + (not outside)])
        assert [one.name for one in offers(moment(status)) if "packet" in one.name] == names


def test_what_does_nothing_now_is_not_listed_as_something_to_do() -> None:
    ends = ActDocument("end-putting-back", "", "", ["dealer"], True, False, 0, None, None, None, None, None, [], [])
    for round_, is_listed in (("putting-back", True), ("idle", False)):
        listed = arranged([ends], moment(Status(session="in-play", round=round_)), are_possible=True)
        assert bool(listed) is is_listed


def test_the_reports_of_a_whole_evening_keep_their_places_before_those_of_a_moment() -> None:
    def listed(*acts: str) -> list[str]:
        found = [ActDocument(act, "", "", [], True, True, 0, *(None,) * 5, [], []) for act in acts]
        return [one.act for one in reported(found)]

    always = ["call-for-ruling", "record-complaint", "correct-entry"]
    assert listed("correct-entry", "stand", "move-card", "call-for-ruling", "record-complaint") == [
        *always,
        "move-card",
    ]
    assert listed("correct-entry", "call-for-ruling", "record-complaint") == always


def test_the_button_that_takes_charge_shares_its_place_with_none() -> None:
    waiting, charge = Offer("agree-add-entry", ("dealer",)), Offer("take-charge", ("chief_supervisor",))
    lanes = {one.name: one.lane for one in placed_in_hold((waiting, charge), moment(held("raised")))}
    assert lanes == {"take-charge": Lane.UPPER, "agree-add-entry": Lane.LOWER}


@pytest.mark.parametrize(("device", "headline"), [("shuffler", "SHUFFLER LOST"), (None, "DEVICE LOST")])
def test_a_device_that_is_lost_is_named_in_large_letters(device: str | None, headline: str) -> None:
    lost = Status(session="in-play", holds=[HoldStatus("H1", "device-lost", device=device)])
    assert banner(moment(lost), Language.EN).headline == headline


def test_whoever_opens_a_packet_is_told_how_large_it_may_be() -> None:
    shown = table("loading", "idle", counts=WHOLE, figures=FiguresStatus(packets=2), loading=LoadingStatus())
    assert "any part of the 312 cards. In all at least 2 packets." in page(shown, View.TABLE, Language.EN)


def test_the_page_names_who_is_signed_in_at_this_screen_and_that_nobody_is() -> None:
    """The page names who is signed in at this screen, and the dealer at the table, who stays until he is relieved."""
    browser, seen = Browser(Language.EN), Seen(1, Status(), is_live=True, lost_at=1.0, heard_at=2.0)
    present = Status(session="in-play", round="idle", present=[PresentStatus(12, "dealer", "table")], counts=WHOLE)
    for here, said in (((), "Nobody is signed in at this screen"), (("12 A",), "Signed in at this screen: 12 A")):
        about = dataclasses.replace(moment(present), here=here)
        text = PAGES.main(View.TABLE, browser, seen, about, 3.0)
        assert said in text
        assert "dealer 12" in text


def test_a_lone_hold_is_shown_though_it_is_cleared() -> None:
    about = moment(held("cleared"))
    assert about.hold is not None
    assert offers(about) == ()


@pytest.mark.parametrize(
    ("bank", "acts", "expected"),
    [
        (["4H"], ["draw-card"], "CARDS?"),
        (["4H", None], ["draw-card", "turn-hole-card"], "CARDS?"),
        (["4H", "KS"], ["draw-card"], "BANK?"),
    ],
)
def test_once_the_bank_has_begun_it_is_the_banks_turn(bank: list[str | None], acts: list[str], expected: str) -> None:
    following = [NextStatus(act, ["dealer"]) for act in acts]
    status = Status(session="in-play", round="playing", hands=[HandStatus(0, bank)], next=following)
    assert banner(moment(status), Language.EN).headline == expected


def test_once_all_cards_are_inside_no_packet_is_asked_for() -> None:
    status = Status(session="loading", counts={"inside": 312, "outside": 0})
    assert banner(moment(status), Language.EN).headline == "LOADED"


def test_a_number_is_typed_digit_by_digit() -> None:
    value = ValueDocument("deck_set", "", "", ValueKind.NUMBER, False, 1, 999_999, [], None)
    act = ActDocument("number-deck-set", "", "", [], True, True, 0, None, None, None, None, None, [value], [])
    browser = Browser(Language.EN)
    assert shown_first(act, value) == ""
    assert not is_complete(browser, act)
    shown = []
    for digit in ("1", "0", "0", "7", "", "x", "99", "3", "4", "5"):
        pick(browser, act, "digit", f"deck_set={digit}")
        shown.append(browser.picked["deck_set"])
    assert is_complete(browser, act)
    assert shown[:5] == ["1", "10", "100", "1007", "100"]
    assert shown[-3:] == ["1003", "10034", "100345"]
    pick(browser, act, "digit", "deck_set=6")
    assert browser.picked["deck_set"] == "999999"


@pytest.mark.parametrize(
    ("why", "said"),
    [
        ("over", ""),
        ("idle", "21 A: Nada foi pedido durante três minutos: terminou a identificação neste ecrã."),
        ("a-later-word", "21 A: Nothing was asked for three minutes."),
    ],
)
def test_who_was_signed_out_by_the_controller_is_signed_out_here_in_the_pages_language(why: str, said: str) -> None:
    browser, wire = Browser(Language.PT), Gone()
    browser.sign_in(Right(21, "A", "chief_supervisor", "H6", wire))
    wire.on_line(Answer(signed_out=why, text="Nothing was asked for three minutes."))
    assert browser.rights == {}
    assert browser.said == said


def test_an_amount_is_typed_with_two_decimals_at_most() -> None:
    value = ValueDocument("amount", "", "", ValueKind.AMOUNT, False, None, None, [], None)
    act = ActDocument("insure", "", "", [], True, True, 0, None, None, None, None, None, [value], [])
    browser = Browser(Language.EN)
    for digit in (".", "3", "7", ".", ".", "5", "0", "9"):
        pick(browser, act, "digit", f"amount={digit}")
    assert browser.picked["amount"] == "37.50"
    pick(browser, act, "digit", "amount=")
    assert browser.picked["amount"] == "37.5"


@pytest.mark.parametrize("sent", ["²", "١", "abc", "9" * 900, "-", ""])
@pytest.mark.parametrize("then", [("step", "1"), ("digit", "5"), ("digit", ""), ("toggle", "x")])
@pytest.mark.parametrize("kind", [ValueKind.NUMBER, ValueKind.CARD, ValueKind.WORD])
def test_whatever_a_form_is_sent_it_stands_it(kind: ValueKind, then: tuple[str, str], sent: str) -> None:
    browser = Browser(Language.EN)
    value = ValueDocument("one", "", "", kind)
    act = ActDocument("any", "", "", [], True, True, 0, None, None, None, None, None, [value], [])
    for how in ("pick", "text"):
        pick(browser, act, how, f"one={sent}")
        pick(browser, act, then[0], f"one={then[1]}")
    pick(browser, act, "pick", "one.other=1")
    assert set(browser.picked) == {"one"}


def at_the_jackpot(round_: str, *acts: str, **about: object) -> Moment:
    """A moment at a table with a jackpot: seat 2 has bet and is chosen, and these acts are possible."""
    may = [NextStatus(act, ["dealer"]) for act in acts]
    money = MoneyStatus(hands=[StakedHandStatus("2", 2, [BetStatus(2, 1000)])])
    jackpot = JackpotStatus(1_000_080, **about)
    status = Status(session="in-play", round=round_, next=may, money=money, jackpot=jackpot)
    return Moment(status, True, (), frozenset({"dealer"}), stakes={(2, 2): 1000}, seat=2)


def test_chips_are_collected_with_one_press_and_the_sign_is_raised_once_by_what_is_due() -> None:
    (collect,) = offers(at_the_jackpot("dealing", "collect-jackpot-bets"))
    assert collect.steps == (("collect-jackpot-bets", {}),)
    assert banner(at_the_jackpot("dealing", "collect-jackpot-bets"), Language.EN).headline == "NO MORE BETS"
    (entered,) = offers(at_the_jackpot("dealing", "raise-jackpot", increment_cents=80))
    assert entered.steps == (("raise-jackpot", {"amount": "0.80"}),)
    assert offers(at_the_jackpot("dealing", "raise-jackpot", raised_cents=80)) == ()


def test_a_prize_that_is_owed_hides_no_other_hands_decisions() -> None:
    """The hold forbids no card and no bet (pt.bj.49): the page shows both, the prize first. Another hold is alone."""
    pay = Suggestion("pay-jackpot", {"seat": "2"}, [], ["dealer"], None, needs_pin=False)
    hold = HoldStatus("H1", "jackpot-owed", plan=[StepStatus("pay", "Pay", StepState.NEXT, ["dealer"], [pay])])
    hit = Suggestion("draw-card", {"seat": "4"}, [], ["dealer"], None, needs_pin=False)
    before = at_the_jackpot("playing", "pay-jackpot", "draw-card")
    for kind, buttons in (("jackpot-owed", ["pay-jackpot", "draw-card"]), ("complaint", ["pay-jackpot"])):
        money = MoneyStatus(turn="4", decisions=[hit])
        status = replace(before.status, money=money, holds=[replace(hold, kind=kind)])
        moment = dataclasses.replace(before, status=status)
        assert [one.act or one.name for one in (*beside(moment), *offers(moment))] == buttons


def test_what_lies_as_it_was_tapped_is_the_tables_from_then_on() -> None:
    """Chips that were laid as the browser tapped them are dropped from its taps; other taps and clearings stay."""
    browser = Browser(Language.EN, stakes={(5, 5): 10_000, (2, 2): 5000, (4, 4): 0})
    browser.drop_laid({(5, 5): 10_000, (2, 2): 1000})
    assert browser.stakes == {(2, 2): 5000, (4, 4): 0}


NOTHING = (None,) * 5
"""The empty fields of a refusal, for an allowed act."""


def test_another_players_bet_is_not_asked_for_without_its_player() -> None:
    (other,) = [one for one in beside(at_the_jackpot("betting", "place-bet")) if one.name == "place-bet"]
    assert other.known == {"seat": "2", "bettor": ""}
    values = [ValueDocument(name, "", "", ValueKind.NUMBER, may_be_left_out=name == "bettor") for name in other.known]
    act = asking(ActDocument("place-bet", "", "", ["dealer"], True, False, 0, *NOTHING, values, []), other.known)
    browser = Browser(Language.EN, act=act, picked=dict(other.known))
    assert not is_complete(browser, act)
    pick(browser, act, "step", "bettor=1")
    assert is_complete(browser, act)
    assert filled(browser, act) == {"seat": "2", "bettor": "1"}


def card_to_move(last_at: str, *seats: str) -> tuple[Moment, ActDocument]:
    """The moment with the last card there, and the act that moves it to one of these seats."""
    seat = ValueDocument("seat", "Seat", "", ValueKind.SEAT, False, choices=[Choice(one, one, []) for one in seats])
    act = ActDocument("move-card", "", "", ["dealer"], True, False, 0, *(None,) * 5, [seat], [])
    return moment(Status(session="in-play", round="playing", figures=FiguresStatus(last_at=last_at))), act


@pytest.mark.parametrize(
    ("last_at", "seats", "stays"),
    [("4", ("4",), "4"), ("0", ("0",), "0"), ("4", ("0",), ""), ("2/2", ("0", "2"), ""), ("2", ("0", "4"), "")],
)
def test_a_card_of_the_deal_is_not_offered_its_own_place(last_at: str, seats: tuple[str, ...], stays: str) -> None:
    """The list once offered to move a card, and its form only the place where the record had the card."""
    about, act = card_to_move(last_at, *seats)
    assert stays_at([act], about) == stays
    assert [one.act for one in arranged([act], about, are_possible=True)] == ([] if stays else ["move-card"])
    browser = Browser(Language.EN, sheet="report", stays_at=stays)
    said = {"4": "its place is Seat 4.", "0": "its place is Bank."}.get(stays)
    shown = page_of(about, browser).partition('id="of-the-deal">')[2].partition("<")[0]
    assert (said in shown) if said else not shown


@pytest.mark.parametrize(
    ("attended", "here", "is_listed"), [(21, (11, 21), False), (21, (11,), True), (None, (11, 21), True)]
)
def test_the_charge_of_a_hold_is_not_offered_to_those_who_have_it(
    attended: int | None, here: tuple[int, ...], *, is_listed: bool
) -> None:
    """After a supervisor had taken charge the list still offered it to him."""
    about = ("CHARGE", "take charge", ["chief_supervisor"], True, True, 0, None, None, None, None, None)
    act = ActDocument("attend-hold", *about, values=[], combinations=[])
    status = held("attended")
    status.holds[0] = replace(status.holds[0], attended_by=attended)
    assert bool(arranged([act], moment(status), are_possible=True, here=here)) is is_listed
