"""The place of cards that hands fill: the magazine of a shoe, or a plain box."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable

from simulators.devices.cards import PhysicalCard


class Magazine(ABC):
    """Cards are laid in and drawn by hand; in which order they lie only the simulator knows."""

    def __init__(self) -> None:
        self._lying: deque[PhysicalCard] = deque()

    def put_cards(self, cards: Iterable[PhysicalCard]) -> None:
        """Lay cards in, behind those that lie there."""
        self._lying.extend(cards)

    def take_all_cards(self) -> tuple[PhysicalCard, ...]:
        """Empty it by hand."""
        taken = self.cards()
        self._lying.clear()
        return taken

    def cards(self) -> tuple[PhysicalCard, ...]:
        """The cards in it, for the book of physical cards alone."""
        return tuple(self._lying)

    @property
    @abstractmethod
    def is_free(self) -> bool:
        """True where a card can be drawn: nothing locks it."""

    @abstractmethod
    def draw_card(self, now_s: float) -> PhysicalCard | None:
        """Draw the first; None when nothing can be drawn."""


class Box(Magazine):
    """A metal box that cards are dealt from by hand (mo.1.3): it locks nothing, counts nothing and tells nobody."""

    @property
    def is_free(self) -> bool:
        return True

    def draw_card(self, _now_s: float) -> PhysicalCard | None:
        return self._lying.popleft() if self._lying else None
