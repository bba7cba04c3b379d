"""A table's record of its linked pool, a jackpot of several tables. The floor keeps the pool and decides each amount.

Amounts are whole millionths of a currency unit. `due` is the sum that bets have added, `told` the part reported to the
floor. The next entry reports the rest. Returned bets lower `due`, and with it the next report.
"""

from typing import Final

from msgspec import Struct

from controller.core.engine.replacing import replace
from controller.core.jackpot_rules import CENT, JackpotRules
from controller.core.words import Cents, TableMs

KEPT_PLACES: Final = 16
"""The number of finished hits in the record: as many as in a statement of the floor."""


class LinkedHit(Struct, frozen=True, gc=False):
    """A hit at this table. `seats`: the seats that share it; empty if only the floor knows the hit. `epoch`, `seq`: the
    entry that reported the hit to the floor; 0 before that. `micro`: the hit's amount; None before the floor's
    decision. `paid`: the seats that have got their share.
    """

    seats: tuple[int, ...]
    epoch: int = 0
    seq: int = 0
    micro: int | None = None
    paid: tuple[int, ...] = ()

    @property
    def next_seat(self) -> int | None:
        """The first unpaid seat. None if all are paid, or if the seats are not known here."""
        return next((seat for seat in self.seats if seat not in self.paid), None)

    def share(self, seat: int) -> Cents:
        """The share of this seat in cents: an equal part, with spare cents for the first seats. 0 while the hit has no
        amount.
        """
        cents = (self.micro or 0) // CENT
        return Cents(cents // len(self.seats) + (self.seats.index(seat) < cents % len(self.seats)))


class Linked(Struct, frozen=True, gc=False):
    """The table's record of its linked pool. `since_ms`: the time of the floor's last figures, or of the start.
    `is_heard`: figures have come since the start and are not too old. `is_away`: no figures have come in time.
    `number`, `micro`, `rate_ppm`: from the newest figures. `made`: the number of hits so far. `round`: session and
    round of the last hit. `over`: epoch and number of the entries of hits that are paid or released. `bets_ppm`: the
    rate at which all chips of the round `bets_round` add.
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
        """True if bets or a hit have not been reported to the floor."""
        return self.due > self.told or any(not hit.seq for hit in self.hits)


def begun(linked: Linked | None, pool: str, at_ms: TableMs) -> Linked:
    """The record `linked` after a start of the controller: open hits stay, and nothing counts as heard from the floor
    yet. The floor's last figures and the sums of the bets stay only for the same pool: a report to one pool is never
    corrected in a report to another.
    """
    if linked is None:
        return Linked(pool, since_ms=at_ms)
    known = replace(linked, since_ms=at_ms, is_heard=False, is_away=False)
    return known if linked.pool == pool else replace(known, pool=pool, number=0, micro=0, rate_ppm=0, due=0, told=0)


def with_bets(linked: Linked, bets: int, rules: JackpotRules, of_round: tuple[int, int]) -> Linked:
    """The record with `bets` added; a negative number removes bets. The rate of a round's first bets applies to all its
    bets.
    """
    rate_ppm = linked.bets_ppm if linked.bets_round == of_round else linked.rate_ppm
    due = linked.due + bets * rules.increment(rate_ppm)
    return replace(linked, due=due, bets_ppm=rate_ppm, bets_round=of_round)


def hit_by(linked: Linked, seats: tuple[int, ...], of_round: tuple[int, int]) -> Linked:
    """The record with a new hit, which the seats `seats` share."""
    return replace(linked, hits=(*linked.hits, LinkedHit(seats)), made=linked.made + 1, round=of_round)


def with_amount(linked: Linked, epoch: int, seq: int, micro: int) -> Linked:
    """The record with `micro`, the floor's amount for the hit that the entry `epoch`, `seq` reported. A hit that the
    record does not know is added without seats.

    The first amount of a hit stays, as seats may have been paid by it; a floor restored from a backup may send another
    one. A hit that is paid or released stays so.
    """
    if (epoch, seq) in linked.over:
        return linked
    if all((hit.epoch, hit.seq) != (epoch, seq) for hit in linked.hits):
        return replace(linked, hits=(*linked.hits, LinkedHit((), epoch, seq, micro)))
    is_open = [(hit.epoch, hit.seq, hit.micro) == (epoch, seq, None) for hit in linked.hits]
    hits = (replace(hit, micro=micro) if now else hit for hit, now in zip(linked.hits, is_open, strict=True))
    return replace(linked, hits=tuple(hits))


def paid_to(linked: Linked, hit: LinkedHit, seat: int) -> Linked:
    """The record with this seat's share paid; the last share ends the hit."""
    changed = replace(hit, paid=(*hit.paid, seat))
    if changed.next_seat is None:
        return ended(linked, hit)
    return replace(linked, hits=tuple(changed if one is hit else one for one in linked.hits))


def ended(linked: Linked, hit: LinkedHit) -> Linked:
    """The record without this hit, which is paid or released."""
    over = (*linked.over, (hit.epoch, hit.seq))[-KEPT_PLACES:]
    return replace(linked, hits=tuple(one for one in linked.hits if one is not hit), over=over)
