"""The mechanism of a continuous shuffler: cards, carousel, buffer, jams and lid, without times, wire or counters.

A card goes from the hopper past the feed sensor into a random slot of the carousel. When the output buffer runs low, a
whole random slot is ejected into it. The first card of the buffer lies behind the mouth. Each card is a physical object
in exactly one place. Only motions draw random numbers, in their order, so the same seed and sequence of motions give
the same cards at any timing.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from random import Random

from msgspec import Struct

from simulators.devices.cards import PhysicalCard, Place
from simulators.devices.faults import DoubleFeed, FaultBook, Jam, Miscount, Retry, Spot

# The figures of known machines: 38 compartments, slots of up to 10, ejection of a whole slot (a well filled one if
# there is one) when the buffer is down to 8. A slot of 10 then fills the buffer to 18 at most.
SLOTS = 38
SLOT_CAPACITY = 10
WELL_FILLED = 7
BUFFER_LOW = 8


class Stuck(Struct, frozen=True):
    """The result of a motion in which cards have jammed at a spot; nothing moves until they are taken out."""

    spot: Spot
    cards: int


class Freed(Struct, frozen=True):
    """The result of a motion in which a card stuck and the device freed it by itself. No card has passed yet."""

    spot: Spot
    tries: int


class Passed(Struct, frozen=True):
    """The result of a motion in which cards passed the counter. `counted`: the counter's number. `stuck`: the cards
    that then jammed behind the counter.
    """

    cards: tuple[PhysicalCard, ...]
    counted: int
    stuck: Stuck | None = None


Motion = Passed | Freed | Stuck


class ShufflerMechanism:
    """The mechanism of a shuffler: 38 slots, a hopper, a buffer behind the mouth, a tray for unloaded cards,
    and a lid.
    """

    def __init__(self, rng: Random, faults: FaultBook) -> None:
        self._rng = rng
        self.next_ranks: frozenset[str] = frozenset()  # at a table for practice: the next card has one of these ranks
        self._faults = faults
        self.hopper: deque[PhysicalCard] = deque()
        self._slots: list[list[PhysicalCard]] = [[] for _ in range(SLOTS)]
        self._buffer: deque[PhysicalCard] = deque()
        self.jammed: list[PhysicalCard] = []
        self.tray: list[PhysicalCard] = []
        self._fed = 0
        self._dealt = 0
        self.stuck: Stuck | None = None
        self.lid_open = False

    # ---- what its sensors can tell

    @property
    def path_blocked(self) -> bool:
        """True while a stuck card is in the path."""
        return bool(self.jammed)

    @property
    def inside(self) -> int:
        """The number of cards in slots and buffer; the result of a recount."""
        return len(self._buffer) + sum(map(len, self._slots))

    @property
    def can_feed(self) -> bool:
        """True if a feed motion would move a card."""
        return self._can_move and bool(self.hopper) and self._has_room

    @property
    def can_deal(self) -> bool:
        """True if a deal motion would move a card."""
        return self._can_move and (bool(self._buffer) or any(self._slots))

    @property
    def operations(self) -> int:
        """The number of cards that the machine has moved in or out in its life, across reboots."""
        return self._fed + self._dealt

    def cards_by_place(self) -> Mapping[Place, tuple[PhysicalCard, ...]]:
        """Returns all cards in the machine, by place. Only the check of physical cards may use the result: no wire
        carries it.
        """
        return {
            Place.HOPPER: tuple(self.hopper),
            Place.SLOTS: tuple(card for slot in self._slots for card in slot),
            Place.BUFFER: tuple(self._buffer),
            Place.JAMMED: tuple(self.jammed),
            Place.TRAY: tuple(self.tray),
        }

    # ---- motions

    def feed(self) -> Motion | None:
        """Moves a card from the hopper into a random slot, unless a planned fault changes the motion.

        Returns the result of the motion; None if nothing can move.
        """
        if not self.can_feed:
            return None
        number = self._fed + 1
        if retry := self._faults.take(Retry, number, Spot.FEED):
            return Freed(Spot.FEED, retry.tries)
        if jam := self._faults.take(Jam, number, Spot.FEED):
            return self._stick(Spot.FEED, _take_left(self.hopper, jam.cards))
        cards, counted = self._passage(self.hopper, number, Spot.FEED)
        self._fed += len(cards)
        slots = [self._insert(card) for card in cards]
        return Passed(cards, counted, self._maybe_stick_inside(self.operations, slots[-1]))

    def deal(self) -> Motion | None:
        """Moves the card behind the mouth out of the machine, unless a planned fault changes the motion.

        Returns the result of the motion; None if nothing can move.
        """
        if not self.can_deal:
            return None
        if stuck := self._maybe_stick_inside(self.operations + 1):
            return stuck
        self._refill()
        self._bring_forward()
        number = self._dealt + 1
        if retry := self._faults.take(Retry, number, Spot.MOUTH):
            return Freed(Spot.MOUTH, retry.tries)
        if jam := self._faults.take(Jam, number, Spot.MOUTH):
            return self._stick(Spot.MOUTH, _take_left(self._buffer, jam.cards))
        cards, counted = self._passage(self._buffer, number, Spot.MOUTH)
        self._dealt += len(cards)
        return Passed(cards, counted)

    def expel(self) -> Motion | None:
        """Moves one card into the tray, as a step of unloading. Returns the result of the motion; None if nothing can
        move.
        """
        motion = self.deal()
        if isinstance(motion, Passed):
            self.tray.extend(motion.cards)
        return motion

    # ---- hands

    def put_in_hopper(self, cards: Iterable[PhysicalCard]) -> None:
        """Lays `cards` in the hopper, behind the cards already there."""
        self.hopper.extend(cards)

    def take_from_hopper(self) -> tuple[PhysicalCard, ...]:
        """Takes all cards that still lie in the hopper, and returns them."""
        return _take_left(self.hopper, len(self.hopper))

    def take_from_tray(self) -> tuple[PhysicalCard, ...]:
        """Takes all unloaded cards out of the tray, and returns them."""
        taken = tuple(self.tray)
        self.tray.clear()
        return taken

    def take_jammed(self, at_most: int | None = None) -> tuple[PhysicalCard, ...]:
        """Takes at most `at_most` stuck cards out, or all of them, and returns them.

        Takes none from the carousel while the lid is closed.
        """
        if self.stuck and self.stuck.spot is Spot.CAROUSEL and not self.lid_open:
            return ()
        taken = tuple(self.jammed[:at_most])
        del self.jammed[: len(taken)]
        if not self.jammed:
            self.stuck = None
        return taken

    def put_inside(self, cards: Iterable[PhysicalCard]) -> tuple[PhysicalCard, ...]:
        """Puts cards into the emptiest slots by hand, past every counter. Returns the cards that did not fit, or all
        cards if the lid is closed.
        """
        waiting = deque(cards)
        while self.lid_open and waiting and self._has_room:
            min(self._slots, key=len).append(waiting.popleft())
        return tuple(waiting)

    def take_inside(self) -> tuple[PhysicalCard, ...]:
        """Takes every card out of slots and buffer by hand, past every counter, and returns the cards. Returns no card
        if the lid is closed.
        """
        if not self.lid_open:
            return ()
        taken = tuple(self._buffer) + tuple(card for slot in self._slots for card in slot)
        self._buffer.clear()
        for slot in self._slots:
            slot.clear()
        return taken

    def stick(self, stuck: Stuck) -> None:
        """Jams the next `stuck.cards` cards of the buffer at `stuck.spot`."""
        self._refill()
        self._stick(stuck.spot, _take_left(self._buffer, stuck.cards))

    # ---- inner motions

    @property
    def _can_move(self) -> bool:
        return not self.jammed and not self.lid_open

    @property
    def _has_room(self) -> bool:
        return any(len(slot) < SLOT_CAPACITY for slot in self._slots)

    def _roomy_slots(self) -> list[list[PhysicalCard]]:
        return [slot for slot in self._slots if len(slot) < SLOT_CAPACITY]

    def _insert(self, card: PhysicalCard) -> list[PhysicalCard]:
        slot = self._rng.choice(self._roomy_slots() or self._slots)
        slot.append(card)
        return slot

    def _refill(self) -> None:
        while len(self._buffer) <= BUFFER_LOW and any(self._slots):
            slot = self._choose_slot()
            self._buffer.extend(reversed(slot))
            slot.clear()

    def _bring_forward(self) -> None:
        """Brings a card with a rank in `next_ranks` to the front of the buffer, in exchange for a card of a random
        slot. Then empties `next_ranks`.

        Changes nothing if the front card has such a rank, or if no card in the slots has one.
        """
        ranks, self.next_ranks = self.next_ranks, frozenset()
        if not ranks or (self._buffer and self._buffer[0].face[:-1] in ranks):
            return
        found = [(slot, at) for slot in self._slots for at, card in enumerate(slot) if card.face[:-1] in ranks]
        if found and self._buffer:
            slot, at = self._rng.choice(found)
            slot[at], self._buffer[0] = self._buffer[0], slot[at]

    def _choose_slot(self) -> list[PhysicalCard]:
        well_filled = [slot for slot in self._slots if len(slot) >= WELL_FILLED]
        return self._rng.choice(well_filled or [slot for slot in self._slots if slot])

    def _passage(self, source: deque[PhysicalCard], number: int, spot: Spot) -> tuple[tuple[PhysicalCard, ...], int]:
        if len(source) > 1 and (double := self._faults.take(DoubleFeed, number, spot)):
            return _take_left(source, 2), double.counted
        if miscount := self._faults.take(Miscount, number, spot):
            return _take_left(source, 1), miscount.counted
        return _take_left(source, 1), 1

    def _maybe_stick_inside(self, operation: int, slot: list[PhysicalCard] | None = None) -> Stuck | None:
        if not any(self._slots) or not (jam := self._faults.take(Jam, operation, Spot.CAROUSEL)):
            return None
        slot = self._choose_slot() if slot is None else slot
        cards = tuple(slot[-jam.cards :])
        del slot[-jam.cards :]
        return self._stick(Spot.CAROUSEL, cards)

    def _stick(self, spot: Spot, cards: tuple[PhysicalCard, ...]) -> Stuck:
        self.jammed.extend(cards)
        self.stuck = Stuck(spot, len(cards))
        return self.stuck


def _take_left(source: deque[PhysicalCard], count: int) -> tuple[PhysicalCard, ...]:
    return tuple(source.popleft() for _ in range(min(count, len(source))))
