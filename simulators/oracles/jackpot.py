"""Checks the jackpot in an export: the pool by its entries, and the bets that the slots collect.

A chip is collected if it lies in its slot both at the announcement and at the trigger (pt.bj.41a, 48b), once in a
round. The journal does not say how many chips the slots collected by themselves; a world counts such chips.
"""

from collections.abc import Iterator

from simulators.oracles.export_entries import Entry
from simulators.oracles.export_reader import Export
from simulators.oracles.pool import Pool, movement

_TELL = frozenset(("device-connected", "device-started", "slots-changed", "slots-status-heard"))


class Slots:
    """Follows the reports of the jackpot slots through the entries. `collected`: the number of chips collected in the
    whole journal.
    """

    def __init__(self) -> None:
        self.collected = 0
        self._here = False  # the configuration has slots
        self._aside = False  # people state the chips
        self._told: frozenset[int] = frozenset()
        self._announced: frozenset[int] | None = None  # None: before the announcement, or after the collection

    def take(self, entry: Entry) -> Iterator[str]:
        """Applies the next entry, and yields the faults that it has."""
        self._hear(entry)
        for move in entry.moved:
            is_bets = move["kind"] == "jackpot-bets-collected" and move.get("level", "pool") == "pool"
            if is_bets and self._here and not self._aside:
                yield from self._count(entry, move.get("bets", 0))

    def _count(self, entry: Entry, bets: object) -> Iterator[str]:
        lying = self._told & (self._announced or frozenset())
        if self._announced is None:
            yield f"entry {entry.seq} collects jackpot bets of a round twice, or before its announcement"
        elif not (isinstance(bets, int) and 0 < bets <= len(lying)):
            yield f"entry {entry.seq} collects {bets} jackpot bets where chips lay at {sorted(lying)}"
        self.collected += bets if isinstance(bets, int) else 0
        self._announced = None

    def _hear(self, entry: Entry) -> None:
        body = entry.body
        told = body.get("status", body.get("slots"))
        if entry.kind == "controller-started":
            setup = body.get("setup")
            self._here = isinstance(setup, dict) and bool(setup.get("has_slots"))
        elif entry.kind in _TELL and isinstance(told, dict) and "collections" in told:
            self._told = frozenset(told["chips"])
        elif entry.refused:
            return
        elif entry.kind == "choose-jackpot-marking":
            self._aside = body["marking"] == "manual"
        elif entry.kind == "open-session":
            self._aside = False
        elif entry.kind == "announce-no-more-bets":
            self._announced = self._told


def slots_of(export: Export) -> tuple[Slots, list[str]]:
    """Returns the state of the slots after all entries of an export, and the faults in these entries."""
    slots = Slots()
    return slots, [what for entry in export.entries for what in slots.take(entry)]


def pool_of(export: Export) -> Pool:
    """Returns the pool after all movements in an export. The pool's field `wrong` lists the faults."""
    pool = Pool()
    for moved in (one for entry in export.entries for one in entry.moved):
        found = movement({"kind": moved["kind"], "body": moved})
        if found is not None:
            pool.take(found)
    return pool
