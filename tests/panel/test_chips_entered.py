"""Chips that were touched and that the table does not have yet: their look, and the acts that enter them first."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from controller.catalogue import Language
from controller.core.games.blackjack.table import TABLE
from controller.core.house.permitted import permitted
from controller.daemon.speaker import Speaker
from controller.panel.browsers import Browser, View
from controller.panel.stakes import Stakes, bet_steps, laid_before, stakes_of, with_chip
from controller.panel.watch import Seen
from controller.protocol.values import ValueKind
from controller.runtime.game import game_of
from tests.daemon.rig import DEALER
from tests.panel.conftest import OpenScreen
from tests.panel.dealt import Dealt
from tests.panel.tables import Painted
from tests.panel.test_hands_at_the_screen import moment
from tests.panel.test_pages import PAGES

OTHERS = {(1, 1): 1000, (1, 8): 2000}
"""The bets at a seat with a second player."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Painted]:
    dealt = Dealt("mo-shoe")
    assert dealt.ask("place-bet", {"seat": "1", "amount": "100"}) == ""
    table = Painted(tmp_path / "table", dealt)
    yield table
    table.end()


def read(dealt: Dealt, stakes: Stakes, seat: int) -> str:
    about = moment(dealt, dict(stakes), seat)
    seen = Seen(1, about.status, is_live=True, lost_at=1.0, heard_at=2.0)
    return PAGES.main(View.TABLE, Browser(Language.EN), seen, about, 3.0)


@pytest.mark.waits
def test_a_side_bet_from_the_list_enters_the_chips_first_and_asks_for_nothing_by_keyboard(
    open_screen: OpenScreen, table: Painted
) -> None:
    """The side bet was once refused, since the bet on the screen was not at the table yet."""
    dealt, screen = table.shown, open_screen(table)
    assert isinstance(dealt, Dealt)
    for name in ("seat-2", "chip-10000", "more", "m-place-side-bet"):
        screen.tap(name)
    screen.sign_in(DEALER)
    screen.signed_in()
    expect(screen.page.locator("#c-seat-2")).to_be_visible()
    assert stakes_of(dealt.status.money) == {(1, 1): 10_000, (2, 2): 10_000}
    assert screen.page.locator("#sheet input").count() == 0
    for name in ("c-seat-2", "c-bet-1", "d-amount-1", "d-amount-10", "d-amount-10", "do"):
        screen.tap(name)
    expect(screen.page.locator("#sheet")).to_have_count(0)
    assert dealt.status.money is not None
    assert [(one.seat, one.stake_cents) for one in dealt.status.money.side] == [(2, 10_000)]


@pytest.mark.waits
def test_a_refusal_in_a_form_covers_no_field(open_screen: OpenScreen, table: Painted) -> None:
    screen = open_screen(table)
    for name in ("more", "m-place-side-bet"):
        screen.tap(name)
    screen.sign_in(DEALER)
    screen.signed_in()
    for name in ("c-seat-1", "c-bet-1", "d-amount-1", "c-bettor-3"):
        screen.tap(name)
    screen.page.evaluate("() => { document.getElementById('middle').scrollTop = 1000; }")
    screen.tap("do")
    expect(screen.page.locator("#said.refused")).to_be_visible()
    assert screen.measured(UNDER_THE_WORDS) == []


UNDER_THE_WORDS = """() => {
  const words = document.getElementById('said').getBoundingClientRect();
  return [...document.querySelectorAll('#sheet button, #sheet p')].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.top < words.bottom - 1 && box.bottom > words.top + 1;
  }).map((one) => one.id || one.textContent);
}"""


def test_the_chips_are_entered_before_acts_about_bets_and_before_no_others() -> None:
    dealt = Dealt("mo-shoe")
    about = moment(dealt, {(2, 2): 10_000}, 2)
    entered = (("place-bet", {"seat": "2", "amount": "100"}),)
    assert laid_before(about, "place-side-bet") == laid_before(about, "announce-no-more-bets") == entered
    assert laid_before(about, "call-for-ruling") == laid_before(None, "place-side-bet") == ()


def test_what_is_not_entered_yet_looks_and_reads_otherwise() -> None:
    dealt = Dealt()
    assert dealt.ask("place-bet", {"seat": "1", "amount": "10"}) == ""
    for stakes, seat, is_unsent in (
        ({(1, 1): 1000}, 1, False),
        ({(1, 1): 1000, (2, 2): 5000}, 2, True),
        ({(1, 1): 0}, 1, True),
    ):
        page = read(dealt, stakes, seat)
        found = re.search(rf'id="seat-{seat}" class="([^"]*)"', page)
        assert found is not None
        assert ("unsent" in found[1].split()) is is_unsent
        assert ('id="not-entered">enters with NO MORE BETS<' in page) is is_unsent


def test_no_bet_takes_the_bet_of_one_player_and_names_any_other() -> None:
    """The bet of a second player once went with the first one's, without a word."""
    dealt = Dealt()
    for (seat, bettor), amount in zip(OTHERS, ("10", "20"), strict=True):
        values = {"seat": str(seat), "bettor": str(bettor), "amount": amount, "consent": "yes"}
        assert dealt.ask("place-bet", values) == ""
    page = read(dealt, OTHERS, 1)
    assert "+ 20 <small>player 8</small>" in page
    assert 'data-value="none-8">NO BET<small>player 8</small>' in page
    money = dealt.status.money
    assert money is not None
    own, other = (with_chip(OTHERS, {}, money, 1, chip) for chip in ("", "none-8"))
    assert (own, other) == ({(1, 1): 0, (1, 8): 2000}, {(1, 1): 1000, (1, 8): 0})
    assert with_chip(OTHERS, {}, money, 1, "none-9") == OTHERS
    assert [act for act, _values in bet_steps(moment(dealt, own))] == ["withdraw-bet"]


def test_another_amount_is_one_act_that_leaves_side_bets_and_the_jackpots_chip() -> None:
    """The bet was taken back with all that hung on it, and lay on the cloth alone if bets closed in between."""
    jackpot, aside = Dealt(jackpot="manual"), Dealt("mo-shoe")
    for dealt in (jackpot, aside):
        assert dealt.ask("place-bet", {"seat": "2", "amount": "20"}) == ""
    assert jackpot.ask("place-jackpot-bet", {"seat": "2"}) == ""
    assert aside.ask("place-side-bet", {"seat": "2", "bet": "over", "amount": "10"}) == ""
    for dealt in (jackpot, aside):
        steps = bet_steps(moment(dealt, {(2, 2): 5000}))
        assert steps == (("change-bet", {"seat": "2", "amount": "50"}),)
        assert dealt.ask(*steps[0]) == ""
        assert stakes_of(dealt.status.money) == {(2, 2): 5000}
    assert jackpot.status.jackpot is not None
    assert jackpot.status.jackpot.chips == [2]
    assert aside.status.money is not None
    assert [one.bet for one in aside.status.money.side] == ["over"]


def test_a_bet_that_grows_is_changed_behind_one_that_shrinks() -> None:
    """Two players of one place changed their stakes, and its maximum stood against the first."""
    dealt = Dealt()
    for bettor, amount in (("1", "200"), ("2", "100")):
        assert dealt.ask("place-bet", {"seat": "1", "bettor": bettor, "amount": amount, "consent": "yes"}) == ""
    for wanted in ({(1, 1): 10000, (1, 2): 20000}, {(1, 1): 20000, (1, 2): 10000}):
        assert [dealt.ask(*step) for step in bet_steps(moment(dealt, wanted))] == ["", ""]
        assert stakes_of(dealt.status.money) == wanted


@pytest.mark.parametrize("profile", ["pt-csm", "mo-shoe"])
def test_no_act_asks_for_a_seat_by_keyboard(profile: str) -> None:
    dealt = Dealt(profile)
    for _bets in ("none", "one"):
        state, game = dealt.player.state, game_of(profile)
        acts = Speaker(game, Language.EN).acts(state, permitted(game.registry, state), None)
        typed = [(one.act, value.name) for one in acts for value in one.values if value.kind is ValueKind.SEAT]
        listed = [(one.act, value.name) for one in acts for value in one.values if value.choices]
        assert set(typed) <= set(listed)
        assert dealt.ask("place-bet", {"seat": "1", "amount": "100"}) == ""


def test_a_table_without_side_bets_offers_none() -> None:
    for profile, has_any in (("pt-csm", False), ("mo-shoe", True)):
        dealt = Dealt(profile)
        assert dealt.ask("place-bet", {"seat": "1", "amount": "100"}) == ""
        listed = {one.act for one in permitted(TABLE, dealt.player.state) if one.refusal is None}
        assert ("place-side-bet" in listed) is has_any
