"""The values of an entry of a spin that a correction may give anew."""

from controller.core.house.correct_entry import CorrectEntry
from controller.core.words import Cents


class CorrectSpinEntry(CorrectEntry, frozen=True):
    """Each value is one of the entry's own, by its name there."""

    player: int | None = None
    bet: str | None = None
    chips: int | None = None
    amount: Cents | None = None
