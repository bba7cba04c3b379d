"""The words that a dealer reads at the seats, and above them, while bets lie there."""

import re

import pytest
from msgspec.structs import replace

from controller.catalogue import Language
from controller.panel.banner import banner
from controller.panel.browsers import Browser, View
from controller.panel.moment import Moment
from controller.panel.tiles import as_they_sit
from controller.panel.watch import Seen
from controller.protocol.jackpot import JackpotStatus
from controller.protocol.money_status import AmountStatus, BetStatus, LimitsStatus, MoneyStatus, StakedHandStatus
from controller.protocol.status import FiguresStatus, HandStatus, LoadingStatus, NextStatus, OwedStatus, Status
from controller.protocol.values import Choice, ValueDocument, ValueKind
from tests.panel.test_pages import PAGES

LAID = MoneyStatus(hands=[StakedHandStatus("2", 2, [BetStatus(2, 20_000)])], limits=LimitsStatus(1000, 30_000))
DEALT = (HandStatus(0, ["9S", "AC"], total="10/20"), HandStatus(2, ["KD", "QH"], total="20"))


def at_seat_two(round_: str, money: MoneyStatus = LAID, *acts: str, **changes: object) -> Moment:
    may = [NextStatus(act, ["dealer"]) for act in acts]
    status = Status(session="in-play", round=round_, seats=[2], money=money, figures=FiguresStatus(7, 6), next=may)
    return Moment(replace(status, **changes), True, (), frozenset({"dealer"}))


def read(moment: Moment) -> str:
    seen = Seen(1, moment.status, is_live=True, lost_at=1.0, heard_at=2.0)
    return PAGES.main(View.TABLE, Browser(Language.EN), seen, moment, 3.0)


def at(moment: Moment, seat: int) -> str:
    """The words at this seat."""
    found = re.search(rf'id="seat-{seat}".*?(?=id="seat-|id="money"|id="b-more")', read(moment), re.DOTALL)
    assert found is not None
    return " ".join(re.sub("<[^>]*>", " ", found[0].partition(">")[2]).split())


def why(moment: Moment) -> str:
    return banner(moment, Language.EN).why


def decided(amount: str, payment: str) -> MoneyStatus:
    return replace(LAID, is_decided=True, amounts=[AmountStatus("2", 2, payment, 20_000, "0:1", amount)])


def test_the_bets_stay_in_sight_between_the_last_bet_and_the_first_card() -> None:
    assert "bet 200" in at(at_seat_two("dealing"), 2)


def test_a_push_has_its_word_and_is_not_painted_as_a_win() -> None:
    push = at_seat_two("playing", decided("0.00", "tie"), hands=list(DEALT))
    assert "bet 200 0 push" in at(push, 2)
    assert '<span class="brings lost">' in read(push)
    win = at_seat_two("playing", decided("+200.00", "win"), hands=list(DEALT))
    assert '<span class="brings">' in read(win)


def test_an_insurance_says_at_the_seat_that_it_is_one() -> None:
    lost = AmountStatus("2", 2, "bank-blackjack", 20_000, "-1:1", "-200.00")
    won = AmountStatus("2", 2, "insurance-won", 10_000, "2:1", "+200.00")
    money = replace(LAID, is_decided=True, amounts=[lost, won])
    assert "bet 200 -200 insured +200" in at(at_seat_two("playing", money, hands=list(DEALT)), 2)


def test_a_bank_that_has_drawn_has_one_total() -> None:
    begun = Moment(at_seat_two("playing").status, True, (), frozenset({"dealer"}), faces=DEALT)
    assert "10/20" in at(begun, 0)
    settled = replace(decided("0.00", "tie"), is_decided=False)
    for over in (at_seat_two("playing", decided("0.00", "tie")), at_seat_two("collected", settled)):
        shown = at(Moment(over.status, True, (), frozenset(), faces=DEALT), 0)
        assert "10/20" not in shown
        assert "20" in shown


def test_a_void_round_gives_the_stakes_back_before_the_cards_go() -> None:
    assert "give back every stake" in why(at_seat_two("settled"))
    assert "give back" not in why(at_seat_two("settled", decided("0.00", "tie")))


def test_the_sign_is_raised_before_the_first_card_and_the_button_says_by_how_much() -> None:
    due = at_seat_two(
        "dealing", LAID, "raise-jackpot", owed=OwedStatus("player", 2), jackpot=JackpotStatus(1, increment_cents=80)
    )
    assert why(due) == "Raise the jackpot display by 0.80; then draw the card for seat 2."
    assert "<small>+€0.80</small>" in read(due).partition('id="b-raise-jackpot"')[2].partition("</button>")[0]
    raised = replace(due.status, jackpot=JackpotStatus(1, raised_cents=80))
    assert why(Moment(raised, True, (), frozenset())) == "Draw the card for seat 2."


@pytest.mark.parametrize(("packet_open", "who"), [(True, "chief supervisor closes the packet"), (False, "dealer ends")])
def test_a_loaded_machine_names_the_person_who_goes_on(packet_open: bool, who: str) -> None:
    loading = LoadingStatus([100, 12], packet_open=packet_open)
    assert who in why(Moment(Status(session="loading", loading=loading), True, (), frozenset()))


@pytest.mark.parametrize(("cents", "said"), [(30_000, "(10 to 300)"), (30_001, "only 10 to 300")])
def test_a_bet_beyond_the_limits_is_marked_before_it_is_laid(cents: int, said: str) -> None:
    status = at_seat_two("betting", LAID, "place-bet").status
    page = read(Moment(status, True, (), frozenset({"dealer"}), stakes={(2, 2): cents}, seat=2))
    assert said in page
    assert ('class="passed"' in page) is (cents > 30_000)


def test_the_bank_stands_behind_the_seats_of_a_form() -> None:
    choices = [Choice(str(seat), "", []) for seat in range(3)]
    value = ValueDocument("seat", "", "", ValueKind.SEAT, choices=choices)
    assert [one.value for one in as_they_sit(value)] == ["1", "2", "0"]
    assert [one.value for one in as_they_sit(replace(value, kind=ValueKind.NUMBER))] == ["0", "1", "2"]
