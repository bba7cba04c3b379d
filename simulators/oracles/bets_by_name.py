"""The names that acts and journal give to bets (ACTS.md), for the bets that wheel.py derives from the law's text."""

from functools import cache

from simulators.oracles.wheel import Bet, Chips, all_bets


@cache
def bets_by_name(order: tuple[int, ...]) -> dict[str, Bet]:
    """Returns all bets, by name, at a wheel with its numbers in this order. Raises ValueError for an order outside the
    law.
    """
    return {_name(bet): bet for bet in all_bets(order)}


def _name(bet: Bet) -> str:
    match bet.kind:
        case "neighbours":
            (middle,) = bet.parts[len(bet.parts) // 2].numbers
            return f"neighbours-{middle}-{len(bet.parts)}"
        case "straight" | "split" | "street" | "corner" | "line" | "dozen" | "column" | "dozen-split" | "column-split":
            return name_of(bet.parts[0])
        case _:
            return bet.kind


def name_of(chips: Chips) -> str:
    """Returns the name of the chance on which these chips lie, such as `split-1-2`, `line-1-6`, `dozen-1` or
    `column-34`.
    """
    numbers = sorted(chips.numbers)
    match chips.chance:
        case "line":
            told = [numbers[0], numbers[-1]]
        case "dozen" | "dozen-split":
            told = sorted({(number + 11) // 12 for number in numbers})
        case "column" | "column-split":
            told = [number for number in numbers if number > 33]
        case _:
            told = numbers
    return "-".join((chips.chance, *map(str, told)))
