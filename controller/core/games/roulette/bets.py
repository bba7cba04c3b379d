"""Bets on the cloth, at a table that tracks them: which chips may be laid where, within which limits (pt.rou.16, 20,
32).
"""

from typing import Any, Final, TypeAlias

from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.games.roulette import limits
from controller.core.games.roulette.chips import DISPLAY_SHOWS_THE_VALUE, PLAYER_HAS_A_NUMBER, VALUE_IS_CONFIRMED
from controller.core.games.roulette.cloth import SERIES, Group
from controller.core.games.roulette.spins import BETS_ARE_FOLLOWED
from controller.core.games.roulette.stakes import Chips, Stake, laid
from controller.core.games.roulette.state import RouletteState
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import DEALER, ActGuard, ActRule, Guard, P, R, S
from controller.core.house.undoing import BY_ENTRY
from controller.core.money import units
from controller.core.words import Cents, TableMs


class PlaceChips(Act, frozen=True):
    """A player bets chips of the player's colour. `bet`: the name of the bet, such as `split-26-29`."""

    player: int
    bet: str
    chips: int


class PlaceValueChips(Act, frozen=True):
    """A player bets chips that have a value of their own. `marked`: True for the table's own chips with a marked value,
    False for chips with face value.
    """

    player: int
    bet: str
    amount: Cents
    marked: bool | None = None


class RemoveBet(Act, frozen=True):
    """A player takes back the whole stake on one bet."""

    player: int
    bet: str


Placing: TypeAlias = PlaceChips | PlaceValueChips


def stake_of(state: RouletteState, act: Placing) -> Stake:
    """Returns the stake that the act lays. Colour chips of a player without a colour are worth 0."""
    if isinstance(act, PlaceValueChips):
        return Stake(act.player, act.bet, Chips.MARKED if act.marked else Chips.FACE_VALUE, act.amount)
    return of_colour(state, act.player, act.bet, act.chips)


def of_colour(state: RouletteState, number: int, bet: str, chips: int) -> Stake:
    """Returns the stake of `chips` chips in this player's colour on a bet; worth 0 for a player without a colour."""
    player = state.player(number)
    value = player.value if player else Cents(0)
    return Stake(number, bet, Chips.COLOUR, Cents(chips * value), value)


# --- guards

BETS_ARE_OPEN = Guard[RouletteState](
    "game_is_not_made", lambda state: state.game.phase in {R.IDLE, R.SPINNING, R.NULL_SPIN}
)
PLAYER_HAS_A_COLOUR = ActGuard[RouletteState, PlaceChips](
    "player_has_a_colour",
    lambda state, act: state.player(act.player) is not None,
    possible=lambda state: bool(state.players),
)
COLOUR_IS_NOT_LOST = ActGuard[RouletteState, PlaceChips](
    "colour_is_not_lost",
    lambda state, act: (player := state.player(act.player)) is None or not player.is_lost,
    possible=lambda state: any(not one.is_lost for one in state.players),
)
BET_LIES = ActGuard[RouletteState, RemoveBet](
    "chips_lie_there",
    lambda state, act: any((one.player, one.bet) == (act.player, act.bet) for one in state.stakes),
    possible=lambda state: bool(state.stakes),
)


def _as(name: str, statement: limits.Statement, *, rule: str = "") -> ActGuard[RouletteState, Placing]:
    """Returns a guard that `statement` (a function of limits.py) is true for the act's stake. `rule`: the rule that a
    refusal names, or "" for the guard's name.
    """
    return ActGuard[RouletteState, Placing](
        name,
        lambda state, act: statement(stake_of(state, act), state.stakes, state.rules),
        lambda state, act: (("bet", act.bet if act else ""), ("minimum", units(state.rules.limits.minimum))),
        rule=rule,
    )


def _of_each(
    name: str, statement: limits.Statement, kinds: tuple[str, ...]
) -> tuple[ActGuard[RouletteState, Placing], ...]:
    """Returns one guard for each kind of bet in `kinds`, all with the same statement: each kind has its own clause."""
    return tuple(_as(name, limits.of_bets(kind, statement), rule=f"{name}.{kind}") for kind in kinds)


_IS_ON_THE_CLOTH: Final = _as("bet_is_on_the_cloth", limits.is_on_the_cloth)
_WITHIN_LIMITS: Final = (
    _as("bet_is_within_its_maximum", limits.multiple_is_within_the_maximum),
    _as("simple_bet_is_within_its_maximum", limits.simple_is_within_the_maximum),
    _as("neighbours_are_within_the_maximum", limits.neighbours_are_within_the_maximum),
)
OF_A_COLOUR: Final = (
    *_of_each("wheel_has_the_order", limits.wheel_has_the_order, (*SERIES, "neighbours")),
    _IS_ON_THE_CLOTH,
    _as("chips_make_the_series", limits.of_whole_chips(Group.SERIES)),
    _as("chips_make_the_neighbours", limits.of_whole_chips(Group.NEIGHBOURS)),
    _as("chips_are_laid", limits.of_whole_chips(None)),
    _as("series_is_within_its_chips", limits.series_is_within_its_chips),
    *_WITHIN_LIMITS,
)
OF_VALUE: Final = (
    _IS_ON_THE_CLOTH,
    *_of_each("series_is_of_own_chips", limits.of_own_chips(Group.SERIES), tuple(SERIES)),
    _as("neighbours_are_of_own_chips", limits.of_own_chips(Group.NEIGHBOURS)),
    _as("face_value_lies_outside", limits.face_value_lies_outside),
    _as("bet_reaches_the_tables_minimum", limits.multiple_reaches_the_minimum),
    _as("bet_reaches_the_tables_minimum", limits.reaches_the_minimum, rule="simple_bet_reaches_the_tables_minimum"),
    *_WITHIN_LIMITS,
)


# --- effects


def place(state: RouletteState, act: Placing, _at_ms: TableMs) -> RouletteState:
    return replace(state, stakes=laid(state.stakes, stake_of(state, act)))


def remove_bet(state: RouletteState, act: RemoveBet, _at_ms: TableMs) -> RouletteState:
    left = tuple(one for one in state.stakes if (one.player, one.bet) != (act.player, act.bet))
    return replace(state, stakes=left)


BET_RULES: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "place-chips",
        PlaceChips,
        DEALER,
        place,
        (
            *(BETS_ARE_FOLLOWED, BETS_ARE_OPEN, PLAYER_HAS_A_COLOUR, COLOUR_IS_NOT_LOST),
            *(VALUE_IS_CONFIRMED, DISPLAY_SHOWS_THE_VALUE),
            *OF_A_COLOUR,
        ),
        in_session=(S.IN_PLAY,),
        needs=P.BET,
        begins_round=True,
        undone=BY_ENTRY,
        money=Money.LAID,
        manner=Manner.DOES,
    ),
    ActRule(
        "place-value-chips",
        PlaceValueChips,
        DEALER,
        place,
        (BETS_ARE_FOLLOWED, BETS_ARE_OPEN, PLAYER_HAS_A_NUMBER, *OF_VALUE),
        in_session=(S.IN_PLAY,),
        needs=P.BET,
        begins_round=True,
        undone=BY_ENTRY,
        money=Money.LAID,
        manner=Manner.DOES,
    ),
    ActRule(
        "remove-bet",
        RemoveBet,
        DEALER,
        remove_bet,
        (BETS_ARE_FOLLOWED, BETS_ARE_OPEN, BET_LIES),
        in_session=(S.IN_PLAY, S.CLOSING),
        needs=P.BET,
        undone=BY_ENTRY,
        money=Money.LAID,
        manner=Manner.DOES,
    ),
)
