"""Magazines that hands fill with cards: the base class of shoes, and a plain box."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable

from simulators.devices.cards import WARNING_CARD, PhysicalCard


class Magazine(ABC):
    """A stack of cards that hands fill and from which they draw; no device sees the order of its cards."""

    def __init__(self) -> None:
        self._lying: deque[PhysicalCard] = deque()

    def put_cards(self, cards: Iterable[PhysicalCard]) -> None:
        """Puts `cards` into the magazine, behind the cards already inside."""
        self._lying.extend(cards)

    def take_all_cards(self) -> tuple[PhysicalCard, ...]:
        """Takes all cards out by hand, and returns them."""
        taken = self.cards()
        self._lying.clear()
        return taken

    def cards(self) -> tuple[PhysicalCard, ...]:
        """Returns the cards in the magazine; only for the check of physical cards."""
        return tuple(self._lying)

    def bring_forward(self, ranks: frozenset[str]) -> None:
        """Exchanges the front card with the first card of one of `ranks`; a practice table then deals that card next.
        Does nothing if the magazine has no such card, or if the front card is the warning card.
        """
        found = next((at for at, card in enumerate(self._lying) if card.face[:-1] in ranks), None)
        if found is not None and self._lying[0].face != WARNING_CARD:
            self._lying[0], self._lying[found] = self._lying[found], self._lying[0]

    @property
    @abstractmethod
    def is_free(self) -> bool:
        """True if no lock prevents hands from drawing a card; the magazine may be empty."""

    @abstractmethod
    def draw_card(self, now_s: float) -> PhysicalCard | None:
        """Draws the front card; returns None if no card can be drawn."""


class Box(Magazine):
    """A plain box for dealing by hand (mo.1.3), without lock, counter or connection."""

    @property
    def is_free(self) -> bool:
        return True

    def draw_card(self, _now_s: float) -> PhysicalCard | None:
        return self._lying.popleft() if self._lying else None
