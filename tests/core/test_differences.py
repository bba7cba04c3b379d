"""Differences after a correction that are still to be settled, and a further change of the amounts behind them."""

import pytest

from controller.core.house.round_log import Difference
from controller.core.house.worked_out import differences_together
from controller.scenario.player import Player
from controller.scenario.table import make_table
from controller.scenario.words import vocabulary_of

IN_ITS_PLACE = (
    "chief: attend-hold hold=unexpected-card",
    "chief: clear-hold hold=unexpected-card",
    "chief: confirm-hold hold=unexpected-card",
)


def played(profile: str, *lines: str) -> Player:
    """Plays a round by these lines of a scenario."""
    player = Player(make_table(profile, [("tracks", "hands")]).setup)
    player.start()
    steps = vocabulary_of(profile).steps
    for line in ("in-play", *lines):
        word, *values = line.split()
        if word.endswith(":"):
            player.act(word.removesuffix(":"), values[0], dict(pair.split("=") for pair in values[1:]))
        else:
            steps[word].do(player, tuple(values))
        assert player.refusal is None, line
    return player


def test_differences_of_two_changes_add_up_for_each_hand_and_player() -> None:
    waiting = (Difference(1, 1, "+15.50"), Difference(1, 1, "-3.00", 2), Difference(2, 9, "+0.0050"))
    more = (Difference(1, 1, "-0.50"), Difference(1, 9, "-2.00"), Difference(2, 9, "+0.0050"))
    assert differences_together(waiting, more) == (
        Difference(1, 1, "+15.00"),
        Difference(1, 9, "-2.00"),
        Difference(1, 1, "-3.00", 2),
        Difference(2, 9, "+0.01"),
    )


def test_what_adds_up_to_nothing_is_no_difference() -> None:
    assert differences_together((Difference(1, 1, "+0.50"),), (Difference(1, 1, "-0.50"),)) == ()


@pytest.mark.parametrize(
    ("profile", "dealt", "renamed", "then", "payment"),
    [
        (
            "pt-csm",
            ("bet 1 20", "bet 2 20", "no-more-bets", "draw 10S AS 9C 9S KD 7C"),
            "seat=bank position=1",
            "draw 6C",
            "blackjack",
        ),
        (
            "mo-csm",
            ("bet 1 10", "side-bet 1 over 10", "bet 2 10", "no-more-bets", "draw 10S 9D 9C 8H 5C"),
            "seat=2 position=2",
            "draw 6H",
            "over-under",
        ),
    ],
)
def test_what_stays_due_while_another_card_comes_is_told_once(
    profile: str, dealt: tuple[str, ...], renamed: str, then: str, payment: str
) -> None:
    player = played(profile, *dealt, f"dealer: rename-card {renamed} card=JOKER", *IN_ITS_PLACE, then)
    told = [one for one in player.notices if dict(one.values).get("payment") == payment]
    assert (len(told), player.state.log.differences) == (1, ())
    assert [one.amount.payment.value for one in player.state.at_once()] == [payment]


def test_what_a_name_takes_away_and_the_next_one_brings_again_is_told_once() -> None:
    bust = ("draw-unread", "dealer: name-card card=KH")
    lines = ("bet 1 20", "bet 2 20", "no-more-bets", "draw 10S KS 9C 2S KD 7C", "dealer: draw-card seat=1", *bust)
    names = [f"dealer: rename-card seat=1 position=3 card={card}" for card in ("2H", "KH", "3H", "KH")]
    player = played("pt-csm", *lines, *names)
    told = [one.key for one in player.notices if "amount" in dict(one.values)]
    assert (told, player.state.log.differences) == (["amount", "difference-is-paid", "difference-is-paid"], ())
