"""Passes each event on once, although a device repeats the event until it is acknowledged."""

from drivers.events import EventsMissed


class EventDeduplicator:
    """Remembers the last event that was passed on, by boot and number, across the connections of one process.

    An event is acknowledged only once it is durable. If the connection breaks before that, the device repeats an event
    that was passed on already.
    """

    def __init__(self) -> None:
        self._boot: int | None = None
        self._last = 0

    def start_of_connection(self, boot: int) -> None:
        """Notes the boot of the device that has identified itself. After a new boot, event numbers begin at 1 again."""
        if boot != self._boot:
            self._boot, self._last = boot, 0

    def is_new(self, number: int) -> bool:
        """True if event `number` was not passed on before. Counts it as passed on from now on."""
        if number <= self._last:
            return False
        self._last = number
        return True

    def unreported_part(self, missed: EventsMissed) -> EventsMissed | None:
        """Returns the part of a gap that was not reported as missed before, or None.

        From now on this part counts as reported, also for `is_new`.
        """
        first = max(missed.first, self._last + 1)
        if missed.last < first:
            return None
        self._last = missed.last
        return EventsMissed(first, missed.last)
