"""The buttons of a roulette table: the announced number, the cloth to tap bets on, prizes and the change of ball."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from controller.panel.moment import Moment
from controller.panel.offer import Offer, Size, Step
from controller.protocol.wheel_status import OUTSIDE

NUMBERS: Final = range(37)
TILES: Final = frozenset((*(f"straight-{one}" for one in NUMBERS), *OUTSIDE))
"""The bets that have a place of their own on the cloth; other bets are listed below the cloth."""
RED: Final = (1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36)
TAPPED: Final = "bet.tapped"
"""The key, among the values of a form, of the tapped place on the cloth for which the form was opened."""

ROWS: Final = tuple(tuple(range(first, 37, 3)) for first in (3, 2, 1))
"""The cloth as the dealer sees it: three rows of twelve numbers."""


def launch(moment: Moment) -> tuple[Step, ...]:
    """Returns the act `launch-ball` with the direction that the status gives; clockwise without a wheel."""
    is_clockwise = moment.status.wheel is None or moment.status.wheel.next_clockwise
    return (("launch-ball", {"clockwise": "yes" if is_clockwise else "no"}),)


def number(moment: Moment) -> tuple[Step, ...]:
    """Returns the act `announce-number` with the number that the wheel reports, or without a value if the wheel reports
    no number.
    """
    wheel = moment.status.wheel
    return (("announce-number", {} if wheel is None or wheel.result is None else {"number": str(wheel.result)}),)


def last_number(moment: Moment) -> tuple[Step, ...]:
    wheel = moment.status.wheel
    known = {} if wheel is None or wheel.last_number is None else {"number": str(wheel.last_number)}
    return (("put-ball-back", known),)


def prizes(moment: Moment) -> tuple[Step, ...]:
    """Returns the act `pay-prizes` for the first player with a prize in the next group of bets. Returns () if no prize
    is due.
    """
    wheel = moment.status.wheel
    if wheel is None or not wheel.prizes:
        return ()
    return (("pay-prizes", {"group": wheel.next_prizes, "player": str(wheel.prizes[0].player)}),)


def has_prizes(moment: Moment) -> bool:
    """True if a prize is due. False after the last payment, although the status may still permit `pay-prizes`."""
    return bool(prizes(moment))


_BESIDE_EACH_OTHER: Final = {"dozen": ("1", "2", "3"), "column": ("34", "35", "36")}
SERIES: Final = ("large-series", "small-series", "orphans")


def bets_at(bet: str) -> tuple[tuple[str, str, str], ...]:
    """Returns the bets at and around the tapped place `bet`, each as name, kind and numbers. Returns () for an unknown
    place.

    Does not check the numbers: the controller refuses a bet on a number that is not on the cloth.
    """
    kind, _, told = bet.partition("-")
    if kind in _BESIDE_EACH_OTHER:
        pairs = (f"{one}-{other}" for one, other in pairwise(_BESIDE_EACH_OTHER[kind]) if told in {one, other})
        return ((bet, kind, told), *((f"{kind}-split-{pair}", f"{kind}-split", pair) for pair in pairs))
    if kind != "straight" or not told.isdecimal():
        return ((bet, bet, ""),) if bet in OUTSIDE else ()
    names = (bet, *_beside(int(told)), *(f"neighbours-{told}-{chips}" for chips in (3, 5, 7)))
    around = (name.partition("-") for name in names)
    return (*((f"{kind}-{told}", kind, told) for kind, _, told in around), *((one, one, "") for one in SERIES))


def _beside(number: int) -> Iterator[str]:
    """Yields the names of the splits, streets, corners and lines that contain `number`."""
    if number == 0:
        yield from ("split-0-1", "split-0-2", "split-0-3", "street-0-2-3")
        return
    row = (number - 1) // 3 * 3 + 1
    near = (number - 3, number - 1, number + 1, number + 3)
    splits = [one for one in near if 1 <= one <= 36 and (abs(one - number) == 3 or row <= one <= row + 2)]
    for one in ([0] if row == 1 else []) + splits:
        yield f"split-{min(one, number)}-{max(one, number)}"
    yield from (("street-0-2-3",) if number in {2, 3} else ())
    yield f"street-{row}-{row + 1}-{row + 2}"
    for one in (number - 4, number - 3, number - 1, number):
        if 1 <= one <= 32 and one % 3 and number in {one, one + 1, one + 3, one + 4}:
            yield f"corner-{one}-{one + 1}-{one + 3}-{one + 4}"
    yield from (f"line-{one}-{one + 5}" for one in (row - 3, row) if 1 <= one <= 31)


def ball_is_due(moment: Moment) -> bool:
    """True if a change of ball is due. Before that, the list of all acts offers the change."""
    return moment.status.wheel is not None and moment.status.wheel.ball_due


def tells_number(moment: Moment) -> bool:
    return moment.status.wheel is not None and moment.status.wheel.result is not None


def values_seen(moment: Moment) -> Iterator[Offer]:
    """Yields a button for each player whose chips' value is not confirmed. Yields no button if no person may confirm a
    value now.
    """
    who = moment.who_may("confirm-value")
    for one in moment.status.wheel.players if moment.status.wheel is not None and who else ():
        if not one.confirmed:
            step = ("confirm-value", {"player": str(one.player)})
            yield Offer(f"confirm-value-{one.player}", who, (step,), size=Size.SECOND, act="confirm-value")


def cloth(moment: Moment) -> Iterator[Offer]:
    """Yields a button for each number and each outside bet, whose sheet asks for the player and the number of chips.
    Yields no button if the table does not follow bets, or if no person may bet now.
    """
    wheel = moment.status.wheel
    if wheel is None or not wheel.follows_bets or not moment.may("place-chips"):
        return
    who = moment.who_may("place-chips")
    for bet in (*(f"straight-{one}" for one in NUMBERS), *OUTSIDE):
        known = {"bet": bet, "chips": "1", TAPPED: bet}
        yield Offer(f"bet-{bet}", who, asks="place-chips", known=known, act="place-chips")
