"""The ways in which each act can be undone, or the reason why it cannot.

Each act's row names one answer (`undone`). A person who works with a finger errs; so "never" takes a reason that people
at the table accept: a card that nobody can put back unseen, a decision that is somebody's to make, an end.
"""

from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Final


@unique
class Way(StrEnum):
    """The ways in which an act is undone."""

    ENTRY = "entry"  # two people correct the entry in the round's log (correct_entry.py)
    ACT = "act"  # another act undoes it
    AGAIN = "again"  # the same act with other values stands in its place
    NEVER = "never"


@unique
class Never(StrEnum):
    """Reasons why nothing undoes an act."""

    SEEN = "seen"  # a card lies open: a person's decision alone changes what follows from it
    MIXED = "mixed"  # the cards were mixed or taken away: nobody can see again how they lay
    SAID = "said"  # a person's word about a moment that has passed: another word is recorded beside it
    DECIDED = "decided"  # the law says the decider: a complaint is the way
    AGREED = "agreed"  # two people have agreed to it, and money has moved: a complaint is the way
    ENDED = "ended"  # a round, a session or a deck set has ended with it


@dataclass(frozen=True, slots=True)
class Undone:
    """One act's answer. `by`: the acts that undo it, of which each table has those of its game."""

    way: Way
    by: tuple[str, ...] = ()
    reason: Never | None = None


BY_ENTRY: Final = Undone(Way.ENTRY)
AGAIN: Final = Undone(Way.AGAIN)


def by(*acts: str) -> Undone:
    """Another act undoes it."""
    return Undone(Way.ACT, acts)


def never(reason: Never) -> Undone:
    """Nothing does."""
    return Undone(Way.NEVER, reason=reason)
