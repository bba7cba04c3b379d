"""Reads and writes entries in the floor's database. Each write is one statement, with the entries as arrays."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime
from enum import Enum, auto, unique
from functools import cache
from typing import Final

from msgspec import Struct

from controller.floor.database import Database, NoPartition, statement
from controller.floor.incidents import incidents_in
from controller.floor.judge import Begin, Extend
from controller.floor.linked import LinkedRow, rows_of
from controller.floor.recordings import Earlier, Moment, is_synced, marks_in, moment_in
from controller.floor.runs import UNKNOWN_MONTH, Run, hour_of, month_after, month_of
from controller.floor.status import status_in
from controller.protocol.carried import MOST_FINDINGS, Batch, Finding, FindingKind, Place
from controller.protocol.shown import Shown

_LINES: Final = statement("lines")
_SECRET: Final = statement("secret")
_CHAIN: Final = statement("chain")
_TOUCHED: Final = statement("touched")
_FOUND: Final = statement("found")
_FINDINGS: Final = statement("findings")
_PARTITION: Final = statement("partition")

_ENTRIES: Final = statement("entries")
_LINKED: Final = statement("linked")
_TOLD: Final = statement("told")
_MARKED: Final = statement("marked")
_INCIDENTS: Final = statement("incidents")
_PAYLOAD: Final = statement("payload")
_SHOWN: Final = statement("shown")
_ANSWER: Final = statement("answer")
_EXTEND: Final = statement("extend")
_BEGIN: Final = statement("begin")
_HEARD: Final = statement("heard")


MOST_LOOKUPS: Final = 256
"""The most earlier entries that are looked up for one batch: far more than marks and void rounds of a whole session."""


@unique
class Wear(Enum):
    CARD = auto()
    FAULT = auto()
    RETRY = auto()


WEAR: Final = {
    "card-counted-in": ("shuffler", Wear.CARD),
    "card-counted-out": ("shuffler", Wear.CARD),
    "shuffler-jammed": ("shuffler", Wear.FAULT),
    "card-retried": ("shuffler", Wear.RETRY),
    "card-read": ("shoe", Wear.CARD),
    "reader-error-raised": ("shoe", Wear.FAULT),
}
"""By the kind of an entry: the device that the entry concerns, and its meaning for wear. Other kinds mean no wear."""


class Line(Struct, frozen=True, gc=False):
    """The history of a table in one epoch, as the floor has it."""

    epoch: int
    first_seq: int
    parent_epoch: int | None
    last_seq: int
    head: bytes

    @property
    def end(self) -> Place:
        return Place(self.epoch, self.head.hex(), self.last_seq)


class Kept(Struct, frozen=True):
    """The result of a durable write: the last entry that the floor has of the table, and the table's findings."""

    place: Place
    findings: list[Finding]


class Store:
    """Reads and writes the floor's entries. Every method raises the errors of `Database`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._months: set[date] = set()

    def lines(self, table: str) -> list[Line]:
        """Returns the lines of a table (its history in each epoch), the newest first."""
        return [Line(*row) for row in self._database.looked_up(_LINES, {"table": table})]

    def at(self, table: str, lines: Sequence[Line], seq: int) -> Place | None:
        """Returns the place of the entry `seq` in the newest line or in the lines that it continues. Returns None if
        the floor lacks the entry.
        """
        line = _line_of(lines, seq)
        if line is None or seq == line.last_seq:
            return None if line is None else line.end
        found = self._database.looked_up(_CHAIN, {"table": table, "epoch": line.epoch, "seq": seq})
        return Place(line.epoch, found[0][0].hex(), seq) if found else None

    def extend(self, table: str, what: Extend, batch: Batch, today: date) -> Kept | None:
        """Adds the run of `what` to the table's newest line. Returns None if the end of this line is no longer
        `what.known`.
        """
        known = {"known_seq": what.known.seq, "known_head": bytes.fromhex(what.known.head)}
        return self._brought_in(_EXTEND, table, what.run, batch, today, known)

    def begin(self, table: str, what: Begin, batch: Batch, today: date) -> Kept | None:
        """Stores a new line (a table's history in one epoch) with its first entries. Returns None if the floor already
        has a line of this epoch.
        """
        return self._brought_in(_BEGIN, table, what.run, batch, today, {"parent": what.parent})

    def heard(self, table: str, end: Place, batch: Batch) -> Kept | None:
        """Stores the newest signed statement of a table that has no new entries. Returns None if the table's newest
        line does not end at `end`, or is of a newer epoch.
        """
        values = {"table": table, "epoch": end.epoch, "last": end.seq, "head": bytes.fromhex(end.head), "synced": None}
        return self._kept(_HEARD, batch, values, end)

    def touched(self, table: str) -> None:
        """Writes once more for the table. Once this write is durable, the table's earlier entries are durable, too."""
        self._database.write(_TOUCHED, {"table": table})

    def found(self, table: str, finding: Finding) -> None:
        values = {"table": table, "kind": finding.kind.value, "epoch": finding.epoch, "seq": finding.seq}
        self._database.write(_FOUND, values)

    def findings(self, table: str) -> list[Finding]:
        """The newest findings of a table."""
        found = self._database.looked_up(_FINDINGS, {"table": table, "most": MOST_FINDINGS})
        return [Finding(FindingKind(kind), epoch, seq) for kind, epoch, seq in found]

    def secret(self) -> bytes:
        """Returns the floor's secret. The keys of nonces and cookies are made from it."""
        return bytes(self._database.looked_up(_SECRET, {})[0][0])

    # ---- within

    def _brought_in(
        self, moves: str, table: str, run: Run, batch: Batch, today: date, values: dict[str, object]
    ) -> Kept | None:
        months = [month_of(row.wall_ms, today) for row in run.rows]
        all_values = (
            values
            | {"table": table, "synced": is_synced(run)}
            | _arrays(run, months)
            | _counts(run, today)
            | _worn(run)
        )
        end = Place(run.epoch, run.head.hex(), run.last)
        words, elsewhere = moves + _ENTRIES, self._earlier(table)
        for further, of_it in (
            (_LINKED, _linked(run)),
            (_TOLD, _told(run)),
            (_MARKED, marks_in(run, elsewhere)),
            (_INCIDENTS, incidents_in(run, elsewhere, today)),
        ):
            words, all_values = (words + further, all_values | of_it) if of_it else (words, all_values)
        self._make_partitions({*months} - self._months)
        try:
            return self._kept(words, batch, all_values, end)
        except NoPartition:  # another database answers now: a replica took over, or a backup was restored
            self._make_partitions({*months})
            return self._kept(words, batch, all_values, end)

    def _earlier(self, table: str) -> Earlier:
        """Returns a look-up of an earlier entry's times. The look-up returns None if the floor lacks the entry, and
        after MOST_LOOKUPS calls.
        """
        left = iter(range(MOST_LOOKUPS))

        def looked_up(seq: int) -> Moment | None:
            is_too_much = next(left, None) is None
            found = [] if is_too_much else self._database.looked_up(_PAYLOAD, {"table": table, "seq": seq})
            return moment_in(seq, bytes(found[0][0])) if found else None

        return cache(looked_up)

    def _kept(self, words: str, batch: Batch, values: dict[str, object], end: Place) -> Kept | None:
        """Executes one statement that moves the end of a line to `end` and inserts the entries and the status.

        Returns `end` with the table's findings. Returns None if the statement has changed no row.
        """
        more: dict[str, object] = {"statement": batch.statement, "signature": batch.signature, "most": MOST_FINDINGS}
        status = status_in(batch.shown)
        more["table_days"] = None if status is None else status[0].recording_days
        if status is not None:
            words, more = words + _SHOWN, more | _shown(*status)
        rows = self._database.write(words + _ANSWER, values | more)
        found = [Finding(FindingKind(kind), epoch, seq) for _epoch, kind, epoch, seq in rows if kind is not None]
        return Kept(Place(rows[0][0], end.head, end.seq), found) if rows else None

    def _make_partitions(self, months: set[date]) -> None:
        for month in sorted(months):
            behind = month_after(month)
            name = "entry_unknown" if month == UNKNOWN_MONTH else f"entry_{month:%Y_%m}"
            self._database.in_order([_PARTITION.format(name=name, first=month, behind=behind)])
            self._months.add(month)


def _line_of(lines: Sequence[Line], seq: int) -> Line | None:
    """Returns the line that has the entry `seq`: the newest line or one of the lines that it continues.

    Returns None if no line has the entry.
    """
    line = lines[0] if lines and seq <= lines[0].last_seq else None
    while line is not None and seq < line.first_seq:
        parent = line.parent_epoch
        line = next((one for one in lines if one.epoch == parent), None)
    return line


def _arrays(run: Run, months: list[date]) -> dict[str, object]:
    return {
        "epoch": run.epoch,
        "first": run.first,
        "last": run.last,
        "head": run.head,
        "months": months,
        "seqs": [row.seq for row in run.rows],
        "kinds": [row.kind for row in run.rows],
        "walls": [row.wall_ms for row in run.rows],
        "chains": [row.chain for row in run.rows],
        "payloads": [row.payload for row in run.rows],
    }


def _counts(run: Run, today: date) -> dict[str, object]:
    """Returns the numbers of entries by hour and kind, as arrays for the statement, sorted so that two writes cannot
    deadlock.
    """
    counted: Counter[tuple[datetime, str, bool]] = Counter()
    for row in run.rows:
        counted[hour_of(row.wall_ms, today), row.kind, row.is_refused] += 1
    keys = sorted(counted)
    return {
        "hours": [hour for hour, _kind, _refused in keys],
        "counted_kinds": [kind for _hour, kind, _refused in keys],
        "refused": [refused for _hour, _kind, refused in keys],
        "times": [counted[key] for key in keys],
    }


def _worn(run: Run) -> dict[str, object]:
    """Returns each device's numbers of cards, faults and retries in the entries, as arrays for the statement."""
    found: Counter[tuple[str, Wear]] = Counter(WEAR[row.kind] for row in run.rows if row.kind in WEAR)
    devices = sorted({device for device, _what in found})
    return {
        "worn": devices,
        "worn_cards": [found[device, Wear.CARD] for device in devices],
        "worn_faults": [found[device, Wear.FAULT] for device in devices],
        "worn_retries": [found[device, Wear.RETRY] for device in devices],
    }


def _linked(run: Run) -> dict[str, object]:
    """Returns the contributions and hits of linked pools in the entries of `run`, as arrays for the statement.

    Returns {} if the entries have none. An entry whose fields cannot be understood gets a row without a pool.
    """
    rows: list[LinkedRow] = []
    for row in run.rows:
        if row.linked is not None:
            rows += rows_of(row.seq, row.wall_ms, row.linked)
            rows += [] if row.linked.is_read else [LinkedRow(row.seq, "", "", None, row.wall_ms)]
    return (
        {
            "linked_seqs": [row.seq for row in rows],
            "linked_pools": [row.pool for row in rows],
            "linked_currencies": [row.currency for row in rows],
            "linked_micros": [row.micro for row in rows],
            "linked_walls": [row.wall_ms for row in rows],
        }
        if rows
        else {}
    )


def _told(run: Run) -> dict[str, object]:
    """Returns the amounts of hits that the table has recorded from the floor's statements, as arrays for the statement.

    Returns {} if the entries of `run` have none.
    """
    told = [(row.seq, row.linked.told) for row in run.rows if row.linked is not None and row.linked.told is not None]
    hits = [(seq, one.pool, hit) for seq, one in told for hit in one.hits]
    return (
        {
            "told_seqs": [seq for seq, _pool, _hit in hits],
            "told_pools": [pool for _seq, pool, _hit in hits],
            "told_epochs": [hit.epoch for _seq, _pool, hit in hits],
            "told_hits": [hit.seq for _seq, _pool, hit in hits],
            "told_micros": [hit.micro for _seq, _pool, hit in hits],
        }
        if hits
        else {}
    )


def _shown(shown: Shown, document: bytes) -> dict[str, object]:
    holds = {(hold.id, hold.since): hold for hold in shown.holds}
    return {
        "shown": document,
        "table_ms": shown.table_ms,
        "holds": [name for name, _since in holds],
        "since": [since for _name, since in holds],
        "hold_kinds": [hold.kind for hold in holds.values()],
        "hold_devices": [hold.device or "" for hold in holds.values()],
        "hold_words": [hold.text for hold in holds.values()],
        "days": shown.recording_days,
        "pool": None if shown.jackpot is None else shown.jackpot.amount_cents,
    }
