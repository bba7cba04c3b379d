"""Rows of the core's tables with one part removed or reversed.

The parts are each act's roles, guards, steps and permission; each transition; each hold's evidence and people; and one
act less, or one more, that a hold forbids. `mutants` gives every mutant with the rule by which a trial shows it. A
mutant is applied while a `with` block runs.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum, unique
from types import CodeType
from typing import Any, Final, TypeAlias

from msgspec import structs

from controller.core.custody import evidence as guards_holds
from controller.core.custody.evidence import EVIDENCE_GUARDS
from controller.core.custody.round import ROUND
from controller.core.custody.state import SESSION
from controller.core.engine.machine import ProcedureMachine, Row
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import ACT_RULES, TABLE
from controller.core.games.roulette.spin_table import SPIN
from controller.core.games.roulette.table import ROULETTE
from controller.core.house import hold_table
from controller.core.house.hold_table import HOLD, HOLD_RULES, Evidence, HoldRule
from controller.core.house.registry import Registry
from controller.core.house.rule import CHIEF, HOLD_PEOPLE, ActGuard, ActRule, AnyGuard
from controller.core.house.state import Hold
from controller.core.words import HoldKind, HoldPhase, Permission, Role, RoundPhase, SessionPhase

Rule: TypeAlias = ActRule[Any, Any]
Statement: TypeAlias = AnyGuard[Any, Any]


@unique
class Changed(StrEnum):
    """The part that a mutant changes."""

    ACT = "row of an act"
    STEP = "step of session, round, hold"
    HOLD = "row of a hold"
    FIELD = "field dropped"
    CONDITION = "condition turned"


@dataclass(frozen=True, slots=True)
class Mutant:
    """One error, which exists while the context of `applied` is open.

    A trial that names one of `rules` fails with the error; without rules any trial may. `runs`: pieces of code of which
    such a trial runs at least one, where they are known.
    """

    changed: Changed
    name: str
    rules: frozenset[str]
    applied: Callable[[], AbstractContextManager[None]]
    runs: frozenset[CodeType] = frozenset()


def mutants() -> Iterator[Mutant]:
    yield from _of_rules(TABLE, ACT_RULES)
    yield from _of_rules(ROULETTE, _AT_A_WHEEL)
    for machine in (SESSION, ROUND, SPIN, HOLD):
        for row in machine.rows:
            if row.target is not row.source:
                name = f"{machine.name}: {row.trigger} from {row.source}"
                shown = () if machine is HOLD else (f"{machine.name}:{row.trigger}",)
                yield Mutant(Changed.STEP, name, frozenset(shown), _row(machine, row))
    for hold in HOLD_RULES:
        shown_by = frozenset({f"hold:{hold.kind}"})
        for what, less in _of_hold(hold):
            yield Mutant(Changed.HOLD, f"hold {hold.kind}: {what}", shown_by, _hold(hold, less))
        for what, other in _of_people(hold):
            yield Mutant(Changed.HOLD, f"hold {hold.kind}: {what}", frozenset(), _hold(hold, other))
        for phase, evidence in _asked(hold):
            name = f"hold {hold.kind}: inverted {phase} {evidence}"
            yield Mutant(Changed.HOLD, name, shown_by, _inverted(hold.kind, phase, evidence))


def _of_rules(registry: Registry[Any], rules: tuple[Rule, ...]) -> Iterator[Mutant]:
    for rule in rules:
        for what, shown, changed in _of_rule(rule):
            yield Mutant(Changed.ACT, f"{rule.name}: {what}", frozenset({shown}), with_rule(registry, rule, changed))


_AT_A_WHEEL: Final = tuple(rule for rule in ROULETTE.acts if rule.name not in TABLE.act_named)


def _of_rule(rule: Rule) -> Iterator[tuple[str, str, Rule]]:
    """Yields each mutant of an act's row: the changed part, the rule by which a trial shows it, and the changed row."""
    act = f"act:{rule.name}"
    if rule.who != tuple(Role):
        yield "role", act, replace(rule, who=tuple(Role))
        yield "role inverted", act, replace(rule, who=tuple(role for role in Role if role not in rule.who))
    for guard in (*rule.guards, *rule.devices, *rule.last):
        if guard not in EVIDENCE_GUARDS:
            yield guard.name, f"guard:{guard.name}", _with_guard(rule, guard, ())
            yield f"{guard.name} inverted", f"guard:{guard.name}", _with_guard(rule, guard, (_not(guard),))
    if rule.in_session:
        yield "in_session", act, replace(rule, in_session=())
        others = tuple(phase for phase in SessionPhase if phase not in rule.in_session)
        yield "in_session inverted", act, replace(rule, in_session=others)
    if rule.in_round:
        yield "in_round", act, replace(rule, in_round=())
        elsewhere = tuple(phase for phase in RoundPhase if phase not in rule.in_round)
        yield "in_round inverted", act, replace(rule, in_round=elsewhere)
    if rule.needs:
        yield "needs", act, replace(rule, needs=None)


def _with_guard(rule: Rule, guard: Statement, instead: tuple[Statement, ...]) -> Rule:
    def changed(guards: tuple[Statement, ...]) -> tuple[Statement, ...]:
        return tuple(new for one in guards for new in (instead if one is guard else (one,)))

    lists = {"guards": rule.guards, "devices": rule.devices, "last": rule.last}
    return replace(rule, **{name: changed(guards) for name, guards in lists.items()})


def _not(guard: Statement) -> Statement:
    if not isinstance(guard, ActGuard):
        return structs.replace(guard, holds=lambda state: not guard.holds(state))
    turned = structs.replace(guard, holds=lambda state, act: not guard.holds(state, act), answered=None)
    says_more = guard.possible is not _DEFAULT
    return structs.replace(turned, possible=lambda state: not guard.possible(state)) if says_more else turned


_DEFAULT: Final = next(one.default for one in structs.fields(ActGuard) if one.name == "possible")


_OF_A_WHEEL: Final = (HoldKind.IRREGULAR_SPIN, HoldKind.MOVED_CHIPS)
_AT_A_WHEEL_NEEDED: Final = tuple(dict.fromkeys(rule.needs for rule in ROULETTE.acts if rule.needs))


def _of_hold(rule: HoldRule) -> Iterator[tuple[str, HoldRule]]:
    for permission in rule.forbids:
        less = tuple(one for one in rule.forbids if one is not permission)
        yield f"forbids {permission}", structs.replace(rule, forbids=less)
    for permission in _AT_A_WHEEL_NEEDED if rule.kind in _OF_A_WHEEL else Permission:
        if permission not in rule.forbids:
            yield f"forbids {permission}, too", structs.replace(rule, forbids=(*rule.forbids, permission))
    for evidence in rule.to_clear:
        left = tuple(one for one in rule.to_clear if one is not evidence)
        yield f"to_clear {evidence}", structs.replace(rule, to_clear=left)
    for evidence in rule.to_confirm:
        left = tuple(one for one in rule.to_confirm if one is not evidence)
        yield f"to_confirm {evidence}", structs.replace(rule, to_confirm=left)


def _of_people(rule: HoldRule) -> Iterator[tuple[str, HoldRule]]:
    """Yields the hold's row with one permitted role more or less, with another lamp, or with another recount."""
    steps = (("attend", rule.attend, HOLD_PEOPLE), ("clear", rule.clear, HOLD_PEOPLE), ("confirm", rule.confirm, CHIEF))
    for step, who, people in steps:
        for role in people:
            others = tuple(one for one in who if one is not role)
            yield f"{step} {role}", structs.replace(rule, **{step: others if role in who else (*who, role)})
    yield "lights_lamp", structs.replace(rule, lights_lamp=not rule.lights_lamp)
    if rule.recounts_on is not None:
        yield "recounts_on", structs.replace(rule, recounts_on=None)


def _asked(rule: HoldRule) -> Iterator[tuple[HoldPhase, Evidence]]:
    yield from ((HoldPhase.ATTENDED, evidence) for evidence in rule.to_clear)
    yield from ((HoldPhase.CLEARED, evidence) for evidence in rule.to_confirm)


def _inverted(kind: HoldKind, phase: HoldPhase, evidence: Evidence) -> Callable[[], AbstractContextManager[None]]:
    """Returns a maker of contexts in which this kind of hold goes on from this phase only without its evidence."""

    def answered(asked: Evidence, state: BlackjackState, hold: Hold) -> bool:
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


def with_rule(registry: Registry[Any], rule: Rule, changed: Rule) -> Callable[[], AbstractContextManager[None]]:
    """Returns a maker of contexts in which the act has the row `changed` in place of `rule`."""

    @contextmanager
    def applied() -> Iterator[None]:
        registry.by_act[rule.act] = changed
        try:
            yield
        finally:
            registry.by_act[rule.act] = rule

    return applied


def _row(machine: object, row: object) -> Callable[[], AbstractContextManager[None]]:
    assert isinstance(machine, ProcedureMachine)
    assert isinstance(row, Row)

    @contextmanager
    def applied() -> Iterator[None]:
        target = machine.target
        machine._sources.clear()  # the values remembered with the row
        vars(machine)["target"] = lambda procedure, source, trigger: (
            None if (source, trigger) == (row.source, row.trigger) else target(procedure, source, trigger)
        )
        try:
            yield
        finally:
            del vars(machine)["target"]
            machine._sources.clear()

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
