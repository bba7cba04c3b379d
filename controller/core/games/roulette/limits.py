"""The limits of bets, as statements about a stake: places, chips and amounts (pt.rou.9b, pt.rou.16, pt.rou.24,
pt.rou.25, pt.rou.32).
"""

from collections.abc import Callable
from typing import TypeAlias

from controller.core.choices import NeighboursLimit, NumberOrder
from controller.core.games.roulette.cloth import OF_THE_WHEEL, OUTSIDE, Bet, Group, is_of_the_wheel
from controller.core.games.roulette.stakes import (
    Chips,
    Stake,
    bet_named,
    laid,
    most_on,
    of_neighbours,
    on_number,
    parts_of,
    sum_of,
)
from controller.core.wheel_rules import WheelRules

Stakes: TypeAlias = tuple[Stake, ...]
Statement: TypeAlias = Callable[[Stake, Stakes, WheelRules], bool]
"""A function that is True if a stake may be added to the stakes on the cloth.

`is_on_the_cloth` refuses a bet that is unknown to the table; no other statement need do so.
"""


def value_is_possible(cents: int, rules: WheelRules) -> bool:
    """True if a colour's chips may be worth `cents`: the minimum to a straight bet's maximum (pt.rou.9b)."""
    return rules.limits.minimum <= cents <= rules.limits.maximum


def value_is_posted(cents: int, rules: WheelRules) -> bool:
    """True if `cents` is the table's minimum or a chip value that the table posts (pt.rou.9b)."""
    return cents in {rules.limits.minimum, *rules.chip_values}


def wheel_has_the_order(stake: Stake, _lying: Stakes, rules: WheelRules) -> bool:
    """True unless the stake is on a series or on neighbours and the wheel lacks the French order of numbers
    (pt.rou.25).
    """
    return rules.figures.number_order is NumberOrder.FRENCH or not is_of_the_wheel(stake.bet)


def of_bets(kind: str, statement: Statement) -> Statement:
    """Returns a function that is `statement` for bets whose name begins with `kind`, and True for any other bet."""
    return lambda stake, lying, rules: not stake.bet.startswith(kind) or statement(stake, lying, rules)


def is_on_the_cloth(stake: Stake, _lying: Stakes, rules: WheelRules) -> bool:
    return bet_named(stake.bet, rules) is not None


def face_value_lies_outside(stake: Stake, _lying: Stakes, rules: WheelRules) -> bool:
    """True unless the stake is of chips with face value and lies on an inside bet (pt.rou.16a)."""
    bet = bet_named(stake.bet, rules)
    return bet is None or stake.kind is not Chips.FACE_VALUE or all(part.chance in OUTSIDE for part in bet.parts)


def of_own_chips(group: Group) -> Statement:
    """Returns a function that is True if a bet of `group` is made with chips of the player's colour (pt.rou.25)."""
    return lambda stake, _lying, rules: stake.kind is Chips.COLOUR or not _is_of(stake, rules, group)


def of_whole_chips(group: Group | None) -> Statement:
    """Returns a function that is True if the number of chips of a colour is a positive multiple of `Bet.chips`
    (pt.rou.25b, pt.rou.32c). `group`: the bets that must fulfil this; None for all bets except series and neighbours.
    """

    def holds(stake: Stake, _lying: Stakes, rules: WheelRules) -> bool:
        bet = bet_named(stake.bet, rules)
        is_asked = bet is not None and stake.kind is Chips.COLOUR and _asks(bet, group)
        return bet is None or not is_asked or (stake.chips > 0 and stake.chips % bet.chips == 0)

    return holds


def _asks(bet: Bet, group: Group | None) -> bool:
    return bet.group is group if group is not None else bet.group not in OF_THE_WHEEL


def _is_of(stake: Stake, rules: WheelRules, group: Group) -> bool:
    bet = bet_named(stake.bet, rules)
    return bet is not None and bet.group is group


def reaches_the_minimum(stake: Stake, _lying: Stakes, rules: WheelRules) -> bool:
    return stake.cents >= rules.limits.minimum


def multiple_reaches_the_minimum(stake: Stake, lying: Stakes, rules: WheelRules) -> bool:
    bet = bet_named(stake.bet, rules)
    return (bet is not None and bet.group is Group.SIMPLE) or reaches_the_minimum(stake, lying, rules)


def series_is_within_its_chips(stake: Stake, lying: Stakes, rules: WheelRules) -> bool:
    """True while the player has at most the profile's number of chips on the series, whatever they are worth
    (pt.rou.32c).
    """
    most = {
        "large-series": rules.figures.large_series_most,
        "small-series": rules.figures.small_series_most,
        "orphans": rules.figures.orphans_most,
    }.get(stake.bet)
    there = sum(one.chips for one in lying if (one.player, one.bet) == (stake.player, stake.bet))
    return most is None or there + stake.chips <= most


def multiple_is_within_the_maximum(stake: Stake, lying: Stakes, rules: WheelRules) -> bool:
    return _is_of(stake, rules, Group.SIMPLE) or is_within_the_maximum(stake, lying, rules)


def simple_is_within_the_maximum(stake: Stake, lying: Stakes, rules: WheelRules) -> bool:
    return not _is_of(stake, rules, Group.SIMPLE) or is_within_the_maximum(stake, lying, rules)


def is_within_the_maximum(stake: Stake, lying: Stakes, rules: WheelRules) -> bool:
    """True if the player's chips on the bet are within the maximum of each place where they lie (pt.rou.32a to 32c).
    Always True for neighbours, which have their own limit, and for series unless the profile says otherwise.
    """
    bet = bet_named(stake.bet, rules)
    if bet is None or bet.group is Group.NEIGHBOURS:
        return True
    if bet.group is Group.SERIES and not rules.figures.series_within_maxima:
        return True
    mine = (*(one for one in lying if (one.player, one.bet) == (stake.player, stake.bet)), stake)
    whole = sum_of(mine)
    return all(whole * part.chips // bet.chips <= most_on(part.chance, rules) for part in bet.parts)


def neighbours_are_within_the_maximum(stake: Stake, lying: Stakes, rules: WheelRules) -> bool:
    """True if the player's straight and neighbours' bets together are within a straight bet's maximum, which the
    profile applies to each number or to the whole bet (pt.rou.32d).
    """
    bet = bet_named(stake.bet, rules)
    if bet is None or bet.group not in {Group.NEIGHBOURS, Group.STRAIGHTS}:
        return True
    there, most = laid(lying, stake), rules.limits.maximum
    if rules.figures.neighbours_limit is NeighboursLimit.WHOLE_BET:
        of_both = any(one.player == stake.player and one.bet.startswith("neighbours-") for one in there)
        return not of_both or of_neighbours(there, stake.player, rules) <= most
    numbers = [part.numbers[0] for _bet, part, _cents in parts_of(stake, rules)]
    return all(on_number(there, stake.player, number, rules) <= most for number in numbers)
