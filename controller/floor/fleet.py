"""The program that each table runs, and the differences between tables of one profile.

A start's entry is signed and names the program, rules and configuration. If the floor has no readable start of the
table's newest computer, the program comes from the table's status, which names neither rules nor configuration. Between
two tables of one profile the floor compares program, rules, staff and every key of the setup except the table's name.
It does not know the meaning of the keys.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

import msgspec
from msgspec import Struct

from controller.catalogue import Language, sentence
from controller.floor.database import Database, statement
from controller.floor.room import Rows, Standing, tables

DUE_DAYS: Final = 30
"""A certificate counts as due when it ends within this number of days."""

_STARTS: Final = statement("starts")
_OF_ONE_TABLE: Final = frozenset(("table",))
"""Keys of a start's setup that differ at every table."""


class _Setup(Struct, frozen=True):
    profile: str = ""


class _Body(Struct, frozen=True):
    """The fields of a start's entry that the floor reads. A table of another version may have other fields."""

    software: str = ""
    config_digest: str = ""
    rules_digest: str = ""
    staff_digest: str = ""
    setup: msgspec.Raw = msgspec.Raw(b"{}")


class _Start(Struct, frozen=True):
    body: _Body = _Body()
    wall_ms: int = 0


NO_START: Final = _Start()
_DECODE: Final = msgspec.json.Decoder(_Start).decode
_UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class Certificate(Struct, frozen=True):
    """A certificate. `name`: the name of its file or table. `until`: the last moment at which it is valid."""

    name: str
    until: datetime

    @property
    def days(self) -> int:
        """Whole days until the certificate ends. Negative after its end."""
        return (self.until - datetime.now(UTC)).days

    @property
    def is_due(self) -> bool:
        return self.days < DUE_DAYS


class Runs(Struct, frozen=True):
    """The program that a table runs, as the table's newest start names it. An empty or zero field is unknown.

    `heard_s`: seconds since the floor last heard from the table. `started_ms`, `entry`: time and number of the start's
    entry.
    """

    table: str
    standing: Standing
    heard_s: int
    profile: str
    software: str
    started_ms: int
    entry: int
    config_digest: str
    rules_digest: str
    staff_digest: str
    certificate: Certificate | None


class Value(Struct, frozen=True):
    """One value of a compared key, as JSON, and the tables that have it."""

    value: str
    tables: list[str]


class Difference(Struct, frozen=True):
    """A key for which tables of one profile have different values. `key`: `software`, a digest, or a key of the setup
    in the tables' starts. `values`: the most frequent value first.
    """

    profile: str
    key: str
    values: list[Value]


class Fleet(Struct, frozen=True):
    tables: list[Runs]
    differences: list[Difference]
    certificates: list[Certificate]


def fleet(database: Database, of_floor: Sequence[Certificate]) -> Fleet:
    """Returns all tables with their programs, the differences between tables, and the floor's own certificates
    `of_floor`.

    Raises DatabaseAway, DatabaseBusy.
    """
    rows = tables(database)
    found: list[Runs] = []
    said: dict[str, dict[str, dict[str, str]]] = defaultdict(dict)
    for name, _epoch, seq, payload, until in database.read(_STARTS, {}):
        if name in rows:  # else the table is new since `tables` was read
            start = _read(payload)
            found.append(_runs(rows, name, seq or 0, start, until))
            said[found[-1].profile][name] = dict(_values(found[-1], start.body.setup))
    differences = [one for profile, of_tables in sorted(said.items()) for one in _differences(profile, of_tables)]
    return Fleet(found, differences, list(of_floor))


def lines(found: Fleet, language: Language) -> Iterator[str]:
    """Yields lines for a terminal: the tables, the differences between tables, the floor's certificates."""
    for one in found.tables:
        digests = {"configuration": one.config_digest[:12], "rules": one.rules_digest[:12]}
        certificate = {"until": "" if one.certificate is None else f"{one.certificate.until:%Y-%m-%d}"}
        software = {"software": one.software or sentence("floor.page.unknown", {}, language)}
        yield sentence("floor.line.table", {"table": one.table} | software | digests | certificate, language)
    for of_key in found.differences:
        for value in of_key.values:
            words = {"key": of_key.key, "value": value.value, "tables": ", ".join(value.tables)}
            yield sentence("floor.line.difference", words | {"profile": of_key.profile}, language)
    for of_floor in found.certificates:
        words = {"name": of_floor.name, "until": f"{of_floor.until:%Y-%m-%d}", "days": str(of_floor.days)}
        yield sentence("floor.line.certificate", words, language)


def _read(payload: bytes | None) -> _Start:
    try:
        return NO_START if payload is None else _DECODE(payload)
    except _UNREADABLE:
        return NO_START


def _runs(rows: Rows, name: str, seq: int, start: _Start, until: datetime | None) -> Runs:
    row, body = rows[name], start.body
    digests = (body.config_digest, body.rules_digest, body.staff_digest)
    certificate = None if until is None else Certificate(name, until)
    profile = _profile(body.setup) or row.shown.profile
    software = row.shown.software if start is NO_START else body.software
    return Runs(name, row.standing, row.heard_s, profile, software, start.wall_ms, seq, *digests, certificate)


def _profile(setup: msgspec.Raw) -> str:
    try:
        return msgspec.json.decode(setup, type=_Setup).profile
    except _UNREADABLE:
        return ""


def _read_setup(setup: msgspec.Raw) -> object:
    """Returns the setup in a start. Returns {} if it is not JSON: one table must not spoil the page of all tables."""
    try:
        return msgspec.json.decode(setup)
    except _UNREADABLE:
        return {}


def _values(runs: Runs, setup: msgspec.Raw) -> Iterator[tuple[str, str]]:
    """Yields the keys of a table's newest start that are compared between tables, each with its value as JSON."""
    own = {"software": runs.software, "rules_digest": runs.rules_digest, "staff_digest": runs.staff_digest}
    yield from ((key, _json(value)) for key, value in own.items() if value)
    yield from _flat("setup", _read_setup(setup))


def _flat(at: str, value: object) -> Iterator[tuple[str, str]]:
    if not isinstance(value, dict):
        yield at, _json(value)
        return
    for key, inner in value.items():
        if key not in _OF_ONE_TABLE:
            yield from _flat(f"{at}.{key}", inner)


def _json(value: object) -> str:
    return msgspec.json.encode(value, order="sorted").decode()


def _differences(profile: str, of_tables: Mapping[str, Mapping[str, str]]) -> Iterator[Difference]:
    keys = sorted({key for values in of_tables.values() for key in values})
    for key in keys:
        having = {name: values[key] for name, values in of_tables.items() if key in values}
        counted = Counter(having.values()).most_common()
        if len(counted) > 1:
            yield Difference(profile, key, [Value(value, _with(having, value)) for value, _times in counted])


def _with(having: Mapping[str, str], value: str) -> list[str]:
    return sorted(name for name, one in having.items() if one == value)
