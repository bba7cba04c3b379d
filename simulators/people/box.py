"""A metal box that cards are dealt from by hand (mo.1.3): it locks nothing, counts nothing and tells nobody."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from simulators.devices.cards import PhysicalCard


@dataclass(slots=True)
class Box:
    """A `machines.Magazine`; in which order its cards lie only the simulator knows."""

    _lying: deque[PhysicalCard] = field(default_factory=deque)

    @property
    def is_free(self) -> bool:
        """Nothing ever locks it."""
        return True

    def put_cards(self, cards: Iterable[PhysicalCard]) -> None:
        """Lays cards in, behind those that lie there."""
        self._lying.extend(cards)

    def take_all_cards(self) -> tuple[PhysicalCard, ...]:
        """Empties it by hand."""
        taken = self.cards()
        self._lying.clear()
        return taken

    def draw_card(self, _now_s: float) -> PhysicalCard | None:
        """Draws the first; None when it is empty."""
        return self._lying.popleft() if self._lying else None

    def cards(self) -> tuple[PhysicalCard, ...]:
        """What lies in it, for the book of physical cards alone."""
        return tuple(self._lying)
