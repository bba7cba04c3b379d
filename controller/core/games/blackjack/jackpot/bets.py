"""Jackpot bets: players lay chips and take them back, the dealer collects them, and the pool and its sign grow."""

from typing import Any, Final

from controller.core.custody.round import of_the_round
from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.bets.place import SEAT_EXISTS, bettor_named, place_now
from controller.core.games.blackjack.decisions.one_hand import HANDS_ARE_FOLLOWED
from controller.core.games.blackjack.jackpot.cards import conditions, is_to_be_collected, played_for, seats_with_chips
from controller.core.games.blackjack.jackpot.round import Chip, Unseen
from controller.core.games.blackjack.jackpot.slots import (
    CHIPS_ARE_SAID,
    SLOTS_TELL_OF_EACH_CHIP,
    chips_are_told,
    collection_wanted,
    marking,
    still_lying,
)
from controller.core.games.blackjack.state import BlackjackState, with_jackpot
from controller.core.house.jackpot_acts import JACKPOT_IS_SURE
from controller.core.house.linked_acts import FLOOR_IS_HEARD
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.pool import collected
from controller.core.house.rule import DEALER, PROBE, SUPERVISORS, ActGuard, ActRule, Guard, P, SecondPerson
from controller.core.house.sign import SIGN_SHOWS_THE_POOL
from controller.core.house.state import with_house
from controller.core.house.undoing import BY_ENTRY
from controller.core.jackpot_rules import Marking
from controller.core.words import Cents, RoundPhase, TableMs


class PlaceJackpotBet(Act, frozen=True):
    """A player lays a jackpot chip at the seat. `bettor`: the player's number; None for the player at the seat."""

    seat: int
    bettor: int | None = None


class WithdrawJackpotBet(Act, frozen=True):
    """A player takes back his jackpot chip before the announcement."""

    seat: int
    bettor: int | None = None


class CollectJackpotBets(Act, frozen=True):
    """The dealer collects the jackpot chips of these seats and lays markers in their place. `seats`: None for all
    seats.
    """

    seats: tuple[int, ...] | None = None


class RaiseJackpot(Act, frozen=True):
    """The dealer has raised the sign by this amount for the round's bets."""

    amount: Cents


# --- effects


def place_jackpot_bet(state: BlackjackState, act: PlaceJackpotBet, _at_ms: TableMs) -> BlackjackState:
    chip = Chip(act.seat, bettor_named(state, act).number)
    chips = sorted((*state.game.jackpot.chips, chip), key=lambda one: (one.seat, one.bettor))
    return with_jackpot(state, chips=tuple(chips))


def withdraw_jackpot_bet(state: BlackjackState, act: WithdrawJackpotBet, _at_ms: TableMs) -> BlackjackState:
    gone = Chip(act.seat, bettor_named(state, act).number)
    return with_jackpot(state, chips=tuple(chip for chip in state.game.jackpot.chips if chip != gone))


def collect_jackpot_bets(state: BlackjackState, act: CollectJackpotBets, _at_ms: TableMs) -> BlackjackState:
    """Returns the state with the jackpot chips of the seats in `act` collected.

    Once all chips are collected, the pool grows by their increments. Slots that report their chips are all emptied
    together (pt.bj.41).
    """
    if chips_are_told(state):
        return all_collected(still_lying(state))
    marked = tuple(sorted({*state.game.jackpot.marked, *(seats_with_chips(state) if act.seats is None else act.seats)}))
    if marked == seats_with_chips(state):
        return all_collected(state)
    return with_jackpot(state, marked=marked)


def all_collected(state: BlackjackState) -> BlackjackState:
    """Returns the state with all jackpot chips collected, and without unseen cards of an earlier round. Unchanged at a
    table without a pool, and in a round without a jackpot chip.
    """
    pool, jackpot = played_for(state), state.game.jackpot
    if pool is None or not jackpot.chips:
        return state
    grown = collected(pool, len(jackpot.chips))
    rise = Cents(grown.cents - pool.cents)  # the sign shows whole cents, up to the pool's limit
    state = with_jackpot(with_house(state, pool=grown), is_collected=True, rise=rise)
    state = replace(state, unseen=Unseen())
    return collection_wanted(state)


def raise_jackpot(state: BlackjackState, act: RaiseJackpot, _at_ms: TableMs) -> BlackjackState:
    """Returns the state with the rise of the sign that the dealer has entered. The pool itself does not change."""
    return with_jackpot(state, raised=act.amount)


# --- guards

JACKPOT_IS_PLAYED = Guard[BlackjackState]("jackpot_is_played", lambda state: played_for(state) is not None)
JACKPOT_BETS_ARE_OPEN = Guard[BlackjackState](
    "jackpot_bets_are_open", lambda state: state.game.phase in {RoundPhase.IDLE, RoundPhase.BETTING}
)


def _may_be_his(state: BlackjackState, act: PlaceJackpotBet) -> bool:
    """True if the seat is the player's own, or the approved conditions allow his chip at other places (pt.bj.40)."""
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


def _list(seats: tuple[int, ...]) -> str:
    return ", ".join(map(str, seats)) or "-"


def _is_manual(state: BlackjackState) -> bool:
    return marking(state) is Marking.MANUAL


MARKING_IS_MANUAL = Guard[BlackjackState](
    "marking_is_manual",
    _is_manual,
)
JACKPOT_IS_COLLECTED = Guard[BlackjackState]("jackpot_is_collected", lambda state: state.game.jackpot.is_collected)
SLOTS_ARE_EMPTIED_TOGETHER = ActGuard[BlackjackState, CollectJackpotBets](
    "slots_are_emptied_together",
    lambda state, act: act.seats is None or _is_manual(state) or set(act.seats) == set(seats_with_chips(state)),
    lambda state, _act: (("seats", _list(seats_with_chips(state))),),
)


def raise_differs(state: BlackjackState, act: RaiseJackpot) -> bool:
    """True if the act's amount differs from the amount by which the sign must rise."""
    return act.amount != state.game.jackpot.rise


def sees_the_rise(state: BlackjackState, _act: RaiseJackpot) -> object:
    """Returns the values whose change ends the wait for a second person: the round's jackpot chips, the amount by which
    the sign must rise, and the pool.
    """
    jackpot = state.game.jackpot
    return jackpot.chips, jackpot.rise, jackpot.raised, state.house.pool, state.game.number


JACKPOT_BET_ACTS: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "place-jackpot-bet",
        PlaceJackpotBet,
        DEALER,
        of_the_round(place_jackpot_bet),
        (
            HANDS_ARE_FOLLOWED,
            JACKPOT_IS_PLAYED,
            CHIPS_ARE_SAID,
            SEAT_EXISTS,
            JACKPOT_BETS_ARE_OPEN,
            PLAYER_SITS_THERE,
            PLAYER_HAS_A_MAIN_BET,
            ONE_CHIP_EACH,
            JACKPOT_IS_SURE,
            FLOOR_IS_HEARD,
            SIGN_SHOWS_THE_POOL,
        ),
        needs=P.BET,
        probes=lambda state: tuple(
            PlaceJackpotBet(*PROBE, place.seat, laid.bettor.number)
            for place in state.game.stakes.places
            for laid in place.bets
        ),
        undone=BY_ENTRY,
        money=Money.LAID,
        manner=Manner.DOES,
    ),
    ActRule(
        "withdraw-jackpot-bet",
        WithdrawJackpotBet,
        DEALER,
        of_the_round(withdraw_jackpot_bet),
        (HANDS_ARE_FOLLOWED, CHIPS_ARE_SAID, SEAT_EXISTS, JACKPOT_BETS_ARE_OPEN, CHIP_LIES_THERE),
        undone=BY_ENTRY,
        money=Money.LAID,
        manner=Manner.DOES,
    ),
    ActRule(
        "collect-jackpot-bets",
        CollectJackpotBets,
        DEALER,
        of_the_round(collect_jackpot_bets),
        (
            *(HANDS_ARE_FOLLOWED, JACKPOT_IS_TO_BE_COLLECTED, CHIPS_LIE_THERE, SLOTS_ARE_EMPTIED_TOGETHER),
            SLOTS_TELL_OF_EACH_CHIP,
        ),
        needs=P.BET,
        undone=BY_ENTRY,
        money=Money.LAID,
        manner=Manner.DOES,
    ),
)


RAISING_ACTS: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "raise-jackpot",
        RaiseJackpot,
        DEALER,
        of_the_round(raise_jackpot),
        (HANDS_ARE_FOLLOWED, MARKING_IS_MANUAL, JACKPOT_IS_COLLECTED),
        needs=P.BET,
        second=SecondPerson(SUPERVISORS, "other-raise", raise_differs, sees_the_rise),
        undone=BY_ENTRY,
        money=Money.SIGN,
        manner=Manner.DOES,
    ),
)
