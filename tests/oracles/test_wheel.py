"""The wheel's oracle: the number of bets of each kind, the sources' worked payments, and -1/37 of every stake."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise

import pytest

from simulators.oracles.wheel import AMERICAN, FRENCH, PAYS, RED, Bet, all_bets

ORDERS = [FRENCH, AMERICAN]
COUNTS = {
    "straight": 37, "split": 60, "street": 13, "corner": 22, "line": 11, "dozen": 3, "column": 3,
    "dozen-split": 2, "column-split": 2, "even": 1, "odd": 1, "low": 1, "high": 1, "red": 1, "black": 1,
}  # fmt: skip
FRENCH_COUNTS = COUNTS | {"large-series": 1, "small-series": 1, "orphans": 1, "neighbours": 3 * 37}


def bet(kind: str, *numbers: int, order: tuple[int, ...] = FRENCH) -> Bet:
    """Returns the only bet of a kind on exactly these numbers."""
    [found] = [
        one for one in all_bets(order) if one.kind == kind and (not numbers or covered(one) == frozenset(numbers))
    ]
    return found


def covered(one: Bet) -> frozenset[int]:
    return frozenset(number for part in one.parts for number in part.numbers)


def test_both_orders_are_the_37_numbers() -> None:
    assert sorted(FRENCH) == sorted(AMERICAN) == list(range(37))
    assert FRENCH != AMERICAN


def test_the_french_order_alternates_the_cloths_colours_and_the_american_one_does_not() -> None:
    """pt.rou.6: 1 and 27 lie side by side there, and both are red on the cloth."""

    def same_beside(order: tuple[int, ...]) -> set[frozenset[int]]:
        pairs = pairwise(order[1:])
        return {frozenset(pair) for pair in pairs if len({number in RED for number in pair}) == 1}

    assert same_beside(FRENCH) == set()
    assert frozenset((1, 27)) in same_beside(AMERICAN)


@pytest.mark.parametrize(("order", "counts"), [(FRENCH, FRENCH_COUNTS), (AMERICAN, COUNTS)])
def test_how_many_bets_there_are(order: tuple[int, ...], counts: dict[str, int]) -> None:
    bets = list(all_bets(order))
    assert Counter(one.kind for one in bets) == counts
    assert len({one.parts for one in bets}) == len(bets), "none twice"


@pytest.mark.parametrize("order", ORDERS)
def test_every_bet_covers_as_many_numbers_as_its_clause_says(order: tuple[int, ...]) -> None:
    sizes = {"straight": 1, "split": 2, "street": 3, "corner": 4, "line": 6, "dozen": 12, "column": 12, "simple": 18}
    sizes |= {"dozen-split": 24, "column-split": 24}
    parts = [part for one in all_bets(order, with_trio_and_first_four=True) for part in one.parts]
    assert {(part.chance, len(part.numbers)) for part in parts} == set(sizes.items())
    assert all(0 not in part.numbers for part in parts if len(part.numbers) > 4)


@pytest.mark.parametrize("order", ORDERS)
def test_every_bet_loses_a_37th_of_its_stake(order: tuple[int, ...]) -> None:
    """Simple chances too: 0 takes them whole (pt.rou.28)."""
    bets = list(all_bets(order, with_trio_and_first_four=True))
    assert {sum(map(one.gain, range(37)), Fraction(0)) / 37 / one.stake for one in bets} == {Fraction(-1, 37)}
    assert len(bets) == sum((FRENCH_COUNTS if order == FRENCH else COUNTS).values()) + 2


def test_rl_10_every_payment_at_10() -> None:
    cloth = [
        (("straight", 26), 350), (("split", 26, 29), 170), (("street", 25, 26, 27), 110),
        (("corner", 25, 26, 28, 29), 80), (("line", *range(25, 31)), 50), (("dozen", *range(25, 37)), 20),
        (("column", *range(2, 36, 3)), 20), (("dozen-split", *range(13, 37)), 5),
        (("column-split", *range(1, 37, 3), *range(2, 37, 3)), 5), (("even",), 10), (("high",), 10), (("black",), 10),
    ]  # fmt: skip
    paid = [(one, 10 * bet(*one).gain(26), prize) for one, prize in cloth]
    assert [gain for _, gain, _ in paid] == [prize for _, _, prize in paid]
    assert sum(gain for _, gain, _ in paid) == 840


def test_rl_11_zero_loses_all_that_does_not_name_it() -> None:
    losing = ("red", "black", "even", "odd", "low", "high", "dozen", "column", "dozen-split", "column-split", "line")
    assert {one.gain(0) for one in all_bets(FRENCH) if one.kind in losing} == {Fraction(-1)}
    assert bet("straight", 0).gain(0) == 35
    assert bet("split", 0, 2).gain(0) == 17
    assert bet("street", 0, 2, 3).gain(0) == 11


SERIES = [
    # RL-12, RL-13 and pt.rou.25a3: chips of 5, the number, the gain
    ("large-series", 26, 45), ("large-series", 0, 75), ("large-series", 19, 45), ("large-series", 12, 45),
    ("large-series", 1, -45), ("small-series", 24, 60), ("small-series", 5, 60), ("small-series", 0, -30),
    ("orphans", 1, 155), ("orphans", 17, 155), ("orphans", 14, 65), ("orphans", 0, -25),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "number", "gain"), SERIES)
def test_rl_12_and_13_series(kind: str, number: int, gain: int) -> None:
    assert 5 * bet(kind).gain(number) == gain


def test_the_three_series_together_cover_every_number_once() -> None:
    names = {"large-series": (9, 17), "small-series": (6, 12), "orphans": (5, 8)}
    for name, (chips, numbers) in names.items():
        assert (bet(name).stake, len(covered(bet(name)))) == (chips, numbers)
    assert sum(len(covered(bet(name))) for name in names) == len(frozenset().union(*(covered(bet(n)) for n in names)))


def test_rl_15_neighbours() -> None:
    five = bet("neighbours", 2, 25, 17, 34, 6)
    assert (5 * five.gain(6), 5 * five.gain(21)) == (155, -25)
    assert bet("neighbours", 26, 0, 32).stake == 3, "the wheel is a circle"
    assert bet("neighbours", 3, 35, 26, 0, 32, 15, 19).stake == 7


def test_rl_17_no_series_on_the_american_order() -> None:
    assert not {"large-series", "small-series", "orphans", "neighbours"} & {one.kind for one in all_bets(AMERICAN)}


XP_13 = [(("split", 17, 20), True), (("split", 17, 18), True), (("corner", 17, 18, 20, 21), True),
         (("split", 1, 36), False), (("line", *range(16, 22)), True), (("split", 3, 4), False),
         (("street", 0, 1, 2), False)]  # fmt: skip


@pytest.mark.parametrize(("wanted", "is_possible"), XP_13)
def test_xp_13_what_can_be_marked(wanted: tuple[str, int], is_possible: bool) -> None:
    kind, *numbers = wanted
    found = [one for one in all_bets(FRENCH) if one.kind == kind and covered(one) == frozenset(numbers)]
    assert bool(found) == is_possible


SWAPPED = (FRENCH[1], FRENCH[0], *FRENCH[2:])


@pytest.mark.parametrize("order", [(*FRENCH, 37), (*FRENCH[:-1], 32), SWAPPED, ()])
def test_xt_11_another_order_is_refused(order: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="no wheel of the law"):
        list(all_bets(order))


def test_a_table_may_take_the_trio_and_the_first_four() -> None:
    more = [one for one in all_bets(AMERICAN, with_trio_and_first_four=True) if covered(one) <= {0, 1, 2, 3}]
    assert {one.kind for one in more if len(covered(one)) == 4} == {"corner"}
    assert frozenset((0, 1, 2)) in {covered(one) for one in more if one.kind == "street"}


def test_the_odds() -> None:
    assert [PAYS[name] for name in ("straight", "split", "street", "corner", "line", "dozen", "column")] == [
        35, 17, 11, 8, 5, 2, 2,
    ]  # fmt: skip
    assert PAYS["dozen-split"] == PAYS["column-split"] == Fraction(1, 2)
    assert PAYS["simple"] == 1
