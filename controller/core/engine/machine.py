"""Flat, synchronous state machines made from table rows; the only module that imports `transitions`.

A machine stores no state of the table: for a state and a trigger it returns the next state, or None. It has no
automatic `to_*` triggers, no callbacks and no side effects. A row's profile choices (`only`, `unless`) are the
condition of its transition. Results are cached by the values of these choices; a test compares the cache with the
library for every state and trigger. Rows are checked when a machine is made, so a module with a wrong table cannot be
imported.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Generic, TypeVar

from msgspec import Struct
from transitions import EventData, Machine

S = TypeVar("S", bound=StrEnum)

Choice = tuple[str, StrEnum]
"""The name of a procedure's field in the profile, and its value."""


class TableError(Exception):
    """Raised for a procedure table with a mistake: a duplicate row, an unreachable state, or a dead end."""


class Row(Struct, Generic[S], frozen=True, gc=False):
    """One transition: `trigger` leads from `source` to `target`. The transition exists in a profile that has chosen
    `only` (if given) and has not chosen `unless`.
    """

    trigger: StrEnum
    source: S
    target: S
    only: Choice | None = None
    unless: Choice | None = None

    def stands_in(self, procedure: object) -> bool:
        """True if the row applies in a profile with this procedure."""
        chose_only = self.only is None or _chose(procedure, self.only)
        return chose_only and (self.unless is None or not _chose(procedure, self.unless))

    @property
    def choices(self) -> tuple[Choice, ...]:
        return tuple(choice for choice in (self.only, self.unless) if choice is not None)


class _Asked:
    """The object on which the library `transitions` works: the state and procedure of one call, for the transitions'
    conditions.
    """

    state: str
    procedure: object
    may_trigger: Callable[[str], bool]


class ProcedureMachine(Generic[S]):
    """A state machine made from rows; the rows are checked when it is made."""

    def __init__(self, name: str, rows: Sequence[Row[S]], *, initial: S, final: tuple[S, ...] = ()) -> None:
        """Makes the machine. Raises TableError for a duplicate row, an unreachable state or a dead end.

        `final`: the states that may be dead ends.
        """
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
        """The state to which `trigger` leads from `source` in a profile with this procedure. None if no row applies."""
        key = (*(getattr(procedure, name) for name in self._choices), source, trigger)
        if key not in self._targets:
            self._targets[key] = self.asked(procedure, source, trigger)
        return self._targets[key]

    def asked(self, procedure: object, source: S, trigger: StrEnum) -> S | None:
        """The result of `target` for `source` and `trigger`, computed by the library without the cache."""
        self._asked.procedure = procedure
        self._machine.set_state(source.value, self._asked)
        if not self._asked.may_trigger(trigger.value):  # `trigger` itself would swallow an interrupt
            return None
        transition = self._machine.get_transitions(trigger.value, source.value)[0]  # the rows allow only one
        return next(state for state in self.states if state == transition.dest)

    def sources_in(self, procedure: object, trigger: StrEnum) -> tuple[S, ...]:
        """The states from which `trigger` leads to a state in a profile with this procedure."""
        key = (*(getattr(procedure, name) for name in self._choices), trigger)
        if key not in self._sources:
            ways = (state for state in self.states if self.target(procedure, state, trigger) is not None)
            self._sources[key] = tuple(ways)
        return self._sources[key]


def _chose(procedure: object, choice: Choice) -> bool:
    return getattr(procedure, choice[0]) is choice[1]


def _declared(row: Row[S]) -> dict[str, object]:
    """The row as the keyword arguments of the library's transition, with the row's condition."""

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
    for state in reached:  # the list grows during this loop
        reached += [row.target for row in rows if row.source is state and row.target not in reached]
    return reached
