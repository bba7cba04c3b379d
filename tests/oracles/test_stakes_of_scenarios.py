"""The bettors' gains in written scenarios with rulings on a double, computed again from the acts and the law alone."""

from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from controller.scenario.text import read_scenarios
from simulators.oracles.doubles import as_ruled
from simulators.oracles.export_entries import Entry
from simulators.oracles.settle import Hand, Round
from simulators.oracles.stakes import House, stakes_of
from simulators.world.money import wrong_in
from tests.oracles.recorded_player import recorded

FILES: Final = Path(__file__).parents[1] / "scenarios"
FALLEN: Final = "double-goes-back"


@pytest.mark.slow
def test_a_double_that_a_ruling_takes_away_is_none_by_the_law_either() -> None:
    fallen = settled = 0
    for scenario in read_scenarios((FILES / "rulings.txt").read_text("utf-8"))[0]:
        doubles = any(line.word == "double" or "double-down" in line.rest for line in scenario.lines)
        player = recorded(scenario) if doubles else None
        if player is None or player.state.setup.hand_rules is None:
            continue
        record = zip(player.export().entries, player.states, strict=True)
        assert wrong_in(scenario.profile, record) == [], scenario.id
        settled += player.state.house.tally.rounds
        fallen += any(one.key == FALLEN for one in player.notices)
    assert (settled > 5, fallen > 3) == (True, True)


HOUSE: Final = House({1: 1}, splits_followed=False, doubles_followed=False, chips_are_said=True)


def said(kind: str, **body: object) -> Entry:
    return Entry(1, 1, 0, 0, True, 0, kind, {"role": "dealer", **body}, None, None, "")


LAID: Final = (said("place-bet", seat=1, amount=2000), said("double-down", seat=1))
AWAY: Final = said("make-ruling", outcome="card-discarded", seat=1)
STAYS: Final = said("make-ruling", outcome="continue")


def stakes(*acts: Entry, first: str = "6S 8C") -> list[int]:
    """The whole stake of each hand: of seat 1, with these first cards, after a bet of 2,000 that was doubled."""
    played = stakes_of((*LAID, *acts), HOUSE)
    hands = tuple(replace(hand, cards=tuple(enumerate(first.split()))) for hand in played.hands)
    ruled = as_ruled(Round("pt-csm", hands, ("9C",)), played.doubles_that_stay, on_eleven=False)
    return [cents * (1 + (who in hand.doubled)) for hand in ruled.hands for who, cents in hand.stakes.items()]


def test_a_double_that_went_with_its_card_is_not_brought_back_by_a_later_word() -> None:
    assert stakes(AWAY) == stakes(AWAY, STAYS) == [2000]
    assert stakes(STAYS) == stakes(STAYS, AWAY) == [4000]
    named = said("rename-card", seat=1, position=2, card="8C")
    assert stakes(STAYS, named, AWAY, STAYS) == [2000]
    assert stakes(AWAY, first="6S 5C") == [4000]


def test_another_amount_is_one_bet_in_the_place_of_all_that_the_player_has_there() -> None:
    more = (said("place-bet", seat=1, amount=500, bettor=2), said("place-bet", seat=1, amount=100))
    found = stakes_of((LAID[0], *more, said("change-bet", seat=1, amount=700)), HOUSE).hands
    assert [dict(hand.stakes) for hand in found] == [{"1": 700, "2": 500}]
    aside = [said("place-side-bet", seat=1, bet=bet, amount=100) for bet in ("over", "under")]
    found_aside = stakes_of((LAID[0], *aside, said("withdraw-side-bet", seat=1, bet="over")), HOUSE).side_bets
    assert [one.kind for one in found_aside] == ["under"]


@pytest.mark.parametrize(
    ("profile", "cards", "is_split", "on_eleven", "allowed"),
    [
        ("pt-csm", "5S 3H", False, False, False),
        ("pt-csm", "5S 4H", False, False, True),
        ("pt-csm", "AS 8H", False, False, True),
        ("pt-csm", "AS 10H", False, False, False),
        ("pt-csm", "AS 8H", True, False, False),
        ("pt-csm", "10S AH", True, False, False),
        ("br", "10S AH", True, False, True),
        ("br", "10S AH", False, False, False),
        ("house", "6S 6H", False, False, False),
        ("mo-shoe", "10S 6H", False, False, True),
        ("mo-shoe", "10S 6H", False, True, False),
        ("mo-shoe", "6S 5H", False, True, True),
        ("mo-shoe", "10S AH", False, False, False),
        ("mo-shoe", "10S", False, True, True),
    ],
)
def test_a_double_stands_where_the_law_allows_it(
    profile: str, cards: str, is_split: bool, on_eleven: bool, allowed: bool
) -> None:
    hand = Hand(1, 1, {"1": 1000}, tuple(enumerate(cards.split())), frozenset("1"))
    second = (Hand(1, 2, {"1": 1000}, ((5, "2S"),)),) if is_split else ()
    played = Round(profile, (hand, *second), ("9C",))
    assert bool(as_ruled(played, (), on_eleven=on_eleven).hands[0].doubled) is allowed
    assert as_ruled(played, ((1, 1),), on_eleven=on_eleven) == played
