"""The oracle of progress: once the faults have stopped, people must be able to end each hold and finish the session."""

from collections.abc import Sequence
from typing import Final

from simulators.oracles.export_entries import Entry
from simulators.oracles.sightings import SeenHold, Sighting
from simulators.oracles.violation import Violation

_CLAUSE: Final = "DESIGN 3.11"


def not_finished(entries: Sequence[Entry], last: Sighting) -> list[Violation]:
    """Returns the violations of a table with an open session at which people have stopped acting. `last`: the last
    status of the table.

    Each violation names an open hold, and the act that last tried to end it.
    """
    acts = [entry for entry in entries if entry.is_act or entry.kind == "pin-refused"]
    found = f"session {last.session}, round {last.round}; last tried: {_tried(acts[-1:])}"
    finished = Violation("session is finished", _CLAUSE, entries[-1].seq, found, "closed")
    return [finished, *(_stands(hold, acts, last.seq) for hold in last.holds)]


def _stands(hold: SeenHold, acts: list[Entry], seq: int) -> Violation:
    of_it = [act for act in acts if "hold" in act.body and act.number("hold") == hold.number]
    found = f"{hold.name} stands, {hold.phase}; last tried: {_tried((of_it or acts)[-1:])}"
    return Violation("no hold stands for ever", _CLAUSE, seq, found, "its end")


def _tried(acts: list[Entry]) -> str:
    if not acts:
        return "nothing"
    act = acts[0]
    came_of_it = f"refused ({act.refusal.reason}, {act.refusal.clause})" if act.refusal else "done"
    return f"{act.kind} by {act.text('role') or act.number('person')} in entry {act.seq}, {came_of_it}"
