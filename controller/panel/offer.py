"""One button: whose it is, and what becomes of its press."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum, unique
from typing import Final, TypeAlias

from controller.catalogue import has_key

Values: TypeAlias = Mapping[str, str]
Step: TypeAlias = tuple[str, Values]
"""An act and its values."""

SURE_MS: Final = 1000
VERY_SURE_MS: Final = 2000
HELD_MS: Final = {
    "confirm-mixing": SURE_MS,
    "agree-corrections": SURE_MS,
    "declare-null-spin": SURE_MS,
    "begin-unloading": VERY_SURE_MS,
    "complete-unloading": VERY_SURE_MS,
    "confirm-deck-check": VERY_SURE_MS,
}
"""So long the button of an act is held that nobody takes back."""


@unique
class Size(StrEnum):
    MAIN = "main"
    SECOND = "second"


@unique
class Lane(StrEnum):
    """A place at the bottom of the page, from the left: the fourth above the fifth, the last two above each other.

    Of acts that a fact brings one after the other, without a touch between, no two have the same one.
    """

    FIRST = "first"
    SECOND = "second"
    THIRD = "third"
    FOURTH = "fourth"
    FIFTH = "fifth"
    UPPER = "upper"
    LOWER = "lower"


@dataclass(frozen=True, slots=True)
class Offer:
    """One button. `who`: the roles that may; `asks`: the act whose values a sheet asks for; `hold`: it concerns.

    `cards`: how many it is about, where that is filled in. `known`: values that the sheet starts with, and asks for
    where they are empty, though the act can do without. `act`: whose word it bears, where the name is more than that.
    `hand`, `amount`: what it is about, as people read them; `shows`: what else the page shows of it. `is_of_another`:
    what another hand than that in turn may decide meanwhile. `about`: a sentence of the status. `takes_own_pin`:
    whoever presses gives number and PIN for it.
    """

    name: str
    who: tuple[str, ...]
    steps: tuple[Step, ...] = ()
    asks: str = ""
    size: Size = Size.MAIN
    hold_ms: int = 0
    hold: str = ""
    cards: int = 0
    known: Values = field(default_factory=dict)
    act: str = ""
    hand: str = ""
    amount: str = ""
    shows: Values = field(default_factory=dict)
    is_of_another: bool = False
    about: str = ""
    takes_own_pin: bool = False
    lane: Lane = Lane.FIRST

    @property
    def press(self) -> str:
        return f"act:{self.name}"

    @property
    def word(self) -> str:
        return word_of(self.act or self.name)


def word_of(name: str) -> str:
    """The key of what a button says: the panel's own, or the act's label."""
    own = f"panel.press.{name}"
    return own if has_key(own) else f"act.{name}.label"
