"""The buttons of a wheel's table: its number where it has told one, its cloth to tap bets on."""

from collections.abc import Iterator
from typing import Final

from controller.panel.moment import Moment
from controller.panel.offer import Offer, Step

NUMBERS: Final = range(37)
OUTSIDE: Final = (
    *("dozen-1", "dozen-2", "dozen-3", "column-34", "column-35", "column-36"),
    *("low", "even", "red", "black", "odd", "high"),
)
RED: Final = (1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36)
ROWS: Final = tuple(tuple(range(first, 37, 3)) for first in (3, 2, 1))
"""The cloth as it lies before the dealer: three rows of twelve."""


def launch(moment: Moment) -> tuple[Step, ...]:
    """The other way than before."""
    is_clockwise = moment.status.wheel is None or moment.status.wheel.next_clockwise
    return (("launch-ball", {"clockwise": "yes" if is_clockwise else "no"}),)


def number(moment: Moment) -> tuple[Step, ...]:
    """Where the ball rests."""
    wheel = moment.status.wheel
    return (("announce-number", {} if wheel is None or wheel.result is None else {"number": str(wheel.result)}),)


def last_number(moment: Moment) -> tuple[Step, ...]:
    wheel = moment.status.wheel
    known = {} if wheel is None or wheel.last_number is None else {"number": str(wheel.last_number)}
    return (("put-ball-back", known),)


def prizes(moment: Moment) -> tuple[Step, ...]:
    return (("pay-prizes", {"group": moment.status.wheel.next_prizes if moment.status.wheel else ""}),)


def tells_number(moment: Moment) -> bool:
    return moment.status.wheel is not None and moment.status.wheel.result is not None


def cloth(moment: Moment) -> Iterator[Offer]:
    """A button for each number and each chance outside; the sheet asks whose chips, and how many."""
    wheel = moment.status.wheel
    if wheel is None or not wheel.follows_bets or not moment.may("place-chips"):
        return
    who = moment.who_may("place-chips")
    for bet in (*(f"straight-{one}" for one in NUMBERS), *OUTSIDE):
        yield Offer(f"bet-{bet}", who, asks="place-chips", known={"bet": bet}, act="place-chips")
