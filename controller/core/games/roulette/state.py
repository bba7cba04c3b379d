"""The state of a roulette table: the spin, the wheel and its ball, the players with a colour, the
stakes on the cloth.
"""

from enum import StrEnum, unique
from fractions import Fraction
from typing import Any, ClassVar

from msgspec import UNSET, Struct, UnsetType

from controller.core.engine.machine import ProcedureMachine
from controller.core.games.roulette.payments import NOTHING_PAID, Paid, Prize, Settled
from controller.core.games.roulette.spin_table import SPIN
from controller.core.games.roulette.stakes import Stake
from controller.core.house.state import Due, GameState, State, changing
from controller.core.setup import Setup
from controller.core.wheel_rules import WheelRules
from controller.core.words import Cents, Person, RoundPhase, TableMs


class NoWheelError(RuntimeError):
    """Raised if the setup of a roulette table has no rules for a wheel."""


@unique
class ChipColour(StrEnum):
    """Colours of chips without face value; a table with N seats uses the first N colours."""

    RED = "red"
    BLUE = "blue"
    GREEN = "green"
    YELLOW = "yellow"
    ORANGE = "orange"
    PURPLE = "purple"
    PINK = "pink"
    BROWN = "brown"
    WHITE = "white"
    BLACK = "black"
    GREY = "grey"
    TURQUOISE = "turquoise"


class Player(Struct, frozen=True, gc=False):
    """A player with chips of a colour. `number`: the player's number at this table. `value`: the worth of each chip in
    cents (pt.rou.8, pt.rou.13).
    """

    number: int
    colour: ChipColour
    value: Cents
    is_confirmed: bool = False  # he has seen his value on the display
    idle_spins: int = 0  # spins in a row without a bet
    is_lost: bool = False  # he has lost the right to his colour


class Worth(Struct, frozen=True, gc=False):
    """The value of a colour's chips in cents, as last handed out to `player`. The value counts until the colour is
    given again. `is_out`: True if the player has left or lost the colour without exchanging the chips (pt.rou.15b).
    """

    colour: ChipColour
    player: int
    value: Cents
    is_out: bool = False


class Exchanged(Struct, frozen=True, gc=False):
    """Chips of a colour that were exchanged for chips with face value."""

    colour: ChipColour
    chips: int
    amount: Cents
    is_late: bool
    number: int  # the number of this exchange


class Wheel(Struct, frozen=True, gc=False):
    """The ball in use, its last direction and its last number. All three stay from spin to spin, and are new in each
    session.
    """

    ball: int = 1  # the ball in use, 1 or 2
    ball_since_ms: TableMs = TableMs(0)
    ball_is_due: bool = False  # the ball is to be changed
    clockwise: bool | None = None  # the ball's direction at the last launch
    last_number: int | None = None
    is_heard: bool = False  # the wheel's line is connected


class Spinner(Struct, frozen=True, gc=False):
    """The dealer who launches the ball, and the time at which he began."""

    person: Person
    since_ms: TableMs
    is_warned: bool = False  # he has had the notice that his time is nearly over
    is_over: bool = False  # his time is over


class Handed(Struct, frozen=True, gc=False):
    """The cents that a player got for chips of the player's colour. `player` 0: the unknown player of late chips, whose
    colour had been lost.
    """

    player: int
    cents: Cents


class Spin(GameState, frozen=True, gc=False):
    """The state of one spin from the launch to the last payment; between spins also the chips exchanged since the last
    one.
    """

    MACHINE: ClassVar[ProcedureMachine[Any]] = SPIN

    is_seen: bool = False  # the wheel has reported its launch
    result: int | None = None  # the number on which the ball rests
    without_bet: tuple[int, ...] = ()  # players without a bet; used where bets are not followed
    ball_is_back: bool = False  # after a null spin the ball was put back on the last number
    settled: Settled | None = None  # None if the bets are not followed
    laid: tuple[Stake, ...] = ()  # the chips on the cloth when the number came
    paid: Paid = NOTHING_PAID
    number_before: int | None = None  # the number of the spin before
    null_is_called: bool | UnsetType = UNSET  # True from somebody's call that the spin is null; unset before one
    is_contested: bool = False  # people have contested its result, until the decision
    given: tuple[Prize, ...] = ()  # prizes of a withdrawn number; they come back before any payment
    given_for: int | UnsetType | None = UNSET  # the withdrawn number for which prizes were paid; unset before one
    handed: tuple[Handed, ...] = ()  # amounts for chips changed since the last spin


class Brought(Struct, frozen=True, gc=False):
    """One amount in a player's result, in half cents."""

    player: int
    half_cents: int


class Takings(Struct, frozen=True, gc=False):
    """The bank's result since the session began, in half cents: half of an odd number of cents may be paid. `last`: the
    amounts of the last paid spin, with the amounts for chips exchanged before its payment.
    """

    spins: int = 0
    half_cents: int = 0
    last: tuple[Brought, ...] = ()


class RouletteState(State, frozen=True, gc=False):
    """The whole state of a roulette table. `game`: the spin; `spinner`: the dealer who launches, or None without such a
    dealer.
    """

    game: Spin = Spin()
    wheel: Wheel = Wheel()
    spinner: Spinner | None = None
    players: tuple[Player, ...] = ()
    # An entry for each colour that was given in this session or has chips out. Unset if there are none.
    worth: tuple[Worth, ...] | UnsetType = UNSET
    given: tuple[ChipColour, ...] | UnsetType = UNSET  # each colour ever given at this table; unset before the first
    waiting: int = 0  # players who wait for a colour
    stakes: tuple[Stake, ...] = ()  # the chips on the cloth; winning ones stay there
    exchanged: Exchanged | None = None  # the last exchange
    takings: Takings = Takings()

    @property
    def rules(self) -> WheelRules:
        """Returns the wheel's rules. Raises NoWheelError if the setup has none."""
        if self.setup.wheel_rules is None:
            raise NoWheelError
        return self.setup.wheel_rules

    @property
    def colours(self) -> tuple[ChipColour, ...]:
        """Returns the colours of the table's chips: as many as it has seats."""
        return tuple(ChipColour)[: self.setup.seats]

    @property
    def former_colours(self) -> tuple[ChipColour, ...]:
        """Returns the colours that the table no longer has, and whose chips may still appear."""
        known = {*(() if isinstance(self.given, UnsetType) else self.given), *(one.colour for one in self.worths)}
        return tuple(one for one in ChipColour if one in known and one not in self.colours)

    def player(self, number: int) -> Player | None:
        return next((one for one in self.players if one.number == number), None)

    def with_colour(self, colour: ChipColour) -> Player | None:
        return next((one for one in self.players if one.colour is colour), None)

    @property
    def worths(self) -> tuple[Worth, ...]:
        """Returns the value of each colour's chips as last handed out. Empty if no chips can be out."""
        return () if isinstance(self.worth, UnsetType) else self.worth

    def worth_of(self, colour: ChipColour) -> Worth | None:
        """Returns the value at which this colour's chips were last handed out. None if no such chips can be out."""
        return next((one for one in self.worths if one.colour is colour), None)

    def due(self) -> tuple[Due, ...]:
        """Returns the amounts of each player's result: cents for exchanged chips, and paid prizes less lost bets.

        Prizes paid for a withdrawn number count until they are returned. Between spins the amounts are those of the
        last spin, with the chips exchanged since then.
        """
        if self.game.phase is not RoundPhase.IDLE:
            given = (Due(0, one.player, one.exact) for one in self.game.given)
            return (*self._handed(), *given, *self.brought_by_the_spin())
        last = (Due(0, one.player, Fraction(one.half_cents, 2)) for one in self.takings.last)
        return (*self._handed(), *last)

    def _handed(self) -> tuple[Due, ...]:
        return tuple(Due(0, one.player, Fraction(one.cents)) for one in self.game.handed)

    def brought_by_the_spin(self) -> tuple[Due, ...]:
        """Returns the amounts of each player's paid prizes and lost bets in this spin. Empty if
        bets are not tracked.
        """
        settled = self.game.settled
        if settled is None:
            return ()
        lost = [(one.player, Fraction(-one.cents)) for one in self.game.laid]
        stay = [(one.player, Fraction(one.cents)) for one in settled.staying]
        paid = [(one.player, one.exact) for one in settled.split(self.game.paid)[0]]
        return tuple(Due(0, player, cents) for player, cents in (*lost, *stay, *paid))

    @property
    def ball_runs(self) -> bool:
        """True from the launch until a number or a null spin, and again after a number was withdrawn."""
        return self.game.phase in {RoundPhase.SPINNING, RoundPhase.NO_MORE_BETS} and self.game.result is None


with_game = changing(Spin, "game")
with_wheel = changing(Wheel, "wheel")


def initial_state(setup: Setup) -> RouletteState:
    """Returns the state of a closed table before its first session."""
    return RouletteState(setup=setup)
