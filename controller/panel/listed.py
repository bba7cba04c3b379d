"""The order of the acts behind "More": acts of a role that is signed in come first, then those nearest in the day."""

from collections.abc import Sequence
from typing import Final

from controller.panel.moment import Moment
from controller.protocol.lines import ActDocument

LISTS: Final = frozenset({"more", "report", "why"})
"""The names of the sheets that list acts."""


def arranged(acts: Sequence[ActDocument], moment: Moment | None, *, are_possible: bool) -> tuple[ActDocument, ...]:
    """The possible acts, or with `are_possible` False the impossible acts; acts of a role that is signed in come first.

    `acts` come in the order of a table's day, and acts near a possible act come before distant ones. Possible decisions
    about a hand are left out, since these have their place on the page; so are the end of putting back outside that
    step, and the move of a card to the place where the record has it.
    """
    placed = moment.choices if moment is not None and are_possible else ()
    if moment is not None and are_possible and moment.status.round != "putting-back":
        placed = (*placed, "end-putting-back")  # the act is possible, and would change nothing
    roles = moment.roles if moment is not None else frozenset()
    open_now = [at for at, one in enumerate(acts) if one.allowed] or [0]
    if stays_at(acts, moment):
        placed = (*placed, MOVED)
    meant = [(at, one) for at, one in enumerate(acts) if one.allowed == are_possible and one.act not in placed]

    def first(found: tuple[int, ActDocument]) -> tuple[bool, int]:
        return not roles.intersection(found[1].who), min(abs(found[0] - at) for at in open_now)

    return tuple(one for _at, one in sorted(meant, key=first))


MOVED: Final = "move-card"


def stays_at(acts: Sequence[ActDocument], moment: Moment | None) -> str:
    """The place of the last card where it can only be moved to this place, the seat that the deal's order gave it.

    "" without such a card.
    """
    last_at = moment.status.figures.last_at if moment is not None else ""
    seats = (one for act in acts if act.act == MOVED and act.allowed for one in act.values if one.name == "seat")
    return last_at if any({choice.value for choice in one.choices} == {last_at} for one in seats) else ""


def reported(acts: Sequence[ActDocument]) -> tuple[ActDocument, ...]:
    """The acts that report, call or correct something; first those possible for most of an evening, in fixed places."""
    found = [one for one in acts if one.act.startswith(_REPORTS)]
    return tuple(sorted(found, key=lambda one: _LASTING.index(one.act) if one.act in _LASTING else len(_LASTING)))


_REPORTS: Final = ("call-", "report-", "record-", "move-card", "correct-", "add-")
_LASTING: Final = ("call-for-ruling", "record-complaint", "correct-entry", "add-entry", "report-damaged-card")
