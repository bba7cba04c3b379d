"""The values by which two people may correct an entry of a spin."""

from controller.core.house.correcting import AddEntry, CorrectEntry
from controller.core.words import Cents


class CorrectSpinEntry(CorrectEntry, frozen=True):
    """Two people correct an entry of a spin; each value given replaces the entry's value of the same name."""

    player: int | None = None
    bet: str | None = None
    chips: int | None = None
    amount: Cents | None = None
    marked: bool | None = None
    colour: str | None = None
    number: int | None = None


class AddSpinEntry(AddEntry, frozen=True):
    """Two people add an entry to a spin; each value given is that of the added act under the same name."""

    player: int | None = None
    bet: str | None = None
    chips: int | None = None
    amount: Cents | None = None
    marked: bool | None = None
