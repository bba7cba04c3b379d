"""The values by which two people may correct an entry of a spin."""

from controller.core.house.correcting import AddEntry, CorrectEntry
from controller.core.words import Cents


class CorrectSpinEntry(CorrectEntry, frozen=True):
    """Corrects an entry; each value has its name in the entry."""

    player: int | None = None
    bet: str | None = None
    chips: int | None = None
    amount: Cents | None = None
    marked: bool | None = None
    colour: str | None = None
    number: int | None = None


class AddSpinEntry(AddEntry, frozen=True):
    """Adds an entry; each value has its name in the act."""

    player: int | None = None
    bet: str | None = None
    chips: int | None = None
    amount: Cents | None = None
    marked: bool | None = None
