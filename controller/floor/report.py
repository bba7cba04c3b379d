"""Reports of one day over all tables: figures of operation, rounds by hour, incidents.

The reports read the counts of entries instead of the entries. A day is a day in the casino's time zone. The hour of an
entry is by its table's clock.
"""

import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from io import StringIO
from typing import Any, Final
from zoneinfo import ZoneInfo

from msgspec import Struct

from controller.floor.database import Database, statement
from controller.floor.store import WEAR, Wear
from controller.protocol.incidents import KIND_OF_HOLD, TOLD

ROUNDS: Final = frozenset(("announce-no-more-bets", "confirm-payments"))
"""The kinds of entry of which a round has exactly one: the first in a game of cards, the second at a wheel."""

OPENED: Final = "open-session"
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""The characters with which a cell begins that a spreadsheet would evaluate."""

_KINDS: Final = {**KIND_OF_HOLD, **{kind.value: kind for kind in TOLD}}
_COUNTED: Final = statement("day_counted")
_HELD: Final = statement("day_held")
_POOLS: Final = statement("pools")
_WORN: Final = statement("worn")
_METERS: Final = statement("meters")
_HITS: Final = statement("hits_of_day")


class Day(Struct, frozen=True):
    """A day in a time zone, from its first moment to the first moment of the next day, which is not included."""

    day: date
    zone: str

    @property
    def begin(self) -> datetime:
        return datetime.combine(self.day, time(), ZoneInfo(self.zone))

    @property
    def span(self) -> dict[str, object]:
        """The day's begin and end, as parameters of the SQL statements."""
        end = datetime.combine(self.day + timedelta(days=1), time(), ZoneInfo(self.zone))
        return {"begin": self.begin, "end": end}

    @classmethod
    def named(cls, text: str, zone: str) -> "Day | None":
        """The day with the ISO date `text`. None for another text, and for a year outside 2000 to 2099."""
        try:
            day = date.fromisoformat(text)
        except ValueError:
            return None
        return cls(day, zone) if 2000 <= day.year < 2100 else None

    @classmethod
    def today(cls, zone: str) -> "Day":
        return cls(datetime.now(ZoneInfo(zone)).date(), zone)


class Figures(Struct, frozen=True):
    """The figures of one table on one day. `held_minutes`: the total length of the day's ended holds."""

    table: str
    sessions: int
    rounds: int
    cards: int
    faults: int
    retries: int
    refused: int
    holds: int
    held_minutes: int


class Incident(Struct, frozen=True):
    """A hold, or an incident other than a hold. `ended`: None before its end. `words`: a hold's sentence in the table's
    language; "" for another incident. `incident`: the kind of incident; "" if its recordings need not be kept. `clock`:
    the quality of the table's clock, `synchronised`, `alone` or `unknown`. `keep_until`: the last day of its
    recordings. `kept_entry`, `kept_by`: the entry and the person who last stated that the recording is kept; 0 if no
    person has stated so.
    """

    table: str
    since: datetime
    ended: datetime | None
    kind: str
    device: str
    words: str
    incident: str = ""
    clock: str = "unknown"
    keep_until: date | None = None
    kept_entry: int = 0
    kept_by: int = 0


class Worn(Struct, frozen=True):
    """The wear of a device with one deck set. `cards`, `faults`, `retries`: the numbers of the last seven days.

    `cards_before`: the cards of the four weeks before; `troubles_before`: the faults and retries of those weeks
    together.
    """

    table: str
    device: str
    serial: str
    deck_set: int
    cards: int
    faults: int
    retries: int
    cards_before: int
    troubles_before: int

    @property
    def per_thousand(self) -> float:
        return 1000 * (self.faults + self.retries) / self.cards if self.cards else 0.0

    @property
    def before_per_thousand(self) -> float:
        return 1000 * self.troubles_before / self.cards_before if self.cards_before else 0.0

    @property
    def worse_by(self) -> float:
        """The faults and retries per thousand cards in the last seven days, minus the same figure of the four weeks
        before.
        """
        return self.per_thousand - self.before_per_thousand


def incidents(database: Database, day: Day) -> list[Incident]:
    """Returns the holds and other incidents of the day, including those begun earlier, the oldest first. Raises
    DatabaseAway, DatabaseBusy.
    """
    return [_incident(row, ZoneInfo(day.zone)) for row in database.read(_HELD, day.span)]


def _incident(row: tuple[Any, ...], zone: ZoneInfo) -> Incident:
    table, since, ended, kind, device, words, days, began_synced, ended_synced, entry, person = row
    incident = _KINDS.get(kind)
    if incident is None:
        return Incident(table, since, ended, kind, device, words)
    synced = (began_synced,) if ended is None else (began_synced, ended_synced)
    clock = "unknown" if None in synced else "synchronised" if all(synced) else "alone"
    until = None if ended is None else ended.astimezone(zone).date() + timedelta(days=days)
    return Incident(table, since, ended, kind, device, words, incident.value, clock, until, entry or 0, person or 0)


def rounds_by_hour(database: Database, day: Day) -> dict[str, dict[int, int]]:
    """Returns the number of rounds of each table by the hour in the casino's time zone. Raises DatabaseAway,
    DatabaseBusy.
    """
    zone, found = ZoneInfo(day.zone), dict[str, dict[int, int]]()
    for table, hour, kind, is_refused, times in database.read(_COUNTED, day.span):
        of_table = found.setdefault(table, {})
        if kind in ROUNDS and not is_refused:
            local = hour.astimezone(zone).hour
            of_table[local] = of_table.get(local, 0) + times
    return found


def figures(database: Database, day: Day) -> list[Figures]:
    """The day's figures of each table, sorted by name. Raises DatabaseAway, DatabaseBusy."""
    counts: dict[str, Counter[str]] = {}
    for table, _hour, kind, is_refused, times in database.read(_COUNTED, day.span):
        of_table = counts.setdefault(table, Counter())
        of_table[_what(kind, is_refused=is_refused)] += times
    held: dict[str, list[int]] = {}
    for one in incidents(database, day):
        if one.since >= day.begin and one.kind not in TOLD:
            held.setdefault(one.table, []).append(_minutes(one))
    return [_figures(table, counts.get(table, Counter()), held.get(table, [])) for table in sorted({*counts, *held})]


def worn(database: Database) -> list[Worn]:
    """The wear of each device with each deck set, sorted by `worse_by`, the highest first.

    Raises DatabaseAway, DatabaseBusy.
    """
    return sorted((Worn(*row) for row in database.read(_WORN, {})), key=lambda one: -one.worse_by)


def pools(database: Database, day: Day) -> dict[str, list[tuple[datetime, int]]]:
    """Returns the pool's cents at the end of each hour, for each table with a jackpot. Raises DatabaseAway,
    DatabaseBusy.
    """
    found = dict[str, list[tuple[datetime, int]]]()
    for table, hour, cents in database.read(_POOLS, day.span):
        found.setdefault(table, []).append((hour, cents))
    return found


class Meters(Struct, frozen=True):
    """The levels of a linked pool and its totals so far, in millionths of a currency unit. `hits` is a count."""

    pool: str
    currency: str
    amount: int
    reserve: int
    overflow: int
    seeded: int
    contributed: int
    paid: int
    hits: int

    @property
    def difference(self) -> int:
        """Seeds and contributions minus levels and payments, in millionths of a currency unit: 0 if the pool
        reconciles.
        """
        return self.seeded + self.contributed - self.amount - self.reserve - self.overflow - self.paid


class Hit(Struct, frozen=True):
    """A hit of a linked pool. `decided`: the time of the floor's decision by the database's clock."""

    pool: str
    place: int
    decided: datetime
    table: str
    epoch: int
    seq: int
    micro: int


def meters(database: Database) -> list[Meters]:
    """Returns the current meters of every linked pool. Raises DatabaseAway, DatabaseBusy."""
    return [Meters(*row) for row in database.read(_METERS, {})]


def hits(database: Database, day: Day) -> list[Hit]:
    """The hits that were decided on `day`, in each pool's order. Raises DatabaseAway, DatabaseBusy."""
    return [Hit(*row) for row in database.read(_HITS, day.span)]


def as_csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Returns the rows as CSV. An apostrophe makes a text of each cell that a spreadsheet would read as a formula."""
    text = StringIO()
    out = csv.writer(text)
    out.writerow(head)
    out.writerows([_cell(one) for one in row] for row in rows)
    return text.getvalue()


def _cell(value: object) -> str:
    text = "" if value is None else f"{value}"
    return f"'{text}" if text.startswith(FORMULA) else text


def _what(kind: str, *, is_refused: bool) -> str:
    if is_refused:
        return "refused"
    if kind in WEAR:
        return WEAR[kind][1].name if WEAR[kind][0] == "shuffler" or WEAR[kind][1] is not Wear.CARD else "read"
    return "rounds" if kind in ROUNDS else "sessions" if kind == OPENED else ""


def _figures(table: str, counts: Counter[str], held: list[int]) -> Figures:
    cards = counts[Wear.CARD.name] or counts["read"]
    troubles = (counts[Wear.FAULT.name], counts[Wear.RETRY.name])
    of_play = (counts["sessions"], counts["rounds"], cards)
    return Figures(table, *of_play, *troubles, counts["refused"], len(held), sum(held))


def _minutes(one: Incident) -> int:
    return 0 if one.ended is None else int((one.ended - one.since).total_seconds()) // 60
