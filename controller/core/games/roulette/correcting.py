"""The values that two people may correct in an entry of a spin."""

from controller.core.house.correcting import AddEntry, CorrectEntry
from controller.core.words import Cents


class CorrectSpinEntry(CorrectEntry, frozen=True):
    """Two people correct an entry of a spin. Each given value replaces the entry's value of the same name."""

    player: int | None = None
    bet: str | None = None
    chips: int | None = None
    amount: Cents | None = None
    marked: bool | None = None
    colour: str | None = None
    number: int | None = None


class AddSpinEntry(AddEntry, frozen=True):
    """Two people add an act to a spin. Each given value is a value of the added act."""

    player: int | None = None
    bet: str | None = None
    chips: int | None = None
    amount: Cents | None = None
    marked: bool | None = None
