"""The jackpot's pool: a value in whole millionths of a currency unit, its meters, and its movements.

Shown and paid amounts are whole cents, rounded down; the rest stays and begins the next pool. At every moment pool +
reserve + overflow + paid = seeds + contributions + transfers, in millionths; `is_sound` checks it after every movement
and at a start. A prize leaves the pool when it is paid. Prizes are paid from the smallest to the largest, and the
people with the largest combination share the rest (pt.bj.50).
"""

from enum import StrEnum, unique
from typing import Final

from msgspec import Struct

from controller.core.engine.replacing import replace
from controller.core.jackpot_rules import CENT, MILLION, JackpotRules
from controller.core.words import Cents


@unique
class Level(StrEnum):
    """The places where the pool's money can be."""

    POOL = "pool"  # the sign's amount
    RESERVE = "reserve"  # for the next pool
    OVERFLOW = "overflow"  # beyond the limit
    HOUSE = ""


@unique
class MoveKind(StrEnum):
    """The kinds of a pool's movements, each by its name in the journal's entries."""

    PARAMETERS_SET = "jackpot-parameters-set"
    STARTED = "jackpot-started"
    BETS_COLLECTED = "jackpot-bets-collected"
    BETS_RETURNED = "jackpot-bets-returned"
    TRANSFERRED = "jackpot-transferred"
    HIT = "jackpot-hit"
    PAID = "jackpot-paid"
    RESET = "jackpot-reset"
    EXPORTED = "jackpot-exported"
    TAKEN_OVER = "jackpot-taken-over"
    TAKEN_BACK = "jackpot-taken-back"


class Win(Struct, frozen=True, gc=False, omit_defaults=True):
    """A winning combination and its prize: an amount in cents, or a part of the pool. The largest prize has no cents
    and no part: it is the rest of the pool.
    """

    seat: int
    bettor: int
    rank: int
    cents: Cents = Cents(0)
    part_ppm: int = 0

    @property
    def is_largest(self) -> bool:
        return not self.cents and not self.part_ppm


class Meters(Struct, frozen=True, gc=False):
    """Totals over the pool's whole life, in millionths: money that came, and money paid. `by_hand` is a part of `paid`.

    `bets`, `hits` and `resets` are counts, not amounts.
    """

    seeds: int = 0
    contributions: int = 0
    transfers: int = 0
    paid: int = 0
    by_hand: int = 0
    bets: int = 0
    hits: int = 0
    resets: int = 0


class Move(Struct, frozen=True, gc=False, omit_defaults=True):
    """One movement of the pool, with all values for computing it again. `pool`: the pool's amount after it, in
    millionths.

    `reserve`, `overflow`, `meters`: only for a pool that goes to another computer, or has come from one.
    """

    kind: MoveKind
    pool: int = 0
    bets: int = 0
    stake_cents: Cents = Cents(0)
    rate_ppm: int = 0
    reset_cents: Cents = Cents(0)
    cents: Cents = Cents(0)
    millionths: int = 0
    level: Level = Level.POOL
    target: Level = Level.POOL
    seat: int = 0
    bettor: int = 0
    by_hand: bool = False
    wins: tuple[Win, ...] = ()
    reference: str = ""
    reserve: int = 0
    overflow: int = 0
    meters: Meters | None = None


class Owed(Struct, frozen=True, gc=False):
    """A prize that was won and is unpaid. `cents`: None for the largest prize, the rest of the pool."""

    seat: int
    bettor: int
    rank: int
    cents: Cents | None


class Payment(Struct, frozen=True, gc=False):
    """The prize that is paid next. `cents`: the amount of the prize. `is_covered`: True if the pool has at least
    `cents`.
    """

    owed: Owed
    cents: Cents
    is_covered: bool


KEPT_MOVES: Final = 8
"""The number of the pool's last movements that its state keeps: more than any one event makes."""


class Pool(Struct, frozen=True, gc=False):
    """One jackpot. `approved`: the rules that apply from the next reset on, or None to keep the present ones. `moves`:
    the last KEPT_MOVES movements. `moved`: the number of all movements.
    """

    rules: JackpotRules
    approved: JackpotRules | None = None
    millionths: int = 0
    reserve: int = 0
    overflow: int = 0
    meters: Meters = Meters()
    owed: tuple[Owed, ...] = ()
    moved: int = 0
    moves: tuple[Move, ...] = ()

    @property
    def cents(self) -> Cents:
        """The pool's amount in whole cents, rounded down, as it may be shown and paid."""
        return Cents(self.millionths // CENT)


def is_sound(pool: Pool) -> bool:
    return reconcile(levels_of(pool), pool.meters)


def levels_of(pool: Pool) -> tuple[int, int, int]:
    """The amounts of pool, reserve and overflow, in millionths."""
    return (pool.millionths, pool.reserve, pool.overflow)


def reconcile(levels: tuple[int, int, int], meters: Meters) -> bool:
    """True if the sum of `levels` + `paid` = seeds + contributions + transfers, no level is below 0, and `by_hand` <=
    `paid`.
    """
    came = meters.seeds + meters.contributions + meters.transfers
    return sum(levels) + meters.paid == came and min(levels) >= 0 and meters.by_hand <= meters.paid


def moves_between(before: Pool | None, after: Pool | None) -> tuple[Move, ...]:
    """The movements that led from `before` to `after`. If only `after` is None, the single movement is an export."""
    if after is before:
        return ()
    if after is None:
        return () if before is None else (_whole(MoveKind.EXPORTED, before),)
    made = after.moved - (0 if before is None else before.moved)
    return after.moves[-made:] if made > 0 else ()


def _noted(pool: Pool, move: Move) -> Pool:
    move = replace(move, pool=pool.millionths)
    return replace(pool, moved=pool.moved + 1, moves=(*pool.moves, move)[-KEPT_MOVES:])


# --- its parameters, and its beginning


def approved(pool: Pool | None, rules: JackpotRules, reference: str) -> Pool:
    """The pool after the approval of `rules` under `reference` (pt.bj.40). A new pool begins with the rules. An
    existing pool gets the rules at its next reset.
    """
    move = _parameters(rules, reference)
    if pool is not None:
        return _noted(replace(pool, approved=rules), move)
    return _seeded(_noted(Pool(rules), move), MoveKind.STARTED, rules.start)


def taken_over(
    rules: JackpotRules,
    levels: tuple[int, int, int],
    meters: Meters,
    reference: str,
    kind: MoveKind = MoveKind.TAKEN_OVER,
) -> Pool:
    """The pool that comes from another computer, or back from its own export, with these levels and meters. The pool
    then has two movements: the setting of its parameters, and its arrival.
    """
    millionths, reserve, overflow = levels
    pool = Pool(rules, millionths=millionths, reserve=reserve, overflow=overflow, meters=meters)
    pool = _noted(pool, _parameters(rules, reference))
    return _noted(pool, _whole(kind, pool, reference))


def _whole(kind: MoveKind, pool: Pool, reference: str = "") -> Move:
    """The movement by which a whole pool leaves or arrives, with its levels and meters."""
    millionths, reserve, overflow = levels_of(pool)
    return Move(
        kind, millionths=millionths, reserve=reserve, overflow=overflow, meters=pool.meters, reference=reference
    )


def _parameters(rules: JackpotRules, reference: str) -> Move:
    return Move(
        MoveKind.PARAMETERS_SET,
        stake_cents=rules.bet,
        rate_ppm=rules.rate_ppm,
        reset_cents=rules.reset,
        reference=reference,
    )


def _seeded(pool: Pool, kind: MoveKind, cents: Cents) -> Pool:
    """The pool with `cents` added by the house."""
    seeds = pool.meters.seeds + cents * CENT
    pool = replace(pool, millionths=pool.millionths + cents * CENT, meters=replace(pool.meters, seeds=seeds))
    return _noted(pool, Move(kind, cents=cents))


# --- bets


def collected(pool: Pool, bets: int) -> Pool:
    """The pool after `bets` bets. The increments of the bets go into the pool and, if its rules say so, the reserve. An
    amount beyond the pool's limit goes into the overflow.
    """
    return _over_the_limit(_contributed(pool, bets, MoveKind.BETS_COLLECTED))


def returned(pool: Pool, bets: int) -> Pool:
    """Returns the pool after `bets` bets were returned. The increments of these bets to the pool are subtracted from
    the overflow first, then from the pool. Their increments to the reserve are subtracted from the reserve.
    """
    back = min(pool.overflow, bets * pool.rules.increment(pool.rules.rate_ppm))
    return _contributed(moved_to(pool, back, Level.OVERFLOW, Level.POOL), -bets, MoveKind.BETS_RETURNED)


def _contributed(pool: Pool, bets: int, kind: MoveKind) -> Pool:
    rules = pool.rules
    for level, rate_ppm in ((Level.POOL, rules.rate_ppm), (Level.RESERVE, rules.reserve_ppm)):
        if not rate_ppm:
            continue
        added = bets * rules.increment(rate_ppm)
        meters = replace(pool.meters, contributions=pool.meters.contributions + added)
        pool = _at(replace(pool, meters=meters), level, added)
        pool = _noted(pool, Move(kind, bets=abs(bets), stake_cents=rules.bet, rate_ppm=rate_ppm, level=level))
    return replace(pool, meters=replace(pool.meters, bets=pool.meters.bets + bets))


def _over_the_limit(pool: Pool) -> Pool:
    beyond = pool.millionths - pool.rules.limit * CENT
    return moved_to(pool, beyond, Level.POOL, Level.OVERFLOW) if pool.rules.limit and beyond > 0 else pool


def moved_to(pool: Pool, millionths: int, level: Level, target: Level, reference: str = "") -> Pool:
    """The pool with `millionths` moved from `level` to `target`. A move from or to the house changes `transfers`."""
    if not millionths:
        return pool
    pool = _at(_at(pool, level, -millionths), target, millionths)
    came = {(True, False): millionths, (False, True): -millionths}.get((level is Level.HOUSE, target is Level.HOUSE), 0)
    pool = replace(pool, meters=replace(pool.meters, transfers=pool.meters.transfers + came))
    move = Move(MoveKind.TRANSFERRED, millionths=millionths, level=level, target=target, reference=reference)
    return _noted(pool, move)


def _at(pool: Pool, level: Level, more: int) -> Pool:
    match level:
        case Level.POOL:
            return replace(pool, millionths=pool.millionths + more)
        case Level.RESERVE:
            return replace(pool, reserve=pool.reserve + more)
        case Level.OVERFLOW:
            return replace(pool, overflow=pool.overflow + more)
        case Level.HOUSE:
            return pool


# --- prizes

NOTHING_PAID: Final = Cents(0)


def hit(pool: Pool, wins: tuple[Win, ...], paid: Cents = NOTHING_PAID) -> Pool:
    """The pool after the wins `wins` of one round. The pool owes the prizes of these wins in place of all prizes that
    it owed before. `paid`: the cents already paid for this round. A prize that is a part of the pool is computed from
    the amount before the first payment (pt.bj.43a).
    """
    owed = sorted((_owed(pool.millionths + paid * CENT, win) for win in wins), key=_order)
    hits = pool.meters.hits - len(pool.owed) + len(wins)  # unpaid prizes are replaced, so they are not counted twice
    pool = replace(pool, owed=tuple(owed), meters=replace(pool.meters, hits=hits))
    return _noted(pool, Move(MoveKind.HIT, wins=wins))


def prize_of(pool: Pool, win: Win, paid: Cents = NOTHING_PAID) -> Cents:
    """The cents of a prize that is not the largest; `paid`: as for `hit`."""
    return _owed(pool.millionths + paid * CENT, win).cents or Cents(0)


def _owed(millionths: int, win: Win) -> Owed:
    part = Cents(millionths * win.part_ppm // (MILLION * CENT))
    return Owed(win.seat, win.bettor, win.rank, None if win.is_largest else win.cents or part)


def _order(one: Owed) -> tuple[bool, int, int, int]:
    """The key by which prizes are sorted: the smallest first, the largest combination last, equal ones by seat."""
    return (one.cents is None, one.cents or 0, one.seat, one.bettor)


def next_payment(pool: Pool) -> Payment | None:
    """The prize that is paid next. None if the pool owes no prize. The shares of the largest combination are equal
    parts, with spare cents for the first shares (pt.bj.50b).
    """
    if not pool.owed:
        return None
    first = pool.owed[0]
    if first.cents is None:
        return Payment(first, Cents(-(-pool.cents // len(pool.owed))), is_covered=True)
    return Payment(first, first.cents, is_covered=first.cents <= pool.cents)


def paid(pool: Pool, *, by_hand: bool) -> Pool:
    """The pool after the payment of its next prize. Unchanged if no prize is owed, or if the pool does not cover the
    prize. The last share of the largest combination begins the pool anew. `by_hand`: the prize counts as paid by hand.
    """
    due = next_payment(pool)
    if due is None or not due.is_covered:
        return pool
    out, meters = due.cents * CENT, pool.meters
    meters = replace(meters, paid=meters.paid + out, by_hand=meters.by_hand + (out if by_hand else 0))
    pool = replace(pool, millionths=pool.millionths - out, meters=meters, owed=pool.owed[1:])
    move = Move(MoveKind.PAID, cents=due.cents, seat=due.owed.seat, bettor=due.owed.bettor, by_hand=by_hand)
    pool = _noted(pool, move)
    return begun_anew(pool) if due.owed.cents is None and not pool.owed else pool


def begun_anew(pool: Pool) -> Pool:
    """The pool after its reset: the reset amount of the newest approved rules is added, then reserve and overflow. An
    amount beyond the limit goes back into the overflow.
    """
    rules = pool.approved or pool.rules
    pool = replace(pool, rules=rules, meters=replace(pool.meters, resets=pool.meters.resets + 1))
    pool = _seeded(pool, MoveKind.RESET, rules.reset)
    pool = moved_to(pool, pool.reserve, Level.RESERVE, Level.POOL)
    pool = moved_to(pool, pool.overflow, Level.OVERFLOW, Level.POOL)
    return _over_the_limit(pool)
