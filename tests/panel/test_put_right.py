"""A wrong touch is put right at the screen: the entry is named in the round's list, a second person reads the same."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from controller.catalogue import Language
from controller.panel.banner import banner
from controller.panel.moment import Moment
from controller.panel.offers import offers
from tests.daemon.rig import DEALER
from tests.panel.conftest import OpenScreen
from tests.panel.dealt import Dealt
from tests.panel.tables import Painted

MOST_TAPS = 5


def moment(dealt: Dealt) -> Moment:
    return Moment(dealt.status, True, (), frozenset({"dealer"}), faces=tuple(dealt.hands))


def decided_wrong() -> Dealt:
    """Seats 1 and 3 play, with 19 and 18 against the bank's 17."""
    dealt = Dealt(minimum_bet="5", maximum_bet="150")
    dealt.cards = ["9S", "8H", "7D", "KC", "KD", "QD"]
    for seat, amount in (("1", "10"), ("3", "20")):
        assert dealt.ask("place-bet", {"seat": seat, "amount": amount}) == ""
    assert dealt.ask("announce-no-more-bets", {}) == ""
    return dealt


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Painted]:
    table = Painted(tmp_path / "hands", decided_wrong())
    yield table
    table.end()


@pytest.mark.waits
def test_a_bet_is_put_right_in_few_taps(open_screen: OpenScreen, table: Painted) -> None:
    assert isinstance(table.shown, Dealt)
    screen = open_screen(table)
    screen.sees("SEAT 1?")
    screen.tap("report")
    screen.tap("m-correct-entry")
    screen.sign_in(DEALER)
    screen.signed_in()
    screen.page.get_by_role("button", name="2. Bet 3 20.00").tap()
    for digit in ("3", "0"):
        screen.page.locator("#sheet .digits").get_by_role("button", name=digit, exact=True).tap()
    screen.tap("do", hold_s=1.2)
    agrees = screen.page.locator("#b-agree-correct-entry")
    expect(agrees).to_contain_text("→ amount: 30.00")
    assert table.shown.ask("correct-entry", {"entry": "2", "amount": "30.00"}, "chief_supervisor") == ""
    assert screen.taps <= MOST_TAPS
    money = table.shown.status.money
    assert money is not None
    assert [bet.stake_cents for hand in money.hands for bet in hand.bets] == [1000, 3000]


def test_an_amount_that_changes_is_told_until_it_is_settled() -> None:
    """Seat 3 has won; its bet was 30.00, and not 20.00 as it was entered."""
    dealt = decided_wrong()
    for seat in ("1", "3"):
        assert dealt.ask("stand", {"seat": seat}) == ""
    assert dealt.ask("turn-hole-card", {}) == ""
    assert dealt.ask("confirm-settled", {}) == ""
    for role in ("dealer", "chief_supervisor"):
        assert dealt.ask("correct-entry", {"entry": "2", "amount": "30.00"}, role) == ""
    (changed,) = dealt.status.differences
    assert (changed.seat, changed.amount) == (3, "+10.00")
    shown = banner(moment(dealt), Language.EN)
    assert (shown.headline, changed.text in shown.why) == ("SETTLE DIFFERENCES", True)
    assert offers(moment(dealt))[0].name == "confirm-differences"
    for role in ("dealer", "chief_supervisor"):
        assert dealt.ask("confirm-differences", {}, role) == ""
    assert dealt.status.differences == []
