"""The ways in which each act can be undone, or the reason why it is final. Each act's row names one answer (`undone`).

People err at a screen. So an act is final only for a reason that people at the table accept: a card cannot be put back
unseen, one person has to make the decision, or the act is an end.
"""

from enum import StrEnum, unique
from typing import Final

from msgspec import Struct


@unique
class Way(StrEnum):
    """The ways in which an act is undone."""

    ENTRY = "entry"  # two people correct the entry in the round's log (correct_entry.py)
    ACT = "act"  # another act undoes it
    AGAIN = "again"  # the same act with other values replaces it
    NEVER = "never"


@unique
class Never(StrEnum):
    """Reasons why an act is final."""

    SEEN = "seen"  # a card lies open: only a person's decision changes the consequences
    MIXED = "mixed"  # the cards were mixed or taken away: their places cannot be seen again
    SAID = "said"  # a person's word about a past moment: a new word is recorded beside it
    DECIDED = "decided"  # the law names the person who decides: the way is a complaint
    AGREED = "agreed"  # two people have agreed to it, and money has moved: the way is a complaint
    ENDED = "ended"  # a round, a session or a deck set has ended with the act


class Undone(Struct, frozen=True, gc=False):
    """The way in which an act is undone. `by`: the acts that undo it in any game; a table may lack some of them."""

    way: Way
    by: tuple[str, ...] = ()
    reason: Never | None = None


BY_ENTRY: Final = Undone(Way.ENTRY)
AGAIN: Final = Undone(Way.AGAIN)


def by(*acts: str) -> Undone:
    """The value of `undone` for the row of an act that can be undone by any of these acts."""
    return Undone(Way.ACT, acts)


def never(reason: Never) -> Undone:
    """The value of `undone` for the row of an act that is final for this reason."""
    return Undone(Way.NEVER, reason=reason)
