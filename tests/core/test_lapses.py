"""A request that ends without its second person is kept with the cause, until the act is asked for again."""

from typing import Any

import pytest

from controller.core.games.blackjack import follows as at_cards
from controller.core.games.blackjack.table import TABLE
from controller.core.games.roulette import follows as at_a_wheel
from controller.core.games.roulette.table import ROULETTE
from controller.core.house.registry import Registry
from controller.core.house.rule import ActRule
from controller.core.house.waiting import LapseCause
from controller.core.words import Person
from tests.core.test_second_person import of_a_jackpot, of_hands, play

PLAYED = ("bet 1 50", "dealer: announce-no-more-bets", "draw 10S 10H 2H KD", "hit 1 3C")
RULED = (*PLAYED, "chief: call-for-ruling cause=dispute", "chief: make-ruling outcome=round-void")
DIFFERS = ("dealer: correct-entry entry=1 amount=20", "chief: correct-entry entry=1 amount=20")
WON = ("bet 1 10", "bet 2 10", "chip 1", "no-more-bets", "draw JS 9H 10H JS 9D 10S", "stand 1")


@pytest.mark.parametrize(
    ("before", "event", "cause"),
    [
        (RULED, ("restart",), LapseCause.START),
        (RULED, ("second-dealer: sign-in operation=table",), LapseCause.DEALER),
        (RULED, ("jam mouth 1",), LapseCause.HOLD),
        (RULED, ("chief: make-ruling outcome=card-discarded",), LapseCause.ASKED_ANEW),
        ((*PLAYED, "dealer: correct-entry entry=1 amount=20"), ("hit 1 2S",), LapseCause.ROUND),
        ((*WON, "dealer: pay-jackpot seat=1"), DIFFERS, LapseCause.CORRECTED),
        (
            (*WON, "dealer: pay-jackpot seat=1"),
            ("chief: pay-jackpot-by-hand seat=1", "inspector: pay-jackpot-by-hand seat=1"),
            LapseCause.MATTER,
        ),
    ],
)
def test_a_request_that_ends_is_kept_with_its_cause(
    before: tuple[str, ...], event: tuple[str, ...], cause: LapseCause
) -> None:
    player = of_a_jackpot() if "chip 1" in before else of_hands()
    play(player, *before)
    (asked,) = player.state.house.waiting
    play(player, *event)
    assert [(one.request, one.cause) for one in player.state.house.lapsed] == [(asked, cause)]


def test_a_request_that_the_second_person_completes_does_not_lapse() -> None:
    player = of_hands()
    play(player, *RULED, "dealer: make-ruling outcome=round-void")
    assert (player.state.house.waiting, player.state.house.lapsed) == ((), ())


def test_it_is_forgotten_once_it_is_asked_for_again_and_with_the_next_round() -> None:
    player = of_hands()
    play(player, *PLAYED, "dealer: correct-entry entry=1 amount=20", "hit 1 2S")
    assert len(player.state.house.lapsed) == 1
    play(player, "dealer: correct-entry entry=1 amount=30")
    assert player.state.house.lapsed == ()
    play(player, "stand 1", "dealer: turn-hole-card", "bank-plays", "dealer: confirm-settled", "collect", "put-back")
    assert [one.cause for one in player.state.house.lapsed] == [LapseCause.ROUND]
    play(player, "bet 1 50", "dealer: announce-no-more-bets")
    assert player.state.house.lapsed == ()


def test_of_each_act_the_last_lapsed_request_alone_is_kept() -> None:
    player = of_hands()
    play(player, *RULED)
    for outcome in ("card-discarded", "round-void", "card-discarded"):
        play(player, f"chief: make-ruling outcome={outcome}")
    assert [one.request.values[0] for one in player.state.house.lapsed] == ["round-void"]
    assert {one.request.person for one in player.state.house.lapsed} == {Person(21)}


def test_a_prize_waits_on_while_the_bank_plays() -> None:
    player = of_a_jackpot()
    play(player, *WON, "dealer: pay-jackpot seat=1", "stand 2", "dealer: turn-hole-card")
    assert [one.act for one in player.state.house.waiting] == ["pay-jackpot"]
    play(player, "chief: pay-jackpot seat=1")
    assert (player.state.house.waiting, player.state.house.lapsed) == ((), ())


def test_each_entry_that_is_put_right_is_counted() -> None:
    """The record said 0 corrections after an evening with one."""
    player = of_hands()
    play(player, *PLAYED, *DIFFERS)
    assert player.state.house.tally.put_right == 1
    play(player, "dealer: correct-entry entry=1 amount=30", "chief: correct-entry entry=1 amount=30")
    assert player.state.house.tally.put_right == 2


@pytest.mark.parametrize(("registry", "given"), [(TABLE, at_cards.OWN_MATTERS), (ROULETTE, at_a_wheel.OWN_MATTERS)])
def test_each_row_that_names_what_both_see_is_one_of_the_watch(
    registry: Registry[Any], given: tuple[ActRule[Any, Any], ...]
) -> None:
    """The watch would end any other row's request with each change of the round."""
    named = {one.name for one in registry.acts if one.second is not None and one.second.sees is not None}
    assert named
    assert named <= {one.name for one in given}
