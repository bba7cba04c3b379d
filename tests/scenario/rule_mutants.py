"""Mutants of a rule that the register names for a clause: changes of its rows, figures and limits.

A guard, a step, a post or a hold is removed: a test that shows it shows a refusal. A parameter of a profile gets its
other values, a payment another rate, a computation another result; a limit of the configuration is removed, or excludes
its last permitted value; a reminder is left out.
"""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from enum import StrEnum
from functools import cache, partial
from inspect import getmodule, getsource, unwrap
from textwrap import dedent
from types import CodeType, FunctionType
from typing import Any, Final, TypeAlias

from msgspec import structs

from controller.clauses.register import GAME_ROWS, rules_of_guard, rules_of_posts, shown_rule
from controller.config import law as configuration
from controller.config.profile import PROFILES, REMINDER, TYPES, GameName, Limit, Open, Parameter, Profile, Value
from controller.config.profile_file import derive, law
from controller.core.games.blackjack import money, values
from controller.core.games.roulette import cloth, payments, wheel
from controller.core.games.roulette.cloth import Chance, Group
from controller.core.games.roulette.payments import Prize
from controller.core.games.roulette.state import RouletteState
from controller.core.hand_rules import Rate
from controller.core.house.registry import Registry
from controller.core.money import Flag
from controller.core.words import Cents, Role, TableMs
from controller.scenario import table
from controller.scenario.words import VOCABULARIES
from tests.scenario.field_mutants import conditions, forget, swapped
from tests.scenario.mutants import Rule, mutants, with_rule

Applied: TypeAlias = Callable[[], AbstractContextManager[None]]
Named: TypeAlias = tuple[str, Applied]


def of_clause(clause: str) -> dict[str, Applied]:
    """Returns every change of this clause's rules, by name."""
    return dict(_of_clause(clause))


def of_each_guard(clause: str) -> dict[str, dict[str, Applied]]:
    """Returns the guards that refuse for this clause; for each guard the changes that take it from one act each."""
    guards = {rule: profiles for rule, profiles in _rules(clause).items() if shown_rule(rule).startswith("guard:")}
    return {rule: dict(_of_rule(rule, profiles)) for rule, profiles in guards.items()}


def _of_clause(clause: str) -> Iterator[Named]:
    for rule, profiles in _rules(clause).items():
        yield from _of_rule(rule, profiles)
    for name, profiles in _parameters(clause).items():
        yield from _of_parameter(name, profiles)
    yield from _of_limits(clause)


def _said(clause: str, of: Callable[[Profile], Iterator[tuple[str, tuple[str, ...]]]]) -> dict[str, list[Profile]]:
    """Returns the names to which `of` assigns this clause; for each name the profiles that have it."""
    found: dict[str, list[Profile]] = {}
    for profile in map(law, PROFILES):
        for name, clauses in of(profile):
            if clause in clauses:
                found.setdefault(name, []).append(profile)
    return found


def _rules(clause: str) -> dict[str, list[Profile]]:
    return _said(clause, lambda profile: iter(profile.rules.items()))


def _parameters(clause: str) -> dict[str, list[Profile]]:
    return _said(clause, lambda profile: ((one.name, one.clauses) for one in profile.parameters))


def _of_rule(rule: str, profiles: list[Profile]) -> Iterator[Named]:
    kind, _, name = rule.partition(".")
    match kind:
        case "reminder":
            yield f"{rule}: not said", partial(_unsaid, f"{REMINDER}{name}", profiles)
        case "payment":
            yield from _of_payment(name)
        case "computation":
            yield from _of_computation(name)
        case "hold":
            yield from _of_hold(name)
        case "configuration":
            yield f"configuration {name}: gone", partial(_without, rule)
        case _:
            for game in dict.fromkeys(one.game for one in profiles):
                yield from _of_acts(rule, game)
            yield from _of_spins(rule)


# --- rows


def _of_acts(rule: str, game: GameName) -> Iterator[Named]:
    """Yields changes that take the guards and steps of this rule from one act, or permit the act to every post."""
    registry: Registry[Any] = VOCABULARIES[game].registry
    for act in registry.acts:
        at = "" if game is GameName.BLACKJACK else " at a wheel"
        left = tuple(one for one in act.all_guards() if rule not in rules_of_guard(one))
        if len(left) < len(act.all_guards()):
            yield f"{act.name}: without {rule}{at}", with_rule(registry, act, _only(act, left))
        if rule in rules_of_posts(act):
            yield f"{act.name}: by anybody{at}", with_rule(registry, act, replace(act, who=tuple(Role)))


def _only(act: Rule, guards: tuple[Any, ...]) -> Rule:
    changed = replace(act)
    object.__setattr__(changed, "_all", guards)
    return changed


@cache
def _holds() -> dict[str, Applied]:
    return {one.name: one.applied for one in mutants() if one.name.startswith("hold ")}


def _of_hold(kind: str) -> Iterator[Named]:
    for name, applied in _holds().items():
        adds = name.endswith(", too") or "inverted" in name
        if name.startswith(f"hold {kind}: ") and not adds:
            yield name, applied


def _of_spins(rule: str) -> Iterator[Named]:
    """Yields changes after which a spin that breaks this rule raises no hold."""
    for cause in [cause for cause, broken in wheel.RULE_OF.items() if broken == rule]:
        yield f"hold {cause}: not raised", partial(_unheld, cause)


@contextmanager
def _unheld(unseen: str) -> Iterator[None]:
    def held(state: RouletteState, cause: str, at_ms: TableMs, number: int | None = None) -> RouletteState:
        return state if cause == unseen else _HELD(state, cause, at_ms, number)

    vars(wheel)["_held"] = held
    try:
        yield
    finally:
        vars(wheel)["_held"] = _HELD


_HELD: Final = wheel._held


# --- profiles


@contextmanager
def _with(profiles: list[Profile], part: str, changed: Sequence[object]) -> Iterator[None]:
    """Runs the context with these profiles changed for everybody: `part` has the value `changed`."""
    before = [getattr(one, part) for one in profiles]
    for profile, value in zip(profiles, changed, strict=True):
        structs.force_setattr(profile, part, value)
    try:
        yield
    finally:
        for profile, value in zip(profiles, before, strict=True):
            structs.force_setattr(profile, part, value)


def _unsaid(rule: str, profiles: list[Profile]) -> AbstractContextManager[None]:
    left = [{name: said for name, said in one.rules.items() if name != rule} for one in profiles]
    return _with(profiles, "rules", left)


def _of_parameter(name: str, profiles: list[Profile]) -> Iterator[Named]:
    """Yields changes that give this parameter another value, also against a scenario's own settings.

    A last change lets a casino choose any value.
    """
    values = [one.parameter(name).value for one in profiles]
    for other in dict.fromkeys(other for value in values for other in _others(name, value)):
        yield f"{name} = {other}", partial(_chosen, name, other, profiles)
    if any(one.parameter(name).open != Open() for one in profiles):
        yield f"{name}: open", partial(_with_row, name, profiles, lambda row: structs.replace(row, open=Open()))


@contextmanager
def _chosen(name: str, value: Value, profiles: list[Profile]) -> Iterator[None]:
    def derived(base: Profile, own: str, chosen: Mapping[str, Value]) -> Profile:
        left = {each: text for each, text in chosen.items() if each != name or base not in profiles}
        return derive(base, own, left)

    vars(table)["derive"] = derived
    try:
        with _with_row(name, profiles, lambda row: structs.replace(row, value=value)):
            yield
    finally:
        vars(table)["derive"] = derive


def _with_row(
    name: str, profiles: list[Profile], changed: Callable[[Parameter], Parameter]
) -> AbstractContextManager[None]:
    rows = [tuple(changed(row) if row.name == name else row for row in one.parameters) for one in profiles]
    return _with(profiles, "parameters", rows)


def _others(name: str, value: Value) -> tuple[Value, ...]:
    """Returns other values than `value`: every other choice, or for a number its neighbours and distant numbers."""
    kind = TYPES[name]
    if issubclass(kind, StrEnum):
        return tuple(one.value for one in kind)
    if kind is Rate:
        return tuple(one for one in ("0:1", "1:1", "7:1") if one != value)
    if isinstance(value, bool):
        return (not value, value)
    assert isinstance(value, int)
    return tuple(dict.fromkeys(one for one in (value + 1, value - 1, 0, 3 * value + 5, value) if one >= 0))


# --- payments and computations


def _of_payment(name: str) -> Iterator[Named]:
    kind, applied = "payment of cards", _paid_otherwise
    if name not in tuple(money.Payment):
        kind, applied = "payment of chips", _won_otherwise
    yield f"{kind} {name}: another rate", partial(applied, name)


_WRONG: Final = Rate(7, 1)


@contextmanager
def _paid_otherwise(payment: str) -> Iterator[None]:
    row = money.PAYMENTS[money.Payment(payment)]
    money.PAYMENTS[money.Payment(payment)] = money.Paying(fixed=_WRONG)
    try:
        yield
    finally:
        money.PAYMENTS[money.Payment(payment)] = row


@contextmanager
def _won_otherwise(group: str) -> Iterator[None]:
    def prize(player: int, bet: str, of: Group, chance: Chance, stake: Cents, rate: Rate, flag: Flag | None) -> Prize:
        return _PRIZE(player, bet, of, chance, stake, _WRONG if of == group else rate, flag)

    vars(payments)["Prize"] = prize
    try:
        yield
    finally:
        vars(payments)["Prize"] = _PRIZE


_PRIZE: Final = payments.Prize


def _of_computation(name: str) -> Iterator[Named]:
    if name == values.card_value.__name__:
        yield "court cards count 9", partial(_counted_otherwise, {10: 9})
        yield "what has a number counts one more", partial(_counted_otherwise, {two: two + 1 for two in range(2, 10)})
    if name == cloth.bets_of.__name__:
        for series in cloth.SERIES:
            yield f"{series} of one word less", partial(_shortened, series)
    found = [one for game in GAME_ROWS for one in game.computations if one.__name__ == name]
    for function in dict.fromkeys(inner for one in found for inner in _run_by(_plain(one))):
        tree = ast.parse(dedent(getsource(function))).body[0]
        assert isinstance(tree, ast.FunctionDef)
        tree.decorator_list = []
        for number, what in enumerate(_results(tree), 1):
            yield f"{function.__qualname__} {number}: {what}", swapped(tree, function)


def _plain(function: Callable[..., object]) -> FunctionType:
    plain = unwrap(function)
    assert isinstance(plain, FunctionType)
    return plain


def _run_by(function: FunctionType) -> Iterator[FunctionType]:
    """Yields the function, and the functions of its own file that it calls, directly or indirectly."""
    own, asked = vars(getmodule(function)), [function]
    for one in asked:
        yield one
        named = (own.get(name) for name in _names_in(one.__code__))
        called = (_plain(inner) for inner in named if isinstance(inner, FunctionType) or hasattr(inner, "__wrapped__"))
        asked += [inner for inner in called if inner.__module__ == function.__module__ and inner not in asked]


def _names_in(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names_in(inner)


@contextmanager
def _counted_otherwise(other: dict[int, int]) -> Iterator[None]:
    """Runs the context with other counts: cards whose count is a key of `other` have the count of its value."""
    vars(values)["_VALUE_OF"] = lambda card: other.get(_VALUE_OF(card), _VALUE_OF(card))
    try:
        yield
    finally:
        vars(values)["_VALUE_OF"] = _VALUE_OF


_VALUE_OF: Final = values._VALUE_OF


@contextmanager
def _shortened(series: str) -> Iterator[None]:
    """Runs the context with a series of bets that lacks its last chip."""
    whole = cloth.SERIES[series]
    cloth.SERIES[series] = whole.rpartition(" ")[0]
    forget()
    try:
        yield
    finally:
        cloth.SERIES[series] = whole
        forget()


_OTHER: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


def _results(tree: ast.FunctionDef) -> Iterator[str]:
    """Makes one small change of the function after another, and yields a name for each.

    A change reverses a condition, a comparison or a sign, or raises a number by one; it lasts until the next one.
    """
    for place in [*ast.walk(tree)]:
        for asked, turn in conditions(place):
            turn(ast.copy_location(ast.UnaryOp(ast.Not(), asked), asked))
            yield f"turned {ast.unparse(asked)[:60]}"
            turn(asked)
        match place:
            case ast.Compare(ops=[one]):
                place.ops = [_OTHER[type(one)]()]
                yield f"otherwise {ast.unparse(place)[:60]}"
                place.ops = [one]
            case ast.Constant(value=int() as number) if not isinstance(number, bool):
                place.value = number + 1
                yield f"{number} is {number + 1}"
                place.value = number
            case ast.Attribute(attr="minimum" | "maximum" as bound):
                place.attr = "maximum" if bound == "minimum" else "minimum"
                yield f"{place.attr} for {bound}"
                place.attr = bound
            case ast.BoolOp(op=ast.And() | ast.Or() as sign):
                place.op = ast.Or() if isinstance(sign, ast.And) else ast.And()
                yield f"and for or {ast.unparse(place)[:60]}"
                place.op = sign
            case ast.BinOp(op=ast.Add() | ast.Sub() as sign):
                place.op = ast.Sub() if isinstance(sign, ast.Add) else ast.Add()
                yield f"plus for minus {ast.unparse(place)[:60]}"
                place.op = sign
            case _:
                pass


# --- the configuration


def _of_limits(clause: str) -> Iterator[Named]:
    for name, profiles in _said(clause, lambda one: ((limit.name, limit.clauses) for limit in one.limits)).items():
        yield f"limit {name}: taken away", partial(_limited, name, profiles, lambda _limit: ())
        yield f"limit {name}: without what it left open", partial(_limited, name, profiles, _narrow)


def _limited(
    name: str, profiles: list[Profile], changed: Callable[[Limit], tuple[Limit, ...]]
) -> AbstractContextManager[None]:
    limits = [
        tuple(new for row in one.limits for new in (changed(row) if row.name == name else (row,))) for one in profiles
    ]
    return _with(profiles, "limits", limits)


def _narrow(limit: Limit) -> tuple[Limit, ...]:
    """Returns the limit without its last permitted value."""
    most = None if limit.open.most is None else limit.open.most - 1
    return (structs.replace(limit, open=structs.replace(limit.open, allowed=limit.open.allowed[:-1], most=most)),)


@contextmanager
def _without(rule: str) -> Iterator[None]:
    with ExitStack() as stack:
        before = configuration.RULES
        stack.callback(setattr, configuration, "RULES", before)
        configuration.RULES = tuple(one for one in before if one.said != rule)
        yield
