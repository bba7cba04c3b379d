"""The readings of the journal and the technician's trials that a screen offers; the controller grants them."""

from typing import Final

from controller.protocol.record import RecordKind

READERS: Final = ("table_inspector", "chief_supervisor", "room_manager", "regulator")
"""The roles that may read entries that name people or show the faces of turned cards."""

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
"""The readings that can be printed even without a code."""
TRIED: Final = ("lamp", "buzzer")

WITHIN_S: Final = 130.0
"""The time that a reading may take: a little longer than the controller allows."""


def readers_of(what: RecordKind) -> tuple[str, ...]:
    return CHECKERS if what in (RecordKind.CHECK, RecordKind.SUMMARY) else READERS
