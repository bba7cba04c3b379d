"""Verifies a batch's entries against its signed head, and splits them by epoch. Pure.

An entry's epoch is that of the last start at or before the entry. So a sender cannot choose another epoch.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Final

import msgspec
from msgspec import Struct

from controller.floor.linked import Linked, linked_in
from controller.journal.epoch import epoch_said
from controller.journal.format import MAX_PAYLOAD, RecordEncoder
from controller.protocol.carried import Batch, Statement
from controller.protocol.incidents import TOLD, Told

UNKNOWN_MONTH: Final = date(1970, 1, 1)
"""The month of entries whose clock is wrong, so that wrong clocks cannot make many partitions."""

_FIRST_YEAR: Final = 2020
_START: Final = "controller-started"


class _Entry(Struct, frozen=True, gc=False):
    """The fields of an entry that the floor reads. A table of another version may have more kinds and fields."""

    kind: str
    seq: int
    wall_ms: int
    body: msgspec.Raw
    refusal: msgspec.Raw = msgspec.Raw(b"null")
    incidents: msgspec.Raw = msgspec.Raw(b"")


class _StartBody(Struct, frozen=True, gc=False):
    findings: tuple[str, ...] = ()


_ENTRIES: Final = msgspec.json.Decoder(_Entry)
_STARTS: Final = msgspec.json.Decoder(_StartBody)
_LISTS: Final = msgspec.json.Decoder(list[msgspec.Raw])
_INCIDENTS: Final = msgspec.json.Decoder(Told)
LARGEST_WALL: Final = 1 << 62
LONGEST_KIND: Final = 100
MOST_INCIDENTS: Final = 8
"""The most incidents of one entry that the floor reads; no entry tells more than two."""


class Row(Struct, frozen=True, gc=False):
    """One entry as the database stores it. `is_refused`: True for a refused act. `linked`: the entry's part about
    linked pools.
    """

    seq: int
    kind: str
    wall_ms: int
    chain: bytes
    payload: bytes
    is_refused: bool = False
    linked: Linked | None = None
    incidents: tuple[Told, ...] = ()


class Run(Struct, frozen=True):
    """Consecutive entries of one epoch. `previous`: the chain value of the entry before them."""

    epoch: int
    previous: bytes
    rows: Sequence[Row]

    @property
    def first(self) -> int:
        return self.rows[0].seq

    @property
    def last(self) -> int:
        return self.rows[-1].seq

    @property
    def head(self) -> bytes:
        return self.rows[-1].chain

    def behind(self, seq: int) -> "Run":
        """Returns the run without the entries up to `seq`. Entry `seq` must be in the run."""
        count = seq - self.first + 1
        return Run(self.epoch, self.rows[count - 1].chain, self.rows[count:])


def runs_of(batch: Batch, statement: Statement, epoch: int) -> list[Run] | None:
    """The runs of a batch. None if the batch's entries are unreadable, or differ from its signed statement. `epoch`:
    the epoch of the entry before the batch.
    """
    previous = batch.previous
    encoder, runs = RecordEncoder(previous, statement.first), list[tuple[int, bytes, list[Row]]]()
    for payload in batch.payloads:
        row, said = _row(encoder, payload)
        if row is None or said > statement.epoch:
            return None
        epoch = max(epoch, said)
        if not runs or runs[-1][0] != epoch:
            runs.append((epoch, previous, []))
        runs[-1][2].append(row)
        previous = row.chain
    return [Run(*run) for run in runs] if _ends_as_said(encoder, statement) else None


def _ends_as_said(encoder: RecordEncoder, statement: Statement) -> bool:
    return encoder.next_seq == statement.last + 1 and encoder.head.hex() == statement.head


def _row(encoder: RecordEncoder, payload: bytes) -> tuple[Row | None, int]:
    """The next entry as a row, and the epoch that the entry names. The row is None for a bad entry, and the epoch is 0
    if the entry names none.
    """
    seq = encoder.next_seq
    if not 1 <= len(payload) <= MAX_PAYLOAD:
        return None, 0
    encoder.encode(payload)
    try:
        entry = _ENTRIES.decode(payload)
        said = _epoch_of(entry)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None, 0
    if entry.seq != seq or not _can_be_kept(entry):
        return None, 0
    is_refused = bytes(entry.refusal) != b"null"
    linked = None if is_refused else linked_in(entry.kind, payload, entry.body)
    told = _incidents(entry.incidents) if bytes(entry.incidents) else ()
    return Row(seq, entry.kind, entry.wall_ms, encoder.head, payload, is_refused, linked, told), said


def _incidents(raw: msgspec.Raw) -> tuple[Told, ...]:
    """Returns the incidents in an entry, without those that this version of the program does not know."""
    found: list[Told] = []
    with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        for one in _LISTS.decode(raw)[:MOST_INCIDENTS]:
            with suppress(msgspec.ValidationError):  # a kind or a turn of a newer version
                found.append(_INCIDENTS.decode(one))
    return tuple(one for one in found if one.kind in TOLD)


def _can_be_kept(entry: _Entry) -> bool:
    """True if PostgreSQL can store the entry: its time fits into eight bytes, and its kind is short and without NUL."""
    return abs(entry.wall_ms) < LARGEST_WALL and len(entry.kind) <= LONGEST_KIND and "\0" not in entry.kind


def _epoch_of(entry: _Entry) -> int:
    return epoch_said(_STARTS.decode(entry.body).findings) if entry.kind == _START else 0


def month_of(wall_ms: int, today: date) -> date:
    """The month of a time by a table's clock; UNKNOWN_MONTH for an implausible time. `today`: by the floor's clock."""
    try:
        found = datetime.fromtimestamp(wall_ms / 1000, UTC).date().replace(day=1)
    except (ValueError, OverflowError, OSError):
        return UNKNOWN_MONTH
    return found if found.year >= _FIRST_YEAR and found <= month_after(today) else UNKNOWN_MONTH


def hour_of(wall_ms: int, today: date) -> datetime:
    """The hour of a time by a table's clock. For an implausible time, the first hour of UNKNOWN_MONTH."""
    month = month_of(wall_ms, today)
    found = datetime.fromtimestamp(wall_ms / 1000, UTC) if month != UNKNOWN_MONTH else datetime(1970, 1, 1, tzinfo=UTC)
    return found.replace(minute=0, second=0, microsecond=0)


def month_after(day: date) -> date:
    return date(day.year + day.month // 12, day.month % 12 + 1, 1)
