"""Passes each event of a device on once, although the device repeats the event until it is acknowledged."""

from drivers.events import EventsMissed


class EventDeduplicator:
    """Remembers the last event that was passed on, by the device's boot and the event's number, across the connections
    of one process.

    The controller acknowledges an event only once it is durable. If the connection breaks before that, the device sends
    an event again that was passed on already.
    """

    def __init__(self) -> None:
        self._boot: int | None = None
        self._last = 0

    def start_of_connection(self, boot: int) -> None:
        """Notes the boot of the device in a new connection. If it is another boot than before, event numbers begin at 1
        again.
        """
        if boot != self._boot:
            self._boot, self._last = boot, 0

    def is_new(self, number: int) -> bool:
        """True if event `number` was not passed on before. The event then counts as passed on."""
        if number <= self._last:
            return False
        self._last = number
        return True

    def unreported_part(self, missed: EventsMissed) -> EventsMissed | None:
        """Returns the part of the missed events that was neither passed on nor reported as missed before; None if this
        part is empty.

        The part then counts as reported, also for `is_new`.
        """
        first = max(missed.first, self._last + 1)
        if missed.last < first:
            return None
        self._last = missed.last
        return EventsMissed(first, missed.last)
