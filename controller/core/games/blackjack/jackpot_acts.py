"""What people say of jackpot bets, collection and prizes: each act with its guards, its effect and its row."""

from fractions import Fraction
from typing import Any, Final, TypeAlias

from controller.core.engine.act import Act
from controller.core.engine.decision import Values
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.act_of_round import of_the_round
from controller.core.games.blackjack.acts import (
    CollectJackpotBets,
    PayJackpot,
    PayJackpotByHand,
    PlaceJackpotBet,
    RaiseJackpot,
    WithdrawJackpotBet,
)
from controller.core.games.blackjack.bets import Bettor
from controller.core.games.blackjack.hand_guards import HANDS_ARE_FOLLOWED, SEAT_EXISTS, bettor_named, place_now
from controller.core.games.blackjack.hands import in_units
from controller.core.games.blackjack.jackpot import (
    are_final,
    is_to_be_collected,
    may_be_corrected,
    played_for,
    seats_that_win,
    seats_with_chips,
    wins,
    with_jackpot,
)
from controller.core.games.blackjack.jackpot_bets import Chip, RoundJackpot
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.hold_table import P
from controller.core.house.holds import end_holds, holds_of, raise_hold, update_hold
from controller.core.house.jackpot_acts import JACKPOT_IS_SURE
from controller.core.house.pool import collected, hit, next_payment, paid, returned
from controller.core.house.rule import CHIEF, DEALER, DELIBERATE_MS, ActGuard, ActRule, Guard
from controller.core.house.sign import SIGN_SHOWS_THE_POOL
from controller.core.house.state import with_house
from controller.core.jackpot_rules import Marking
from controller.core.words import Cents, HoldKind, RoundPhase, TableMs

OfPayments: TypeAlias = PayJackpot | PayJackpotByHand

# --- guards


JACKPOT_IS_PLAYED = Guard[BlackjackState]("jackpot_is_played", lambda state: played_for(state) is not None)
JACKPOT_BETS_ARE_OPEN = Guard[BlackjackState](
    "jackpot_bets_are_open", lambda state: state.game.phase in {RoundPhase.IDLE, RoundPhase.BETTING}
)


def _may_be_his(state: BlackjackState, act: PlaceJackpotBet) -> bool:
    """At his own place; elsewhere only as the approved conditions say (pt.bj.40)."""
    bettor, figures = bettor_named(state, act), state.setup.jackpot_figures
    if bettor.seat == act.seat or figures is None:
        return True
    is_vacant = place_now(state, act.seat).holder is None
    return figures.jackpot_chip_each_place if is_vacant else figures.jackpot_for_others


PLAYER_SITS_THERE = ActGuard[BlackjackState, PlaceJackpotBet]("player_sits_there", _may_be_his)
PLAYER_HAS_A_MAIN_BET = ActGuard[BlackjackState, PlaceJackpotBet](
    "player_has_a_main_bet",
    lambda state, act: place_now(state, act.seat).sum_of(bettor_named(state, act)) > 0,
    possible=lambda state: bool(state.game.stakes.places),
)


def _is_his_first(state: BlackjackState, act: PlaceJackpotBet) -> bool:
    figures, bettor = state.setup.jackpot_figures, bettor_named(state, act).number
    his = [chip for chip in state.game.jackpot.chips if chip.bettor == bettor]
    if figures is not None and figures.jackpot_chip_each_place:
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
    return state.house.pool is not None and state.house.pool.rules.marking is Marking.MANUAL


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


NO_JACKPOT_IS_OWED = Guard[BlackjackState](
    "no_jackpot_is_owed",
    lambda state: not seats_that_win(state),
    lambda state: (("seats", _list(seats_that_win(state))),),
)


def _is_no_winner(state: BlackjackState, act: Act) -> bool:
    return getattr(act, "seat", 0) not in seats_that_win(state)


CARDS_ARE_NOT_TO_STAY = ActGuard[BlackjackState, Act]("cards_are_not_to_stay", _is_no_winner)


def _settled_wins(state: BlackjackState) -> BlackjackState:
    """The same with what was won told to the pool, where nothing changes it any more."""
    pool, table = played_for(state), state.table
    if pool is None or table is None or state.game.jackpot.is_hit or not state.game.jackpot.is_collected:
        return state
    won = wins(state, pool)
    if not won or not are_final(state, pool, table):
        return state
    state = with_house(state, pool=hit(pool, won))
    return with_jackpot(state, replace(state.game.jackpot, is_hit=True))


def _due(state: BlackjackState) -> tuple[int, Cents, bool] | None:
    """Seat, amount and whether the pool covers it, of the prize that is next."""
    pool = _settled_wins(state).house.pool
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


PRIZE_IS_PAID_AT_THE_TABLE = Guard[BlackjackState]("prize_is_paid_at_the_table", _is_small, _says_due)


# --- effects


def _with_chips(state: BlackjackState, chips: tuple[Chip, ...]) -> BlackjackState:
    return with_jackpot(state, replace(state.game.jackpot, chips=chips))


def place_jackpot_bet(state: BlackjackState, act: PlaceJackpotBet, _at_ms: TableMs) -> BlackjackState:
    chip = Chip(act.seat, bettor_named(state, act).number)
    chips = sorted((*state.game.jackpot.chips, chip), key=lambda one: (one.seat, one.bettor))
    return _with_chips(state, tuple(chips))


def withdraw_jackpot_bet(state: BlackjackState, act: WithdrawJackpotBet, _at_ms: TableMs) -> BlackjackState:
    gone = Chip(act.seat, bettor_named(state, act).number)
    return _with_chips(state, tuple(chip for chip in state.game.jackpot.chips if chip != gone))


def chips_returned(state: BlackjackState) -> BlackjackState:
    """Who has withdrawn his main bet gets his chip back (pt.bj.45b)."""
    left = tuple(
        chip for chip in state.game.jackpot.chips if place_now(state, chip.seat).sum_of(_bettor(state, chip.bettor)) > 0
    )
    return state if left == state.game.jackpot.chips else _with_chips(state, left)


def _bettor(state: BlackjackState, number: int) -> Bettor:
    return Bettor(number, number if number <= state.setup.seats else None)


def collect_jackpot_bets(state: BlackjackState, act: CollectJackpotBets, _at_ms: TableMs) -> BlackjackState:
    """With the last marker the pool has grown by all of them, once (pt.bj.41)."""
    pool, jackpot = played_for(state), state.game.jackpot
    named = seats_with_chips(state) if act.seats is None else act.seats
    marked = tuple(sorted({*jackpot.marked, *named}))
    if pool is None or marked != seats_with_chips(state):
        return with_jackpot(state, replace(jackpot, marked=marked))
    grown = collected(pool, len(jackpot.chips))
    rise = Cents(grown.cents - pool.cents)  # the sign shows whole cents, and nothing beyond the pool's limit
    return with_jackpot(with_house(state, pool=grown), replace(jackpot, is_collected=True, rise=rise))


def raise_jackpot(state: BlackjackState, act: RaiseJackpot, _at_ms: TableMs) -> BlackjackState:
    """What the dealer entered last counts; the pool is what the bets have made of it, whatever was entered."""
    return with_jackpot(state, replace(state.game.jackpot, raised=act.amount))


def _pay(state: BlackjackState, *, by_hand: bool) -> BlackjackState:
    state = _settled_wins(state)
    pool = state.house.pool
    if pool is None:
        return state
    state = with_house(state, pool=paid(pool, by_hand=by_hand))
    state = with_jackpot(state, replace(state.game.jackpot, is_paid=True))
    return _not_owed(state) if state.house.pool is not None and not state.house.pool.owed else state


def pay_jackpot(state: BlackjackState, _act: PayJackpot, _at_ms: TableMs) -> BlackjackState:
    return _pay(state, by_hand=False)


def pay_jackpot_by_hand(state: BlackjackState, _act: PayJackpotByHand, _at_ms: TableMs) -> BlackjackState:
    return _pay(state, by_hand=True)


def _not_owed(state: BlackjackState) -> BlackjackState:
    return end_holds(state, lambda hold: hold.kind is HoldKind.JACKPOT_OWED)


def watch_jackpot(before: BlackjackState, after: BlackjackState, at_ms: TableMs) -> BlackjackState:
    """A winning combination lies on the table, or does not any more: the hold for it stands, or not (pt.bj.49)."""
    jackpot = after.game.jackpot
    if not jackpot.is_collected or before.game is after.game:
        return after
    pool = after.house.pool
    if pool is not None and not may_be_corrected(after, pool):
        after = _settled_wins(after)
    if after.game.jackpot.is_hit:
        after = _looked_at_again(after)
    winning, standing = seats_that_win(after), holds_of(after, HoldKind.JACKPOT_OWED)
    if not winning:
        return _not_owed(after) if standing else after
    details = (("seats", " ".join(map(str, winning))),)
    if not standing:
        return raise_hold(after, HoldKind.JACKPOT_OWED, at_ms, details=details)
    return after if standing[0].details == details else update_hold(after, replace(standing[0], details=details))


def _looked_at_again(state: BlackjackState) -> BlackjackState:
    """A card was misread: before any prize was paid, what it wins is what it is."""
    pool, jackpot = played_for(state), state.game.jackpot
    if pool is None or jackpot.is_paid or state.game.phase not in {RoundPhase.DEALING, RoundPhase.PLAYING}:
        return state
    won = wins(state, pool)
    if {(one.seat, one.bettor, one.rank) for one in won} == {(one.seat, one.bettor, one.rank) for one in pool.owed}:
        return state
    return with_house(state, pool=hit(pool, won))


def jackpot_bets_go_back(state: BlackjackState) -> BlackjackState:
    """The round is void: what its bets had added goes out again. What somebody has won by then stays owed."""
    pool, jackpot = played_for(state), state.game.jackpot
    if pool is None or not jackpot.is_collected or jackpot.is_hit:
        return state
    if won := wins(state, pool):
        state = with_house(state, pool=hit(pool, won))
        return with_jackpot(state, replace(jackpot, is_hit=True))
    state = with_house(_not_owed(state), pool=returned(pool, len(jackpot.chips)))
    return with_jackpot(state, RoundJackpot())


# --- rows

JACKPOT_RULES: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "place-jackpot-bet",
        PlaceJackpotBet,
        DEALER,
        of_the_round(place_jackpot_bet),
        (
            HANDS_ARE_FOLLOWED,
            JACKPOT_IS_PLAYED,
            SEAT_EXISTS,
            JACKPOT_BETS_ARE_OPEN,
            PLAYER_SITS_THERE,
            PLAYER_HAS_A_MAIN_BET,
            ONE_CHIP_EACH,
            JACKPOT_IS_SURE,
            SIGN_SHOWS_THE_POOL,
        ),
        needs=P.BET,
    ),
    ActRule(
        "withdraw-jackpot-bet",
        WithdrawJackpotBet,
        DEALER,
        of_the_round(withdraw_jackpot_bet),
        (HANDS_ARE_FOLLOWED, SEAT_EXISTS, JACKPOT_BETS_ARE_OPEN, CHIP_LIES_THERE),
    ),
    ActRule(
        "collect-jackpot-bets",
        CollectJackpotBets,
        DEALER,
        of_the_round(collect_jackpot_bets),
        (HANDS_ARE_FOLLOWED, JACKPOT_IS_TO_BE_COLLECTED, CHIPS_LIE_THERE, SLOTS_ARE_EMPTIED_TOGETHER),
        needs=P.BET,
    ),
    ActRule(
        "raise-jackpot",
        RaiseJackpot,
        DEALER,
        of_the_round(raise_jackpot),
        (HANDS_ARE_FOLLOWED, MARKING_IS_MANUAL, JACKPOT_IS_COLLECTED),
        needs=P.BET,
    ),
    ActRule(
        "pay-jackpot",
        PayJackpot,
        DEALER,
        of_the_round(pay_jackpot),
        (A_PRIZE_IS_DUE, SMALLER_PRIZES_ARE_PAID, POOL_COVERS_THE_PRIZE, PRIZE_IS_PAID_AT_THE_TABLE),
        hold_ms=DELIBERATE_MS,
    ),
    ActRule(
        "pay-jackpot-by-hand",
        PayJackpotByHand,
        CHIEF,
        of_the_round(pay_jackpot_by_hand),
        (A_PRIZE_IS_DUE, SMALLER_PRIZES_ARE_PAID, POOL_COVERS_THE_PRIZE),
        hold_ms=DELIBERATE_MS,
    ),
)
