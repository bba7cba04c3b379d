"""Checks a jackpot's pool by computing it again from the entries of an exported journal (pt.bj.38 to 50).

These entries are read, by `kind`, with these fields of `body`; `level` is "pool" if it is left out:

    jackpot-parameters-set  stake_cents, rate_ppm, reset_cents  in force before the start, else from the next reset on
    jackpot-started         cents, level                        added by the house to a level at its beginning
    jackpot-bets-collected, -bets-returned  bets, stake_cents, rate_ppm, level  collected; returned after a void round
    jackpot-transferred     millionths, level, target           between levels; "" is the house
    jackpot-hit             wins: each seat, and cents or part_ppm, or neither for the largest combination
    jackpot-paid            seat, cents, by_hand
    jackpot-reset           cents                               added by the house to the next pool
    jackpot-exported, -taken-over, -taken-back  millionths, reserve, overflow, meters  the pool goes, comes, comes back
    jackpot-claimed         any of pool_cents and the meters    the amounts on sign, in status or journal

Amounts are whole millionths. A prize leaves the pool when it is paid; a repeated hit replaces those not paid yet.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, NamedTuple

CENT: Final = 10_000  # millionths
LEAST_START: Final = 10_000  # the least beginning of a pool, in stakes (pt.bj.44)


class Prize(NamedTuple):
    """The prize of a combination: fixed cents, or a part of the pool. The largest prize is the rest of the pool."""

    seat: int
    cents: int = 0
    percent: Fraction = Fraction(0)


class Movement(NamedTuple):
    """One change of the pool, in cents or millionths. `number`: of bets (negative if returned), or the paid seat."""

    kind: str
    cents: int = 0
    level: str = "pool"
    number: int = 0
    rate: Fraction = Fraction(0)
    reset_cents: int = 0
    target: str = ""
    by_hand: bool = False
    prizes: tuple[Prize, ...] = ()
    claims: Mapping[str, int] = {}


def movement(entry: Mapping[str, Any]) -> Movement | None:
    """Returns the change of the pool by `entry`, or None for no change. Only this function knows the field names."""
    kind, body, get = entry["kind"].removeprefix("jackpot-"), entry["body"], entry["body"].get
    if kind == entry["kind"]:
        return None
    prizes = (Prize(x["seat"], x.get("cents", 0), Fraction(x.get("part_ppm", 0), 10_000)) for x in get("wins", ()))
    cents, rate = get("millionths", get("stake_cents", get("cents", 0))), get("rate_ppm", 0)
    number = -get("bets", 0) if kind == "bets-returned" else get("bets", get("seat", 0))
    plain = (kind, cents, get("level", "pool"), number, Fraction(rate, 10**6), get("reset_cents", 0))
    whole = {"pool": cents, "reserve": get("reserve", 0), "overflow": get("overflow", 0), **(get("meters") or {})}
    more = (get("target", "pool"), get("by_hand", False), tuple(prizes), body if kind == "claimed" else whole)
    return Movement(*plain, *more)


@dataclass(slots=True)
class Pool:
    """Levels (pool, reserve, overflow) and meters, in millionths. `wrong`: the faults. `by_hand`: a part of `paid`."""

    levels: Counter[str] = field(default_factory=Counter)
    meters: Counter[str] = field(default_factory=Counter)  # as in the status
    owed: list[tuple[bool, int, int]] = field(default_factory=list)  # for each prize: True for the largest, cents, seat
    paid: list[tuple[int, int]] = field(default_factory=list)  # prizes paid in this play: cents, seat
    wrong: list[str] = field(default_factory=list)
    parameters: list[Movement] = field(default_factory=list)  # those in force, and those from the next reset on
    is_reset_due: bool = False

    def take(self, one: Movement) -> None:
        """Applies `one`, the next movement in the journal's order. Raises AttributeError for an unknown kind."""
        getattr(self, f"_{one.kind.replace('taken-back', 'taken-over').replace('-', '_')}")(one)
        came = self.meters["seeds"] + self.meters["contributions"] + self.meters["transfers"]
        held = sum(self.levels.values()) + self.meters["paid"]
        self._check(f"{held} millionths are there or paid, {came} have come in", holds=held == came)
        self._check("a level is below nothing", holds=all(level >= 0 for level in self.levels.values()))

    def _check(self, what: str, *, holds: bool) -> None:
        self.wrong += [] if holds else [what]

    def _parameters_set(self, one: Movement) -> None:
        self.parameters[1 if self.levels else 0 :] = [one]

    def _started(self, one: Movement) -> None:
        self._check(f"{one.cents} cents begin a pool", holds=one.cents >= LEAST_START * self.parameters[0].cents)
        self.levels[one.level] += one.cents * CENT
        self.meters["seeds"] += one.cents * CENT

    def _reset(self, one: Movement) -> None:
        self.parameters = self.parameters[-1:]
        self._check("a reset that was not due", holds=self.is_reset_due and not self.owed)
        self._check("another reset amount than approved", holds=one.cents == self.parameters[0].reset_cents)
        self.is_reset_due, self.meters["resets"] = False, self.meters["resets"] + 1
        self._started(one)

    def _bets_collected(self, one: Movement) -> None:
        approved, added = self.parameters[0], one.number * one.cents * CENT * one.rate
        is_approved = one.level != "pool" or (one.cents, one.rate) == (approved.cents, approved.rate)
        self._check("another stake or rate than approved", holds=is_approved)
        self._check(f"{added} is no whole millionth", holds=added.denominator == 1)
        self._check("bets while the pool waits for its reset", holds=not self.is_reset_due)
        self.levels[one.level], self.paid = self.levels[one.level] + int(added), []
        self.meters.update(contributions=int(added), bets=one.number if one.level == "pool" else 0)

    _bets_returned = _bets_collected

    def _transferred(self, one: Movement) -> None:
        for level, cents in ((one.level, -one.cents), (one.target, one.cents)):
            if level:
                self.levels[level] += cents
                self.meters["transfers"] += cents

    def _hit(self, one: Movement) -> None:
        """Sorts a hit's prizes by order of payment: by amount, then by seat. Percentages are of the whole pool."""
        self.meters["hits"] += len(one.prizes) - len(self.owed)
        pool = self.levels["pool"] + CENT * sum(cents for cents, _seat in self.paid)
        found = ((not (x.cents or x.percent), x.cents or int(pool * x.percent // (100 * CENT)), x) for x in one.prizes)
        self.owed = sorted((is_largest, cents, prize.seat) for is_largest, cents, prize in found)
        self._check("a prize is owed again behind its payment", holds=not {one[1:] for one in self.owed} & {*self.paid})

    def _paid(self, one: Movement) -> None:
        """Checks and books a payment. The largest prize is all that is left; several of them share it (pt.bj.50)."""
        left = self.levels["pool"] // CENT
        is_largest, cents, seat = self.owed.pop(0) if self.owed else (False, 0, 0)
        cents = -(-left // (len(self.owed) + 1)) if is_largest else cents
        is_right = (one.number, one.cents) == (seat, cents) and cents <= left
        self._check(f"paid seat {one.number} {one.cents}, owed {seat} {cents} of {left}", holds=is_right)
        self.is_reset_due, self.paid = is_largest and not self.owed, [*self.paid, (one.cents, one.number)]
        self.levels["pool"] -= one.cents * CENT
        self.meters.update(paid=one.cents * CENT, by_hand=one.cents * CENT * one.by_hand)

    def _exported(self, one: Movement) -> None:
        self._claimed(one)
        self.levels, self.meters, self.parameters = Counter(), Counter(), []

    def _taken_over(self, one: Movement) -> None:
        for name, told in one.claims.items():
            (self.levels if name in {"pool", "reserve", "overflow"} else self.meters)[name] = told

    def _claimed(self, one: Movement) -> None:
        ours = Counter({**self.meters, **self.levels, "pool_cents": self.levels["pool"] // CENT})
        differ = {name: ours[name] for name, claimed in one.claims.items() if ours[name] != claimed}
        self._check(f"claimed {dict(one.claims)}, found {differ}", holds=not differ)
