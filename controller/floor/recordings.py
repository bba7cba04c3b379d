"""Marks of kept recordings among a table's entries, and the quality of its clock. Pure.

A mark names the first entry of an incident. The floor knows an incident by the table time of its hold, which is that
entry's time. The place of the recording stays at the table: the entry has only its commitment.
"""

from collections.abc import Callable

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
    wall_synced: bool | None = None


_MARKS = msgspec.json.Decoder(_Mark)
_TIMES = msgspec.json.Decoder(_Timed)


def is_synced(run: Run) -> bool | None:
    """True where the table's clock was synchronised at the run's last entry; None where the entry does not say."""
    return _timed(run.rows[-1].payload).wall_synced


def marks_in(run: Run, elsewhere: Callable[[int], bytes | None]) -> dict[str, object]:
    """The marks among these entries, as arrays for the SQL statement; {} without any.

    `elsewhere`: returns the payload of an earlier entry. A mark of an unknown entry is left out.
    """
    here = {row.seq: row.payload for row in run.rows}
    found: list[tuple[int, int, int]] = []
    for row in run.rows:
        body = _body(row.payload) if row.kind == MARKED and not row.is_refused else None
        if body is None or not 0 < body.person <= LARGEST_PERSON or not 0 < body.incident < row.seq:
            continue
        payload = here.get(body.incident) or elsewhere(body.incident)
        table_ms = -1 if payload is None else _timed(payload).table_ms
        if 0 <= table_ms <= LATEST_MS:
            found.append((row.seq, table_ms, body.person))
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
