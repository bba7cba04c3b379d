"""Finds void rounds and irregular closings in a table's entries, each from its first entry to its last. Pure.

The floor gets each entry once and in order, even after an outage, so no incident is lost. All times are by the table's
clock. A table whose version does not record incidents has none here.
"""

from datetime import date
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from controller.floor.recordings import Earlier, Moment, moment_in, moment_of
from controller.floor.runs import UNKNOWN_MONTH, Run, month_of
from controller.protocol.incidents import IncidentKind, Told, Turn

UNKNOWN_MS: Final = -1
"""Stands for a time that is implausible, or that the floor does not have."""


class _Spell(Struct, frozen=True, gc=False):
    """An incident. `told`: the number of the first entry that reports it. `ended`: None while the incident
    continues.
    """

    told: int
    kind: IncidentKind
    began: Moment
    ended: Moment | None


class _Course:
    """Collects the incidents of consecutive entries. `spells`: the incidents that begin in these entries. `earlier`:
    for each kind of incident that began earlier, the moment at which it ends; None if it is withdrawn.
    """

    def __init__(self) -> None:
        self.spells: list[_Spell] = []
        self.earlier: dict[IncidentKind, Moment | None] = {}

    def take(self, told: Told, at: Moment, began: Moment) -> None:
        last = next((one for one in reversed(self.spells) if one.kind is told.kind), None)
        match told.turn:
            case Turn.BEGAN:
                self.spells.append(_Spell(at.seq, told.kind, began, None))
            case Turn.ENDED if told.first:
                self.spells.append(_Spell(at.seq, told.kind, began, at))
            case Turn.ENDED if last is not None:
                self.spells[self.spells.index(last)] = replace(last, ended=last.ended or at)
            case Turn.WITHDRAWN if last is not None:
                self.spells.remove(last)
            case _:
                self.earlier[told.kind] = at if told.turn is Turn.ENDED else None


def incidents_in(run: Run, earlier: Earlier, today: date) -> dict[str, object]:
    """Returns the incidents that begin, end or are withdrawn in the entries of `run`, as arrays for the SQL statement.
    Returns {} without such an incident. An incident whose first entry the floor lacks begins where it ends.
    """
    course = _Course()
    for row in run.rows:
        for told in row.incidents:
            at = moment_in(row.seq, row.payload)
            began = moment_of(run, told.first, earlier) if 0 < told.first < row.seq else at
            course.take(told, at, began or Moment(at.seq, UNKNOWN_MS, at.wall_ms, None))
    return _arrays(run.epoch, course, today) if course.spells or course.earlier else {}


def _arrays(epoch: int, course: _Course, today: date) -> dict[str, object]:
    spells, ended = course.spells, {kind: at for kind, at in course.earlier.items() if at is not None}
    return {
        "told_names": [f"{epoch}.{one.told}" for one in spells],
        "told_kinds": [one.kind.value for one in spells],
        "told_times": [one.began.table_ms for one in spells],
        "told_since": [_wall(one.began, today) for one in spells],
        "told_synced": [one.began.is_synced for one in spells],
        "told_ended": [_wall(one.ended, today) for one in spells],
        "told_ended_synced": [None if one.ended is None else one.ended.is_synced for one in spells],
        "told_ends": [0 if one.ended is None else one.ended.seq for one in spells],
        "ended_kinds": [kind.value for kind in ended],
        "ended_at": [_wall(at, today) for at in ended.values()],
        "ended_synced": [at.is_synced for at in ended.values()],
        "ended_seqs": [at.seq for at in ended.values()],
        "withdrawn_kinds": [kind.value for kind in course.earlier if kind not in ended],
    }


def _wall(at: Moment | None, today: date) -> int:
    is_known = at is not None and month_of(at.wall_ms, today) != UNKNOWN_MONTH
    return at.wall_ms if at is not None and is_known else UNKNOWN_MS
