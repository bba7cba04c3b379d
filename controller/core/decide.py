"""The core's one door: an event with its time in, a decision out.

A fact is always taken. An act is allowed, or refused with the guard that failed, its clause and who may; a refusal
leaves the state as it was, the very same value.
"""

from typing import Any

from msgspec import Struct

from controller.core import acts as a
from controller.core.act_rules import rule_for
from controller.core.custody.faces import watch_faces
from controller.core.custody.opening_closing import lapse_proposal
from controller.core.custody.outage import watch_outage
from controller.core.custody.set_aside import lapse_set_aside
from controller.core.deadlines import watch_counts
from controller.core.engine.decision import Notice, Refusal
from controller.core.engine.fact import Fact
from controller.core.engine.replacing import replace
from controller.core.fact_rules import happened
from controller.core.games.blackjack.complaints import watch_complaints
from controller.core.house.act_rule import ActRule
from controller.core.house.guard import Guard
from controller.core.house.people import confirm_presence
from controller.core.house.session_table import SESSION
from controller.core.jurisdictions import clause_in
from controller.core.notices import notices_between
from controller.core.state import State
from controller.core.words import TableMs


class Decision(Struct, frozen=True, gc=False):
    """The state after an event, what people should hear, and the refusal where an act was not allowed."""

    state: State
    notices: tuple[Notice, ...] = ()
    refusal: Refusal | None = None


def decide(state: State, event: Fact | a.Act, at_ms: TableMs) -> Decision:
    """Decides one event at table time `at_ms`. Pure: the same events give the same states."""
    if isinstance(event, a.Act):
        refusal = refused(state, event)
        if refusal is not None:
            return Decision(state, refusal=refusal)
        after = _done(confirm_presence(state, event.person, at_ms), event, at_ms)
    else:
        after = happened(state, event, at_ms)
    after = watch_complaints(state, watch_faces(state, after, at_ms))
    after = watch_outage(state, lapse_set_aside(lapse_proposal(watch_counts(after, at_ms))), at_ms)
    return Decision(after, notices_between(state, after))


def refused(state: State, act: a.Act) -> Refusal | None:
    """The first reason why this act is not allowed; None where it is."""
    rule = rule_for(act)
    if act.role not in rule.named_in(state.setup):
        clause = clause_in(rule.who_clause or rule.clause, state.setup.profile)
        values = (("role", act.role.value),)
        return Refusal("role_may", clause, values, rule.who_in(state.setup))
    return first_failed(state, act, rule)


def first_failed(state: State, act: a.Act | None, rule: ActRule[Any]) -> Refusal | None:
    """What the first guard of the row that does not hold says."""
    guard = failed_guard(state, act, rule)
    if guard is None:
        return None
    return Refusal(guard.name, guard.cited(state), guard.says(state, act), rule.who_in(state.setup))


def failed_guard(state: State, act: a.Act | None, rule: ActRule[Any]) -> Guard | None:
    """The first guard of the row that does not hold; guards about the act's values are passed over without an act."""
    for guard in rule.all_guards():
        if (act is not None or not guard.needs_act) and not guard.holds(state, act):
            return guard
    return None


def _done(state: State, act: a.Act, at_ms: TableMs) -> State:
    """Session and round move by the triggers of the act's row, its effect changes the rest."""
    rule = rule_for(act)
    if rule.instead is not None and (held := rule.instead(state, act, at_ms)) is not None:
        return held
    session = SESSION.target(state.house.session, rule.session) if rule.session else None
    round_ = state.game.MACHINE.target(state.game.phase, rule.round) if rule.round else None
    if session or round_:
        state = replace(
            state,
            house=replace(state.house, session=session or state.house.session),
            game=replace(state.game, phase=round_ or state.game.phase),
        )
    return rule.effect(state, act, at_ms)
