"""The memory of a shuffler's firmware: counts that survive a loss of power, and orders that do not."""

from dataclasses import dataclass
from typing import Final

from firmware_protocols.tdp.shuffler import ShufflerApply

U16: Final = 2**16
U32: Final = 2**32


@dataclass(slots=True)
class ShufflerMemory:
    """The part that survives a loss of power. `inside` is the firmware's belief, None when it has none."""

    cards_in: int = 0
    cards_out: int = 0
    inside: int | None = 0
    jams: int = 0
    recounts: int = 0
    jammed: bool = False
    lamp: bool = False  # a warning once given stays until it is taken back
    counts_unknown: bool = False

    def count_in(self) -> None:
        """One card was taken in."""
        self.cards_in = (self.cards_in + 1) % U32
        if self.inside is not None:
            self.inside += 1

    def count_out(self) -> None:
        """One card has left."""
        self.cards_out = (self.cards_out + 1) % U32
        if self.inside is not None:
            self.inside -= 1

    def jam(self) -> None:
        """A new jam, latched."""
        self.jams = (self.jams + 1) % U16
        self.jammed = True

    def is_ended(self, jams_ended: int) -> bool:
        """True where the latched jam is among those that the people have ended, in serial arithmetic."""
        return self.jammed and (jams_ended - self.jams) % U16 < U16 // 2

    def recounted(self, request: int, inside: int) -> None:
        """The slots were counted, as request number `request` asked."""
        self.recounts = request
        self.inside = inside
        self.counts_unknown = False

    def forget_counts(self) -> None:
        """All numbers are gone, and that is known; a jam that is still latched is the first of the new ones."""
        self.cards_in = self.cards_out = self.recounts = 0
        self.jams = int(self.jammed)
        self.inside = None
        self.counts_unknown = True

    def lower_counts(self, by: int) -> None:
        """Every number that counts up is lower than before; what is inside is known all the same."""
        self.cards_in, self.cards_out = (self.cards_in - by) % U32, (self.cards_out - by) % U32
        self.jams, self.recounts = (self.jams - by) % U16, (self.recounts - by) % U16

    def owed(self, release_until: int) -> int:
        """Cards to let go until `release_until`, in serial arithmetic; 0 and less: locked."""
        return (release_until - self.cards_out + U32 // 2) % U32 - U32 // 2


@dataclass(slots=True)
class ShufflerOrders:
    """The host's permissions that are still in force."""

    release_until: int = 0
    feed_open: bool = False
    unload: bool = False
    recount_request: int | None = None

    def lock(self, memory: ShufflerMemory) -> None:
        """Every permission ends."""
        self.release_until = memory.cards_out
        self.feed_open = self.unload = False
        self.recount_request = None

    def take(self, wanted: ShufflerApply, memory: ShufflerMemory) -> None:
        """Everything that the host permits, in place of what it permitted before."""
        self.release_until = wanted.release_until
        self.feed_open = wanted.feed_open
        self.unload = wanted.unload
        is_served = wanted.recount_request == memory.recounts
        self.recount_request = None if is_served else wanted.recount_request

    def take_what_locks(self, wanted: ShufflerApply, memory: ShufflerMemory) -> None:
        """Of what the host orders the part that permits nothing: a refusal refuses the rest."""
        self.lock(memory)
        if memory.owed(wanted.release_until) <= 0:
            self.release_until = wanted.release_until


def moves_cards(wanted: ShufflerApply, memory: ShufflerMemory) -> bool:
    """True where obeying would move a card."""
    return (
        wanted.feed_open
        or wanted.unload
        or memory.owed(wanted.release_until) > 0
        or wanted.recount_request != memory.recounts
    )
