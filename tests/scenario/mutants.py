"""Rows with one thing removed: each act's role, guards, steps and permission, each transition, each hold's evidence.

`mutants` gives every one with the clauses behind it; a mutant is applied for the time of a `with`.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import Final

from controller.config.profile import PROFILES
from controller.core import act_rules, hold_table, permitted
from controller.core.act_rules import ACT_RULES, ActRule
from controller.core.acts import NAMES
from controller.core.guard import Guard
from controller.core.guards_holds import EVIDENCE_GUARDS
from controller.core.hold_table import HOLD_RULES, HoldRule
from controller.core.jurisdictions import clause_in
from controller.core.machine import ProcedureMachine, Row
from controller.core.round_table import ROUND, RoundTrigger
from controller.core.session_table import SESSION, SessionTrigger
from controller.core.words import Role


@dataclass(frozen=True, slots=True)
class Mutant:
    """One row less than there should be; one of `clauses` must be named by a test that then fails."""

    name: str
    clauses: frozenset[str]
    applied: Callable[[], AbstractContextManager[None]]


_EVIDENCE_CLAUSES: Final = {guard.name: guard.clause for guard in EVIDENCE_GUARDS}
_BY_FACTS: Final = {
    SessionTrigger.BURN_DRAWN: "pt.bj.10",
    RoundTrigger.DEAL_COMPLETED: "pt.bj.17a",
    RoundTrigger.DEAL_RESUMED: "pt.bj.17c",
    RoundTrigger.CANCELLED: "mo.5.1.2b",
    RoundTrigger.VOIDED: "pt.bj.55b",
}
"""Transitions that no act's row fires."""


def mutants() -> Iterator[Mutant]:
    for rule in ACT_RULES:
        for what, clauses, changed in _of_rule(rule):
            yield Mutant(f"{NAMES[rule.act]}: {what}", clauses, _act(rule, changed))
    for machine in (SESSION, ROUND):
        for row in machine.rows:
            if row.target is not row.source:
                name = f"{machine.name}: {row.trigger} from {row.source}"
                yield Mutant(name, _fired_by(row.trigger), _row(machine, row))
    for hold in HOLD_RULES:
        for what, clause, less in _of_hold(hold):
            yield Mutant(f"hold {hold.kind}: {what}", _everywhere(clause), _hold(hold, less))


def _everywhere(clause: str) -> frozenset[str]:
    """What a row's clause is called in each profile."""
    return frozenset(clause_in(clause, profile) for profile in PROFILES)


def _of_guard(guard: Guard) -> frozenset[str]:
    return frozenset(guard.clause_in(profile) for profile in PROFILES)


def _of_rule(rule: ActRule) -> Iterator[tuple[str, frozenset[str], ActRule]]:
    clauses = _everywhere(rule.clause)
    if rule.who != tuple(Role):
        yield "role", clauses, replace(rule, who=tuple(Role))
    for guard in rule.guards:
        if guard not in EVIDENCE_GUARDS:
            yield guard.name, _of_guard(guard), replace(rule, guards=tuple(g for g in rule.guards if g is not guard))
    for guard in rule.last:
        yield guard.name, _of_guard(guard), replace(rule, last=tuple(g for g in rule.last if g is not guard))
    if rule.in_session:
        yield "in_session", clauses, replace(rule, in_session=())
    if rule.in_round:
        yield "in_round", clauses, replace(rule, in_round=())
    if rule.needs:
        yield "needs", _everywhere("pt.bj.51c"), replace(rule, needs=None)


def _of_hold(rule: HoldRule) -> Iterator[tuple[str, str, HoldRule]]:
    for permission in rule.forbids:
        yield (
            f"forbids {permission}",
            rule.clause,
            replace(rule, forbids=tuple(one for one in rule.forbids if one is not permission)),
        )
    for evidence in rule.to_clear:
        less = tuple(one for one in rule.to_clear if one is not evidence)
        yield f"to_clear {evidence}", _EVIDENCE_CLAUSES[evidence], replace(rule, to_clear=less)
    for evidence in rule.to_confirm:
        less = tuple(one for one in rule.to_confirm if one is not evidence)
        yield f"to_confirm {evidence}", _EVIDENCE_CLAUSES[evidence], replace(rule, to_confirm=less)


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
