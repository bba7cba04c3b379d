"""Exact values of single situations (the bank's final totals, insurance, side bets), beside published figures and sums
of ours.

Published figures, each with its source:

- Wizard of Odds, Blackjack appendix 2B (dealer probabilities before the look at the second card), one deck, soft 17
  stands, six digits: `ONE_DECK`.
- Wizard of Odds, "Dealer odds, US rules" (after the look), six decks, soft 17 stands, four digits: `SIX_DECKS`.
- Wizard of Odds, over/under 13, six decks: 44.97 per cent of under, and edges of 6.55 and 10.07 per cent.
- Baccarat's pair, which is the same two cards at the same 11:1: 10.36 per cent with eight decks, 7.40 per cent of pairs
  with six.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Final

import pytest

from controller.core.custody.state import DECK, Card
from controller.core.games.blackjack.bank import is_below_its_total
from controller.core.games.blackjack.hand import has_blackjack
from controller.core.games.blackjack.money import Amount
from controller.core.games.blackjack.settling import settle_insurance
from controller.core.games.blackjack.side_bets import (
    SideBet,
    settle_any_pair,
    settle_over_under,
    settle_sevens,
)
from controller.core.games.blackjack.values import BEST, card_value, hand_points
from controller.core.words import Cents
from tests.money.kit import RULES, cards

ENDS: Final = (17, 18, 19, 20, 21, "blackjack", "bust")
UPS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)

ONE_DECK: Final = {
    1: (0.126128, 0.131003, 0.129486, 0.131553, 0.0515646, 0.313726, 0.11654),
    2: (0.138976, 0.131762, 0.131815, 0.123948, 0.120526, 0, 0.352973),
    3: (0.130313, 0.130946, 0.123761, 0.123345, 0.116047, 0, 0.375588),
    4: (0.130973, 0.114163, 0.120679, 0.116286, 0.115096, 0, 0.402803),
    5: (0.119687, 0.123483, 0.116909, 0.104694, 0.106321, 0, 0.428905),
    6: (0.166948, 0.106454, 0.107192, 0.100705, 0.0978785, 0, 0.420823),
    7: (0.372345, 0.138583, 0.0773344, 0.0788967, 0.072987, 0, 0.259854),
    8: (0.130857, 0.362989, 0.129445, 0.0682898, 0.0697914, 0, 0.238627),
    9: (0.121886, 0.103921, 0.357391, 0.12225, 0.0611088, 0, 0.233442),
    10: (0.114418, 0.112879, 0.114662, 0.328879, 0.0364661, 0.0784314, 0.214264),
}

SIX_DECKS: Final = {
    2: (0.1397, 0.1344, 0.1300, 0.1240, 0.1184, 0.3535),
    3: (0.1343, 0.1305, 0.1252, 0.1208, 0.1149, 0.3742),
    4: (0.1306, 0.1241, 0.1213, 0.1164, 0.1119, 0.3958),
    5: (0.1218, 0.1224, 0.1176, 0.1118, 0.1079, 0.4184),
    6: (0.1657, 0.1062, 0.1064, 0.1016, 0.0973, 0.4228),
    7: (0.3692, 0.1379, 0.0784, 0.0787, 0.0738, 0.2619),
    8: (0.1289, 0.3600, 0.1287, 0.0692, 0.0695, 0.2437),
    9: (0.1203, 0.1173, 0.3519, 0.1204, 0.0609, 0.2292),
    10: (0.1213, 0.1210, 0.1213, 0.3684, 0.0377, 0.2302),
    1: (0.1881, 0.1892, 0.1889, 0.1894, 0.0774, 0.1670),
}

OF_VALUE: Final = {card_value(card): card for card in reversed(DECK)}
"""One card for each value."""


def by_the_rules(up: int, decks: int, profile: str) -> tuple[float, ...]:
    """Returns the chance of each final hand of the bank, card by card; the core decides on each card."""
    figures, left = RULES[profile].figures, {value: (16 if value == 10 else 4) * decks for value in UPS}
    left[up] -= 1
    found = dict.fromkeys(ENDS, 0.0)

    def go(bank: tuple[Card, ...], size: int, chance: float) -> None:
        if len(bank) > 1 and not is_below_its_total(bank, figures):
            total = hand_points(bank)
            found["blackjack" if has_blackjack(bank) else "bust" if total > BEST else total] += chance
            return
        for value, count in left.items():
            if count:
                left[value] -= 1
                go((*bank, OF_VALUE[value]), size - 1, chance * count / size)
                left[value] += 1

    go((OF_VALUE[up],), 52 * decks - 1, 1.0)
    return tuple(found.values())


def by_sums(up: int, decks: int) -> tuple[Fraction, ...]:
    """Returns the chance of each final hand of the bank, computed from the numbers of gone cards of each value."""
    start = tuple((16 if value == 10 else 4) * decks - (value == up) for value in UPS)
    found = dict.fromkeys(ENDS, Fraction(0))
    waiting = {(0,) * 10: Fraction(1)}
    while waiting:
        further: dict[tuple[int, ...], Fraction] = {}
        for gone, chance in waiting.items():
            hard = up + sum(value * count for value, count in zip(UPS, gone, strict=True))
            total = hard + 10 if (up == 1 or gone[0]) and hard <= 11 else hard
            if sum(gone) and total >= 17:
                natural = total == 21 and sum(gone) == 1
                found["blackjack" if natural else "bust" if total > 21 else total] += chance
                continue
            size = 52 * decks - 1 - sum(gone)
            for place, count in enumerate(gone):
                if start[place] > count:
                    after = (*gone[:place], count + 1, *gone[place + 1 :])
                    further[after] = further.get(after, Fraction(0)) + chance * Fraction(start[place] - count, size)
        waiting = further
    return tuple(found.values())


@pytest.mark.parametrize("up", UPS)
def test_the_banks_final_totals_with_six_decks(up: int) -> None:
    found = by_the_rules(up, 6, "pt-csm")
    assert sum(found) == pytest.approx(1)
    assert found == pytest.approx([float(part) for part in by_sums(up, 6)], abs=1e-12)
    *totals, blackjack, bust = found
    seen = [part / (1 - blackjack) for part in (*totals, bust)]
    assert seen == pytest.approx(SIX_DECKS[up], abs=5.1e-5)


@pytest.mark.parametrize("profile", ["mo-shoe", "br", "house"])
def test_every_law_has_the_same_bank(profile: str) -> None:
    assert by_the_rules(6, 6, profile) == by_the_rules(6, 6, "pt-csm")


def test_the_banks_final_totals_with_one_deck_as_published() -> None:
    for up in UPS:
        assert by_the_rules(up, 1, "pt-csm") == pytest.approx(ONE_DECK[up], abs=1.1e-6)


def per_stake(amounts: Iterator[tuple[Fraction, Amount]]) -> float:
    """Returns the expectation of an amount on a stake of ten, converted to a stake of one."""
    return float(sum((chance * amount.exact for chance, amount in amounts), Fraction(0)) / STAKE)


STAKE: Final = Cents(1_000)


@pytest.mark.parametrize("profile", ["pt-csm", "house", "mo-shoe", "br"])
def test_insurance_of_a_fresh_six_decks(profile: str) -> None:
    """pt.bj.33c house.15b mo.12.2 mo.12.3 br.ins.4 br.ins.5: 96 of the 311 unseen cards are tens."""
    gone = cards("AS")

    def each() -> Iterator[tuple[Fraction, Amount]]:
        for card in DECK:
            chance = Fraction(6 - (card in gone), 311)
            yield chance, settle_insurance(STAKE, (*gone, card), RULES[profile])

    assert per_stake(each()) == pytest.approx(3 * 96 / 311 - 1)
    assert per_stake(each()) == pytest.approx(-0.07395, abs=5e-6)


def dealt(decks: int, count: int) -> Iterator[tuple[Fraction, tuple[Card, ...]]]:
    """Yields every deal of `count` cards from `decks` decks, with its chance."""
    for found in product(DECK, repeat=count):
        chance = Fraction(1)
        for place, card in enumerate(found):
            chance *= Fraction(decks - found[:place].count(card), 52 * decks - place)
        if chance:
            yield chance, found


def two(decks: int, settle: Callable[[Card, Card], Amount]) -> float:
    return per_stake((chance, settle(first, second)) for chance, (first, second) in dealt(decks, 2))


def test_over_and_under_13() -> None:
    """Clause: mo.14.3."""
    rules = RULES["mo-shoe"]
    over = two(6, lambda first, second: settle_over_under(SideBet.OVER, first, second, STAKE, rules))
    under = two(6, lambda first, second: settle_over_under(SideBet.UNDER, first, second, STAKE, rules))
    assert (over, under) == pytest.approx((-0.06555, -0.10067), abs=5e-6)
    assert (round(-100 * over, 2), round(-100 * under, 2), round(50 * (under + 1), 2)) == (6.55, 10.07, 44.97)
    totals = [0] * 21
    for first, second in product(range(1, 14), repeat=2):
        totals[min(first, 10) + min(second, 10)] += 24 * (24 - (first == second))
    ways = 312 * 311
    assert (over, under) == pytest.approx((2 * sum(totals[14:]) / ways - 1, 2 * sum(totals[:13]) / ways - 1))


@pytest.mark.parametrize(("decks", "edge"), [(6, 0.11254), (8, 0.10361)])
def test_any_pair(decks: int, edge: float) -> None:
    """Clause: mo.14.1."""
    found = two(decks, lambda first, second: settle_any_pair(first, second, STAKE, RULES["mo-shoe"]))
    assert found == pytest.approx(-edge, abs=5e-6)
    assert found == pytest.approx(12 * (4 * decks - 1) / (52 * decks - 1) - 1)


def test_sevens_that_are_always_separated() -> None:
    """mo.14.2 mo.14.2.1 mo.14.2.2 mo.14.2.3 mo.14.2.4: all but two first sevens lose, so these alone are dealt on."""
    rules = RULES["mo-shoe"]
    sevens = [card for card in DECK if card_value(card) == 7]
    won = Fraction(0)
    for first, second, third in product(sevens, sevens, DECK):
        found = (first, second, third)
        chance = Fraction(1)
        for place, card in enumerate(found):
            chance *= Fraction(6 - found[:place].count(card), 312 - place)
        won += chance * settle_sevens(found, STAKE, rules, is_split=True).exact / STAKE
    two_sevens = Fraction(24 * 23, 312 * 311)
    three = two_sevens * Fraction(22, 310)
    three_suited = Fraction(4 * 6 * 5 * 4, 312 * 311 * 310)
    suited = Fraction(4 * 6 * 5, 312 * 311) * Fraction(288, 310)
    expected = 5_000 * three_suited + 500 * (three - three_suited) + 150 * suited
    expected += 50 * (two_sevens * Fraction(288, 310) - suited)
    assert won == expected
    assert float(won + two_sevens - 1) == pytest.approx(-0.34149, abs=5e-6)
