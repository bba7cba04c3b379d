"""The jackpot's chip and side bets are laid by a touch on the seat's own marker, also at tables where bets are laid by
chips.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from controller.catalogue import Language
from controller.panel.browsers import Browser
from controller.panel.moment import Moment
from controller.panel.offer import Size
from controller.panel.offers import offers
from controller.panel.stakes import markers, stakes_of
from controller.protocol.status import HoldStatus, NextStatus, Status, StepState, StepStatus
from controller.protocol.suggestion import Suggestion
from tests.daemon.rig import DEALER
from tests.panel.conftest import OpenScreen
from tests.panel.dealt import Dealt
from tests.panel.followed import page_of
from tests.panel.tables import Painted
from tests.panel.test_hands_at_the_screen import moment, press

MORE_WITH_A_JACKPOT = 10
"""The most touches of a round at seven seats beyond those of one without a jackpot."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Painted]:
    table = Painted(tmp_path / "table", Dealt(jackpot="manual"))
    yield table
    table.end()


@pytest.mark.waits
def test_a_chip_at_each_seat_costs_one_touch(open_screen: OpenScreen, table: Painted) -> None:
    dealt = table.shown
    assert isinstance(dealt, Dealt)
    screen = open_screen(table, "", 800, 480)
    for seat in range(1, 8):
        screen.tap(f"seat-{seat}")
        screen.tap("chip-1000")
    screen.taps = 0
    for seat in range(1, 8):
        screen.tap(f"mark-jackpot-{seat}")
        if seat == 1:
            screen.sign_in(DEALER)
            screen.signed_in()
        screen.page.locator(f"#mark-jackpot-back-{seat}").wait_for()
    assert screen.measured(SMALL) == []
    assert screen.hides(".marks button", "#middle") == []
    screen.picture("markers")
    screen.tap("bets-laid")
    for name in ("collect-jackpot-bets", "raise-jackpot"):
        screen.tap(name)
    screen.page.locator(".places").wait_for()
    assert dealt.player.state.game.jackpot.raised == dealt.player.state.game.jackpot.rise
    without = 1  # the touch that closes the bets
    assert screen.taps - without <= MORE_WITH_A_JACKPOT


SMALL = """() => [...document.querySelectorAll('.marks button')]
  .filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.id)"""


def test_a_touch_takes_the_chip_back() -> None:
    dealt = Dealt(jackpot="manual")
    press(dealt, "jackpot-2", {(2, 2): 1000})
    assert dealt.status.jackpot is not None
    assert dealt.status.jackpot.chips == [2]
    press(dealt, "jackpot-back-2")
    assert dealt.status.jackpot.chips == []


def test_a_seat_has_a_marker_for_each_side_bet_of_its_table_and_for_no_other() -> None:
    dealt = Dealt("mo-shoe")
    assert markers(moment(dealt, {(2, 2): 1000}, 2)) == (), "the chips keep their place while they are laid"
    about = moment(dealt, {(2, 2): 1000})
    assert [one.name for one in markers(about)] == ["side-any-pair-2", "side-sevens-2", "side-over-2", "side-under-2"]
    assert press(dealt, "side-any-pair-2", {(2, 2): 1000}) == ""
    assert dealt.status.money is not None
    assert [(one.seat, one.bet, one.stake_cents) for one in dealt.status.money.side] == [(2, "any-pair", 1000)]
    assert "side-any-pair-2" not in {one.name for one in markers(moment(dealt))}
    none = Dealt()
    assert markers(moment(none, {(2, 2): 1000}, 2)) == ()
    assert none.ask("place-bet", {"seat": "2", "amount": "10"}) == ""
    assert markers(moment(none, {(2, 2): 1000})) == ()
    assert "place-side-bet" not in {one.act for one in none.status.next}


@pytest.mark.waits
def test_a_side_bet_stands_at_its_seat_with_its_amount_and_in_the_sum(open_screen: OpenScreen, tmp_path: Path) -> None:
    """Two croupiers touched one: it was recorded, and nothing on the page said so."""
    table = Painted(tmp_path / "table", Dealt("mo-shoe"))
    assert isinstance(table.shown, Dealt)
    screen = open_screen(table, "", 800, 480)
    screen.tap("seat-2")
    screen.tap("chip-1000")
    screen.tap("seat-2")
    expect(screen.page.locator("#mark-side-any-pair-2")).to_have_text("any pair +10")
    screen.tap("mark-side-any-pair-2")
    screen.sign_in(DEALER)
    screen.signed_in()
    expect(screen.page.locator("#mark-side-back-any-pair-2")).to_have_text("any pair 10")
    expect(screen.page.locator("#b-bets-laid")).to_contain_text("20.00 in all")
    assert screen.hides(".marks > *", "#middle") == []
    screen.tap("bets-laid")
    screen.page.locator(".places").wait_for()
    expect(screen.page.locator("#seat-2 .stake", has_text="any pair 10")).to_be_visible()
    table.end()


def side_bets(dealt: Dealt) -> list[tuple[int, str, int]]:
    money = dealt.status.money
    return [(one.seat, one.bet, one.stake_cents) for one in money.side] if money is not None else []


def bets(dealt: Dealt) -> dict[tuple[int, int], int]:
    return stakes_of(dealt.status.money)


def test_a_touch_takes_a_side_bet_back_and_leaves_everything_else() -> None:
    """A side bet at the wrong seat once needed a second person; a touch on it had no effect."""
    dealt = Dealt("mo-shoe")
    for seat in ("2", "4"):
        assert dealt.ask("place-bet", {"seat": seat, "amount": "20"}) == ""
        for bet in ("over", "under"):
            assert dealt.ask("place-side-bet", {"seat": seat, "bet": bet, "amount": "10"}) == ""
    press(dealt, "side-back-over-2")
    assert side_bets(dealt) == [(2, "under", 1000), (4, "over", 1000), (4, "under", 1000)]
    assert bets(dealt) == {(2, 2): 2000, (4, 4): 2000}
    alone = Dealt("mo-shoe")
    press(alone, "side-sevens-3", {(3, 3): 1000})
    number = alone.status.round_number
    press(alone, "side-back-sevens-3")
    assert (side_bets(alone), bets(alone), alone.status.round_number) == ([], {(3, 3): 1000}, number)


def test_a_touch_takes_back_the_side_bet_of_whoever_laid_it() -> None:
    """A player who bet at another seat, too, kept his side bet, and another player's had no touch."""
    dealt = Dealt("mo-shoe")
    for seat, bettor in ((2, 2), (2, 5), (5, 5), (3, 3), (3, 2)):
        given = {"seat": str(seat), "bettor": str(bettor), "amount": "20", "consent": "yes"}
        assert dealt.ask("place-bet", given) == ""
    for bettor in ("2", "5"):
        values = {"seat": "2", "bettor": bettor, "bet": "over", "amount": "10"}
        assert dealt.ask("place-side-bet", values) == ""
    before = bets(dealt)
    assert 'id="mark-side-back-over-2-5" class="mark-of on"' in page_of(moment(dealt), Browser(Language.EN))
    press(dealt, "side-back-over-2")
    assert [one.bettor for one in dealt.player.state.game.stakes.side] == [5]
    press(dealt, "side-back-over-2-5")
    assert (side_bets(dealt), bets(dealt)) == ([], before)


def test_a_side_bet_taken_back_is_one_act() -> None:
    """Five acts took everything back and laid it again, and bets may have closed in between."""
    dealt = Dealt("mo-shoe")
    press(dealt, "side-over-2", {(2, 2): 2000})
    back = next(one for one in markers(moment(dealt)) if one.name == "side-back-over-2")
    assert back.steps == (("withdraw-side-bet", {"seat": "2", "bet": "over"}),)


def test_no_side_bet_moves_when_one_is_laid() -> None:
    """The laid one jumped to the top, and the others moved under the finger."""
    dealt = Dealt("mo-shoe")
    assert dealt.ask("place-bet", {"seat": "2", "amount": "10"}) == ""
    before = in_order(dealt)
    press(dealt, "side-over-2")
    assert before == ["any-pair", "sevens", "over", "under"]
    assert in_order(dealt) == ["any-pair", "sevens", "back-over", "under"]


def in_order(dealt: Dealt) -> list[str]:
    page = page_of(moment(dealt), Browser(Language.EN))
    return re.findall(r'id="mark-side-([a-z-]+)-2"', page)


def test_a_chip_at_a_seat_whose_bet_is_taken_off_the_screen_can_be_taken_back() -> None:
    """The chip lies until the bet is given back at the table, and once no button was left to take it off."""
    dealt = Dealt(jackpot="manual")
    press(dealt, "jackpot-1", {(1, 1): 1000})
    assert [one.name for one in markers(moment(dealt, {(1, 1): 0}, 1))] == ["jackpot-back-1"]


def test_a_prize_is_paid_from_the_pool_before_it_is_paid_by_hand() -> None:
    """Both buttons were large, and the rarer one stood above."""
    pays = [
        Suggestion(act, {}, [], ["dealer"], None, needs_pin=False) for act in ("pay-jackpot", "pay-jackpot-by-hand")
    ]
    plan = [StepStatus("pay", "", StepState.NEXT, ["dealer"], pays)]
    may = [NextStatus(one.act, ["dealer"]) for one in pays]
    hold = HoldStatus("H1", "jackpot-owed", "raised", plan=plan)
    status = Status(session="in-play", round="playing", next=may, holds=[hold])
    found = {one.name: one.size for one in offers(Moment(status, True, (), frozenset({"dealer"})))}
    assert found == {"pay-jackpot": Size.MAIN, "pay-jackpot-by-hand": Size.SECOND}


def test_differences_are_settled_before_the_bank_turns() -> None:
    may = [NextStatus(act, ["dealer"]) for act in ("turn-hole-card", "confirm-differences")]
    status = Status(session="in-play", round="playing", next=may)
    found = {one.name: one.size for one in offers(Moment(status, True, (), frozenset({"dealer"})))}
    assert found == {"confirm-differences": Size.MAIN, "turn-hole-card": Size.SECOND}


def test_where_a_prize_is_due_nothing_stands_beside_its_payment() -> None:
    pay = Suggestion("pay-jackpot", {}, [], ["dealer"], None, needs_pin=False)
    plan = [StepStatus("pay", "", StepState.NEXT, ["dealer"], [pay])]
    may = [NextStatus(act, ["dealer"]) for act in ("turn-hole-card", "pay-jackpot", "take-bets")]
    for holds, found in (
        ([], ["turn-hole-card"]),
        ([HoldStatus("H1", "jackpot-owed", "raised", plan=plan)], ["pay-jackpot"]),
    ):
        status = Status(session="in-play", round="playing", next=may, holds=holds)
        assert [one.name for one in offers(Moment(status, True, (), frozenset({"dealer"})))] == found
