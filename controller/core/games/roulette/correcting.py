"""The values of an entry of a spin that two people may give anew."""

from controller.core.house.correcting import AddEntry, CorrectEntry
from controller.core.words import Cents


class CorrectSpinEntry(CorrectEntry, frozen=True):
    """Each value is one of the entry's own, by its name there."""

    player: int | None = None
    bet: str | None = None
    chips: int | None = None
    amount: Cents | None = None
    marked: bool | None = None
    colour: str | None = None
    number: int | None = None


class AddSpinEntry(AddEntry, frozen=True):
    """Each value is one of the act's own, by its name there."""

    player: int | None = None
    bet: str | None = None
    chips: int | None = None
    amount: Cents | None = None
    marked: bool | None = None
