"""The kinds of incidents for which recordings are kept, and for each kind of hold the kind of its incident, as the
status names them.
"""

from collections.abc import Mapping
from enum import StrEnum, unique
from typing import Final


@unique
class IncidentKind(StrEnum):
    COMPLAINT = "complaint"
    RULING = "ruling"
    VOID_ROUND = "void-round"
    MALFUNCTION = "malfunction"
    JACKPOT = "jackpot"
    COUNT_DIFFERENCE = "count-difference"
    IRREGULAR_CLOSING = "irregular-closing"


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
