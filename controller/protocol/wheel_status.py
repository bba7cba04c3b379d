"""The wheel in the status: ball and number, the players' colours, the stakes on the cloth."""

from typing import Final

from msgspec import Struct

OUTSIDE: Final = (
    *("dozen-1", "dozen-2", "dozen-3", "column-34", "column-35", "column-36"),
    *("low", "even", "red", "black", "odd", "high"),
)
"""The bets outside the numbers, in their order on the cloth."""


class ColourStatus(Struct, frozen=True):
    """A player's colour. `value`: the worth of one chip in currency units. `confirmed`: True if the player has seen the
    value on the display. `lost`: True if the player has lost the right to the colour. `shown`: the value that the
    display shows for the colour, 0.00 for a blank; None if this value is unknown.
    """

    player: int
    colour: str
    value: str
    confirmed: bool
    lost: bool
    shown: str | None = None


class StakeStatus(Struct, frozen=True):
    """One player's chips on one bet. `amount` is in currency units."""

    player: int
    bet: str
    amount: str


class PrizeStatus(Struct, frozen=True):
    """A player's prize on one bet, without the stake. `amount` is in currency units."""

    player: int
    bet: str
    amount: str


class WheelStatus(Struct, frozen=True):
    """The wheel in the status. `next_clockwise`: the direction of the next launch. `waiting`: the number of players who
    wait for a colour. `heard`: True if the wheel's line is connected. `next_prizes`: the group of bets that is paid
    next, "" for none. `prizes`: its unpaid prizes in order. `ball_due`, `dealer_due`: True if the ball, or the dealer,
    must be changed. `value_display`: True if the table has a display of chip values that reports back. `contested`:
    True if people have contested the spin's result and no decision has come.
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
    contested: bool = False
