"""What may be done now, by whom, and why the rest may not: read off the table's rows.

An act on a hold is asked of each standing hold, so that "confirm" is not offered before anything is cleared.
"""

from collections.abc import Iterator
from typing import Any

from controller.core import acts as a
from controller.core.engine.decision import Permitted, Refusal
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.act_rule import ActRule
from controller.core.house.deciding import failed_guard, first_failed
from controller.core.table import TABLE
from controller.core.words import Person, Role

_NOBODY = Person(0)
_HOLD_ACTS = (a.AttendHold, a.CallTechnician, a.AttestRepair, a.ClearHold, a.ConfirmHold)


def permitted(state: BlackjackState) -> tuple[Permitted, ...]:
    """Every act in table order; without a refusal it may be asked for now (its values are checked when it is)."""
    return tuple(_permitted(state, rule) for rule in TABLE.by_act.values())


def offered(state: BlackjackState) -> Iterator[tuple[str, tuple[Role, ...]]]:
    """The acts of `permitted` that may be asked for now, and by whom, without the words of the others' refusals."""
    return ((rule.name, rule.who_in(state.setup)) for rule in TABLE.by_act.values() if is_permitted(state, rule.act))


def permitted_act(state: BlackjackState, act: type[a.Act]) -> Permitted:
    """One act of `permitted`."""
    return _permitted(state, TABLE.by_act[act])


def who_may_ask(state: BlackjackState, act: type[a.Act]) -> tuple[Role, ...]:
    """The posts that may ask for the act now: `permitted_act`, without the words of a refusal."""
    return TABLE.by_act[act].who_in(state.setup) if is_permitted(state, act) else ()


def is_permitted(state: BlackjackState, act: type[a.Act]) -> bool:
    """Whether anybody may ask for the act now."""
    rule = TABLE.by_act[act]
    if act in _HOLD_ACTS and state.house.holds:
        return _refusal(state, rule) is None
    return failed_guard(state, None, rule) is None


def _permitted(state: BlackjackState, rule: ActRule[BlackjackState, Any]) -> Permitted:
    return Permitted(rule.name, rule.who_in(state.setup), _refusal(state, rule))


def _refusal(state: BlackjackState, rule: ActRule[BlackjackState, Any]) -> Refusal | None:
    for kind in _HOLD_ACTS:
        if rule.act is kind and state.house.holds:
            return _of_holds(state, rule, kind)
    return first_failed(state, None, rule)


def _of_holds(
    state: BlackjackState,
    rule: ActRule[BlackjackState, Any],
    kind: type[a.AttendHold] | type[a.CallTechnician] | type[a.AttestRepair] | type[a.ClearHold] | type[a.ConfirmHold],
) -> Refusal | None:
    """None where at least one hold may be moved so by at least one role."""
    probes = [kind(_NOBODY, role, hold.id) for hold in state.house.holds for role in rule.who_in(state.setup)]
    refusals = [first_failed(state, probe, rule) for probe in probes]
    return None if None in refusals else refusals[0]
