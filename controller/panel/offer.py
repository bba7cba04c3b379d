"""One button: the roles that may press it, and the acts that a press asks for."""

from collections.abc import Mapping
from enum import StrEnum, unique
from typing import Final, TypeAlias

from msgspec import Struct, field

from controller.catalogue import has_key

Values: TypeAlias = Mapping[str, str]
Step: TypeAlias = tuple[str, Values]
"""An act and its values."""

THEN_ASKS: Final = {"open-session": "number-deck-set"}
"""The acts after which the form of another act opens by itself, until a person has done that act."""

CORRECTED: Final = "agree-corrections"
"""The act by which a second person agrees with the corrections of a round."""

SURE_MS: Final = 1000
VERY_SURE_MS: Final = 2000
HELD_MS: Final = {
    "confirm-mixing": SURE_MS,
    "gather-cards": SURE_MS,
    "spread-cards": SURE_MS,
    CORRECTED: SURE_MS,
    "declare-null-spin": SURE_MS,
    "begin-unloading": VERY_SURE_MS,
    "complete-unloading": VERY_SURE_MS,
    "confirm-deck-check": VERY_SURE_MS,
}
"""The milliseconds for which the button of an act that cannot be taken back must be held."""


@unique
class Size(StrEnum):
    MAIN = "main"
    SECOND = "second"


@unique
class Lane(StrEnum):
    """A place for buttons at the bottom of the page.

    The places FIRST, SECOND and THIRD go from left to right. THIRD may be divided, with TURN above END. Right of it
    FOURTH is above FIFTH. AGREE is left of SIDE, below the lists of acts. On a hold's page UPPER is above LOWER. Two
    acts never share a place if one can follow the other without a touch between them.
    """

    FIRST = "first"
    SECOND = "second"
    THIRD = "third"
    TURN = "turn"
    END = "end"
    FOURTH = "fourth"
    FIFTH = "fifth"
    AGREE = "agree"
    SIDE = "side"
    UPPER = "upper"
    LOWER = "lower"


class Offer(Struct, frozen=True, gc=False):
    """One button of the page, with the acts that a press asks for. `who`: the roles that may press it. `steps`: the
    acts that the press asks for at once. `asks`: the act whose values a sheet asks for. `hold_ms`: the milliseconds for
    which the button must be held, 0 for a tap. `hold`: the id of the hold that it is about. `cards`: the number of
    cards in its text, 0 for no number.

    `known`: values that the sheet starts with; the sheet asks for the empty ones, even if the act can do without them.
    `act`: the act that gives the button its label; "" if `name` gives it. `hand`, `amount`: the hand and the amount in
    its text. `shows`: further values that the page shows with it. `about`: a sentence from the status. `takes_own_pin`:
    True if the person gives number and PIN for this press alone.
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
    """Returns the key of a button's label: the panel's own text if there is one, otherwise the label of the act."""
    own = f"panel.press.{name}"
    return own if has_key(own) else f"act.{name}.label"
