"""Rows with one thing removed or the wrong way round: each act's roles, guards, steps and permission, each transition,
each hold's evidence; a hold that forbids one thing less, or one more.

`mutants` gives every one with the clauses behind it; a mutant is applied for the time of a `with`.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import Final

from controller.config.profile import PROFILES
from controller.core import hold_table, permitted
from controller.core import rules as act_rules
from controller.core.guards import holds as guards_holds
from controller.core.guards.guard import Guard
from controller.core.guards.holds import EVIDENCE_GUARDS
from controller.core.hold_table import HOLD_RULES, Evidence, HoldRule
from controller.core.jurisdictions import clause_in
from controller.core.machine import ProcedureMachine, Row
from controller.core.round_table import ROUND, RoundTrigger
from controller.core.rules import ACT_RULES, NAMES, ActRule
from controller.core.session_table import SESSION, SessionTrigger
from controller.core.state import Hold, State
from controller.core.words import HoldKind, HoldPhase, Permission, Role, RoundPhase, SessionPhase


@dataclass(frozen=True, slots=True)
class Mutant:
    """One row that is not as it should be; one of `clauses` must be named by a test that then fails.

    `about` are words of the tests that are likely to (acts, kinds of holds): they are tried first.
    """

    name: str
    clauses: frozenset[str]
    applied: Callable[[], AbstractContextManager[None]]
    about: frozenset[str] = frozenset()


_EVIDENCE_CLAUSES: Final = {guard.name: guard.clause for guard in EVIDENCE_GUARDS}
_BY_FACTS: Final = {
    SessionTrigger.BURN_DRAWN: "pt.bj.10",
    SessionTrigger.BURN_MISSED: "mo.4.1",
    SessionTrigger.DECK_REPLACED: "pt.bj.5b",
    RoundTrigger.DEAL_COMPLETED: "pt.bj.17a",
    RoundTrigger.DEAL_RESUMED: "pt.bj.17c",
    RoundTrigger.CANCELLED: "mo.5.1.2b",
    RoundTrigger.VOIDED: "pt.bj.55b",
}
"""Transitions that no act's row fires."""


def mutants() -> Iterator[Mutant]:
    for rule in ACT_RULES:
        for what, clauses, changed in _of_rule(rule):
            yield Mutant(f"{NAMES[rule.act]}: {what}", clauses, _act(rule, changed), frozenset({NAMES[rule.act]}))
    for machine in (SESSION, ROUND):
        for row in machine.rows:
            if row.target is not row.source:
                name = f"{machine.name}: {row.trigger} from {row.source}"
                yield Mutant(name, _fired_by(row.trigger), _row(machine, row), _acts_that_fire(row.trigger))
    for hold in HOLD_RULES:
        about = frozenset({hold.kind.value})
        for what, clause, less in _of_hold(hold):
            yield Mutant(f"hold {hold.kind}: {what}", _everywhere(clause), _hold(hold, less), about)
        for phase, evidence in _asked(hold):
            name = f"hold {hold.kind}: inverted {phase} {evidence}"
            yield Mutant(name, _everywhere(_EVIDENCE_CLAUSES[evidence]), _inverted(hold.kind, phase, evidence), about)


def _everywhere(clause: str) -> frozenset[str]:
    """What a row's clause is called in each profile."""
    return frozenset(clause_in(clause, profile) for profile in PROFILES)


def _of_guard(guard: Guard) -> frozenset[str]:
    return frozenset(guard.clause_in(profile) for profile in PROFILES)


def _of_rule(rule: ActRule) -> Iterator[tuple[str, frozenset[str], ActRule]]:
    clauses = _everywhere(rule.clause)
    if rule.who != tuple(Role):
        yield "role", clauses, replace(rule, who=tuple(Role))
        yield "role inverted", clauses, replace(rule, who=tuple(role for role in Role if role not in rule.who))
    for guard in (*rule.guards, *rule.devices, *rule.last):
        if guard not in EVIDENCE_GUARDS:
            yield guard.name, _of_guard(guard), _with_guard(rule, guard, ())
            yield f"{guard.name} inverted", _of_guard(guard), _with_guard(rule, guard, (_not(guard),))
    if rule.in_session:
        yield "in_session", clauses, replace(rule, in_session=())
        others = tuple(phase for phase in SessionPhase if phase not in rule.in_session)
        yield "in_session inverted", clauses, replace(rule, in_session=others)
    if rule.in_round:
        yield "in_round", clauses, replace(rule, in_round=())
        elsewhere = tuple(phase for phase in RoundPhase if phase not in rule.in_round)
        yield "in_round inverted", clauses, replace(rule, in_round=elsewhere)
    if rule.needs:
        forbid = (hold.clause for hold in HOLD_RULES if rule.needs in hold.forbids)
        yield "needs", frozenset().union(*map(_everywhere, forbid)), replace(rule, needs=None)


def _with_guard(rule: ActRule, guard: Guard, instead: tuple[Guard, ...]) -> ActRule:
    def changed(guards: tuple[Guard, ...]) -> tuple[Guard, ...]:
        return tuple(new for one in guards for new in (instead if one is guard else (one,)))

    lists = {"guards": rule.guards, "devices": rule.devices, "last": rule.last}
    return replace(rule, **{name: changed(guards) for name, guards in lists.items()})


def _not(guard: Guard) -> Guard:
    return replace(guard, holds=lambda state, act: not guard.holds(state, act))


def _of_hold(rule: HoldRule) -> Iterator[tuple[str, str, HoldRule]]:
    for permission in rule.forbids:
        yield (
            f"forbids {permission}",
            rule.clause,
            replace(rule, forbids=tuple(one for one in rule.forbids if one is not permission)),
        )
    for permission in Permission:
        if permission not in rule.forbids:
            yield f"forbids {permission}, too", rule.clause, replace(rule, forbids=(*rule.forbids, permission))
    for evidence in rule.to_clear:
        less = tuple(one for one in rule.to_clear if one is not evidence)
        yield f"to_clear {evidence}", _EVIDENCE_CLAUSES[evidence], replace(rule, to_clear=less)
    for evidence in rule.to_confirm:
        less = tuple(one for one in rule.to_confirm if one is not evidence)
        yield f"to_confirm {evidence}", _EVIDENCE_CLAUSES[evidence], replace(rule, to_confirm=less)


def _asked(rule: HoldRule) -> Iterator[tuple[HoldPhase, Evidence]]:
    yield from ((HoldPhase.ATTENDED, evidence) for evidence in rule.to_clear)
    yield from ((HoldPhase.CLEARED, evidence) for evidence in rule.to_confirm)


def _inverted(kind: HoldKind, phase: HoldPhase, evidence: Evidence) -> Callable[[], AbstractContextManager[None]]:
    """This kind of hold goes on from this phase only without what it should ask for."""

    def answered(asked: Evidence, state: State, hold: Hold) -> bool:
        found = _TRUE_EVIDENCE(asked, state, hold)
        return not found if (hold.kind, hold.phase, asked) == (kind, phase, evidence) else found

    @contextmanager
    def applied() -> Iterator[None]:
        guards_holds._evidence = answered
        try:
            yield
        finally:
            guards_holds._evidence = _TRUE_EVIDENCE

    return applied


_TRUE_EVIDENCE: Final = guards_holds._evidence


def _acts_that_fire(trigger: object) -> frozenset[str]:
    return frozenset(NAMES[rule.act] for rule in ACT_RULES if trigger in {rule.session, rule.round})


def _fired_by(trigger: object) -> frozenset[str]:
    named = [rule.clause for rule in ACT_RULES if trigger in {rule.session, rule.round}]
    named += [clause for fact, clause in _BY_FACTS.items() if fact is trigger]
    return frozenset(one for clause in named for one in _everywhere(clause))


def _act(rule: ActRule, changed: ActRule) -> Callable[[], AbstractContextManager[None]]:
    @contextmanager
    def applied() -> Iterator[None]:
        for table in (act_rules._BY_ACT, permitted._RULES):
            table[rule.act] = changed
        try:
            yield
        finally:
            for table in (act_rules._BY_ACT, permitted._RULES):
                table[rule.act] = rule

    return applied


def _row(machine: object, row: object) -> Callable[[], AbstractContextManager[None]]:
    assert isinstance(machine, ProcedureMachine)
    assert isinstance(row, Row)

    @contextmanager
    def applied() -> Iterator[None]:
        rows, target = machine.rows, machine.target
        machine.rows = tuple(one for one in rows if one is not row)
        vars(machine)["target"] = lambda source, trigger: (
            None if (source, trigger) == (row.source, row.trigger) else target(source, trigger)
        )
        try:
            yield
        finally:
            machine.rows = rows
            del vars(machine)["target"]

    return applied


def _hold(rule: HoldRule, less: HoldRule) -> Callable[[], AbstractContextManager[None]]:
    @contextmanager
    def applied() -> Iterator[None]:
        hold_table.HOLD_RULES = tuple(less if one is rule else one for one in HOLD_RULES)
        try:
            yield
        finally:
            hold_table.HOLD_RULES = HOLD_RULES

    return applied
