"""What cards are dealt from, as hands and eyes at the table know it: a shuffler, or a magazine filled by hand."""

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from simulators.devices.cards import PhysicalCard
from simulators.devices.faults import Spot
from simulators.devices.shuffler import SimulatedShuffler


class Magazine(Protocol):
    """A shoe or a box: cards are laid in and drawn by hand."""

    @property
    def is_free(self) -> bool:
        """Whether a card can be drawn: nothing locks it."""

    def put_cards(self, cards: Iterable[PhysicalCard]) -> None:
        """Lays cards in, behind those that lie there."""

    def take_all_cards(self) -> tuple[PhysicalCard, ...]:
        """Empties it by hand."""

    def draw_card(self, now_s: float) -> PhysicalCard | None:
        """Draws the first; None when nothing can be drawn."""

    def cards(self) -> tuple[PhysicalCard, ...]:
        """What lies in it, for the book of physical cards alone."""


class MachineLook(NamedTuple):
    """What anybody sees of the machine."""

    hopper: int = 0
    tray: int = 0
    jammed: int = 0
    stuck_at: Spot | None = None
    mouth_open: bool = False
    lid_open: bool = False
    lamp_lit: bool = False
    jam_shown: bool = False
    shown_inside: int | None = None
    seen_inside: int = 0  # through the open lid


def look_at_shuffler(shuffler: SimulatedShuffler) -> MachineLook:
    """A shuffler shows its lamp, its display, and the card in its mouth."""
    status = shuffler.status
    return MachineLook(
        hopper=shuffler.in_hopper,
        tray=len(shuffler.tray),
        jammed=shuffler.stuck_cards,
        stuck_at=shuffler.stuck_at,
        mouth_open=status.mouth_open,
        lid_open=status.lid_open,
        lamp_lit=status.lamp_lit,
        jam_shown=status.jammed,
        shown_inside=None if status.counts_unknown else status.inside,
        seen_inside=shuffler.inside if status.lid_open else 0,
    )


def look_at_magazine(magazine: Magazine) -> MachineLook:
    """Of a shoe or a box one sees whether a card can be drawn."""
    return MachineLook(mouth_open=magazine.is_free and bool(magazine.cards()))
