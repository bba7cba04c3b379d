"""The wheel in the status: ball and numbers, the players' colours, the chips on the cloth."""

from typing import Final

from msgspec import Struct

OUTSIDE: Final = (
    *("dozen-1", "dozen-2", "dozen-3", "column-34", "column-35", "column-36"),
    *("low", "even", "red", "black", "odd", "high"),
)
"""The bets outside the numbers, in their order on the cloth."""


class ColourStatus(Struct, frozen=True):
    """A player's colour. `value`: the value of one of his chips, in currency units; `confirmed`: he has seen it on the
    display. `lost`: he has lost the right to the colour. `shown`: the value that the display reports for the colour,
    0.00 where it is blank; None where it is unknown.
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
    """The winnings of a player on one bet, without the stake; `amount` in currency units."""

    player: int
    bet: str
    amount: str


class WheelStatus(Struct, frozen=True):
    """The wheel. `next_clockwise`: the direction of the next launch. `next_prizes`: the group of bets whose prizes are
    paid next, "" for none; `prizes`: these prizes, in the order of payment. `waiting`: the number of players who wait
    for a colour.

    `ball_due`, `dealer_due`: the hour of the ball, or of the dealer, is over. `heard`: the wheel's line is connected.
    `value_display`: the table has a display of chip values that reports back.
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
