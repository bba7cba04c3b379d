"""What must be true before anybody does something about jackpot bets, their collection and prizes."""

from fractions import Fraction
from typing import Final, TypeAlias

from controller.core.engine.act import Act
from controller.core.engine.decision import Values
from controller.core.games.blackjack.acts import (
    CollectJackpotBets,
    PayJackpot,
    PayJackpotByHand,
    PlaceJackpotBet,
    RaiseJackpot,
    WithdrawJackpotBet,
)
from controller.core.games.blackjack.bets.place import bettor_named, place_now
from controller.core.games.blackjack.hands import in_units
from controller.core.games.blackjack.jackpot import (
    conditions,
    is_to_be_collected,
    played_for,
    seats_with_chips,
    settled_wins,
)
from controller.core.games.blackjack.jackpot_bets import Chip
from controller.core.games.blackjack.jackpot_slots import marking
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.pool import next_payment
from controller.core.house.rule import ActGuard, Guard
from controller.core.jackpot_rules import Marking
from controller.core.words import Cents, RoundPhase

OfPayments: TypeAlias = PayJackpot | PayJackpotByHand


JACKPOT_IS_PLAYED = Guard[BlackjackState]("jackpot_is_played", lambda state: played_for(state) is not None)
JACKPOT_BETS_ARE_OPEN = Guard[BlackjackState](
    "jackpot_bets_are_open", lambda state: state.game.phase in {RoundPhase.IDLE, RoundPhase.BETTING}
)


def _may_be_his(state: BlackjackState, act: PlaceJackpotBet) -> bool:
    """At his own place; elsewhere only as the approved conditions say (pt.bj.40)."""
    approved = conditions(state)
    if bettor_named(state, act).seat == act.seat:
        return True
    is_vacant = place_now(state, act.seat).holder is None
    return approved.jackpot_chip_each_place if is_vacant else approved.jackpot_for_others


PLAYER_SITS_THERE = ActGuard[BlackjackState, PlaceJackpotBet]("player_sits_there", _may_be_his)
PLAYER_HAS_A_MAIN_BET = ActGuard[BlackjackState, PlaceJackpotBet](
    "player_has_a_main_bet",
    lambda state, act: place_now(state, act.seat).sum_of(bettor_named(state, act)) > 0,
    possible=lambda state: bool(state.game.stakes.places),
)


def _is_his_first(state: BlackjackState, act: PlaceJackpotBet) -> bool:
    bettor = bettor_named(state, act).number
    his = [chip for chip in state.game.jackpot.chips if chip.bettor == bettor]
    if conditions(state).jackpot_chip_each_place:
        his = [chip for chip in his if chip.seat == act.seat]
    return not his


ONE_CHIP_EACH = ActGuard[BlackjackState, PlaceJackpotBet]("one_chip_each", _is_his_first)
CHIP_LIES_THERE = ActGuard[BlackjackState, WithdrawJackpotBet](
    "chip_lies_there",
    lambda state, act: Chip(act.seat, bettor_named(state, act).number) in state.game.jackpot.chips,
    possible=lambda state: bool(state.game.jackpot.chips),
)
JACKPOT_IS_TO_BE_COLLECTED = Guard[BlackjackState]("jackpot_is_to_be_collected", is_to_be_collected)
CHIPS_LIE_THERE = ActGuard[BlackjackState, CollectJackpotBets](
    "jackpot_chips_lie_there",
    lambda state, act: act.seats is None or set(act.seats) <= set(seats_with_chips(state)),
    lambda state, _act: (("seats", _list(seats_with_chips(state))),),
)


def _is_manual(state: BlackjackState) -> bool:
    return marking(state) is Marking.MANUAL


SLOTS_ARE_EMPTIED_TOGETHER = ActGuard[BlackjackState, CollectJackpotBets](
    "slots_are_emptied_together",
    lambda state, act: act.seats is None or _is_manual(state) or set(act.seats) == set(seats_with_chips(state)),
    lambda state, _act: (("seats", _list(seats_with_chips(state))),),
)
MARKING_IS_MANUAL = Guard[BlackjackState](
    "marking_is_manual",
    _is_manual,
)
JACKPOT_IS_COLLECTED = Guard[BlackjackState]("jackpot_is_collected", lambda state: state.game.jackpot.is_collected)


def _list(seats: tuple[int, ...]) -> str:
    return ", ".join(map(str, seats)) or "-"


def _due(state: BlackjackState) -> tuple[int, Cents, bool] | None:
    """Seat, amount and whether the pool covers it, of the prize that is next."""
    pool = settled_wins(state).house.pool
    due = None if pool is None else next_payment(pool)
    return None if due is None else (due.owed.seat, due.cents, due.is_covered)


def _says_due(state: BlackjackState, _act: Act | None = None) -> Values:
    seat, cents, _is_covered = _due(state) or _NOTHING_DUE
    held = state.house.pool and state.house.pool.cents
    return (("seat", str(seat)), ("amount", units(cents)), ("pool", units(held or 0)))


_NOTHING_DUE: Final = (0, Cents(0), True)


def units(cents: int) -> str:
    """An amount of cents in currency units."""
    return in_units(Fraction(cents)).lstrip("+")


A_PRIZE_IS_DUE = Guard[BlackjackState]("a_prize_is_due", lambda state: _due(state) is not None)
SMALLER_PRIZES_ARE_PAID = ActGuard[BlackjackState, OfPayments](
    "smaller_prizes_are_paid",
    lambda state, act: (due := _due(state)) is not None and due[0] == act.seat,
    _says_due,
)
POOL_COVERS_THE_PRIZE = Guard[BlackjackState](
    "pool_covers_the_prize", lambda state: (due := _due(state)) is None or due[2], _says_due
)


def _is_small(state: BlackjackState) -> bool:
    due, pool = _due(state), state.house.pool
    least = 0 if pool is None else pool.rules.by_hand_from
    return due is None or not least or due[1] < least


def prize_takes_two(state: BlackjackState, _act: OfPayments) -> bool:
    """The prize that is next reaches the amount from which the casino asks for a second person."""
    due = _due(state)
    return due is not None and due[1] >= state.setup.parameters.second_person_prize_cents


def raise_differs(state: BlackjackState, act: RaiseJackpot) -> bool:
    """The sign was raised by another amount than the pool has grown by."""
    return act.amount != state.game.jackpot.rise


PRIZE_IS_PAID_AT_THE_TABLE = Guard[BlackjackState]("prize_is_paid_at_the_table", _is_small, _says_due)
