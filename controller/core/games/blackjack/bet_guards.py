"""Guards of bets: each rule that may close one to a player is one.

The pure rules say what is open (bets.py, side_bets.py); where a table follows no hands nothing is asked.
"""

from typing import TypeAlias

from controller.core.games.blackjack.acts import (
    PlaceBet,
    PlaceJackpotBet,
    PlaceSideBet,
    TakeSideBetDown,
    WithdrawBet,
    WithdrawJackpotBet,
)
from controller.core.games.blackjack.bets import BettingPlace, Bettor, Laid, Offer, may_bet
from controller.core.games.blackjack.hand_guards import as_the_rules_say
from controller.core.games.blackjack.hands import HandId, SideStake
from controller.core.games.blackjack.play_rules import Answer
from controller.core.games.blackjack.play_rules import PlayRule as Q
from controller.core.games.blackjack.side_bets import SideBet, may_bet_aside, side_bets_of
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.worth import Table
from controller.core.house.rule import ActGuard, Guard

OfBets: TypeAlias = PlaceBet | PlaceSideBet | WithdrawBet | PlaceJackpotBet | WithdrawJackpotBet


def place_now(state: BlackjackState, seat: int, *more: Laid) -> BettingPlace:
    """The place as it is bet on now; who sits there has bet, or was said to sit there."""
    laid = (*next((one.bets for one in state.game.stakes.places if one.seat == seat), ()), *more)
    sits = seat in (state.custody.shoe_game.players or ()) or any(one.bettor.seat == seat for one in laid)
    return BettingPlace(seat, Bettor(seat, seat) if sits else None, laid)


def bettor_named(state: BlackjackState, act: OfBets) -> Bettor:
    number = act.bettor or act.seat
    return Bettor(number, number if number <= state.setup.seats else None)


def has_bet(state: BlackjackState, bettor: int) -> bool:
    """The player has an initial bet, on whichever place: a side bet is made besides it (mo.13)."""
    return any(laid.bettor.number == bettor for place in state.game.stakes.places for laid in place.bets)


SEAT_EXISTS = ActGuard[BlackjackState, OfBets](
    "seats_exist",
    lambda state, act: 1 <= act.seat <= state.setup.seats and act.bettor != 0,
    lambda state, _act: (("seats", str(state.setup.seats)),),
)
PLACE_HAS_A_BET = ActGuard[BlackjackState, PlaceSideBet](
    "place_has_a_bet", lambda state, act: act.seat in state.game.seats
)
SIDE_BETTOR_HAS_BET = ActGuard[BlackjackState, PlaceSideBet](
    "side_bettor_has_bet", lambda state, act: has_bet(state, bettor_named(state, act).number)
)
BET_LIES_THERE = ActGuard[BlackjackState, WithdrawBet](
    "bet_lies_there",
    lambda state, act: place_now(state, act.seat).sum_of(bettor_named(state, act)) > 0,
    possible=lambda state: bool(state.game.stakes.places),
)


def _holders_have_bet(state: BlackjackState) -> bool:
    rules = state.setup.hand_rules
    if rules is None or not rules.figures.holder_bets_first:
        return True
    return all(one.holder is None or one.sum_of(one.holder) > 0 for one in state.game.stakes.places)


HOLDERS_HAVE_BET = Guard[BlackjackState](Q.HOLDER_HAS_BET.value, _holders_have_bet)  # who had bet may have it back


def stake_that_stays_up(state: BlackjackState, act: TakeSideBetDown) -> SideStake | None:
    """A player's stake on any pair that has won, for the pairs that come after it (mo.13.1.2)."""
    meant = act.seat, act.bettor or act.seat
    return next((one for one in _stakes_up(state) if (one.seat, one.bettor) == meant), None)


def _stakes_up(state: BlackjackState) -> tuple[SideStake, ...]:
    table = state.table
    up = (one for one in state.game.stakes.side if one.kind is SideBet.ANY_PAIR and one.pairs is None)
    if table is None or table.rules.figures.any_pair_new_stake:
        return ()  # each pair has its own
    return tuple(one for one in up if table.pairs_won(one))


SIDE_BET_STAYS_UP = ActGuard[BlackjackState, TakeSideBetDown](
    "side_bet_stays_up",
    lambda state, act: stake_that_stays_up(state, act) is not None,
    possible=lambda state: bool(_stakes_up(state)),
)


def _may_bet(state: BlackjackState, table: Table, act: PlaceBet) -> Answer:
    bettor = bettor_named(state, act)
    places = sum(one.sum_of(bettor) > 0 for one in state.game.stakes.places if one.seat != act.seat)
    offer = Offer(bettor, act.amount, has_consent=act.consent is True, places=places)
    return may_bet(offer, place_now(state, act.seat), table.rules)


def _may_bet_aside(state: BlackjackState, table: Table, act: PlaceSideBet) -> Answer:
    number, next_pair = bettor_named(state, act).number, hand_of_next_pair(state)
    placed = tuple(one.kind for one in state.game.stakes.side if one.bettor == number)
    if next_pair is None or next_pair.seat != act.seat:
        return may_bet_aside(act.bet, placed, table.rules, cards=len(state.game.dealt))
    return may_bet_aside(act.bet, placed, table.rules, cards=1, pairs=len(table.at(act.seat)) - 1)


def hand_of_next_pair(state: BlackjackState) -> HandId | None:
    """The hand of a separated pair that takes its second card next; a new stake may be for it (mo.13.1.2)."""
    turn = None if state.table is None else state.table.turn
    if turn is None or not turn.is_split or state.table is None:
        return None
    return turn.id if len(state.table.cards(turn.id) or ()) == 1 else None


def _side_bets_are_open(state: BlackjackState) -> bool:
    rules = state.setup.hand_rules
    if not state.game.dealt or rules is None:
        return True
    return rules.figures.any_pair_new_stake and hand_of_next_pair(state) is not None


def _has_side_bets(state: BlackjackState) -> bool:
    rules = state.setup.hand_rules
    return rules is None or bool(side_bets_of(rules))


PLACE_IS_BET_ON = as_the_rules_say(
    _may_bet,
    Q.BET_REACHES_THE_MINIMUM,
    Q.BET_IS_A_MULTIPLE,
    Q.BET_IS_WITHIN_THE_MAXIMUM,
    Q.PLACE_IS_WITHIN_THE_MAXIMUM,
    Q.VACANT_PLACE_IS_WITHIN_THE_MAXIMUM,
    Q.HOLDER_HAS_BET,
    Q.HOLDER_CONSENTS,
    Q.BETTOR_IS_SEATED,
    Q.PLACE_HAS_ROOM,
    Q.BETTOR_HAS_A_PLACE_LEFT,
)
SIDE_IS_BET_ON = (
    *as_the_rules_say(_may_bet_aside, Q.SIDE_BET_EXISTS, possible=_has_side_bets),
    *as_the_rules_say(_may_bet_aside, Q.SIDE_BET_IS_IN_TIME, possible=_side_bets_are_open),
    *as_the_rules_say(_may_bet_aside, Q.SEVENS_ARE_IN_TIME, Q.OVER_UNDER_IS_IN_TIME, Q.SIDE_BET_IS_OF_ONE_KIND),
)
