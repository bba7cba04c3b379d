"""The one module that imports `transitions`: a flat, synchronous machine made from rows, with no callbacks.

A machine here holds no state of the table. It is asked "from this state, by this trigger, to where?" and gives the
target or None; the table's state stays a frozen value. So nothing can jump: there are no automatic `to_*` triggers,
no guards and no effects inside. Rows are linted when a machine is made: a wrong table does not import.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from transitions import Machine

S = TypeVar("S", bound=StrEnum)
T = TypeVar("T", bound=StrEnum)


class TableError(Exception):
    """A procedure table that cannot be meant: duplicate row, unreachable state, dead end, trigger without row."""


@dataclass(frozen=True, slots=True)
class Row(Generic[S, T]):
    """By `trigger`, from `source` to `target`.

    `only`: where the profile's procedure has this value under this name; `unless`: where it has another.
    """

    trigger: T
    source: S
    target: S
    only: tuple[str, StrEnum] | None = None
    unless: tuple[str, StrEnum] | None = None

    def stands_in(self, procedure: object) -> bool:
        """Whether a profile with this procedure has the row."""
        wanted = self.only is None or getattr(procedure, self.only[0]) is self.only[1]
        return wanted and (self.unless is None or getattr(procedure, self.unless[0]) is not self.unless[1])


class _Cursor:
    """The model that `transitions` moves; it exists only for the length of one question."""

    state: str


class ProcedureMachine(Generic[S, T]):
    """A linted table of rows; `target` is a pure question."""

    def __init__(
        self,
        name: str,
        states: type[S],
        triggers: type[T],
        rows: Sequence[Row[S, T]],
        *,
        initial: S,
        final: tuple[S, ...] = (),
    ) -> None:
        """Raises TableError where the rows do not make a whole machine; `final` may have no way out."""
        self.name = name
        self.rows = tuple(rows)
        self.initial = initial
        self._states = states
        _lint(name, states, triggers, self.rows, initial, final)
        self._cursor = _Cursor()
        self._machine = Machine(
            model=self._cursor,
            states=[state.value for state in states],
            transitions=[[row.trigger.value, row.source.value, row.target.value] for row in self.rows],
            initial=initial.value,
            auto_transitions=False,
            ignore_invalid_triggers=True,
            send_event=True,
        )

    def target(self, source: S, trigger: T) -> S | None:
        """Where `trigger` leads from `source`; None where it leads nowhere."""
        self._machine.set_state(source.value, self._cursor)
        event = self._machine.events[trigger.value]
        return self._states(self._cursor.state) if event.trigger(self._cursor) else None

    def sources_in(self, procedure: object, trigger: T) -> tuple[S, ...]:
        """Every state from which `trigger` leads somewhere in a profile with this procedure, in table order."""
        return tuple(row.source for row in self.rows if row.trigger is trigger and row.stands_in(procedure))

    def diagram(self, procedure: object, leave_out: Sequence[T] = ()) -> str:
        """A profile's table as a Mermaid state diagram, without the rows of some triggers; no name has a hyphen."""
        rows = [row for row in self.rows if row.trigger not in leave_out and row.stands_in(procedure)]
        named = [f'    state "{state.value}" as {_id(state)}' for state in self._states if "-" in state.value]
        lines = [f"    {_id(row.source)} --> {_id(row.target)}: {row.trigger.value}" for row in rows]
        return "\n".join(["stateDiagram-v2", *named, f"    [*] --> {_id(self.initial)}", *lines])


def _id(state: StrEnum) -> str:
    return state.value.replace("-", "_")


def _lint(
    name: str,
    states: type[S],
    triggers: type[T],
    rows: tuple[Row[S, T], ...],
    initial: S,
    final: tuple[S, ...],
) -> None:
    seen: list[tuple[T, S]] = [(row.trigger, row.source) for row in rows]
    problems = [
        f"two rows for {trigger} from {source}" for trigger, source in seen if seen.count((trigger, source)) > 1
    ]
    problems += [f"no row for trigger {t}" for t in triggers if all(row.trigger is not t for row in rows)]
    reached = _reachable(rows, initial)
    problems += [f"{state} is never reached" for state in states if state not in reached]
    problems += [
        f"{state} is never left"
        for state in states
        if state not in final and all(row.source is not state or row.target is state for row in rows)
    ]
    if problems:
        raise TableError(f"{name}: " + "; ".join(problems))


def _reachable(rows: tuple[Row[S, T], ...], initial: S) -> list[S]:
    reached = [initial]
    for state in reached:  # the list grows while it is walked
        reached += [row.target for row in rows if row.source is state and row.target not in reached]
    return reached
