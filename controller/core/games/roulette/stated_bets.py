"""Lets people state a bet whose winning chips were moved, if its record is wrong or missing (pt.rou.31)."""

from typing import Final

from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.games.roulette import limits
from controller.core.games.roulette.bets import of_colour
from controller.core.games.roulette.chips import as_given
from controller.core.games.roulette.cloth import Group
from controller.core.games.roulette.spins import sees_the_spin, settled_by
from controller.core.games.roulette.stakes import Chips, Stake, bet_named
from controller.core.games.roulette.state import RouletteState
from controller.core.house.rule import ActGuard
from controller.core.words import Cents, TableMs


class StateBet(Act, frozen=True):
    """States a player's whole stake on one bet: a number of chips of the player's colour, or an amount in chips with a
    value. Without either, the player has no such bet.
    """

    player: int
    bet: str
    chips: int | None = None
    amount: Cents | None = None
    marked: bool | None = None


def stated(state: RouletteState, act: StateBet) -> Stake:
    if act.amount is not None:
        return Stake(act.player, act.bet, Chips.MARKED if act.marked else Chips.FACE_VALUE, act.amount)
    return of_colour(state, act.player, act.bet, act.chips or 0)


def others(state: RouletteState, act: StateBet) -> tuple[Stake, ...]:
    """Returns all stakes except the stake that `act` states. After a number came, returns the stakes that lay on the
    cloth before that number.
    """
    lying = state.stakes if state.game.settled is None else state.game.laid
    return tuple(one for one in lying if (one.player, one.bet) != (act.player, act.bet))


def changes_a_stake(state: RouletteState, act: StateBet) -> bool:
    """True if the stated bet differs from the recorded bet."""
    lying = state.stakes if state.game.settled is None else state.game.laid
    recorded = tuple(one for one in lying if (one.player, one.bet) == (act.player, act.bet))
    said = stated(state, act)
    return recorded != ((said,) if said.cents else ())


def sees_a_bet(state: RouletteState, act: StateBet) -> object:
    """Returns the values whose change ends the wait for a second person: the spin, and the player's colour with its
    value. Other bets are not among them: none can be laid or taken back at this time.
    """
    return sees_the_spin(state, act), as_given(state.player(act.player))


def _has_a_colour(state: RouletteState, act: StateBet) -> bool:
    return not act.chips or state.player(act.player) is not None


def _is_one_kind(_state: RouletteState, act: StateBet) -> bool:
    given = [one for one in (act.chips, act.amount) if one is not None]
    return len(given) <= 1 and all(one >= 0 for one in given) and act.player > 0


def _is_not_paid(state: RouletteState, act: StateBet) -> bool:
    """True if none of the player's prizes in the bet's group is paid yet."""
    bet = bet_named(act.bet, state.rules)
    return bet is None or not state.game.paid.touches(bet.group, act.player)


def _as(name: str, *statements: limits.Statement) -> ActGuard[RouletteState, StateBet]:
    """Returns a guard that all `statements` (functions of limits.py) are true for the stated bet."""

    def holds(state: RouletteState, act: StateBet) -> bool:
        stake, lying = stated(state, act), others(state, act)
        return not stake.cents or all(statement(stake, lying, state.rules) for statement in statements)

    return ActGuard[RouletteState, StateBet](name, holds, lambda _state, act: (("bet", act.bet if act else ""),))


TO_STATE: Final = (
    ActGuard[RouletteState, StateBet]("player_has_a_colour", _has_a_colour),
    ActGuard[RouletteState, StateBet]("chips_are_of_one_kind", _is_one_kind),
    ActGuard[RouletteState, StateBet](
        "bet_is_on_the_cloth",
        lambda state, act: bet_named(act.bet, state.rules) is not None,
        lambda _state, act: (("bet", act.bet if act else ""),),
    ),
    _as(
        "bet_may_lie_there",
        limits.wheel_has_the_order,
        limits.face_value_lies_outside,
        *(limits.of_own_chips(group) for group in (Group.SERIES, Group.NEIGHBOURS)),
        *(limits.of_whole_chips(group) for group in (Group.SERIES, Group.NEIGHBOURS, None)),
        limits.reaches_the_minimum,
        limits.series_is_within_its_chips,
        limits.is_within_the_maximum,
        limits.neighbours_are_within_the_maximum,
    ),
    ActGuard[RouletteState, StateBet]("prizes_there_are_not_paid", _is_not_paid),
)


def state_bet(state: RouletteState, act: StateBet, _at_ms: TableMs) -> RouletteState:
    """Returns the state with the stated bet. After a number came, prizes and the bank's takings are computed again."""
    stake = stated(state, act)
    laid = (*others(state, act), *((stake,) if stake.cents else ()))
    if state.game.settled is None or state.game.result is None:
        return replace(state, stakes=laid)
    return settled_by(state, state.game.result, laid)
