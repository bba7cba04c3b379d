"""The second person of an act: the amounts that require one, and the ends of a wait."""

import pytest

from controller.core.engine.replacing import replace
from controller.core.games.roulette.cloth import Group
from controller.core.games.roulette.payments import NOTHING_PAID, Paid
from controller.core.setup import Setup
from controller.core.words import RoundPhase
from controller.scenario.player import Player
from controller.scenario.table import make_table
from controller.scenario.wheel_player import WheelPlayer
from controller.scenario.words import vocabulary_of

HANDS = [("tracks", "hands"), ("minimum_bet", "5"), ("maximum_bet", "150")]
JACKPOT = [("jackpot", "manual"), *HANDS[1:]]
PRIZES = ["1 J-J-suited 50.00", "2 A-A-suited rest"]
STEPS = vocabulary_of("pt-csm").steps
AT_A_WHEEL = vocabulary_of("pt-roulette").steps


def of_hands(**parameters: int) -> Player:
    """Makes a table in play; `parameters` say which acts need a second person."""
    return _in_play(make_table("pt-csm", HANDS).setup, parameters)


def of_a_jackpot(**parameters: int) -> Player:
    """Makes a table in play with a jackpot, where two jacks of one suit win 50.00."""
    return _in_play(make_table("pt-csm", JACKPOT, PRIZES).setup, parameters, "manager: approve-jackpot reference=G-1")


def _in_play(setup: Setup, parameters: dict[str, int], *first: str) -> Player:
    player = Player(replace(setup, parameters=replace(setup.parameters, **parameters)))
    player.start()
    play(player, *first, "in-play")
    return player


def play(player: Player | WheelPlayer, *steps: str) -> None:
    for step in steps:
        word, *rest = step.split()
        if word.endswith(":"):
            player.act(word[:-1], rest[0], dict(value.split("=") for value in rest[1:]))
            assert player.refusal is None, player.refusal
        else:
            (AT_A_WHEEL if isinstance(player, WheelPlayer) else STEPS)[word].do(player, tuple(rest))


@pytest.mark.parametrize(("least_cents", "waits"), [(0, False), (5000, True), (5001, False)])
def test_a_payment_from_the_casinos_amount_on_takes_two_people(least_cents: int, *, waits: bool) -> None:
    player = of_hands(second_person_payment_cents=least_cents)
    play(player, "bet 1 50", "bet 2 20", "dealer: announce-no-more-bets", "draw 10S 10H 8H KD 9S 10C")
    play(player, "stand 1", "stand 2", "dealer: turn-hole-card", "dealer: confirm-settled")
    assert [one.act for one in player.state.house.waiting] == (["confirm-settled"] if waits else [])
    assert player.state.game.phase is (RoundPhase.PLAYING if waits else RoundPhase.SETTLED)
    if waits:
        play(player, "chief: confirm-settled")
        assert player.state.game.phase is RoundPhase.SETTLED
        assert player.state.house.waiting == ()


@pytest.mark.parametrize(("least_cents", "waits"), [(0, True), (5000, True), (5001, False)])
def test_a_prize_from_the_casinos_amount_on_takes_two_people(least_cents: int, *, waits: bool) -> None:
    player = of_a_jackpot(second_person_prize_cents=least_cents)
    play(player, "bet 1 10", "chip 1", "no-more-bets", "draw JS 10H JS 10S", "hit 1 9C")
    play(player, "dealer: pay-jackpot seat=1")
    assert bool(player.state.house.waiting) is waits
    assert bool(player.state.house.pool and player.state.house.pool.owed) is waits


def test_a_wait_ends_with_other_values_and_with_another_step() -> None:
    player = of_hands()
    play(player, "bet 1 50", "dealer: announce-no-more-bets", "draw 10S 10H 2H KD", "hit 1 3C")
    play(player, "chief: call-for-ruling cause=dispute", "chief: make-ruling outcome=round-void")
    (first,) = player.state.house.waiting
    play(player, "chief: make-ruling outcome=card-discarded")
    (other,) = player.state.house.waiting
    assert (first.values[0], other.values[0]) == ("round-void", "card-discarded")
    player.act("dealer", "make-ruling", {"outcome": "round-void"})
    assert player.refusal is not None, "the word is about other values"
    play(player, "chief: make-ruling outcome=round-void", "dealer: make-ruling outcome=round-void")
    assert player.state.house.waiting == ()
    assert player.state.game.last_ruling is not None
    assert player.state.game.last_ruling.person == 21, "it is the ruling of the first person, whose act it is"


def of_a_wheel(least_cents: int) -> WheelPlayer:
    """Makes a wheel in play with a colour of 10.00; from `least_cents` on two people pay."""
    setup = make_table("pt-roulette", [("tracks", "bets"), ("minimum_bet", "10")]).setup
    figures = replace(setup.parameters, second_person_payment_cents=least_cents)
    player = WheelPlayer(replace(setup, parameters=figures))
    player.start()
    play(player, "in-play", "colour 1 red 10")
    return player


@pytest.mark.parametrize(("least_cents", "waits"), [(0, False), (19000, True), (19001, False)])
def test_what_one_player_wins_in_a_spin_counts_together_whichever_prizes_are_paid(
    least_cents: int, *, waits: bool
) -> None:
    player = of_a_wheel(least_cents)
    play(player, "bet 1 split-17-20 1", "bet 1 dozen-2 1", "launch", "number 17")
    play(player, "dealer: pay-prizes group=dozens")
    assert bool(player.state.house.waiting) is waits
    assert player.state.game.paid == (NOTHING_PAID if waits else Paid(Group.DOZENS, is_whole=True))


@pytest.mark.parametrize(
    ("act", "least_cents", "waits"), [("now", 4000, True), ("now", 4001, False), ("late", 4000, True)]
)
def test_chips_that_are_changed_late_take_a_second_person_as_the_others_do(
    act: str, least_cents: int, *, waits: bool
) -> None:
    player = of_a_wheel(least_cents)
    if act == "late":
        play(player, "dealer: take-colour-back player=1", "dealer: exchange-late-chips colour=red chips=4")
    else:
        play(player, "dealer: exchange-chips player=1 chips=4")
    assert bool(player.state.house.waiting) is waits
    assert (player.state.exchanged is None) is waits
