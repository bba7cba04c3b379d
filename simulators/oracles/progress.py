"""The oracle of progress: when the faults have stopped, people finish the session; a table held for ever is wrong.

Times are seconds of the clock that `mono_ns` of the entries comes from; what is bounded is table time.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from simulators.oracles.export_reader import Entry
from simulators.oracles.figures import Figures
from simulators.oracles.picture import Picture
from simulators.oracles.sightings import Sighting, kinds_told
from simulators.oracles.troubles import Trouble
from simulators.oracles.violation import Violation

_NS: Final = 1_000_000_000
_CLAUSE: Final = "DESIGN 3.11"


def check_progress(
    entries: Iterable[Entry],
    figures: Figures,
    *,
    last_fault_s: float,
    end_s: float,
    bound_s: float,
    sightings: Sequence[Sighting] = (),
) -> list[Violation]:
    """Whether the session that the last fault met was finished within `bound_s`; `end_s`: when nobody looked any more.

    Where it was not, each hold that stands is named with its kind and with what was last tried to end it.
    """
    watch = _Watch(figures, sightings, last_fault_s)
    for entry in entries:
        watch.take(entry)
    return watch.result(end_s, bound_s)


class _Watch:
    def __init__(self, figures: Figures, sightings: Sequence[Sighting], last_fault_s: float) -> None:
        self._picture = Picture(figures, kinds_told(sightings))
        self._last_fault_s = last_fault_s
        self._fault_ms = 0  # table time of the last fault, as far as entries tell it
        self._closed: Entry | None = None  # after the last fault
        self._acts: list[Entry] = []
        self._last: Entry | None = None

    def take(self, entry: Entry) -> None:
        was_closed = self._picture.session.step == "closed"
        self._picture.take(entry)
        self._last = entry
        if entry.is_act or entry.kind == "pin-refused":
            self._acts.append(entry)
        if entry.mono_ns <= self._last_fault_s * _NS:
            self._fault_ms = entry.table_ms
        elif not was_closed and self._picture.session.step == "closed" and self._closed is None:
            self._closed = entry

    def result(self, end_s: float, bound_s: float) -> list[Violation]:
        if self._closed is not None:
            return self._late(self._closed, (self._closed.table_ms - self._fault_ms) / 1000, bound_s)
        last = self._last
        if last is None or self._picture.session.step == "closed":
            return []
        since_s = (last.table_ms - self._fault_ms) / 1000 + max(0.0, end_s - last.mono_ns / _NS)
        if since_s <= bound_s:
            return []
        return [*self._late(last, since_s, bound_s), *map(self._stands, self._picture.troubles.standing)]

    def _late(self, at: Entry, since_s: float, bound_s: float) -> list[Violation]:
        if since_s <= bound_s:
            return []
        step = f"session {self._picture.session.step}, round {self._picture.round.step}"
        found = f"{step}, {since_s:.0f} s after the last fault; last tried: {_tried(self._acts[-1:])}"
        return [Violation("session is finished", _CLAUSE, at.seq, found, f"closed within {bound_s:.0f} s")]

    def _stands(self, trouble: Trouble) -> Violation:
        tries = [act for act in self._acts if act.seq >= trouble.raised]
        of_it = [act for act in tries if "hold" in act.body and act.number("hold") == trouble.number]
        found = f"{trouble.name} stands, {trouble.phase}; last tried: {_tried((of_it or tries)[-1:])}"
        return Violation("no hold stands for ever", _CLAUSE, trouble.raised, found, "its end")


def _tried(acts: list[Entry]) -> str:
    if not acts:
        return "nothing"
    act = acts[0]
    came_of_it = f"refused ({act.refusal.reason}, {act.refusal.clause})" if act.refusal else "done"
    return f"{act.kind} by {act.text('role') or act.number('person')} in entry {act.seq}, {came_of_it}"
