"""Reads from a table's entries which recordings are kept, and the times of entries. Pure.

A mark that a recording is kept names the first entry of an incident. The floor knows an incident by that entry's table
time, which is also the time of its hold. Only the table knows the place of the recording: the entry has just a
commitment to it.
"""

from collections.abc import Callable
from typing import TypeAlias

import msgspec
from msgspec import Struct

from controller.floor.runs import Run
from controller.floor.status import LATEST_MS

MARKED = "keep-recording"
LARGEST_PERSON = 99_999


class _Body(Struct, frozen=True, gc=False):
    incident: int
    person: int


class _Mark(Struct, frozen=True, gc=False):
    body: _Body


class _Timed(Struct, frozen=True, gc=False):
    table_ms: int = -1
    wall_ms: int = 0
    wall_synced: bool | None = None


class Moment(Struct, frozen=True, gc=False):
    """The number and the times of an entry. `table_ms`: -1 if this time is out of bounds. `is_synced`: None if the
    entry lacks this flag.
    """

    seq: int
    table_ms: int
    wall_ms: int
    is_synced: bool | None


_MARKS = msgspec.json.Decoder(_Mark)
_TIMES = msgspec.json.Decoder(_Timed)


def is_synced(run: Run) -> bool | None:
    """True if the table's clock was synchronised at the run's last entry. None if the entry lacks the flag."""
    return _timed(run.rows[-1].payload).wall_synced


def moment_in(seq: int, payload: bytes) -> Moment:
    """Returns the table time and the wall-clock time in the entry `seq`, whose content is `payload`."""
    timed = _timed(payload)
    return Moment(seq, timed.table_ms if timed.table_ms <= LATEST_MS else -1, timed.wall_ms, timed.wall_synced)


Earlier: TypeAlias = Callable[[int], Moment | None]
"""A function that returns the times of an entry before a run; None for an entry that the floor does not have."""


def moment_of(run: Run, seq: int, earlier: Earlier) -> Moment | None:
    """Returns the table time and the wall-clock time of the entry `seq`, from the run or from `earlier`. Returns None
    if the floor lacks the entry.
    """
    at = seq - run.first
    return moment_in(seq, run.rows[at].payload) if 0 <= at < len(run.rows) else earlier(seq)


def marks_in(run: Run, earlier: Earlier) -> dict[str, object]:
    """Returns the marks of kept recordings in the entries of `run`, as arrays for the SQL statement. Returns {} without
    marks. Leaves out a mark if the floor lacks the entry that it names.
    """
    found: list[tuple[int, int, int]] = []
    for row in run.rows:
        body = _body(row.payload) if row.kind == MARKED and not row.is_refused else None
        if body is None or not 0 < body.person <= LARGEST_PERSON or not 0 < body.incident < row.seq:
            continue
        began = moment_of(run, body.incident, earlier)
        if began is not None and began.table_ms >= 0:
            found.append((row.seq, began.table_ms, body.person))
    names = ("mark_seqs", "mark_times", "mark_persons")
    return dict(zip(names, map(list, zip(*found, strict=True)), strict=True)) if found else {}


def _body(payload: bytes) -> _Body | None:
    try:
        return _MARKS.decode(payload).body
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _timed(payload: bytes) -> _Timed:
    try:
        return _TIMES.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _Timed()
