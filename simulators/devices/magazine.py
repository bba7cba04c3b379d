"""The place of cards that hands fill: a shoe's magazine, or a plain box."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable

from simulators.devices.cards import WARNING_CARD, PhysicalCard


class Magazine(ABC):
    """Cards laid in and drawn by hand; no device sees their order."""

    def __init__(self) -> None:
        self._lying: deque[PhysicalCard] = deque()

    def put_cards(self, cards: Iterable[PhysicalCard]) -> None:
        """Lays cards in, behind those already there."""
        self._lying.extend(cards)

    def take_all_cards(self) -> tuple[PhysicalCard, ...]:
        """Takes all cards out by hand, and returns them."""
        taken = self.cards()
        self._lying.clear()
        return taken

    def cards(self) -> tuple[PhysicalCard, ...]:
        """Returns the cards that lie here, for the check of physical cards only."""
        return tuple(self._lying)

    def bring_forward(self, ranks: frozenset[str]) -> None:
        """Exchanges the first card with the first one of these ranks, where there is one; at a table for practice."""
        found = next((at for at, card in enumerate(self._lying) if card.face[:-1] in ranks), None)
        if found is not None and self._lying[0].face != WARNING_CARD:
            self._lying[0], self._lying[found] = self._lying[found], self._lying[0]

    @property
    @abstractmethod
    def is_free(self) -> bool:
        """True where no lock keeps hands from drawing a card; the magazine may be empty."""

    @abstractmethod
    def draw_card(self, now_s: float) -> PhysicalCard | None:
        """Draws the first card; None where no card can be drawn."""


class Box(Magazine):
    """A metal box for dealing by hand (mo.1.3): it has no lock, no counter and no connection."""

    @property
    def is_free(self) -> bool:
        return True

    def draw_card(self, _now_s: float) -> PhysicalCard | None:
        return self._lying.popleft() if self._lying else None
