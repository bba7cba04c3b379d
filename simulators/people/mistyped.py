"""An entry that somebody has mistyped: as it was entered, as it was meant, and what people say to put it right."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from controller.core.house.round_log import RoundLog
from controller.core.words import Role

_OF_ONE_HAND: Final = frozenset(("draw-card", "stand", "double-down", "split-pair", "claim-five-cards"))
"""Acts that name one of a seat's hands; the first where they name none."""


@dataclass(frozen=True, slots=True)
class Entered:
    """An act with its values, as a person types them."""

    act: str
    values: Mapping[str, str]


@dataclass(slots=True)
class Mistyped:
    """`meant` None: nothing was to be entered. `number`: in the round's list."""

    entered: Entered
    meant: Entered | None
    number: int = 0
    is_entered: bool = False  # the table has taken it
    is_noticed: bool = False
    said_by: Role = Role.DEALER  # who has noticed

    def stands_in(self, log: RoundLog) -> bool:
        """The round's list has it still, as it was entered."""
        one = log.of(self.number)
        return one is not None and one.is_correctable and one.name == self.entered.act and not one.is_corrected


def taken_back(wrong: Mistyped) -> dict[str, str]:
    """The values of the correction that leaves nothing in the entry's place."""
    return {"entry": str(wrong.number)}


def correction_of(wrong: Mistyped) -> dict[str, str]:
    """The values of the correction: those that were wrong, or another act with all that differs; none: taken back."""
    values = taken_back(wrong)
    if wrong.meant is None:
        return values
    if wrong.meant.act != wrong.entered.act:
        values["instead"] = wrong.meant.act
    is_plain = wrong.meant.act in _OF_ONE_HAND and "hand" in wrong.entered.values.keys() - wrong.meant.values.keys()
    meant = {"hand": "1"} if is_plain else {}
    meant |= wrong.meant.values
    return values | {name: text for name, text in meant.items() if wrong.entered.values.get(name) != text}
