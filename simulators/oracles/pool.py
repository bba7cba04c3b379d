"""A jackpot's pool, computed again from the entries of an exported journal (pt.bj.38 to 50): plain JSON in, faults out.

These entries are read, by `kind`, with these fields of `body`; `level` is "pool" where it is left out:

    jackpot-parameters-set  stake_cents, rate, reset_cents      in force before the start, else from the next reset on
    jackpot-started         cents, level                        what the house lays into a level at its beginning
    jackpot-bets-collected  bets, stake_cents, rate, level      rate as "4/5" or "0.8"
    jackpot-transferred     cents, level, target                between levels; "" is the house
    jackpot-hit             prizes: each seat, and cents or percent, or neither for the largest combination
    jackpot-paid            seat, cents, by_hand
    jackpot-reset           cents                               what the house lays into the next pool
    jackpot-claimed         any of pool_cents and the meters    what sign, status or journal says

Pools are whole millionths of a currency unit. What is shown or paid is whole cents, rounded down; the rest stays and
begins the next pool. Prizes leave the pool when the hit is told; while one is owed no claim is looked at.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, NamedTuple

CENT: Final = 10_000  # millionths
LEAST_START: Final = 10_000  # times the stake (pt.bj.44)


class Prize(NamedTuple):
    """A winning combination: a fixed amount or a part of the pool; neither: the largest, which takes what is left."""

    seat: int
    cents: int = 0
    percent: Fraction = Fraction(0)


class Movement(NamedTuple):
    """One thing that concerns the pool. `number`: of bets collected, or of the seat that is paid."""

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
    """The adapter: every name of a field stands here. None: the entry does not concern the pool."""
    kind, body, get = entry["kind"].removeprefix("jackpot-"), entry["body"], entry["body"].get
    if kind == entry["kind"]:
        return None
    prizes = (Prize(one["seat"], one.get("cents", 0), Fraction(one.get("percent", "0"))) for one in get("prizes", ()))
    cents, number, rate = get("stake_cents", get("cents", 0)), get("bets", get("seat", 0)), Fraction(get("rate", "0"))
    plain = (kind, cents, get("level", "pool"), number, rate, get("reset_cents", 0), get("target", ""))
    return Movement(*plain, get("by_hand", False), tuple(prizes), body if kind == "claimed" else {})


def in_order(pool: int, prizes: Sequence[Prize]) -> tuple[list[tuple[int, int]], bool]:
    """Seats and the cents that each is paid, in order, and whether a pool of so many millionths covers all.

    The smallest first, equal ones by seat; parts are of the pool before the first prize. The largest takes what is
    left; several share it, spare cents one each by seat (pt.bj.50). What is not covered stops the payments.
    """
    lesser = [(one.cents or pool * one.percent // (100 * CENT), one.seat) for one in prizes if one.cents or one.percent]
    largest = sorted(one.seat for one in prizes if not one.cents and not one.percent)
    left, paid = pool // CENT, list[tuple[int, int]]()
    for cents, seat in sorted(lesser):
        if cents > left:
            return paid, False
        left -= cents
        paid.append((seat, cents))
    each, spare = divmod(left, len(largest) or 1)
    return paid + [(seat, each + (place < spare)) for place, seat in enumerate(largest)], True


@dataclass(slots=True)
class Pool:
    """Levels and meters in millionths, `paid_by_hand` being a part of `paid`, and what was wrong on the way."""

    levels: Counter[str] = field(default_factory=Counter)
    meters: Counter[str] = field(default_factory=Counter)  # seeds, contributions, transfers, hits, paid, paid_by_hand
    owed: list[tuple[int, int]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    parameters: list[Movement] = field(default_factory=list)  # those in force, and those from the next reset on
    is_reset_due: bool = False

    def take(self, one: Movement) -> None:
        """One movement, in the journal's order. Raises AttributeError for a kind that nobody knows."""
        getattr(self, f"_{one.kind.replace('-', '_')}")(one)
        came = self.meters["seeds"] + self.meters["contributions"] + self.meters["transfers"]
        held = sum(self.levels.values()) + sum(cents for _seat, cents in self.owed) * CENT + self.meters["paid"]
        self._check(f"{held} millionths are there or paid, {came} have come in", holds=held == came)
        self._check("a level is below nothing", holds=all(level >= 0 for level in self.levels.values()))

    def _check(self, what: str, *, holds: bool) -> None:
        self.wrong += [] if holds else [what]

    def _parameters_set(self, one: Movement) -> None:
        self.parameters[1 if self.levels else 0 :] = [one]

    def _started(self, one: Movement) -> None:
        least = LEAST_START * self.parameters[0].cents
        self._check(f"{one.cents} cents begin a pool", holds=one.level != "pool" or one.cents >= least)
        self.levels[one.level] += one.cents * CENT
        self.meters["seeds"] += one.cents * CENT

    def _reset(self, one: Movement) -> None:
        self.parameters = self.parameters[-1:]
        self._check("a reset that was not due", holds=self.is_reset_due and not self.owed)
        self._check("another reset amount than approved", holds=one.cents == self.parameters[0].reset_cents)
        self.is_reset_due = False
        self._started(one)

    def _bets_collected(self, one: Movement) -> None:
        approved, added = self.parameters[0], one.number * one.cents * CENT * one.rate
        is_approved = one.level != "pool" or (one.cents, one.rate) == (approved.cents, approved.rate)
        self._check("another stake or rate than approved", holds=is_approved)
        self._check(f"{added} is no whole millionth", holds=added.denominator == 1)
        self._check("bets while the pool waits for its reset", holds=not self.is_reset_due)
        self.levels[one.level] += int(added)
        self.meters["contributions"] += int(added)

    def _transferred(self, one: Movement) -> None:
        for level, cents in ((one.level, -one.cents), (one.target, one.cents)):
            if level:
                self.levels[level] += cents * CENT
                self.meters["transfers"] += cents * CENT

    def _hit(self, one: Movement) -> None:
        self._check("a hit while another one is owed", holds=not self.owed)
        self.owed, covers = in_order(self.levels["pool"], one.prizes)
        self._check("the pool does not cover the prizes", holds=covers)
        self.is_reset_due = covers and any(not prize.cents and not prize.percent for prize in one.prizes)
        self.levels["pool"] -= sum(cents for _seat, cents in self.owed) * CENT
        self.meters["hits"] += len(one.prizes)

    def _paid(self, one: Movement) -> None:
        expected = self.owed.pop(0) if self.owed else None
        self._check(f"paid seat {one.number} {one.cents}, owed {expected}", holds=expected == (one.number, one.cents))
        self.meters["paid"] += one.cents * CENT
        self.meters["paid_by_hand"] += one.cents * CENT if one.by_hand else 0

    def _claimed(self, one: Movement) -> None:
        ours = Counter({**self.meters, "pool_cents": self.levels["pool"] // CENT})
        differ = {name: ours[name] for name, claimed in one.claims.items() if ours[name] != claimed}
        self._check(f"claimed {dict(one.claims)}, found {differ}", holds=bool(self.owed) or not differ)
