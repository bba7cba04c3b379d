"""What people say of bets and hands, where a table follows them: what each act changes, and its row."""

from typing import Any, Final

from controller.core.custody.round import RoundTrigger, of_the_round
from controller.core.custody.shoe import SHOE_IS_NOT_OVER
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.acts import PlaceBet, PlaceSideBet, TakeSideBetDown, WithdrawBet
from controller.core.games.blackjack.bet_guards import (
    BET_LIES_THERE,
    PLACE_HAS_A_BET,
    PLACE_IS_BET_ON,
    SEAT_EXISTS,
    SIDE_BET_STAYS_UP,
    SIDE_BETTOR_HAS_BET,
    SIDE_IS_BET_ON,
    bettor_named,
    hand_of_next_pair,
    has_bet,
    place_now,
    stake_that_stays_up,
)
from controller.core.games.blackjack.bets import BettingPlace, Laid
from controller.core.games.blackjack.decisions.one_hand import HANDS_ARE_FOLLOWED
from controller.core.games.blackjack.hands import (
    HandId,
    SideStake,
    Stakes,
    changed_hand,
    hands_of,
    settled_takings,
)
from controller.core.games.blackjack.jackpot_effects import chips_returned
from controller.core.games.blackjack.round_guards import BETS_ARE_NOT_CLOSED, SEATS_HAVE_NO_CARD_YET
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.hold_table import P
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import DEALER, ActRule, R, S
from controller.core.house.state import round_moved, without_round
from controller.core.words import TableMs


def _with(state: BlackjackState, stakes: Stakes) -> BlackjackState:
    return replace(state, game=replace(state.game, stakes=stakes))


def _laid(state: BlackjackState, places: tuple[BettingPlace, ...]) -> BlackjackState:
    """The round is played for these bets."""
    rules = state.setup.hand_rules
    if rules is None:
        return state
    places = tuple(sorted(places, key=lambda one: one.seat))
    stakes = replace(state.game.stakes, places=places, hands=hands_of(places, rules))
    return replace(state, game=replace(state.game, stakes=stakes, seats=tuple(one.seat for one in places)))


def _elsewhere(state: BlackjackState, seat: int) -> tuple[BettingPlace, ...]:
    return tuple(one for one in state.game.stakes.places if one.seat != seat)


def place_bet(state: BlackjackState, act: PlaceBet, _at_ms: TableMs) -> BlackjackState:
    laid = place_now(state, act.seat, Laid(bettor_named(state, act), act.amount))
    return _laid(state, (*_elsewhere(state, act.seat), laid))


def withdraw_bet(state: BlackjackState, act: WithdrawBet, _at_ms: TableMs) -> BlackjackState:
    """Side bets go back with the last bet of their hand or of their bettor; with the last of all there is no round."""
    place, bettor = place_now(state, act.seat), bettor_named(state, act)
    left = tuple(one for one in place.bets if one.bettor != bettor)
    state = _laid(state, (*_elsewhere(state, act.seat), *((replace(place, bets=left),) if left else ())))
    side = tuple(one for one in state.game.stakes.side if one.seat in state.game.seats and has_bet(state, one.bettor))
    state = chips_returned(_with(state, replace(state.game.stakes, side=side)))
    return state if state.game.seats else round_moved(without_round(state), RoundTrigger.BETS_CANCELLED)


def place_side_bet(state: BlackjackState, act: PlaceSideBet, _at_ms: TableMs) -> BlackjackState:
    stake = SideStake(act.seat, bettor_named(state, act).number, act.bet, act.amount)
    if state.table is not None and (next_pair := hand_of_next_pair(state)) is not None:
        stake = replace(stake, of=next_pair.index, hands=len(state.table.at(act.seat)))
    return _with(state, replace(state.game.stakes, side=(*state.game.stakes.side, stake)))


def take_side_bet_down(state: BlackjackState, act: TakeSideBetDown, _at_ms: TableMs) -> BlackjackState:
    """The pairs that have won are paid; no later one is."""
    meant, table = stake_that_stays_up(state, act), state.table
    if meant is None or table is None:
        return state
    down = replace(meant, pairs=table.pairs_won(meant))
    side = tuple(down if one is meant else one for one in state.game.stakes.side)
    return _with(state, replace(state.game.stakes, side=side))


def hands_kept(state: BlackjackState, gone: tuple[HandId, ...]) -> BlackjackState:
    """The cards of these hands stay known when they are taken away."""
    table, stakes = state.table, state.game.stakes
    for played in () if table is None else filter(None, map(table.of, gone)):
        stakes = changed_hand(stakes, replace(played, kept=table.cards(played.id) if table else None))
    return _with(state, stakes)


def money_settled(state: BlackjackState) -> BlackjackState:
    """What every stake has brought stands from now on."""
    if state.table is None:
        return state
    return replace(state, takings=settled_takings(state.takings, state.table.amounts(settled=True)))


# --- rows

HAND_RULES: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "place-bet",
        PlaceBet,
        DEALER,
        of_the_round(place_bet),
        (
            HANDS_ARE_FOLLOWED,
            SEAT_EXISTS,
            BETS_ARE_NOT_CLOSED,
            SEATS_HAVE_NO_CARD_YET,
            *PLACE_IS_BET_ON,
            SHOE_IS_NOT_OVER,
        ),
        round=RoundTrigger.BETS_TAKEN,
        in_session=(S.LOADED, S.IN_PLAY),
        needs=P.BET,
        money=Money.LAID,
    ),
    ActRule(
        "withdraw-bet",
        WithdrawBet,
        DEALER,
        of_the_round(withdraw_bet),
        (HANDS_ARE_FOLLOWED, SEAT_EXISTS, BET_LIES_THERE),
        in_round=(R.BETTING,),
        money=Money.LAID,
    ),
    ActRule(
        "place-side-bet",
        PlaceSideBet,
        DEALER,
        of_the_round(place_side_bet),
        (HANDS_ARE_FOLLOWED, SEAT_EXISTS, SIDE_BETTOR_HAS_BET, PLACE_HAS_A_BET, *SIDE_IS_BET_ON),
        in_session=(S.IN_PLAY,),
        in_round=(R.BETTING, R.DEALING, R.PLAYING),
        needs=P.BET,
        money=Money.LAID,
    ),
    ActRule(
        "take-side-bet-down",
        TakeSideBetDown,
        DEALER,
        of_the_round(take_side_bet_down),
        (HANDS_ARE_FOLLOWED, SIDE_BET_STAYS_UP),
        in_round=(R.PLAYING,),
        needs=P.BET,
        money=Money.DECIDED,
    ),
)
