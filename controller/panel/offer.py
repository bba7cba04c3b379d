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


@unique
class Size(StrEnum):
    MAIN = "main"
    SECOND = "second"


@dataclass(frozen=True, slots=True)
class Offer:
    """One button. `who`: the roles that may; `asks`: the act whose values a sheet asks for; `hold`: it concerns.

    `cards`: how many it is about, where that is filled in. `known`: values that the sheet starts with, and asks for
    where they are empty, though the act can do without. `act`: whose word it bears, where the name is more than that.
    `hand`, `amount`: what it is about, as people read them. `is_of_another`: what another hand than that in turn may
    decide meanwhile. `about`: a sentence of the status. `takes_own_pin`: whoever presses gives number and PIN for it.
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
    is_of_another: bool = False
    about: str = ""
    takes_own_pin: bool = False

    @property
    def press(self) -> str:
        return f"act:{self.name}"

    @property
    def word(self) -> str:
        """The key of what it says: the panel's own, or the act's label."""
        name = self.act or self.name
        own = f"panel.press.{name}"
        return own if has_key(own) else f"act.{name}.label"
