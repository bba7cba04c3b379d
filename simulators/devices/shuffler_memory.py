"""The memory of a shuffler's firmware: counts that survive a loss of power, and orders that do not."""

from typing import Final

from msgspec import Struct

from firmware_protocols.tdp.shuffler import ShufflerApply

U16: Final = 2**16
U32: Final = 2**32


class ShufflerMemory(Struct):
    """The part of a shuffler's memory that survives a loss of power. `inside`: the number of cards inside as counted;
    None if unknown.
    """

    cards_in: int = 0
    cards_out: int = 0
    inside: int | None = 0
    jams: int = 0
    recounts: int = 0
    jammed: bool = False
    lamp: bool = False  # stays lit until the host puts it out
    counts_unknown: bool = False

    def count_in(self) -> None:
        """Counts one card taken in."""
        self.cards_in = (self.cards_in + 1) % U32
        if self.inside is not None:
            self.inside += 1

    def count_out(self) -> None:
        """Counts one card that has left."""
        self.cards_out = (self.cards_out + 1) % U32
        if self.inside is not None:
            self.inside -= 1

    def jam(self) -> None:
        """Counts a new jam, which has not ended yet."""
        self.jams = (self.jams + 1) % U16
        self.jammed = True

    def is_ended(self, jams_ended: int) -> bool:
        """True if people have ended the present jam: the jam's number is at most `jams_ended`, in serial arithmetic.
        False without a jam.
        """
        return self.jammed and (jams_ended - self.jams) % U16 < U16 // 2

    def recounted(self, request: int, inside: int) -> None:
        """Stores `inside`, the result of the recount with number `request`. The counts are known from now on."""
        self.recounts = request
        self.inside = inside
        self.counts_unknown = False

    def forget_counts(self) -> None:
        """Sets the cumulative counts to 0 and `inside` to None. The counts are unknown from now on. A jam that is not
        ended becomes jam 1.
        """
        self.cards_in = self.cards_out = self.recounts = 0
        self.jams = int(self.jammed)
        self.inside = None
        self.counts_unknown = True

    def lower_counts(self, by: int) -> None:
        """Lowers every cumulative count by `by`; leaves `inside` as it is."""
        self.cards_in, self.cards_out = (self.cards_in - by) % U32, (self.cards_out - by) % U32
        self.jams, self.recounts = (self.jams - by) % U16, (self.recounts - by) % U16

    def owed(self, release_until: int) -> int:
        """Returns the number of cards that may still leave until `cards_out` reaches `release_until`, in serial
        arithmetic. 0 or less: no card may leave.
        """
        return (release_until - self.cards_out + U32 // 2) % U32 - U32 // 2


class ShufflerOrders(Struct):
    """The permissions that the host has given the shuffler and that are in force."""

    release_until: int = 0
    feed_open: bool = False
    unload: bool = False
    recount_request: int | None = None

    def lock(self, memory: ShufflerMemory) -> None:
        """Withdraws every permission."""
        self.release_until = memory.cards_out
        self.feed_open = self.unload = False
        self.recount_request = None

    def take(self, wanted: ShufflerApply, memory: ShufflerMemory) -> None:
        """Replaces the permissions by those of the command `wanted`."""
        self.release_until = wanted.release_until
        self.feed_open = wanted.feed_open
        self.unload = wanted.unload
        is_served = wanted.recount_request == memory.recounts
        self.recount_request = None if is_served else wanted.recount_request

    def take_what_locks(self, wanted: ShufflerApply, memory: ShufflerMemory) -> None:
        """Withdraws every permission after the device has refused the command `wanted`. Takes over
        `wanted.release_until` if that number lets no card leave.
        """
        self.lock(memory)
        if memory.owed(wanted.release_until) <= 0:
            self.release_until = wanted.release_until


def moves_cards(wanted: ShufflerApply, memory: ShufflerMemory) -> bool:
    """True if the command `wanted` demands a motion: feeding, unloading, letting a card leave, or a new recount."""
    return (
        wanted.feed_open
        or wanted.unload
        or memory.owed(wanted.release_until) > 0
        or wanted.recount_request != memory.recounts
    )
