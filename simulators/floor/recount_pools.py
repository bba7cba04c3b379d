"""Checks linked pools independently, by the bytes of entries: each contribution counts once, and each hit has one
amount. From the database come only the numbered steps in which contributions and hits were counted. Amounts, shares and
resets are computed here from the rules, and must equal the amounts, shares and resets in the database.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import psycopg

Place = tuple[str, int, int]
"""Table, epoch, number of the entry."""

Key = tuple[str, int, int, str]
"""A place, and the name of a pool."""

HEARD: Final = "linked-pool-heard"
"""The kind of a table's entry that holds an accepted statement on a linked pool."""

MOST_ADDED: Final = 10**12
POOL_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
CURRENCY: Final = re.compile(r"[A-Z]{3}")


@dataclass(frozen=True, slots=True)
class _Said:
    """The data of all entries about pools. `added`: the contributions. `hits`: the table's clock at each hit. `told`:
    the amounts of hits that tables' entries state. `uncounted`: the places of entries that do not fully count.
    """

    added: Counter[Key] = field(default_factory=Counter)
    hits: dict[Key, int] = field(default_factory=dict)
    told: set[tuple[Key, int]] = field(default_factory=set)
    uncounted: set[Place] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Rules:
    number: int
    seed: int
    reset: int
    reserve_ppm: int
    most: int | None


@dataclass(frozen=True, slots=True)
class _Hit:
    key: Key
    place: int
    micro: int | None
    number: int
    wall_ms: int


@dataclass
class _State:
    """The amounts of a linked pool after one of its steps."""

    amount: int
    seeded: int
    reserve: int = 0
    overflow: int = 0
    contributed: int = 0
    paid: int = 0

    @property
    def values(self) -> tuple[int, ...]:
        return self.amount, self.reserve, self.overflow, self.seeded, self.contributed, self.paid

    def add(self, micro: int, rules: _Rules) -> None:
        aside = micro * rules.reserve_ppm // 1_000_000
        self.contributed += micro
        self.reserve += aside
        self.amount += micro - aside
        if rules.most is not None and self.amount > rules.most:
            self.overflow += self.amount - rules.most
            self.amount = rules.most

    def pay(self, rules: _Rules) -> int:
        """Pays out the whole pool for a hit, refills it with the reset amount, and returns the amount of the hit."""
        won, self.paid = self.amount, self.paid + self.amount
        wanted = rules.reset
        from_overflow = min(wanted, self.overflow)
        from_reserve = min(wanted - from_overflow, self.reserve)
        self.overflow -= from_overflow
        self.reserve -= from_reserve
        self.seeded += wanted - from_overflow - from_reserve
        self.amount = wanted
        return won


def pools_wrong(connection: psycopg.Connection, entries: Iterable[tuple[Place, dict[str, Any]]]) -> Iterator[str]:
    """Yields the faults of all linked pools. `entries`: each entry's fields, with the table, epoch and number of the
    entry.
    """
    said, uncounted = _said(connection, entries), _uncounted(connection)
    counted = {row[:4]: (row[4], row[5]) for row in connection.execute(_CONTRIBUTIONS)}
    kept = [_Hit((row[0], row[1], row[2], row[3]), *row[4:]) for row in connection.execute(_HITS)]
    for place in sorted(said.uncounted - uncounted):
        yield f"{place}: counts nowhere, and no finding says so"
    for key in sorted(counted.keys() | said.added.keys()):
        if key in counted and said.added.get(key) != counted[key][0]:
            yield f"{key}: contributed {counted[key][0]}, and the entry says {said.added.get(key)}"
        if key not in counted and key[:3] not in uncounted:
            yield f"{key}: a contribution that is not counted"
    yield from _hits_wrong(said, kept, uncounted)
    decided = {one.key: one.micro for one in kept}
    for key, micro in sorted(said.told):
        if decided.get(key) != micro:
            yield f"{key}: the table was told {micro}, and the floor's amount is {decided.get(key)}"
    for pool, *row in connection.execute(_POOLS):
        steps = {(number, micro, key) for key, (micro, number) in counted.items() if key[3] == pool and number}
        yield from _pool_wrong(connection, pool, tuple(row), steps, [one for one in kept if one.key[3] == pool])


def _hits_wrong(said: _Said, kept: list[_Hit], uncounted: set[Place]) -> Iterator[str]:
    for key in sorted(said.hits.keys() ^ {one.key for one in kept}):
        if key[:3] not in uncounted:
            yield f"{key}: a hit of the floor's or the table's alone"
    for one in kept:
        if one.wall_ms != (wall_ms := said.hits.get(one.key, one.wall_ms)):
            yield f"{one.key}: hit at {one.wall_ms} by the table's clock, and the entry says {wall_ms}"


_CONTRIBUTIONS = b"select table_id, epoch, seq, pool, micro, number from contribution"
_HITS = b"select table_id, epoch, seq, pool, place, micro, coalesce(number, 0), wall_ms from hit order by place"
_POOLS = b"select pool, amount, reserve, overflow, seeded, contributed, paid from linked_pool"
_RULES = b"select number, seed, reset, reserve_ppm, most from linked_rules where pool = %s order by number"


def _said(connection: psycopg.Connection, entries: Iterable[tuple[Place, dict[str, Any]]]) -> _Said:
    pools = dict[str, str](connection.execute(b"select pool, currency from linked_pool").fetchall())
    said = _Said()
    for place, entry in entries:
        body = entry.get("body")
        if entry.get("refusal") is None and isinstance(body, dict):
            _said_in(place, entry, pools, said)
            if entry["kind"] == HEARD and place not in said.uncounted:
                said.told.update(_told_in(place, body))
    return said


def _told_in(place: Place, body: dict[str, Any]) -> Iterator[tuple[Key, int]]:
    for one in body.get("hits", ()):
        yield (place[0], one["epoch"], one["seq"], body["pool"]), one["micro"]


def _said_in(place: Place, entry: dict[str, Any], pools: dict[str, str], said: _Said) -> None:
    body: dict[str, Any] = entry["body"]
    added, hits = body.get("linked", []), body.get("linked_hits", [])
    if not (_are_read(added) and _are_read(hits) and all(_is_amount(one.get("micro")) for one in added)):
        said.uncounted.add(place)
        return
    sums: Counter[tuple[str, str]] = Counter()
    for one in added:
        sums[one["pool"], one["currency"]] += one["micro"]
    if any(micro > MOST_ADDED for micro in sums.values()):
        said.uncounted.add(place)
        return
    of_hits = {(one["pool"], one["currency"]) for one in hits}
    said.added.update({(*place, pool): micro for (pool, of), micro in sums.items() if pools.get(pool) == of})
    said.hits.update(((*place, pool), entry["wall_ms"]) for pool, of in of_hits if pools.get(pool) == of)
    if any(pools.get(pool) != of for pool, of in sums.keys() | of_hits):
        said.uncounted.add(place)


def _are_read(named: object) -> bool:
    """True if `named` is a list of pools, each with a valid name and currency."""
    words = (("pool", POOL_NAME), ("currency", CURRENCY))
    return isinstance(named, list) and all(
        isinstance(one, dict) and isinstance(one.get(key), str) and shape.fullmatch(one[key]) is not None
        for one in named
        for key, shape in words
    )


def _is_amount(micro: object) -> bool:
    return type(micro) is int and 0 <= micro <= MOST_ADDED


def _uncounted(connection: psycopg.Connection) -> set[tuple[str, int, int]]:
    asked = "select table_id, epoch, seq from finding where kind = 'uncounted'"
    asked += " union select table_id, epoch, seq from ended_finding where kind = 'uncounted'"
    return {(table, epoch, seq) for table, epoch, seq in connection.execute(asked.encode())}


def _pool_wrong(
    connection: psycopg.Connection,
    pool: str,
    row: tuple[int, ...],
    steps: set[tuple[int, int, Key]],
    hits: list[_Hit],
) -> Iterator[str]:
    rules = [_Rules(*values) for values in connection.execute(_RULES, [pool])]
    if [one.place for one in hits] != list(range(1, len(hits) + 1)):
        yield f"{pool}: hits without one order"
    amounts, state = defaultdict[int, int](int), _State(rules[0].seed, rules[0].seed)
    for number, micro, _key in steps:
        amounts[number] += micro
    decided = [one for one in hits if one.micro is not None]
    for number in sorted({*amounts, *(one.number for one in decided)}):
        of_step = [one for one in rules if one.number < number][-1]
        state.add(amounts[number], of_step)
        for one in (hit for hit in decided if hit.number == number):
            if (won := state.pay(of_step)) != one.micro:
                yield f"{pool}: hit {one.place} has {one.micro}, and {won} is right"
    if state.values != row:
        yield f"{pool}: {row}, and {state.values} is right"
    amount, reserve, overflow, seeded, contributed, paid = row
    if seeded + contributed != amount + reserve + overflow + paid:
        yield f"{pool}: seeds and contributions are not pool, reserve, overflow and paid"
