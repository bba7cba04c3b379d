"""Every bet of both wheels and its payment for each number, compared with a table that shares nothing with ours."""

from fractions import Fraction

import pytest

from controller.core.choices import NumberOrder
from controller.core.games.roulette.cloth import Bet, Chance, Group, bets_of, colour_of
from controller.core.games.roulette.payments import Paid, kept_of, settle
from controller.core.games.roulette.stakes import Chips, Stake
from controller.core.money import Flag
from controller.core.words import Cents
from simulators.oracles import wheel as oracle
from tests.roulette.kit import rules_of

CHIP = Cents(500)
NUMBERS = range(37)
CASES = [(order, four) for order in NumberOrder for four in (False, True)]


def told(bet: Bet) -> tuple[tuple[str, frozenset[int], int], ...]:
    """A bet in the oracle's form: for each chance its name, its numbers and its chips."""
    return tuple((part.chance.value.replace("_", "-"), frozenset(part.numbers), part.chips) for part in bet.parts)


def laid(bet: Bet) -> Stake:
    return Stake(1, bet.name, Chips.COLOUR, Cents(bet.chips * CHIP), CHIP)


def numbers_of(order: NumberOrder) -> tuple[int, ...]:
    return tuple(map(int, order.value.split("-")))


@pytest.mark.parametrize(("order", "first_four"), CASES)
def test_the_cloth_has_every_bet_and_no_other(order: NumberOrder, first_four: bool) -> None:
    """pt.rou.24a pt.rou.24b pt.rou.25a1 pt.rou.25a2 pt.rou.25a3 pt.rou.25b pt.rou.26: numbers and chips of each bet."""
    ours = [told(bet) for bet in bets_of(order, first_four=first_four).values()]
    theirs = oracle.all_bets(numbers_of(order), with_trio_and_first_four=first_four)
    assert sorted(ours, key=repr) == sorted([tuple(map(tuple, bet.parts)) for bet in theirs], key=repr)
    assert len({bet.name for bet in bets_of(order, first_four=first_four).values()}) == len(ours)


@pytest.mark.parametrize("order", list(NumberOrder))
def test_every_number_pays_every_bet_what_the_independent_table_says(order: NumberOrder) -> None:
    """pt.rou.27a, 27b, 27c, 27d, 28: 37 numbers times every bet, exact; and each costs 1/37 of its stake."""
    rules = rules_of(order, first_four=True)
    theirs = {
        tuple(map(tuple, bet.parts)): bet for bet in oracle.all_bets(numbers_of(order), with_trio_and_first_four=True)
    }
    for bet in bets_of(order, first_four=True).values():
        gains = [-settle((laid(bet),), number, rules).house for number in NUMBERS]
        assert gains == [CHIP * theirs[told(bet)].gain(number) for number in NUMBERS], bet.name
        assert sum(gains) / 37 / (CHIP * bet.chips) == Fraction(-1, 37), bet.name


def test_whole_cloths_conserve_money_and_leave_what_won() -> None:
    """pt.rou.27a: a stake is lost, or stays with its owner beside its prize; of a series only winning chips stay."""
    rules = rules_of()
    stakes = tuple(laid(bet) for bet in bets_of(NumberOrder.FRENCH).values())
    for number in NUMBERS:
        settled = settle(stakes, number, rules)
        assert settled.lost + sum(one.cents for one in settled.staying) == sum(one.cents for one in stakes)
        assert all(
            number in part.numbers for one in settled.staying for part in bets_of(NumberOrder.FRENCH)[one.bet].parts
        )
        assert sum(one.stake for one in settled.prizes) == sum(one.cents for one in settled.staying)
        assert settled.of_player(1) == sum(one.exact for one in settled.prizes)


def test_prizes_come_in_the_order_of_clause_29() -> None:
    """Clauses: pt.rou.29b, pt.rou.30b."""
    rules = rules_of()
    stakes = tuple(
        Stake(player, bet.name, Chips.COLOUR, Cents(bet.chips * CHIP), CHIP)
        for player in (2, 1)
        for bet in reversed(bets_of(NumberOrder.FRENCH).values())
    )
    prizes = settle(stakes, 17, rules).prizes
    order = [
        "columns",
        "simple",
        "dozens",
        "neighbours",
        "series",
        "lines",
        "streets",
        "corners",
        "splits",
        "straights",
    ]
    assert list(dict.fromkeys(one.group.value for one in prizes)) == order
    for group in Group:
        players = [one.player for one in prizes if one.group is group]
        assert players == sorted(players)


def test_of_two_equal_prizes_each_counts_once() -> None:
    """pt.rou.22b, pt.rou.29a: 17 wins on two splits of the orphans."""
    orphans = settle((laid(bets_of(NumberOrder.FRENCH)["orphans"]),), 17, rules_of())
    one, other = orphans.prizes
    assert one == other
    for times in (1, 2):
        kept, back = kept_of((one,) * times, orphans)
        assert (kept, back) == ((one,) * times, ())
        assert orphans.split(Paid(kept=kept)) == ((one,) * times, (one,) * (2 - times))
    assert kept_of((one,) * 3, orphans) == ((one, one), (one,))


def test_half_of_an_odd_amount_is_told_and_not_rounded() -> None:
    """pt.rou.27a: half of the stake on a split of dozens or columns."""
    [small] = settle((Stake(1, "dozen-split-1-2", Chips.FACE_VALUE, Cents(501)),), 1, rules_of()).prizes
    assert (small.exact, small.flag) == (Fraction(501, 2), Flag.NO_WHOLE_CENTS)
    [odd] = settle((Stake(1, "dozen-split-1-2", Chips.FACE_VALUE, Cents(550)),), 1, rules_of()).prizes
    assert (odd.exact, odd.flag) == (275, Flag.NO_CHIP)


def test_colours_are_those_of_the_cloth_whatever_the_order() -> None:
    """Clause: pt.rou.6."""
    assert [colour_of(number).value for number in (0, 26, 1, 27)] == ["neither", "black", "red", "red"]
    assert {chance for bet in bets_of(NumberOrder.AMERICAN).values() for chance in (bet.parts[0].chance,)} == set(
        Chance
    )
