"""Passes each event on once, although a device sends it again until it is acknowledged."""

from drivers.events import EventsMissed


class EventDeduplicator:
    """Remembers the last event passed on, by boot and number, across the connections of one process.

    An acknowledgement waits for the journal. So the connection can break while an event is at the table and not yet
    durable; the next connection brings the event again.
    """

    def __init__(self) -> None:
        self._boot: int | None = None
        self._last = 0

    def start_of_connection(self, boot: int) -> None:
        """Notes the boot number of the device that identified itself; after a new boot, events count from 1 again."""
        if boot != self._boot:
            self._boot, self._last = boot, 0

    def is_new(self, number: int) -> bool:
        """Returns True where event `number` was not passed on yet, and counts it as passed on."""
        if number <= self._last:
            return False
        self._last = number
        return True

    def unreported_part(self, missed: EventsMissed) -> EventsMissed | None:
        """Returns the part of a gap that is reported as missed for the first time; None where there is no such part.

        A later gap, and `is_new`, count that part as reported.
        """
        first = max(missed.first, self._last + 1)
        if missed.last < first:
            return None
        self._last = missed.last
        return EventsMissed(first, missed.last)
