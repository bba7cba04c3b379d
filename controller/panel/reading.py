"""The readings of the journal and the trials of devices that a screen offers.

The controller decides on each request.
"""

from typing import Final

from controller.panel.browsers import Wanted
from controller.panel.moment import Moment
from controller.protocol.record import RecordDocument, RecordKind

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
    RecordKind.CHECKPOINT,
)
PRINTED: Final = (RecordKind.SHIFT, RecordKind.HANDOVER)
"""The readings that can be printed even without a code."""
TRIED: Final = ("lamp", "buzzer")
MARKS: Final = "keep-recording"
"""The act that marks where an incident's recording is kept; the list that a browser shows is out of date after it."""

WITHIN_S: Final = 130.0
"""The time that a reading may take: a little longer than the controller allows."""


def readers_of(what: RecordKind) -> tuple[str, ...]:
    return CHECKERS if what in (RecordKind.CHECK, RecordKind.SUMMARY) else READERS


def may_be_marked(record: RecordDocument | None, entry: str) -> bool:
    """True if `record` is a list with an incident that began with the entry `entry` and is over."""
    return record is not None and any(row.may_be_marked and str(row.seq) == entry for row in record.rows)


def marks_recording(moment: Moment, entry: str) -> Wanted:
    """Returns the request that asks people where the recording of an incident is stored. `entry`: the entry that began
    the incident.
    """
    return Wanted(moment.who_may(MARKS), asks=MARKS, known={"incident": f"#{entry}"})
