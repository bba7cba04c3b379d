"""Keeps track of the device's events: which the host has taken, which are durable, and which are lost."""

from enum import Enum, auto

from firmware_protocols.tdp.link import EVENTS_KEPT

# `taken` is the last event given to the caller, `committed` the last event that the caller has made durable,
# `lost` the last event that the device no longer holds. Only `taken + 1` is ever taken: anything else is a
# duplicate, or comes again later. ("Take what differs from the last" takes a late copy a second time.) An
# acknowledgement never says more than `committed`.


class Arrival(Enum):
    """The relation of an arriving event to the events taken before."""

    NEXT = auto()
    DUPLICATE = auto()
    COMMITTED_DUPLICATE = auto()  # the device has not received the acknowledgement: send it again
    TOO_EARLY = auto()  # an earlier event is missing, or too many wait for their commit


class EventInbox:
    """The host's record of the events of one boot of a device.

    `committed`: the last event that earlier connections made durable.
    """

    def __init__(self, committed: int = 0) -> None:
        self.taken = committed
        self.committed = committed
        self._lost = 0

    @property
    def has_uncommitted(self) -> bool:
        """True while a taken event is not durable."""
        return self.taken > max(self.committed, self._lost)

    def arrive(self, number: int) -> Arrival:
        """Returns the relation of event `number` to earlier events. Takes the event if the result is NEXT."""
        if number <= self.committed:
            return Arrival.COMMITTED_DUPLICATE
        if number <= self.taken:
            return Arrival.DUPLICATE
        if number > self.taken + 1 or self.taken - max(self.committed, self._lost) >= EVENTS_KEPT:
            return Arrival.TOO_EARLY
        self.taken = number
        return Arrival.NEXT

    def lose_before(self, oldest: int) -> tuple[int, int] | None:
        """Notes that the device no longer has events before `oldest`; those not taken yet are lost, and count as taken.

        Returns the first and last lost event; None if no event was lost.
        """
        self._lost = max(self._lost, oldest - 1)
        if self._lost <= self.taken:
            return None
        missed = (self.taken + 1, self._lost)
        self.taken = self._lost
        return missed

    def commit(self, number: int) -> bool:
        """Notes that events up to `number` are durable. Returns True if this is new.

        Raises ValueError for an event that was never taken.
        """
        if number > self.taken:
            raise ValueError(f"event {number} was not taken yet, {self.taken} was")
        is_news = number > self.committed
        self.committed = max(self.committed, number)
        return is_news
