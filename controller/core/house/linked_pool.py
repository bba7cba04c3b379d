"""A table's knowledge of the linked pool for which its chips play. The pool is the floor's, and so is each amount.

Amounts are whole millionths of a currency unit. What bets add is counted as `due`; an entry of its own tells the floor
what is due and not told yet. Bets that go back make `due` less: what was told for them is taken off what is told next.
"""

from typing import Final

from msgspec import Struct

from controller.core.engine.replacing import replace
from controller.core.jackpot_rules import CENT, JackpotRules
from controller.core.words import Cents, TableMs

KEPT_PLACES: Final = 16
"""As many hits as a statement names."""


class LinkedHit(Struct, frozen=True, gc=False):
    """A hit at this table. `seats`: they share it; none where this record does not have the hit.

    `epoch`, `seq`: of the entry that told it, 0 before it is told. `micro`: None until the floor has said it.
    """

    seats: tuple[int, ...]
    epoch: int = 0
    seq: int = 0
    micro: int | None = None
    paid: tuple[int, ...] = ()

    @property
    def next_seat(self) -> int | None:
        """The seat that is paid next."""
        return next((seat for seat in self.seats if seat not in self.paid), None)

    def share(self, seat: int) -> Cents:
        """Equal parts in whole cents; spare cents one each in the order of the seats."""
        cents = (self.micro or 0) // CENT
        return Cents(cents // len(self.seats) + (self.seats.index(seat) < cents % len(self.seats)))


class Linked(Struct, frozen=True, gc=False):
    """`since_ms`: of the last statement, or of the start. `is_heard`: one has come since that start, and in time.

    `number`, `micro`, `rate_ppm`: of the newest statement. `made`: hits so far; `round`: session and round of the last.
    `over`: the places of hits that are paid or released. `bets_ppm`: the rate at which the chips of `bets_round` add.
    """

    pool: str
    number: int = 0
    micro: int = 0
    rate_ppm: int = 0
    since_ms: TableMs = TableMs(0)
    is_heard: bool = False
    is_away: bool = False
    due: int = 0
    told: int = 0
    hits: tuple[LinkedHit, ...] = ()
    made: int = 0
    round: tuple[int, int] = (0, 0)
    over: tuple[tuple[int, int], ...] = ()
    bets_ppm: int = 0
    bets_round: tuple[int, int] = (0, 0)

    @property
    def is_untold(self) -> bool:
        """The floor is to be told of bets or of a hit."""
        return self.due > self.told or any(not hit.seq for hit in self.hits)


def begun(linked: Linked | None, pool: str, at_ms: TableMs) -> Linked:
    """At a start nothing was heard yet; another pool has other numbers, and hits that stand stay."""
    if linked is None:
        return Linked(pool, since_ms=at_ms)
    known = replace(linked, since_ms=at_ms, is_heard=False, is_away=False)
    return known if linked.pool == pool else replace(known, pool=pool, number=0, micro=0, rate_ppm=0)


def with_bets(linked: Linked, bets: int, rules: JackpotRules, of_round: tuple[int, int]) -> Linked:
    """So many chips more, or fewer, add: all of a round at the rate of its first ones, whatever the floor says then."""
    rate_ppm = linked.bets_ppm if linked.bets_round == of_round else linked.rate_ppm
    due = linked.due + bets * rules.increment(rate_ppm)
    return replace(linked, due=due, bets_ppm=rate_ppm, bets_round=of_round)


def hit_by(linked: Linked, seats: tuple[int, ...], of_round: tuple[int, int]) -> Linked:
    """These seats have hit the pool."""
    return replace(linked, hits=(*linked.hits, LinkedHit(seats)), made=linked.made + 1, round=of_round)


def with_amount(linked: Linked, epoch: int, seq: int, micro: int) -> Linked:
    """The floor has decided the hit of this entry; one that the record does not have is kept as such."""
    if (epoch, seq) in linked.over:
        return linked
    if all((hit.epoch, hit.seq) != (epoch, seq) for hit in linked.hits):
        return replace(linked, hits=(*linked.hits, LinkedHit((), epoch, seq, micro)))
    hits = (replace(hit, micro=micro) if (hit.epoch, hit.seq) == (epoch, seq) else hit for hit in linked.hits)
    return replace(linked, hits=tuple(hits))


def paid_to(linked: Linked, hit: LinkedHit, seat: int) -> Linked:
    """The seat has its share; with the last one the hit is over."""
    changed = replace(hit, paid=(*hit.paid, seat))
    if changed.next_seat is None:
        return ended(linked, hit)
    return replace(linked, hits=tuple(changed if one is hit else one for one in linked.hits))


def ended(linked: Linked, hit: LinkedHit) -> Linked:
    """Nothing is owed of it here any more."""
    over = (*linked.over, (hit.epoch, hit.seq))[-KEPT_PLACES:]
    return replace(linked, hits=tuple(one for one in linked.hits if one is not hit), over=over)
