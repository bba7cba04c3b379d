"""The register of the laws' clauses. It joins the texts in `clauses.toml`, the rules in the program's tables, and the
tests in the generated `tests.toml`.

Each fact is written once: a rule's row names its clauses, and a scenario or a test's docstring names the clauses that
it is about. A test shows a clause if it fails without the clause's rules. A clause that no rule names is `missing`.
"""

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum, unique
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from controller.config.law import RULES, limit_rules
from controller.config.profile import PROFILES, REMINDER
from controller.config.profile_file import law
from controller.core.custody.round import ROUND
from controller.core.custody.state import SESSION
from controller.core.games.blackjack import computations as of_blackjack
from controller.core.games.blackjack.decisions.insurance import INVITATION
from controller.core.games.blackjack.decisions.turns import SHOWING
from controller.core.games.blackjack.table import TABLE
from controller.core.games.roulette import computations as of_roulette
from controller.core.games.roulette.spin_table import SPIN
from controller.core.games.roulette.table import ROULETTE
from controller.core.games.roulette.wheel import RULE_OF
from controller.core.house.hold_table import HOLD_RULES
from controller.core.house.holds import LEFTOVERS
from controller.core.house.notices import REMINDERS
from controller.core.house.registry import Registry
from controller.core.house.rule import ActGuard, ActRule, AnyGuard, Case


@dataclass(frozen=True, slots=True)
class GameRows:
    """The tables of one game whose rows name rules: amounts, wins and refusals of bets."""

    registry: Registry[Any]
    computations: tuple[Callable[..., object], ...]  # functions; a profile lists their clauses under their names
    payments: tuple[str, ...]  # rules
    of_holds: tuple[str, ...] = ()  # rules that a hold of this game names instead of the rule of its kind
    reminders: tuple[str, ...] = ()  # reminders about the game's table, in addition to the reminders of a step


GAME_ROWS: Final = (
    GameRows(TABLE, of_blackjack.COMPUTATIONS, of_blackjack.PAYMENTS, reminders=(INVITATION, SHOWING)),
    GameRows(ROULETTE, of_roulette.COMPUTATIONS, of_roulette.PAYMENTS, tuple(RULE_OF.values())),
)


@unique
class How(StrEnum):
    """The kind of demand that a law's clause makes on a controller."""

    ENFORCE = "enforce"
    COMPUTE = "compute"
    PROMPT = "prompt"
    CONTEXT = "context"


@unique
class Status(StrEnum):
    """The way in which this program meets a clause. With OUTSIDE and MISSING the program does not meet it."""

    ENFORCED = "enforced"
    COMPUTED = "computed"
    PROMPTED = "prompted"
    CONTEXT = "context"
    OUTSIDE = "outside"
    MISSING = "missing"


@unique
class Outside(StrEnum):
    """The reason why a clause is outside the controller's concern."""

    EQUIPMENT = "equipment"
    CONDUCT = "conduct"
    ENACTMENT = "enactment"


_DONE: Final = {
    How.ENFORCE: Status.ENFORCED,
    How.COMPUTE: Status.COMPUTED,
    How.PROMPT: Status.PROMPTED,
    How.CONTEXT: Status.CONTEXT,
}


@dataclass(frozen=True, slots=True)
class ClauseText:
    """One clause as `clauses.toml` has it: its number, its line numbers in the law, and its content in one English
    sentence.
    """

    number: str
    lines: tuple[int, ...]
    profile: str
    how: How
    area: str
    text: str
    outside: Outside | None = None
    unseen: tuple[str, str] | None = None  # a part that no device sees, as in the sentence and the document


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of a law, with the program's status, rules and tests for it."""

    id: str
    profile: str
    how: How
    area: str
    text: str
    status: Status
    rules: tuple[str, ...]
    tests: tuple[str, ...]  # tests that fail where one of the rules is removed or reversed
    mentions: tuple[str, ...]  # tests that only name the clause
    outside: Outside | None
    unseen: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class Document:
    """A law, a guide or a casino's leaflet with its paragraphs. `title`: its title in its own language, with its number
    and date if known.
    """

    title: str
    paragraphs: dict[str, str]  # word for word, by line number


@cache
def documents() -> dict[str, Document]:
    """Returns the documents by the name of the profile that their clauses have."""
    return msgspec.convert(tomllib.loads(_read("documents.toml")), dict[str, Document])


def original(name: str) -> tuple[str, ...]:
    """Returns the paragraphs of the clause `name` in the law's own language. Raises KeyError for an unknown clause."""
    one = texts()[name]
    return tuple(documents()[one.profile].paragraphs[str(line)] for line in one.lines)


@cache
def texts() -> dict[str, ClauseText]:
    """Returns every clause's text by the clause's id, in the order of the documents."""
    return msgspec.convert(tomllib.loads(_read("clauses.toml")), dict[str, ClauseText])


def register() -> tuple[Clause, ...]:
    """Returns every clause with its status, rules and tests."""
    rules, named = rules_by_clause(), named_by_tests()
    return tuple(
        Clause(
            name,
            one.profile,
            one.how,
            one.area,
            one.text,
            _status(one, rules.get(name, ())),
            rules.get(name, ()),
            named.shows.get(name, ()),
            named.mentions.get(name, ()),
            one.outside,
            one.unseen,
        )
        for name, one in texts().items()
    )


def _status(clause: ClauseText, rules: tuple[str, ...]) -> Status:
    """Returns the status of a clause whose rules are `rules`. A demand to compute is met only by a computation or a
    payment, and any other demand only by another kind of rule.
    """
    if clause.outside is not None:
        return Status.OUTSIDE
    named = {rule.partition(":")[0] for rule in rules}
    is_done = bool(named & _COMPUTING if clause.how is How.COMPUTE else named - _COMPUTING)
    return _DONE[clause.how] if is_done or clause.how is How.CONTEXT else Status.MISSING


_COMPUTING: Final = {"computation", "payment"}


@dataclass(frozen=True, slots=True)
class NamedByTests:
    """The tests by clause. `shows`: the tests that fail without the clause's rules; `mentions`: the tests that only
    name the clause.
    """

    shows: dict[str, tuple[str, ...]]
    mentions: dict[str, tuple[str, ...]]


def named_by_tests() -> NamedByTests:
    """Reads the tests of each clause from the generated file `tests.toml`."""
    return msgspec.convert(tomllib.loads(_read("tests.toml")), NamedByTests)


def rules_by_clause() -> dict[str, tuple[str, ...]]:
    """Returns for each clause the rules whose rows name it. Each rule is `kind:name` and appears once."""
    found: dict[str, dict[str, None]] = {}
    for clause, rule in _rows():
        found.setdefault(clause, {})[rule] = None
    return {clause: tuple(rules) for clause, rules in found.items()}


def rule_names() -> tuple[str, ...]:
    """Returns the rules that a scenario may claim to show: acts, guards, kinds of holds, and steps of session, round
    and spin.

    Each rule is `kind:name` and appears once.
    """
    rules = [act for game in GAME_ROWS for act in game.registry.acts]
    guards = dict.fromkeys(f"guard:{guard.name}" for act in rules for guard in act.all_guards())
    machines = (SESSION, ROUND, SPIN)
    steps = dict.fromkeys(f"{machine.name}:{row.trigger}" for machine in machines for row in machine.rows)
    acts, holds = dict.fromkeys(f"act:{act.name}" for act in rules), (f"hold:{hold.kind.value}" for hold in HOLD_RULES)
    return (*acts, *guards, *holds, *steps)


def names_of_rules() -> tuple[str, ...]:
    """Returns the names of all rules that a profile may connect with clauses."""
    acts = [act for game in GAME_ROWS for act in game.registry.acts]
    steps = (name for act in acts for name in (act.steps_rule, *rules_of_posts(act)))
    guards = (name for act in acts for guard in act.all_guards() for name in rules_of_guard(guard))
    holds = (f"hold.{rule.kind.value}" for rule in HOLD_RULES)
    of_holds = (rule for game in GAME_ROWS for rule in game.of_holds)
    worked_out = (f"computation.{one.__name__}" for game in GAME_ROWS for one in game.computations)
    payments = (rule for game in GAME_ROWS for rule in game.payments)
    of_games = (name for game in GAME_ROWS for name in game.reminders)
    configuration = (rule.said for rule in RULES)
    reminders = (f"{REMINDER}{name}" for name in (*(one.name for one in REMINDERS), *of_games))
    told = (*holds, *of_holds, LEFTOVERS, *worked_out, *payments, *reminders, *configuration)
    return tuple(dict.fromkeys((*steps, *guards, *told)))


def rules_of_posts(act: ActRule[Any, Any]) -> tuple[str, ...]:
    """Returns the names of the rules on the posts that may do an act: the general rule first, then the rule of the
    act's special case if it has one.
    """
    return _cases(act.posts_rule, act.who_case)


def rules_of_guard(guard: AnyGuard[Any, Any]) -> tuple[str, ...]:
    """Returns the name of the guard's rule, followed by the rule of the guard's special case if it has one."""
    return _cases(guard.rule or guard.name, guard.case if isinstance(guard, ActGuard) else None)


def _cases(rule: str, case: Case[Any, Any] | None) -> tuple[str, ...]:
    return (rule,) if case is None else (rule, case.of(rule))


def _rows() -> Iterator[tuple[str, str]]:
    for profile in PROFILES:
        yield from _of_profile(profile)


def _of_profile(profile: str) -> Iterator[tuple[str, str]]:
    """Yields pairs of a clause and a rule: one for each clause that a limit, parameter or rule of the profile names."""
    for rule, clause in limit_rules(law(profile)):
        yield clause, f"configuration:{rule.name}"
    for limit in law(profile).limits:
        yield from ((clause, f"configuration:{limit.name}") for clause in limit.clauses)
    for one in law(profile).parameters:
        yield from ((clause, f"parameter:{one.name}") for clause in one.clauses)
    for name, clauses in law(profile).rules.items():
        yield from ((clause, shown_rule(name)) for clause in clauses)


def shown_rule(rule: str) -> str:
    """Returns a profile's rule as `kind:name`, for example `act:load-packet`, `hold:jam`, `guard:decks_are_whole`.

    The spelling of `rule` implies its kind.
    """
    first, _, part = rule.partition(".")
    if not part:
        return f"guard:{rule}"
    kinds = {"reminder": "prompt"} | {kind: kind for kind in ("hold", "computation", "payment", "configuration")}
    return f"{kinds[first]}:{part}" if first in kinds else f"{'guard' if '_' in first else 'act'}:{first}"


def _read(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")
