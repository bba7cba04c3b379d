"""Prizes of the jackpot: a winning combination raises a hold, and the prizes are paid one by one at the table or by
hand.
"""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from controller.core.custody.agreement import CORRECTIONS_ARE_AGREED
from controller.core.custody.doubt import cards_to_name
from controller.core.custody.round import of_the_round
from controller.core.engine.act import Act
from controller.core.engine.decision import Values
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.jackpot.cards import (
    conditions,
    first_cards,
    may_be_corrected,
    played_for,
    seats_that_win,
    settled_wins,
    wins,
)
from controller.core.games.blackjack.jackpot.linked import hit_linked
from controller.core.games.blackjack.jackpot.round import RoundJackpot
from controller.core.games.blackjack.state import BlackjackState, with_game, with_jackpot, with_unseen
from controller.core.house.correct_entry import DIFFERENCES_ARE_SETTLED
from controller.core.house.holds import end_holds, holds_of, raise_hold, update_hold
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.pool import Payment, Pool, Win, hit, next_payment, paid, prize_of, returned
from controller.core.house.rule import CHIEF, DEALER, DELIBERATE_MS, SUPERVISORS, ActGuard, ActRule, Guard, SecondPerson
from controller.core.house.state import with_house
from controller.core.house.undoing import Never, never
from controller.core.money import units
from controller.core.words import Cents, HoldKind, Role, RoundPhase, TableMs


class PayJackpot(Act, frozen=True):
    """The dealer has paid the player at this seat the next prize of the pool with the table's chips."""

    seat: int


class PayJackpotByHand(Act, frozen=True):
    """The player at this seat has got the next prize of the pool by hand, not in chips of the table."""

    seat: int


# --- effects


def _pay(state: BlackjackState, *, by_hand: bool) -> BlackjackState:
    state = settled_wins(state)
    pool = state.house.pool
    due = None if pool is None else next_payment(pool)
    if pool is None or due is None:
        return state
    state = with_house(state, pool=paid(pool, by_hand=by_hand))
    state = _noted(state, due)
    return _not_owed(state) if state.house.pool is not None and not state.house.pool.owed else state


def _noted(state: BlackjackState, due: Payment) -> BlackjackState:
    """Returns the state with the payment noted for its round, or for the round that an outage has ended."""
    if state.game.jackpot.is_hit:
        return with_jackpot(state, paid=(*state.game.jackpot.paid, due))
    return with_unseen(state, paid=(*state.unseen.paid, due))


def pay_jackpot(state: BlackjackState, _act: PayJackpot, _at_ms: TableMs) -> BlackjackState:
    return _pay(state, by_hand=False)


def pay_jackpot_by_hand(state: BlackjackState, _act: PayJackpotByHand, _at_ms: TableMs) -> BlackjackState:
    return _pay(state, by_hand=True)


def _not_owed(state: BlackjackState) -> BlackjackState:
    return end_holds(state, lambda hold: hold.kind is HoldKind.JACKPOT_OWED)


def watch_jackpot(_before: BlackjackState, after: BlackjackState, at_ms: TableMs) -> BlackjackState:
    """Returns the state in which the pool owes all final wins, and a hold names the seats with winning cards
    (pt.bj.49).
    """
    pool = after.house.pool
    if pool is not None and not may_be_corrected(after, pool):
        after = settled_wins(after)
    if after.game.jackpot.is_hit:
        after = _looked_at_again(after)
    winning = seats_that_win(after)
    if not winning and cards_to_name(after):  # the hold stays open until people have named the card
        return after
    return hold_for_prizes(after, winning, at_ms)


def hold_for_prizes(state: BlackjackState, seats: tuple[int, ...], at_ms: TableMs) -> BlackjackState:
    """Returns the state with a hold JACKPOT_OWED that names `seats`. If `seats` is empty, returns the state without
    such a hold.
    """
    standing = holds_of(state, HoldKind.JACKPOT_OWED)
    if not seats:
        return _not_owed(state) if standing else state
    details = (("seats", " ".join(map(str, seats))),)
    if not standing:
        return raise_hold(state, HoldKind.JACKPOT_OWED, at_ms, details=details)
    return state if standing[0].details == details else update_hold(state, replace(standing[0], details=details))


def _looked_at_again(state: BlackjackState) -> BlackjackState:
    """Returns the state with unpaid prizes computed again, since a card may have been corrected.

    Paid prizes stay paid. A prize that is a share of the pool is a share of its amount before this round's first prize
    (pt.bj.43a). Nothing changes once the prize that empties the pool was paid.
    """
    pool, jackpot = played_for(state), state.game.jackpot
    if pool is None or state.game.phase not in {RoundPhase.DEALING, RoundPhase.PLAYING}:
        return state
    if any(one.owed.cents is None for one in jackpot.paid):
        return state
    return with_house(state, pool=owed_anew(pool, state))


def owed_anew(pool: Pool, state: BlackjackState) -> Pool:
    """Returns the pool that owes the unpaid wins of the cards and chips in `state`. The same pool if it owes them."""
    paid, won = Cents(sum(one.cents for one in state.game.jackpot.paid)), wins(state, pool)
    chips = dict.fromkeys((win.seat, win.bettor) for win in won)
    of_chips = ([win for win in won if (win.seat, win.bettor) == chip] for chip in chips)
    again = hit(pool, tuple(win for some in of_chips for win in _unpaid(pool, state, some, paid)), paid=paid)
    return pool if again.owed == pool.owed else again


def _unpaid(pool: Pool, state: BlackjackState, won: Sequence[Win], paid: Cents) -> list[Win]:
    """Returns the wins of one chip that are still to be paid, less what it has got for wins that have fallen since.

    `won`: the chip's wins, the highest first. An amount is taken off once, from the lowest win first. With one prize
    per chip, none if another win of the chip was paid and stands.
    """
    chip, fallen = (won[0].seat, won[0].bettor), paid_in_vain(state)
    got = [one for one in state.game.jackpot.paid if (one.owed.seat, one.owed.bettor) == chip]
    standing = {one.owed.rank: one.cents for one in got if one not in fallen}
    if standing and conditions(state).jackpot_one_prize:
        return []
    vain = sum(one.cents for one in got if one in fallen)
    taken = sum(prize_of(pool, win, paid) - standing[win.rank] for win in won if win.rank in standing)
    less, unpaid = max(0, vain - taken), []
    for win in (one for one in reversed(won) if one.rank not in standing):
        part = 0 if win.is_largest else min(less, prize_of(pool, win, paid))  # the largest is the rest of the pool
        less -= part
        if not part:
            unpaid.append(win)
        elif (rest := prize_of(pool, win, paid) - part) > 0:
            unpaid.append(replace(win, cents=Cents(rest)))
    return unpaid[::-1]


def paid_in_vain(state: BlackjackState) -> tuple[Payment, ...]:
    """Returns the paid prizes of this round that its cards do not win any more, by a ruling, a new name or a count."""
    pool, paid = played_for(state), state.game.jackpot.paid
    if pool is None or not paid:
        return ()
    won = {(win.seat, win.bettor, win.rank) for win in wins(state, pool)}
    return tuple(one for one in paid if (one.owed.seat, one.owed.bettor, one.owed.rank) not in won)


def known_wins_owed(state: BlackjackState) -> BlackjackState:
    """Returns the state in which the table's own pool and the linked pool owe the prizes that the cards known so far
    have won. Used for a round that gets no further card here: the round is void, or people finished it while the
    controller was down.
    """
    state = hit_linked(state, is_void=True)
    pool, jackpot = played_for(state), state.game.jackpot
    won = () if pool is None or not jackpot.is_collected or jackpot.is_hit else wins(state, pool)
    if pool is None or not won:
        return state
    state = with_house(state, pool=hit(pool, won))
    return with_jackpot(state, is_hit=True)


def jackpot_bets_go_back(state: BlackjackState) -> BlackjackState:
    """Returns the state of a void round with its jackpot bets returned, and their increments taken out of the pool.

    If a chip has won already, the bets stay in the pool and the prize is owed. A hit of the linked pool stays, too.
    """
    state = known_wins_owed(state)
    pool, jackpot = played_for(state), state.game.jackpot
    if pool is None or not jackpot.is_collected or jackpot.is_hit:
        return state
    state = with_house(_not_owed(state), pool=returned(pool, len(jackpot.chips)))
    return with_game(state, jackpot=RoundJackpot())


# --- guards

OfPayments: TypeAlias = PayJackpot | PayJackpotByHand


def prize_due(state: BlackjackState) -> Payment | None:
    """Returns the prize to be paid next, even if the pool does not cover it. None if no prize is won or owed.

    A final win is due even while the last card may still be reported as misdealt.
    """
    pool = settled_wins(state).house.pool
    return None if pool is None else next_payment(pool)


def _due(state: BlackjackState) -> tuple[int, Cents, bool] | None:
    """Returns the next prize's seat, its amount, and True if the pool covers it. None if no prize is due."""
    due = prize_due(state)
    return None if due is None else (due.owed.seat, due.cents, due.is_covered)


def _says_due(state: BlackjackState, _act: Act | None = None) -> Values:
    seat, cents, _is_covered = _due(state) or _NOTHING_DUE
    held = state.house.pool and state.house.pool.cents
    return (("seat", str(seat)), ("amount", units(cents)), ("pool", units(held or 0)))


_NOTHING_DUE: Final = (0, Cents(0), True)
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
    """True if the next prize needs a second person: this player's prizes of the round, with the next prize, reach the
    profile's amount. With amount 0 every prize needs a second person.
    """
    due = prize_due(state)
    if due is None:
        return False
    paid = state.game.jackpot.paid if state.game.jackpot.is_hit else state.unseen.paid
    before = (one.cents for one in paid if one.owed.bettor == due.owed.bettor)
    return sum(before) + due.cents >= state.setup.parameters.second_person_prize_cents


def sees_the_prize(state: BlackjackState, _act: OfPayments) -> object:
    """Returns the values whose change ends the wait for a second person: the prize that is due with its seat, player
    and amount, the cards that have won it, and the prizes paid before it in this round.
    """
    due, pool = prize_due(state), state.house.pool
    cards = () if due is None or pool is None else first_cards(state, due.owed.seat, pool.rules.cards)
    return due, cards, state.game.jackpot.paid, state.game.number


PRIZE_IS_PAID_AT_THE_TABLE = Guard[BlackjackState]("prize_is_paid_at_the_table", _is_small, _says_due)


PRIZE_ACTS: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "pay-jackpot",
        PayJackpot,
        DEALER,
        of_the_round(pay_jackpot),
        (
            *(CORRECTIONS_ARE_AGREED, A_PRIZE_IS_DUE, DIFFERENCES_ARE_SETTLED, SMALLER_PRIZES_ARE_PAID),
            *(POOL_COVERS_THE_PRIZE, PRIZE_IS_PAID_AT_THE_TABLE),
        ),
        second=SecondPerson(SUPERVISORS, "prize", prize_takes_two, sees_the_prize),
        hold_ms=DELIBERATE_MS,
        undone=never(Never.AGREED),
        money=Money.PRIZE,
        manner=Manner.DOES,
    ),
    ActRule(
        "pay-jackpot-by-hand",
        PayJackpotByHand,
        CHIEF,
        of_the_round(pay_jackpot_by_hand),
        (
            *(CORRECTIONS_ARE_AGREED, A_PRIZE_IS_DUE, DIFFERENCES_ARE_SETTLED, SMALLER_PRIZES_ARE_PAID),
            POOL_COVERS_THE_PRIZE,
        ),
        second=SecondPerson((Role.TABLE_INSPECTOR, Role.ROOM_MANAGER), "prize", prize_takes_two, sees_the_prize),
        hold_ms=DELIBERATE_MS,
        undone=never(Never.AGREED),
        money=Money.PRIZE,
        manner=Manner.DECIDES,
    ),
)
