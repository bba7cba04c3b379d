"""A number that was paid, withdrawn and ruled back: its notices name what is still to be paid, and no other prize."""

from controller.scenario.table import make_table
from controller.scenario.wheel_player import WheelPlayer
from controller.scenario.words import vocabulary_of

BETS = (
    *("in-play", "colour 1 red 10", "colour 2 blue 10", "bet 1 low 1", "bet 1 straight-7 2", "bet 1 straight-8 1"),
    *("bet 2 straight-7 1", "launch", "number 7"),
)
PAID_IN_PART = ("dealer: pay-prizes group=simple", "dealer: pay-prizes group=straights player=1")


def ruled(number: int) -> tuple[str, ...]:
    said = f"outcome=number-stands number={number}"
    return (
        "dealer: contest-spin",
        f"chief: rule-on-spin {said}",
        f"dealer: rule-on-spin {said}",
        f"dealer: announce-number number={number}",
    )


def last_notices(*lines: str) -> list[tuple[str, ...]]:
    """Plays a spin by these lines of a scenario; returns the prizes that the last one's notices name."""
    player = WheelPlayer(make_table("pt-roulette", [("tracks", "bets")]).setup)
    player.start()
    steps = vocabulary_of("pt-roulette").steps
    before = 0
    for line in lines:
        before = len(player.notices)
        word, *values = line.split()
        if word.endswith(":"):
            player.act(word.removesuffix(":"), values[0], dict(pair.split("=") for pair in values[1:]))
        else:
            steps[word].do(player, tuple(values))
        assert player.refusal is None, line
    told = [(one.key, dict(one.values)) for one in player.notices[before:] if one.key.startswith("prize")]
    return [(key, values["player"], values["amount"]) for key, values in told]


def test_a_prize_that_was_paid_for_the_number_is_announced_no_second_time() -> None:
    again = last_notices(*BETS, *PAID_IN_PART, *ruled(8), *ruled(7))
    assert again == [("prize", "2", "350.00"), ("prizes-of-player", "2", "350.00")]


def test_the_prizes_of_the_number_that_came_between_are_announced() -> None:
    between = last_notices(*BETS, *PAID_IN_PART, *ruled(8))
    assert ("prizes-of-player", "1", "360.00") in between
    assert ("prize", "2", "350.00") not in between


def test_nothing_is_left_to_announce_where_all_was_paid() -> None:
    paid = ("dealer: pay-prizes group=simple", "dealer: pay-prizes group=straights")
    assert last_notices(*BETS, *paid, *ruled(8), *ruled(7)) == []
