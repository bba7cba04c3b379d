"""What jackpot bets, collection and prizes change, and what follows every event where a combination may have won."""

from controller.core.custody.doubt import cards_to_name
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.acts import (
    CollectJackpotBets,
    PayJackpot,
    PayJackpotByHand,
    PlaceJackpotBet,
    RaiseJackpot,
    WithdrawJackpotBet,
)
from controller.core.games.blackjack.bets.place import bettor_named
from controller.core.games.blackjack.jackpot import (
    conditions,
    may_be_corrected,
    played_for,
    seats_that_win,
    seats_with_chips,
    settled_wins,
    wins,
    with_jackpot,
)
from controller.core.games.blackjack.jackpot_bets import Chip, RoundJackpot
from controller.core.games.blackjack.jackpot_slots import chips_are_told, collection_wanted, still_lying
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.holds import end_holds, holds_of, raise_hold, update_hold
from controller.core.house.pool import Win, collected, hit, next_payment, paid, returned
from controller.core.house.state import with_house
from controller.core.words import Cents, HoldKind, RoundPhase, TableMs


def _with_chips(state: BlackjackState, chips: tuple[Chip, ...]) -> BlackjackState:
    return with_jackpot(state, replace(state.game.jackpot, chips=chips))


def place_jackpot_bet(state: BlackjackState, act: PlaceJackpotBet, _at_ms: TableMs) -> BlackjackState:
    chip = Chip(act.seat, bettor_named(state, act).number)
    chips = sorted((*state.game.jackpot.chips, chip), key=lambda one: (one.seat, one.bettor))
    return _with_chips(state, tuple(chips))


def withdraw_jackpot_bet(state: BlackjackState, act: WithdrawJackpotBet, _at_ms: TableMs) -> BlackjackState:
    gone = Chip(act.seat, bettor_named(state, act).number)
    return _with_chips(state, tuple(chip for chip in state.game.jackpot.chips if chip != gone))


def collect_jackpot_bets(state: BlackjackState, act: CollectJackpotBets, _at_ms: TableMs) -> BlackjackState:
    """With the last marker the pool has grown by all of them, once (pt.bj.41)."""
    if chips_are_told(state):
        return _collected(still_lying(state))
    marked = tuple(sorted({*state.game.jackpot.marked, *(seats_with_chips(state) if act.seats is None else act.seats)}))
    if marked == seats_with_chips(state):
        return _collected(state)
    return with_jackpot(state, replace(state.game.jackpot, marked=marked))


def _collected(state: BlackjackState) -> BlackjackState:
    pool, jackpot = played_for(state), state.game.jackpot
    if pool is None or not jackpot.chips:
        return state
    grown = collected(pool, len(jackpot.chips))
    rise = Cents(grown.cents - pool.cents)  # the sign shows whole cents, and nothing beyond the pool's limit
    state = with_jackpot(with_house(state, pool=grown), replace(jackpot, is_collected=True, rise=rise))
    return collection_wanted(state)


def raise_jackpot(state: BlackjackState, act: RaiseJackpot, _at_ms: TableMs) -> BlackjackState:
    """What the dealer entered last counts; the pool is what the bets have made of it, whatever was entered."""
    return with_jackpot(state, replace(state.game.jackpot, raised=act.amount))


def _pay(state: BlackjackState, *, by_hand: bool) -> BlackjackState:
    state = settled_wins(state)
    pool = state.house.pool
    due = None if pool is None else next_payment(pool)
    if pool is None or due is None:
        return state
    state = with_house(state, pool=paid(pool, by_hand=by_hand))
    state = with_jackpot(state, replace(state.game.jackpot, paid=(*state.game.jackpot.paid, due)))
    return _not_owed(state) if state.house.pool is not None and not state.house.pool.owed else state


def pay_jackpot(state: BlackjackState, _act: PayJackpot, _at_ms: TableMs) -> BlackjackState:
    return _pay(state, by_hand=False)


def pay_jackpot_by_hand(state: BlackjackState, _act: PayJackpotByHand, _at_ms: TableMs) -> BlackjackState:
    return _pay(state, by_hand=True)


def _not_owed(state: BlackjackState) -> BlackjackState:
    return end_holds(state, lambda hold: hold.kind is HoldKind.JACKPOT_OWED)


def watch_jackpot(_before: BlackjackState, after: BlackjackState, at_ms: TableMs) -> BlackjackState:
    """A winning combination lies on the table, or does not any more: the hold for it stands, or not (pt.bj.49)."""
    pool = after.house.pool
    if pool is not None and not may_be_corrected(after, pool):
        after = settled_wins(after)
    if after.game.jackpot.is_hit:
        after = _looked_at_again(after)
    winning, standing = seats_that_win(after), holds_of(after, HoldKind.JACKPOT_OWED)
    if not winning:  # while a card is doubted nobody knows: no device's word ends the hold, but the card's name
        return _not_owed(after) if standing and not cards_to_name(after) else after
    details = (("seats", " ".join(map(str, winning))),)
    if not standing:
        return raise_hold(after, HoldKind.JACKPOT_OWED, at_ms, details=details)
    return after if standing[0].details == details else update_hold(after, replace(standing[0], details=details))


def _looked_at_again(state: BlackjackState) -> BlackjackState:
    """A card was misread: what is not paid yet is what the cards win; what was paid stays paid.

    Parts are of the pool before the first prize (pt.bj.43a). Of a pool that the largest combination has been paid from
    nothing is left to be looked at.
    """
    pool, jackpot = played_for(state), state.game.jackpot
    if pool is None or state.game.phase not in {RoundPhase.DEALING, RoundPhase.PLAYING}:
        return state
    if any(one.owed.cents is None for one in jackpot.paid):
        return state
    won = tuple(win for win in wins(state, pool) if not _is_paid(state, win))
    if {(one.seat, one.bettor, one.rank) for one in won} == {(one.seat, one.bettor, one.rank) for one in pool.owed}:
        return state
    return with_house(state, pool=hit(pool, won, paid=Cents(sum(one.cents for one in jackpot.paid))))


def _is_paid(state: BlackjackState, win: Win) -> bool:
    """The chip was paid this combination, or any where it wins its highest alone."""
    chip = (win.seat, win.bettor)
    ranks = [one.owed.rank for one in state.game.jackpot.paid if (one.owed.seat, one.owed.bettor) == chip]
    return win.rank in ranks or (bool(ranks) and conditions(state).jackpot_one_prize)


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
