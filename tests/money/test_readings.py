"""Each amount on a point that the law leaves open names the figure in the profile, and the reason for its value."""

from collections.abc import Callable

import pytest

from controller.catalogue import has_key
from controller.config.profile_file import law
from controller.core.custody.state import Card
from controller.core.games.blackjack.money import Amount
from controller.core.games.blackjack.settling import Bet, settle_bet, special_prizes
from controller.core.games.blackjack.side_bets import SideBet, settle_any_pair, settle_over_under
from controller.core.words import Cents
from tests.money.kit import RULES, Rules, cards, hand

STAKE = Cents(2_000)


def settled(text: str, bank: str, flags: str = "") -> Callable[[Rules], Amount]:
    bet = Bet(1, STAKE, is_doubled="doubled" in flags)
    return lambda rules: settle_bet(hand(text, flags), cards(bank), bet, rules)


def prize_of(bettor: int, *, doubled: bool = False) -> Callable[[Rules], Amount]:
    bets = (Bet(1, STAKE, is_doubled=doubled), Bet(2, STAKE))
    return lambda rules: next(due.amount for due in special_prizes(bets, 1, rules) if due.bettor == bettor)


def pair(*, is_split: bool) -> Callable[[Rules], Amount]:
    return lambda rules: settle_any_pair(Card("JS"), Card("JH"), STAKE, rules, is_split=is_split)


def over(first: str) -> Callable[[Rules], Amount]:
    return lambda rules: settle_over_under(SideBet.OVER, Card(first), Card("8H"), STAKE, rules)


@pytest.mark.parametrize(
    ("profile", "ask", "figures", "ours"),
    [
        ("pt-csm", settled("10S 9H", "10C 8D"), "win_pays", ""),
        ("mo-shoe", settled("10S 9H", "10C 8D"), "win_pays", "even-win-in-macau"),
        ("mo-shoe", settled("10S 9H", "10C 10D"), "", ""),
        ("br", settled("AS 8H 2C", "10C 8D", "doubled"), "win_pays doubled_ace_stays_one", "ace-stays-free"),
        ("pt-csm", settled("AS 8H 2C", "10C 8D", "doubled"), "doubled_ace_stays_one", ""),
        ("pt-csm", settled("5S 6H 9C", "10C 8D", "doubled"), "win_pays", ""),
        ("mo-shoe", settled("5S 6H 9C", "AC KD", "doubled"), "doubled_loses_first_stake", "whole-loss"),
        ("mo-csm", settled("2C 3D 4H 2S 5C", "9C", "five-cards"), "five_cards_pays", "stake-and-half"),
        ("house", prize_of(1), "special_prize_pays", ""),
        ("house", prize_of(2), "special_prize_pays special_prize_to_others", "prize-to-others"),
        ("mo-shoe", prize_of(1, doubled=True), "special_prize_pays special_prize_of_doubled", "prize-of-first-stake"),
        ("mo-shoe", prize_of(1), "special_prize_pays", ""),
        ("mo-shoe", pair(is_split=False), "any_pair_pays", ""),
        ("mo-shoe", pair(is_split=True), "any_pair_pays any_pair_new_stake", "stake-stays-up"),
        ("mo-shoe", over("10S"), "over_under_pays", ""),
        ("mo-shoe", over("AS"), "over_under_ace_either", "ace-is-one"),
    ],
)
def test_an_amount_names_what_it_rests_on(
    profile: str, ask: Callable[[Rules], Amount], figures: str, ours: str
) -> None:
    found = ask(RULES[profile])
    assert found.rests_on == tuple(figures.split())
    readings = law(profile).readings(found.rests_on)
    assert readings == tuple(f"ours.{one}" for one in ours.split())
    assert all(map(has_key, readings))
