"""Computes the money of one spin from the bets of wheel.py alone: the gain of a bet, and the cents due
to each player.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from simulators.oracles.bets_by_name import bets_by_name

PAID_TOGETHER: Final = {
    "columns": ("column", "column-split"),
    "simple": ("even", "odd", "low", "high", "red", "black"),
    "dozens": ("dozen", "dozen-split"),
    "neighbours": ("neighbours",),
    "series": ("large-series", "small-series", "orphans"),
    "lines": ("line",),
    "streets": ("street",),
    "corners": ("corner",),
    "splits": ("split",),
    "straights": ("straight",),
}
"""The groups of bets that are paid together, in the order of payment (pt.rou.29b)."""


def gain_of(order: tuple[int, ...], name: str, cents: int, number: int) -> Fraction:
    """Returns the cents won by `cents` on the bet `name` when `number` comes, on a wheel with the numbers in `order`;
    negative for a loss.
    """
    bet = bets_by_name(order)[name]
    return bet.gain(number) * cents / bet.stake


def due_to(order: tuple[int, ...], laid: Mapping[tuple[int, str], int], number: int, paid: str) -> dict[int, Fraction]:
    """Returns the cents due to each player: the paid prizes, minus the chips that the bank took. Leaves out players
    with 0 cents.

    `paid`: the last group of bets whose prizes are paid, in the order of payment; "" for none.
    """
    groups = tuple(PAID_TOGETHER)
    kinds = {kind for group in groups[: 1 + groups.index(paid)] for kind in PAID_TOGETHER[group]} if paid else set()
    due: dict[int, Fraction] = {}
    for (player, name), cents in laid.items():
        bet = bets_by_name(order)[name]
        lost = sum(
            (Fraction(cents * one.amount, bet.stake) for one in bet.parts if number not in one.numbers), Fraction()
        )
        won = gain_of(order, name, cents, number) + lost if bet.kind in kinds else Fraction()
        due[player] = due.get(player, Fraction()) + won - lost
    return {player: cents for player, cents in due.items() if cents}
