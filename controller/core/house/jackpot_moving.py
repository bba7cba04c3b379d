"""A pool goes on at another computer: exported by two people at the one, taken over by two at the other.

Both say the same, each with his own PIN; the second completes it. From then on the pool is not at the first any more.
The second takes an export that names it, once, and plays by the same parameters (pt.bj.40).
"""

from typing import Any, Final, TypeAlias

from controller.core.engine.act import Act
from controller.core.engine.decision import Values
from controller.core.engine.replacing import replace
from controller.core.house.jackpot_acts import (
    CHIEF_OR_MANAGER,
    JACKPOT_IS_CONFIGURED,
    JACKPOT_IS_SURE,
    TABLE_IS_CLOSED,
)
from controller.core.house.pool import taken_over
from controller.core.house.pool_export import export_of, is_a_computer, parameters_name, read_export, written
from controller.core.house.rule import FINAL_MS, ActGuard, ActRule, Guard
from controller.core.house.state import State, StateT, with_house
from controller.core.words import Person, SessionPhase, TableMs


class ExportJackpot(Act, frozen=True):
    """The pool goes to this computer."""

    computer: str


class TakeOverJackpot(Act, frozen=True):
    """The pool of this export goes on here."""

    export: str


OfMoving: TypeAlias = ExportJackpot | TakeOverJackpot


def _asked(act: OfMoving) -> str:
    return act.computer if isinstance(act, ExportJackpot) else act.export


def _is_anothers(state: State, act: OfMoving) -> bool:
    """Of two people: who has asked for this already does not complete it."""
    handover = state.house.handover
    return handover.asked != _asked(act) or handover.asked_by != act.person


TWO_PEOPLE_MOVE_IT = ActGuard[State, OfMoving]("two_people_move_it", _is_anothers)
POOL_IS_HERE = Guard[State](
    "pool_is_here",
    lambda state: state.house.pool is not None,
    lambda state: (("export", state.house.handover.export or "-"),),
)
NO_POOL_IS_HERE = Guard[State]("no_pool_is_here", lambda state: state.house.pool is None)
ANOTHER_COMPUTER_IS_NAMED = ActGuard[State, ExportJackpot](
    "another_computer_is_named",
    lambda state, act: is_a_computer(act.computer) and act.computer != state.house.handover.computer,
)
EXPORT_IS_WHOLE = ActGuard[State, TakeOverJackpot](
    "export_is_whole", lambda _state, act: read_export(act.export) is not None
)


def _is_for_this(state: State, act: TakeOverJackpot) -> bool:
    export = read_export(act.export)
    return export is not None and export.target == state.house.handover.computer


def _says_computer(state: State, _act: Act | None) -> Values:
    return (("computer", state.house.handover.computer),)


EXPORT_NAMES_THIS_COMPUTER = ActGuard[State, TakeOverJackpot](
    "export_names_this_computer", _is_for_this, _says_computer
)


def _is_news(state: State, act: TakeOverJackpot) -> bool:
    export = read_export(act.export)
    return export is not None and export.name not in state.house.handover.taken


EXPORT_IS_TAKEN_ONCE = ActGuard[State, TakeOverJackpot]("export_is_taken_once", _is_news)


def _are_the_same(state: State, act: TakeOverJackpot) -> bool:
    export, rules = read_export(act.export), state.setup.jackpot
    return export is not None and rules is not None and export.rules == parameters_name(rules)


PARAMETERS_ARE_THE_POOLS = ActGuard[State, TakeOverJackpot]("parameters_are_the_pools", _are_the_same)


def export_jackpot(state: StateT, act: ExportJackpot, _at_ms: TableMs) -> StateT:
    pool, handover = state.house.pool, state.house.handover
    if pool is None or handover.asked != act.computer:
        return _asked_first(state, act.person, act.computer)
    text = written(export_of(pool, handover, act.computer))
    handover = replace(handover, asked="", asked_by=None, exports=handover.exports + 1, export=text)
    return with_house(state, pool=None, handover=handover)


def take_over_jackpot(state: StateT, act: TakeOverJackpot, _at_ms: TableMs) -> StateT:
    export, rules, handover = read_export(act.export), state.setup.jackpot, state.house.handover
    if export is None or rules is None or handover.asked != act.export:
        return _asked_first(state, act.person, act.export)
    pool = taken_over(rules, export.levels, export.meters, export.name)
    handover = replace(handover, asked="", asked_by=None, taken=(*handover.taken, export.name))
    return with_house(state, pool=pool, handover=handover)


def _asked_first(state: StateT, person: Person | None, what: str) -> StateT:
    return with_house(state, handover=replace(state.house.handover, asked=what, asked_by=person))


def lapse_moving(before: StateT, after: StateT, _at_ms: TableMs) -> StateT:
    """What one of two has asked for is over with the next session."""
    is_opened = before.house.session is SessionPhase.CLOSED is not after.house.session
    return _asked_first(after, None, "") if is_opened and after.house.handover.asked else after


JACKPOT_MOVING_RULES: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "export-jackpot",
        ExportJackpot,
        CHIEF_OR_MANAGER,
        export_jackpot,
        (
            JACKPOT_IS_CONFIGURED,
            TABLE_IS_CLOSED,
            POOL_IS_HERE,
            JACKPOT_IS_SURE,
            ANOTHER_COMPUTER_IS_NAMED,
            TWO_PEOPLE_MOVE_IT,
        ),
        hold_ms=FINAL_MS,
        own_pin=True,
    ),
    ActRule(
        "take-over-jackpot",
        TakeOverJackpot,
        CHIEF_OR_MANAGER,
        take_over_jackpot,
        (
            JACKPOT_IS_CONFIGURED,
            TABLE_IS_CLOSED,
            EXPORT_IS_WHOLE,
            EXPORT_NAMES_THIS_COMPUTER,
            EXPORT_IS_TAKEN_ONCE,
            NO_POOL_IS_HERE,
            PARAMETERS_ARE_THE_POOLS,
            TWO_PEOPLE_MOVE_IT,
        ),
        hold_ms=FINAL_MS,
        own_pin=True,
    ),
)
