"""Checks the linked pool in an export: the amount on a sign, and the payments for each hit at this table.

These entries are read, by kind:

- `linked-pool-heard`: a statement of the floor, with the amount `micro`, and in `hits` its decisions on hits of this
  table
- `linked-told` with `linked_hits`: a hit
- `pay-linked-prize` and `release-linked-hit`: a payment, and the release of a hit without one
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from simulators.oracles.export_entries import Entry, as_object, part_of, whole
from simulators.oracles.pool import CENT


def cents_on_sign(entries: Iterable[Entry]) -> int | None:
    """Returns the linked pool's amount in cents, as the floor's last message in `entries` gives it. Returns None if
    `entries` have no such message, or if the sign shows the table's own pool.
    """
    is_linked, cents = False, None
    for entry in entries:
        if entry.kind == "controller-started":
            is_linked = part_of(entry.part("setup"), "linked").get("sign") == "linked"
        elif entry.kind == "linked-pool-heard":
            cents = entry.number("micro") // CENT
    return cents if is_linked else None


@dataclass
class _Hits:
    """The table's hits of the linked pool, by the number of the entry that records the hit.

    `told`: all hits, in order. `decided`: the hits with a known amount. `paid`: the people who have paid, by hit and
    seat.
    """

    told: list[int] = field(default_factory=list)
    decided: set[int] = field(default_factory=set)
    paid: defaultdict[int, defaultdict[int, set[int]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(set))
    )
    released: set[int] = field(default_factory=set)

    def take(self, entry: Entry) -> None:
        if entry.kind == "linked-told" and entry.items("linked_hits"):
            self.told.append(entry.seq)
        elif entry.kind == "linked-pool-heard":
            self.decided |= {whole(as_object(one), "seq") for one in entry.items("hits")}
        elif self.told and not entry.refused and entry.kind == "pay-linked-prize":
            self.paid[self.told[-1]][entry.number("seat")].add(entry.number("person"))
        elif self.told and not entry.refused and entry.kind == "release-linked-hit":
            self.released.add(self.told[-1])


def unpaid(entries: Iterable[Entry]) -> Iterator[str]:
    """Yields a sentence for each hit without an amount, and for each hit that two people have not paid at every seat.
    Skips released hits.
    """
    hits = _Hits()
    for entry in entries:
        hits.take(entry)
    for seq in hits.told:
        people = hits.paid[seq].values()
        if seq not in hits.released | hits.decided:
            yield f"the hit of entry {seq} has no amount"
        elif seq not in hits.released and not (people and all(len(one) > 1 for one in people)):
            yield f"the hit of entry {seq} is not paid by two people"
