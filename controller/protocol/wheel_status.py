"""The status of a wheel: the ball's place, the players' colours, the chips on the cloth."""

from typing import Final

from msgspec import Struct

OUTSIDE: Final = (
    *("dozen-1", "dozen-2", "dozen-3", "column-34", "column-35", "column-36"),
    *("low", "even", "red", "black", "odd", "high"),
)
"""The chances beside the numbers, as they lie on the cloth."""


class ColourStatus(Struct, frozen=True):
    """A player with his colour; `value`: of each chip, in currency units.

    `shown`: what the display says that it shows for it, 0.00 where that is nothing; None where nobody knows.
    """

    player: int
    colour: str
    value: str
    confirmed: bool
    lost: bool
    shown: str | None = None


class StakeStatus(Struct, frozen=True):
    """One player's chips on one bet; `amount` in currency units."""

    player: int
    bet: str
    amount: str


class PrizeStatus(Struct, frozen=True):
    """The winnings of one bet of a player without the bet; `amount` in currency units."""

    player: int
    bet: str
    amount: str


class WheelStatus(Struct, frozen=True):
    """`next_clockwise`: the ball's way at the next launch; `next_prizes`: the group that is paid next, or empty.

    `prizes`: those of this group, in the order in which they are paid.

    `ball_due`, `dealer_due`: the hour of the ball, or of the dealer, is over. `value_display`: the table has one that
    says what it shows.
    """

    result: int | None = None
    colour: str = ""
    last_number: int | None = None
    ball: int = 1
    ball_due: bool = False
    dealer_due: bool = False
    next_clockwise: bool = True
    next_prizes: str = ""
    prizes: list[PrizeStatus] = []
    follows_bets: bool = False
    waiting: int = 0
    players: list[ColourStatus] = []
    stakes: list[StakeStatus] = []
    heard: bool = False
    value_display: bool = False
