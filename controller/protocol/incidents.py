"""The kinds of incidents whose recordings must be kept, and the kind that belongs to each kind of hold.

An incident without a hold is known by the entries that begin, end or withdraw it.
"""

from collections.abc import Mapping
from enum import StrEnum, unique
from typing import Final

from msgspec import Struct


@unique
class IncidentKind(StrEnum):
    COMPLAINT = "complaint"
    RULING = "ruling"
    VOID_ROUND = "void-round"
    MALFUNCTION = "malfunction"
    JACKPOT = "jackpot"
    COUNT_DIFFERENCE = "count-difference"
    IRREGULAR_CLOSING = "irregular-closing"


@unique
class Turn(StrEnum):
    """The effect of an entry on an incident: the entry begins, ends or withdraws the incident."""

    BEGAN = "began"
    ENDED = "ended"
    WITHDRAWN = "withdrawn"  # the incident was none


class Told(Struct, frozen=True, gc=False, omit_defaults=True):
    """The part of an entry that reports an incident. `first`: the incident's first entry, if its beginning was not
    reported then; else 0.
    """

    kind: IncidentKind
    turn: Turn
    first: int = 0


KIND_OF_HOLD: Final[Mapping[str, IncidentKind | None]] = {
    "jam": IncidentKind.MALFUNCTION,
    "lid": IncidentKind.MALFUNCTION,
    "count": IncidentKind.COUNT_DIFFERENCE,
    "unexpected-card": IncidentKind.MALFUNCTION,
    "unread-card": IncidentKind.MALFUNCTION,
    "damaged-card": IncidentKind.MALFUNCTION,
    "device-lost": IncidentKind.MALFUNCTION,
    "complaint": IncidentKind.COMPLAINT,
    "supervisor-absent": None,  # no recording is needed: the journal has the presence itself
    "journal-fault": IncidentKind.MALFUNCTION,
    "ruling": IncidentKind.RULING,
    "irregular-spin": IncidentKind.MALFUNCTION,
    "moved-chips": IncidentKind.RULING,
    "jackpot-owed": IncidentKind.JACKPOT,
    "linked-hit": IncidentKind.JACKPOT,
    "jackpot-doubted": IncidentKind.JACKPOT,
}

TOLD: Final = frozenset(IncidentKind) - frozenset(KIND_OF_HOLD.values())
"""The kinds of incidents that are no hold."""
