"""Passes each event of a device on once. The device repeats an event until it is acknowledged."""

from drivers.events import EventsMissed


class EventDeduplicator:
    """Remembers the last event that was passed on, by the device's boot and the event's number, across the connections
    of one process.

    The controller acknowledges an event once it is durable. If the connection breaks before that, the device sends an
    event again that was already passed on.
    """

    def __init__(self) -> None:
        self._boot: int | None = None
        self._last = 0

    def start_of_connection(self, boot: int) -> None:
        """Notes the boot of the device in a new connection. Event numbers of a new boot begin at 1."""
        if boot != self._boot:
            self._boot, self._last = boot, 0

    def is_new(self, number: int) -> bool:
        """True if event `number` was not passed on before. The event then counts as passed on."""
        if number <= self._last:
            return False
        self._last = number
        return True

    def unreported_part(self, missed: EventsMissed) -> EventsMissed | None:
        """Returns the events in `missed` that were neither passed on nor reported as missed before; None if there are
        no such events. These events then count as reported, also for `is_new`.
        """
        first = max(missed.first, self._last + 1)
        if missed.last < first:
            return None
        self._last = missed.last
        return EventsMissed(first, missed.last)
