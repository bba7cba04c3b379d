"""The values of an entry of a round of cards that a correction may give anew."""

from controller.core.house.correct_entry import CorrectEntry
from controller.core.words import Cents


class CorrectHandEntry(CorrectEntry, frozen=True):
    """Each value is one of the entry's own, by its name there."""

    seat: int | None = None
    hand: int | None = None
    bettor: int | None = None
    amount: Cents | None = None
