"""The readings of the journal at this screen, and a technician's trials: the controller decides on their rights."""

from typing import Final

from controller.protocol.record import RecordKind

READERS: Final = ("table_inspector", "chief_supervisor", "room_manager", "regulator")
"""Who may read what names people and tells the faces of turned cards."""

CHECKERS: Final = (*READERS, "technician")
TECHNICIAN: Final = ("technician",)

LISTS: Final = (
    RecordKind.HOLDS,
    RecordKind.REFUSALS,
    RecordKind.COMPLAINTS,
    RecordKind.PEOPLE,
    RecordKind.INCIDENTS,
    RecordKind.SHIFT,
    RecordKind.HANDOVER,
)
PRINTED: Final = (RecordKind.SHIFT, RecordKind.HANDOVER)
"""Sheets that are printed without a code."""
TRIED: Final = ("lamp", "buzzer")

WITHIN_S: Final = 130.0
"""A little longer than the controller lets it take."""


def readers_of(what: RecordKind) -> tuple[str, ...]:
    return CHECKERS if what in (RecordKind.CHECK, RecordKind.SUMMARY) else READERS
