"""The other ways to correct an entry, for people whose correction was refused for a later entry that depends on it. A
way is offered if a trial shows that it helps.
"""

from enum import StrEnum, unique
from typing import Any, Final

from controller.core.engine.act import Act
from controller.core.engine.decision import Values
from controller.core.engine.replacing import replace
from controller.core.house.correcting import AddEntry, Unfit, put_right
from controller.core.house.registry import Registry
from controller.core.house.round_log import RoundLog
from controller.core.house.state import State
from controller.core.house.worked_out import Hangs, again_by
from controller.core.words import Role, RoundPhase


@unique
class WayOut(StrEnum):
    """A way that people have after a refused correction. The catalogue has its sentence under `way`."""

    EITHER = "either"  # the later entry is put right first, or taken back together with this one
    ALSO = "also"  # later entries are taken back together with this one
    FIRST = "first"  # the later entry is put right first
    RULING = "ruling"
    COMPLAINT = "complaint"  # the round is settled, so that a ruling changes nothing
    CLAIM = "claim"  # the same at a wheel


MOST_TOGETHER: Final = 8
"""The most later entries that a way names; more of them no person follows."""


def by_people(state: State) -> WayOut:
    """The way that is left if no correction helps: a claim at a table without cards, a ruling while a round is dealt or
    played, else a complaint.
    """
    if state.custody is None:
        return WayOut.CLAIM
    return WayOut.RULING if state.game.phase in {RoundPhase.DEALING, RoundPhase.PLAYING} else WayOut.COMPLAINT


def ways_out(registry: Registry[Any], state: State, act: Act, found: Hangs) -> Values:
    """The values `way` and `also` of a refusal by the obstacle `found`: the way out, and the entries that it names."""
    together = _together(registry, state, act, found)
    alone = bool(together) and _goes_alone(registry, state, found.later)
    also = ", ".join(map(str, together))
    if together and not isinstance(act, AddEntry):
        return ("way", (WayOut.EITHER if alone else WayOut.ALSO).value), ("also", also)
    return ("way", (WayOut.FIRST if alone else by_people(state)).value), ("also", also or "-")


def _together(registry: Registry[Any], state: State, act: Act, found: Hangs) -> tuple[int, ...]:
    """The later entries to take back together, so that the correction is possible. Empty if that does not help."""
    try:
        log, meant = put_right(registry, state, act)
    except Unfit:
        return ()
    back: tuple[int, ...] = ()
    again: object = found
    while isinstance(again, Hangs) and len(back) < MOST_TOGETHER:
        if again.is_of_cards or again.later in meant or not _is_correctable(log, again.later):
            return ()
        back = (*back, again.later)
        log = _without(log, again.later)
        again = again_by(registry, state, log, meant | frozenset(back), moves_wins=act.role is Role.ROOM_MANAGER)
    return () if isinstance(again, Hangs) else tuple(sorted(back))


def _is_correctable(log: RoundLog, number: int) -> bool:
    one = log.of(number)
    return one is not None and one.is_correctable and not one.is_back


def _without(log: RoundLog, number: int) -> RoundLog:
    """The log in which the entry of this number is taken back."""
    events = (replace(one, is_back=True) if one.number == number else one for one in log.events)
    return replace(log, events=tuple(events))


def _goes_alone(registry: Registry[Any], state: State, number: int) -> bool:
    """True if the entry of this number can be taken back without any other entry."""
    return not isinstance(again_by(registry, state, _without(state.log, number), frozenset((number,))), Hangs)
