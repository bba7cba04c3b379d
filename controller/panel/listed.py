"""The order of the acts in the list "More": acts of a signed-in role first, then those nearest to a possible act."""

from collections.abc import Collection, Sequence
from typing import Final

from controller.panel.moment import Moment
from controller.protocol.lines import ActDocument

LISTS: Final = frozenset({"more", "report", "why"})
"""The names of the sheets that list acts."""


def arranged(
    acts: Sequence[ActDocument], moment: Moment | None, *, are_possible: bool, here: Collection[int] = ()
) -> tuple[ActDocument, ...]:
    """Returns the acts of `acts` that are possible now, or the impossible ones if `are_possible` is False.

    Acts of a signed-in role come first. Further acts are ordered by their distance from a possible act in `acts`, which
    has the order of a table's day. Four possible acts are left out: a decision about a hand, which has its own place
    on the page; `end-putting-back` outside the putting back of cards; a move of the last card to the place where it
    already is; and the charge of holds of which people who are signed in here, `here`, have charge already.
    """
    placed = moment.choices if moment is not None and are_possible else ()
    if moment is not None and are_possible and moment.status.round != "putting-back":
        placed = (*placed, "end-putting-back")  # the act is possible, and would change nothing
    roles = moment.roles if moment is not None else frozenset()
    open_now = [at for at, one in enumerate(acts) if one.allowed] or [0]
    if moment is not None and moment.status.holds and {one.attended_by for one in moment.status.holds} <= set(here):
        placed = (*placed, "attend-hold")
    if stays_at(acts, moment):
        placed = (*placed, MOVED)
    meant = [(at, one) for at, one in enumerate(acts) if one.allowed == are_possible and one.act not in placed]

    def first(found: tuple[int, ActDocument]) -> tuple[bool, int]:
        return not roles.intersection(found[1].who), min(abs(found[0] - at) for at in open_now)

    return tuple(one for _at, one in sorted(meant, key=first))


MOVED: Final = "move-card"


def stays_at(acts: Sequence[ActDocument], moment: Moment | None) -> str:
    """Returns the seat of the last card if the card may be moved to no other seat than this; "" otherwise. In this way
    the order of the deal can determine the card's seat.
    """
    last_at = moment.status.figures.last_at if moment is not None else ""
    seats = (one for act in acts if act.act == MOVED and act.allowed for one in act.values if one.name == "seat")
    return last_at if any({choice.value for choice in one.choices} == {last_at} for one in seats) else ""


def last_stays(stays_at: str, moment: Moment) -> bool:
    """True if the last card belongs at its present place. `stays_at`: this place when the list was opened. During the
    deal the order of the deal determines each further card's place, too.
    """
    return bool(stays_at) and (moment.status.figures.last_at == stays_at or moment.status.round == "dealing")


def reported(acts: Sequence[ActDocument]) -> tuple[ActDocument, ...]:
    """Returns the acts of `acts` that report, call or correct something, those that stay possible for most of an
    evening first. The order is fixed, so that each act keeps its place in the list.
    """
    found = [one for one in acts if one.act.startswith(_REPORTS)]
    return tuple(sorted(found, key=lambda one: _LASTING.index(one.act) if one.act in _LASTING else len(_LASTING)))


_REPORTS: Final = ("call-", "report-", "record-", "move-card", "correct-", "add-")
_LASTING: Final = ("call-for-ruling", "record-complaint", "correct-entry", "add-entry", "report-damaged-card")
