"""The jackpot bets of one round, as they are recorded."""

from msgspec import Struct

from controller.core.custody.state import Card
from controller.core.house.pool import Payment
from controller.core.words import Cents


class Chip(Struct, frozen=True, gc=False):
    """One chip: at which place it lies, and whose it is."""

    seat: int
    bettor: int


class KeptCard(Struct, frozen=True, gc=False):
    """A card that was collected; `at`: its place among those of its seat as they were dealt in time, from 0."""

    seat: int
    at: int
    card: Card | None


class RoundJackpot(Struct, frozen=True, gc=False):
    """`marked`: seats whose chips were collected and are marked.

    `rise`: by how much the sign has to rise for them; `raised`: by how much the dealer says that he raised it.
    """

    chips: tuple[Chip, ...] = ()
    marked: tuple[int, ...] = ()
    is_collected: bool = False
    rise: Cents = Cents(0)
    raised: Cents | None = None
    kept: tuple[KeptCard, ...] = ()
    is_hit: bool = False
    paid: tuple[Payment, ...] = ()


def collection_is_owed(jackpot: RoundJackpot) -> bool:
    """Chips lie in their places: behind the announcement no card is dealt before they are collected (pt.bj.48b)."""
    return bool(jackpot.chips) and not jackpot.is_collected
