"""Reads profiles: the laws' profiles, which come with the program, and a casino's own, derived from a law's profile.

A casino's file has `name`, `derived_from` and, in `[parameters]`, the values that it chooses. A value that the law does
not leave open is refused with the clause. Every problem is reported at once.
"""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

import msgspec
from msgspec.structs import replace

from controller.config.document import read_document
from controller.config.problems import ConfigRefused, Problem, Said, did_you_mean
from controller.config.problems import shown as quoted
from controller.config.profile import (
    FOLDER,
    GAME_OF,
    PROFILES,
    TYPES,
    TYPES_OF,
    UNSAID,
    Limit,
    Open,
    Parameter,
    Profile,
    Value,
)
from controller.core.hand_rules import Rate, parse_rate

T = TypeVar("T")


class BrokenProfile(Exception):  # noqa: N818 (the name says what it is)
    """One of the program's own profile files is broken: the installation is damaged."""


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    value: bool | int | str
    clauses: tuple[str, ...]
    allowed: tuple[bool | int | str, ...] = ()
    least: int | None = None
    most: int | None = None
    built_least: int | None = None
    built_most: int | None = None
    ours: str = ""

    @property
    def program_bounds(self) -> Open:
        """The bounds that the program, without a clause, sets on the value in addition to the law's."""
        return Open((), self.built_least, self.built_most)


class _LimitRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    clauses: tuple[str, ...]
    allowed: tuple[int, ...] = ()
    least: int | None = None
    most: int | None = None
    built: int | None = None


_Clauses: TypeAlias = tuple[str, ...]


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    jurisdiction: str
    limits: dict[str, _LimitRow]
    parameters: dict[str, _Row]
    rules: dict[str, _Clauses | dict[str, _Clauses]]
    rules_as: str | None = None  # a profile whose rules also hold here, unless this file has others


@cache
def law(name: str) -> Profile:
    """The law's profile called `name`. Raises KeyError for an unknown name, BrokenProfile for a broken file."""
    if name not in PROFILES:
        raise KeyError(name)
    return parse_law((FOLDER / GAME_OF[name].value / f"{name}.toml").read_bytes())


def parse_law(content: bytes) -> Profile:
    """Returns the profile in `content`, a law's file. A parameter that the file leaves out gets our own value. Raises
    BrokenProfile.
    """
    file = _decoded(content, _File)
    names = TYPES_OF[GAME_OF[file.name]].keys() if file.name in GAME_OF else set[str]()
    unsaid, ours = names - file.parameters.keys(), _ours()
    if wrong := (file.parameters.keys() - names) | (unsaid - ours.keys()):
        raise BrokenProfile(", ".join(sorted(wrong)))
    rows = file.parameters | {name: ours[name] for name in sorted(unsaid)}
    limits, parameters, rules = tuple(_limits(file)), tuple(_parameters(rows)), dict(_rules(file))
    profile = Profile(file.name, file.jurisdiction, limits, parameters, rules=rules)
    untyped = [one.name for one in profile.parameters if not (_is_of_its_type(one) and _is_open(one, one.value))]
    if untyped:
        raise BrokenProfile(", ".join(untyped))
    return profile


@cache
def _ours() -> dict[str, _Row]:
    """Returns our own value of each parameter that a law may leave out: from the file `ours.toml`, else the field's
    default.
    """
    said = _decoded((FOLDER / "ours.toml").read_bytes(), dict[str, _Row])
    return {name: _Row(value, ()) for name, value in UNSAID.items()} | said


def _decoded(content: bytes, kind: type[T]) -> T:
    try:
        return msgspec.toml.decode(content, type=kind)
    except msgspec.MsgspecError as error:
        raise BrokenProfile(str(error)) from error


def _limits(file: _File) -> Iterator[Limit]:
    for name, row in file.limits.items():
        yield Limit(name, row.clauses, Open(row.allowed, row.least, row.most), row.built)


def _parameters(rows: Mapping[str, _Row]) -> Iterator[Parameter]:
    for name, row in rows.items():
        is_fixed = not row.allowed and row.least is None and row.most is None and row.program_bounds == Open()
        left = Open((row.value,) if is_fixed else row.allowed, row.least, row.most)
        yield Parameter(name, row.value, row.clauses, left, row.program_bounds, row.ours)


def _rules(file: _File) -> Iterator[tuple[str, _Clauses]]:
    if file.rules_as is not None:
        yield from law(file.rules_as).rules.items()
    for name, row in file.rules.items():
        if isinstance(row, dict):
            yield from ((f"{name}.{part}", clauses) for part, clauses in row.items())
        else:
            yield name, row


def _is_of_its_type(one: Parameter) -> bool:
    kind = TYPES[one.name]
    values = (one.value, *one.open.allowed)
    if issubclass(kind, StrEnum):
        return all(value in [member.value for member in kind] for value in values)
    if kind is Rate:
        return all(isinstance(value, str) and parse_rate(value) is not None for value in values)
    return all(type(value) is kind for value in values)


def read_derived(path: Path) -> Profile:
    """Returns the casino's own profile in the file `path`. Raises ConfigRefused with every problem."""
    document = read_document(path)
    problems = [*_unknown(document), *_named(document)]
    base = document.get("derived_from")
    if not isinstance(base, str) or base not in PROFILES:
        right = did_you_mean(base, PROFILES) if isinstance(base, str) else Said("config.right.derived-from")
        raise ConfigRefused(path, [*problems, Problem("derived_from", _wrong(base), right)])
    chosen = document.get("parameters", {})
    if not isinstance(chosen, dict):
        raise ConfigRefused(path, [*problems, Problem("parameters", _wrong(chosen), Said("config.right.parameters"))])
    problems += forbidden(law(base), chosen)
    if problems:
        raise ConfigRefused(path, problems)
    return derive(law(base), str(document["name"]), chosen)


def derive(base: Profile, name: str, chosen: Mapping[str, Value]) -> Profile:
    """Returns a casino's profile: the law's profile `base` with the values `chosen`. `forbidden` must have accepted
    them.
    """
    parameters = tuple(replace(one, value=chosen.get(one.name, one.value)) for one in base.parameters)
    return replace(base, name=name, derived_from=base.name, parameters=parameters)


_KEYS: Final = ("name", "derived_from", "parameters")


def _unknown(document: Mapping[str, object]) -> list[Problem]:
    return [
        Problem(name[:120], Said("config.wrong.unknown", (("name", quoted(name)),)), did_you_mean(name, _KEYS))
        for name in document
        if name not in _KEYS
    ]


def _named(document: Mapping[str, object]) -> list[Problem]:
    name = document.get("name")
    if isinstance(name, str) and _NAME.fullmatch(name) and name not in PROFILES:
        return []
    return [Problem("name", _wrong(name), Said("config.right.profile-name"))]


_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")


def _wrong(value: object) -> Said:
    return Said("config.wrong.missing") if value is None else Said("config.wrong.value", (("value", quoted(value)),))


def forbidden(base: Profile, chosen: Mapping[str, object]) -> list[Problem]:
    """Returns the problems of the values that a casino has chosen: parameters that the law's profile `base` lacks, and
    values that it forbids.
    """
    names = [one.name for one in base.parameters]
    problems = []
    for name, value in chosen.items():
        key = f"parameters.{name[:120]}"
        if name not in names:
            unknown = Said("config.wrong.unknown", (("name", quoted(name)),))
            problems.append(Problem(key, unknown, did_you_mean(name, names)))
        elif not _is_open(base.parameter(name), value):
            problems.append(_not_open(base, base.parameter(name), value, key))
    return problems


def _is_open(one: Parameter, value: object) -> bool:
    return (
        isinstance(value, Value)
        and type(value) is type(one.value)
        and one.open.has(value)
        and one.program_bounds.has(value)
    )


def _not_open(base: Profile, one: Parameter, value: object, key: str) -> Problem:
    """Returns the problem of a forbidden value. It names a clause only if the law forbids the value."""
    values = (("value", quoted(value)), ("profile", base.name), ("allowed", one.bounds))
    is_ours = isinstance(value, Value) and type(value) is type(one.value) and one.open.has(value)
    clause = one.clauses[0] if one.clauses and not is_ours else ""
    return Problem(key, Said("config.wrong.parameter", values), Said("config.right.allowed", values), clause)
