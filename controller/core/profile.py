"""The figures of each profile that can be run: value, unit and the clauses behind it, one row each.

`meaning` is a message key; the catalogue has the words. [R] in a comment: the text leaves it open and the value is
the recommended resolution.
"""

from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Final

from controller.core.setup import Parameters


@unique
class Unit(StrEnum):
    PACKETS = "packets"
    LOADINGS = "loadings"
    CARDS = "cards"
    MILLISECONDS = "ms"


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a profile. `clauses` is empty where the figure is an engineering choice and no law's."""

    name: str
    value: int
    unit: Unit
    clauses: tuple[str, ...]

    @property
    def meaning(self) -> str:
        """The message key of what this figure means."""
        return "figure." + self.name.replace("_", "-")


PT_CSM: Final = (
    Figure("min_packets", 2, Unit.PACKETS, ("pt.bj.54b",)),
    Figure("loads_per_session", 1, Unit.LOADINGS, ("pt.bj.54c",)),
    Figure("burn_cards", 1, Unit.CARDS, ("pt.bj.10",)),
    Figure("presence_timeout_ms", 180_000, Unit.MILLISECONDS, ("pt.bj.54d",)),  # [R] "always present": continuous
    Figure("join_ms", 2_000, Unit.MILLISECONDS, ("pt.bj.17a",)),  # cards pass one at a time, in order
    Figure("difference_ms", 2_000, Unit.MILLISECONDS, ()),
    Figure("devices_due_ms", 5_000, Unit.MILLISECONDS, ()),
    Figure("reserve_cards_per_hand", 6, Unit.CARDS, ("pt.bj.60a",)),  # [R] the floor of cards inside is not stated
)

FIGURES: Final[dict[str, tuple[Figure, ...]]] = {"pt-csm": PT_CSM}
"""The profiles that can be run."""


def parameters(profile: str) -> Parameters:
    """The figures of `profile` as the core uses them. Raises KeyError for a profile that cannot be run."""
    return Parameters(**{figure.name: figure.value for figure in FIGURES[profile]})
