"""The one module that imports `transitions`: flat, synchronous machines made from rows, with no callbacks.

A machine here holds no state of the table. It is asked "from this state, by this trigger, to where?" and gives the
target or None; the table's state stays a frozen value. So nothing can jump: there are no automatic `to_*` triggers
and no effects inside. What a row says of the profile (`only`, `unless`) is a condition of its transition. Answers are
kept by the values that those conditions look at; a test asks the library again for every cell. Rows are linted when a
machine is made: a wrong table does not import.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from transitions import EventData, Machine

S = TypeVar("S", bound=StrEnum)

Choice = tuple[str, StrEnum]
"""A value of the profile's procedure under its name."""


class TableError(Exception):
    """A procedure table that cannot be meant: duplicate row, unreachable state, dead end."""


@dataclass(frozen=True, slots=True)
class Row(Generic[S]):
    """By `trigger`, from `source` to `target`, in profiles that chose `only`, or anything `unless` this."""

    trigger: StrEnum
    source: S
    target: S
    only: Choice | None = None
    unless: Choice | None = None

    def stands_in(self, procedure: object) -> bool:
        """True where a profile with this procedure has the row."""
        chose_only = self.only is None or _chose(procedure, self.only)
        return chose_only and (self.unless is None or not _chose(procedure, self.unless))

    @property
    def choices(self) -> tuple[Choice, ...]:
        return tuple(choice for choice in (self.only, self.unless) if choice is not None)


class _Asked:
    """The model that `transitions` looks at; it exists only for the length of one question."""

    state: str
    procedure: object
    may_trigger: Callable[[str], bool]


class ProcedureMachine(Generic[S]):
    """A linted table of rows; every question to it is pure."""

    def __init__(self, name: str, rows: Sequence[Row[S]], *, initial: S, final: tuple[S, ...] = ()) -> None:
        """Raises TableError where the rows do not make a whole machine; `final` may have no way out."""
        self.name = name
        self.rows = tuple(rows)
        self.initial = initial
        self.states: tuple[S, ...] = tuple(dict.fromkeys((initial, *(row.target for row in rows))))
        _lint(name, self.rows, self.states, final)
        self._asked = _Asked()
        self._machine = Machine(
            model=self._asked,
            states=[state.value for state in self.states],
            transitions=[_declared(row) for row in self.rows],
            initial=initial.value,
            auto_transitions=False,
            ignore_invalid_triggers=True,
            send_event=True,
        )
        self._choices = tuple(dict.fromkeys(choice[0] for row in self.rows for choice in row.choices))
        self._targets: dict[tuple[object, ...], S | None] = {}
        self._sources: dict[tuple[object, ...], tuple[S, ...]] = {}

    def target(self, procedure: object, source: S, trigger: StrEnum) -> S | None:
        """Where `trigger` leads from `source` in a profile with this procedure; None where it leads nowhere."""
        key = (*(getattr(procedure, name) for name in self._choices), source, trigger)
        if key not in self._targets:
            self._targets[key] = self.asked(procedure, source, trigger)
        return self._targets[key]

    def asked(self, procedure: object, source: S, trigger: StrEnum) -> S | None:
        """`target`, from the library itself."""
        self._asked.procedure = procedure
        self._machine.set_state(source.value, self._asked)
        if not self._asked.may_trigger(trigger.value):  # `trigger` itself would swallow an interrupt
            return None
        transition = self._machine.get_transitions(trigger.value, source.value)[0]  # one: no two rows have one cell
        return next(state for state in self.states if state == transition.dest)

    def sources_in(self, procedure: object, trigger: StrEnum) -> tuple[S, ...]:
        """Every state from which `trigger` leads somewhere in a profile with this procedure."""
        key = (*(getattr(procedure, name) for name in self._choices), trigger)
        if key not in self._sources:
            ways = (state for state in self.states if self.target(procedure, state, trigger) is not None)
            self._sources[key] = tuple(ways)
        return self._sources[key]


def _chose(procedure: object, choice: Choice) -> bool:
    return getattr(procedure, choice[0]) is choice[1]


def _declared(row: Row[S]) -> dict[str, object]:
    """The row as the library's own transition, with its condition."""

    def stands(event: EventData) -> bool:
        return isinstance(event.model, _Asked) and row.stands_in(event.model.procedure)

    ends = {"trigger": row.trigger.value, "source": row.source.value, "dest": row.target.value}
    return {**ends, "conditions": stands} if row.choices else dict(ends)


def _lint(name: str, rows: tuple[Row[S], ...], states: tuple[S, ...], final: tuple[S, ...]) -> None:
    cells = [(row.trigger, row.source) for row in rows]
    problems = [f"two rows for {t} from {source}" for t, source in dict.fromkeys(cells) if cells.count((t, source)) > 1]
    problems += [f"{row.source} is never reached" for row in rows if row.source not in _reachable(rows, states[0])]
    left = [row.source for row in rows if row.target is not row.source]
    problems += [f"{state} is never left" for state in states if state not in final and state not in left]
    if problems:
        raise TableError(f"{name}: " + "; ".join(problems))


def _reachable(rows: tuple[Row[S], ...], initial: S) -> list[S]:
    reached = [initial]
    for state in reached:  # the list grows while it is walked
        reached += [row.target for row in rows if row.source is state and row.target not in reached]
    return reached
