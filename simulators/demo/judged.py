"""The oracles' judgement of a demo that was played to its end, from its export, statuses and cards."""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec
from msgspec import Struct

from controller.protocol.status import Status
from simulators.demo.physical import PhysicalBook
from simulators.oracles.cards import MOVING, Checkpoint, check_cards
from simulators.oracles.export_reader import Export
from simulators.oracles.figures import figures_bound_by
from simulators.oracles.jackpot import pool_of
from simulators.oracles.linked import cents_on_sign, unpaid
from simulators.oracles.pool import CENT
from simulators.oracles.procedure import check_export
from simulators.oracles.sightings import SeenHold, Sighting

MOST_TOLD: Final = 40
"""The most violations in a list, since one error can cause many."""


class Evidence(Struct):
    """The evidence of a played demo for the oracles. `verified`: True if `sabot journal verify` found the journal
    whole.
    """

    deck: Mapping[int, str]  # number and face of every card ever brought in, spare cards included
    physical: PhysicalBook
    looks: list[Checkpoint]  # the cards between rounds
    sightings: list[Sighting]  # the statuses; the last one is from the end
    export: Export
    head: str  # the journal's head in the last status
    tally: Mapping[str, int]  # the tally in the last status
    verified: bool
    pool_cents: int | None = None  # None: the table has no jackpot
    sign_cents: int | None = None


_STATUS: Final = msgspec.json.Decoder(Status)


def sighting_in(document: bytes) -> Sighting:
    """Returns the state of the table that a status document shows, in the form that the oracles take."""
    status = _STATUS.decode(document)
    return Sighting(
        seq=status.journal.seq,
        holds=tuple(
            SeenHold(int(one.id[1:]), one.kind, one.device, one.phase, one.cause or None) for one in status.holds
        ),
        waiting=status.journal.waiting,
        session=status.session,
        round=status.round,
        counts=status.counts,
        digest=status.state_digest,
    )


def violations(evening: Evidence) -> list[str]:
    """Returns the violations in `evening` as text: the first MOST_TOLD, then the number of further ones."""
    found = [
        *_cards(evening),
        *(
            str(one)
            for one in check_export(evening.export, figures_bound_by(evening.export.entries[0]), evening.sightings)
        ),
        *_journal(evening),
        *_pool(evening),
        *_end(evening),
    ]
    more = [f"and {len(found) - MOST_TOLD} violations more"] if len(found) > MOST_TOLD else []
    return found[:MOST_TOLD] + more


def _cards(evening: Evidence) -> list[str]:
    last = evening.sightings[-1]
    end = Checkpoint("at the end", evening.physical.listing, last.seq, {"status": last.counts or {}}, is_settled=True)
    return [str(one) for one in check_cards(evening.deck, [*evening.looks, end])]


def _journal(evening: Evidence) -> Iterator[str]:
    at, entries = evening.sightings[-1].seq, evening.export.entries
    if not evening.verified:
        yield "journal: sabot journal verify says that it is not whole"
    if not 0 < at <= len(entries):
        yield f"journal: the status was at entry {at}, the export has {len(entries)}"
    elif entries[at - 1].chain != evening.head:
        yield f"journal: at entry {at} the status had head {evening.head}, the export has another"


def _pool(evening: Evidence) -> Iterator[str]:
    """Yields each fault in the entries about the jackpot and the linked pool, and a fault if the status or the sign
    shows another amount than the journal gives.
    """
    made, entries = pool_of(evening.export), evening.export.entries
    yield from (f"jackpot: {what}" for what in (*made.wrong, *unpaid(entries)))
    own, linked = made.levels["pool"] // CENT, cents_on_sign(entries)
    on_sign = own if linked is None else linked
    for what, shown, cents in (("the status", evening.pool_cents, own), ("the sign", evening.sign_cents, on_sign)):
        if shown not in {None, cents}:
            yield f"jackpot: {what} has {shown} cents, the journal makes {cents}"


def _end(evening: Evidence) -> Iterator[str]:
    physical, last = evening.physical, evening.sightings[-1]
    if moving := sum(physical.places[place] for place in MOVING):
        yield f"physical: {moving} cards lie in the hopper at the end"
    if last.session != "closed":
        yield f"at the end: the session is {last.session}"
    for hold in last.holds:
        yield f"at the end: a hold stands: {hold.kind}"
    for what, by_hand in (
        ("drawn", physical.drawn),
        ("burned", physical.burned),
        ("jams_raised", physical.faults_met["Jam"]),
    ):
        if evening.tally.get(what, 0) != by_hand:
            yield f"{what}: {by_hand} by hand, {evening.tally.get(what, 0)} in the status"
