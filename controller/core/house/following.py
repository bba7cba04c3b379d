"""The watches and tells of a game: rows that change the state, or give people a notice, after any event.

A row names the parts of the state on which it depends. The row's function is called only if the event, or a row above,
has put another object into one of these parts. Parts are never changed in place, so the same object means the same
value. The function of a row without parts is called at every event. A row may restrict its calls to some tables, to
steps of the round, or to the time while a part exists (`Row`).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from operator import attrgetter, is_not
from typing import Any, Generic, TypeAlias, TypeVar

from controller.core.engine.decision import Notice
from controller.core.house.state import State, StateT
from controller.core.setup import Setup
from controller.core.words import RoundPhase, TableMs

Watching: TypeAlias = Callable[[StateT, StateT, TableMs], StateT]
"""A function that returns the state which follows from the states before and after an event."""
Telling: TypeAlias = Callable[[StateT, StateT], Iterable[Notice]]
"""A function that returns the notices of a change, from the states before it and after it."""
AskedT = TypeVar("AskedT", bound=Callable[..., Any])


def _at_every_table(_setup: Setup) -> bool:
    return True


@dataclass(frozen=True)
class Row(Generic[AskedT]):
    """One consequence of an event: the function `asked`, and the conditions for calling it. `looks_at`: the parts of
    the state on which the function depends, as paths of attributes; if empty, the function is called at every event.
    """

    asked: AskedT
    looks_at: tuple[str, ...] = ()
    needs: Callable[[Setup], bool] = _at_every_table  # the tables with this row
    in_round: tuple[RoundPhase, ...] = ()  # the round's step after the event; empty: any
    only_while: str = ""  # a part that must exist after the event; empty: none
    parts: tuple[Callable[[Any], object], ...] = field(init=False, repr=False, compare=False)
    condition: Callable[[Any], object] | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", tuple(map(attrgetter, self.looks_at)))
        object.__setattr__(self, "condition", attrgetter(self.only_while) if self.only_while else None)


Watch: TypeAlias = Row[Watching[Any]]
Tell: TypeAlias = Row[Telling[Any]]


def next_asked(rows: tuple[Row[Any], ...], number: int, before: State, after: State) -> int:
    """The index of the first row from `number` on that is called for the change from `before` to `after`; `len(rows)`
    if none is called.
    """
    for at in range(number, len(rows)):
        row = rows[at]
        if row.in_round and after.game.phase not in row.in_round:
            continue
        if row.condition is not None and not row.condition(after):
            continue
        if not row.parts:
            return at
        for part in row.parts:
            if part(before) is not part(after):
                return at
    return len(rows)


def _parts_of(rows: tuple[Row[Any], ...]) -> Callable[[State], tuple[object, ...]] | None:
    """A function that returns all parts of the state on which these rows depend.

    None if a row names no part or has a condition `only_while`, or if there is only one part.
    """
    paths = sorted({path for row in rows for path in row.looks_at})
    is_fixed = all(row.looks_at and not row.only_while for row in rows)
    return attrgetter(*paths) if is_fixed and len(paths) > 1 else None  # of one path it returns no tuple


class Follows:
    """The watches and tells of one game. Those that a table needs are chosen once for its setup."""

    def __init__(self, watches: tuple[Watch, ...], tells: tuple[Tell, ...]) -> None:
        self._watches, self._tells = watches, tells
        self._at: Setup | None = None
        self._standing: tuple[tuple[Watch, ...], tuple[Tell, ...]] = (), ()
        self._told_of: Callable[[State], tuple[object, ...]] | None = None  # the parts at which all tells look

    def brought_about(self, before: StateT, after: StateT, at_ms: TableMs) -> StateT:
        """The state after all rows that change it. Each row sees the changes of the rows before it."""
        rows, _ = self._rows_at(before.setup)
        number = next_asked(rows, 0, before, after)
        while number < len(rows):
            after = rows[number].asked(before, after, at_ms)
            number = next_asked(rows, number + 1, before, after)
        return after

    def told(self, before: State, after: State) -> tuple[Notice, ...]:
        """The notices of an event that has led from `before` to `after`, in the order of the rows."""
        _, rows = self._rows_at(before.setup)
        if (parts := self._told_of) is not None and not any(map(is_not, parts(before), parts(after))):
            return ()
        notices: list[Notice] = []
        number = next_asked(rows, 0, before, after)
        while number < len(rows):
            notices += rows[number].asked(before, after)
            number = next_asked(rows, number + 1, before, after)
        return tuple(notices)

    def cache_clear(self) -> None:
        """Forgets the rows chosen for a setup. The next call chooses the rows again. Named like the method in
        functools.
        """
        self._at = None

    def _rows_at(self, setup: Setup) -> tuple[tuple[Watch, ...], tuple[Tell, ...]]:
        if self._at is not setup:
            watches = tuple(row for row in self._watches if row.needs(setup))
            tells = tuple(row for row in self._tells if row.needs(setup))
            self._at, self._standing, self._told_of = setup, (watches, tells), _parts_of(tells)
        return self._standing
