"""Keeps account of a device's events: those that the host has taken, the durable ones, and the lost ones."""

from enum import Enum, auto

from firmware_protocols.tdp.link import EVENTS_KEPT

# `taken` is the last event given to the caller, `committed` the last event that the caller has made durable, `lost` the
# last event that the device no longer holds. The host takes only `taken + 1`: any other event is a duplicate, or comes
# again later. ("Take every event that differs from the last" takes a late copy a second time.) An acknowledgement goes
# up to `committed` at most.


class Arrival(Enum):
    """The number of an arriving event compared with the order of events: the next event, an earlier one again, or one
    too early.
    """

    NEXT = auto()
    DUPLICATE = auto()
    COMMITTED_DUPLICATE = auto()  # the device has not received the acknowledgement: send it again
    TOO_EARLY = auto()  # an earlier event is missing, or too many wait for their commit


class EventInbox:
    """The host's record of the events of one boot of a device.

    `committed`: the last event that was durable before this connection.
    """

    def __init__(self, committed: int = 0) -> None:
        self.taken = committed
        self.committed = committed
        self._lost = 0

    @property
    def has_uncommitted(self) -> bool:
        """True while an event that the host has taken is not durable."""
        return self.taken > max(self.committed, self._lost)

    def arrive(self, number: int) -> Arrival:
        """Returns the place of event `number` in the order of events. A place of NEXT counts the event as taken."""
        if number <= self.committed:
            return Arrival.COMMITTED_DUPLICATE
        if number <= self.taken:
            return Arrival.DUPLICATE
        if number > self.taken + 1 or self.taken - max(self.committed, self._lost) >= EVENTS_KEPT:
            return Arrival.TOO_EARLY
        self.taken = number
        return Arrival.NEXT

    def lose_before(self, oldest: int) -> tuple[int, int] | None:
        """Notes that the device no longer has the events before `oldest`. Returns the first and the last event that are
        lost by this, or None if no event is lost. An event that the host had not taken is lost, and counts as taken.
        """
        self._lost = max(self._lost, oldest - 1)
        if self._lost <= self.taken:
            return None
        missed = (self.taken + 1, self._lost)
        self.taken = self._lost
        return missed

    def commit(self, number: int) -> bool:
        """Notes that the events up to `number` are durable. Returns True if an event among them was not durable before.
        Raises ValueError for an event that the host has never taken.
        """
        if number > self.taken:
            raise ValueError(f"event {number} was not taken yet, {self.taken} was")
        is_news = number > self.committed
        self.committed = max(self.committed, number)
        return is_news
