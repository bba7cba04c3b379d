"""Rules are rows: with any one of them taken away or turned round, a test that names its clause fails."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import pytest

from controller.core.rules import NAMES
from controller.scenario.play import play
from controller.scenario.text import Scenario
from tests.core.holds_out_of_reach import HOLD_CASES
from tests.core.rows_out_of_reach import CASES
from tests.scenario.mutants import Mutant, mutants
from tests.scenario.test_written_scenarios import FILES, scenarios


@dataclass(frozen=True, slots=True)
class Shown:
    """A test that is run in this process: its clauses, what it is about, how long it is, and whether it fails now."""

    name: str
    clauses: frozenset[str]
    about: frozenset[str]
    length: int
    fails: Callable[[], bool]


@cache
def shown() -> tuple[Shown, ...]:
    by_hand = (
        Shown(case.guard, frozenset({case.clause, case.shows}), frozenset({NAMES[type(case.act)]}), 0, case.fails)
        for case in (*CASES, *HOLD_CASES)
    )
    return (*by_hand, *(_written(one) for path in FILES for one in scenarios(path)))


def _written(scenario: Scenario) -> Shown:
    events = play(scenario).events
    acts = frozenset(NAMES[kind] for kind in map(type, events) if kind in NAMES)
    words = frozenset(word for line in scenario.lines for word in (line.word, *line.rest))
    return Shown(
        scenario.id, frozenset(scenario.clauses), acts | words, len(events), lambda: _does_not_come_true(scenario)
    )


_LOST = (LookupError, TypeError, ValueError, AttributeError)
"""What an act does that should never have been allowed."""


def _does_not_come_true(scenario: Scenario) -> bool:
    try:
        return play(scenario).failure is not None
    except _LOST:
        return True


def survives(mutant: Mutant) -> bool:
    """No test that names one of its clauses fails."""
    with mutant.applied():
        return not any(one.fails() for one in _likely_first(mutant))


def _likely_first(mutant: Mutant) -> Iterator[Shown]:
    """Order only saves time: short ones that are about it first."""
    naming = [one for one in shown() if one.clauses & mutant.clauses]
    yield from sorted(naming, key=lambda one: (not one.about & mutant.about, one.length))


def test_every_test_is_well_while_nothing_is_changed() -> None:
    assert [one.name for one in shown() if one.fails()] == []


PARTS = 6


@pytest.mark.parametrize("part", range(PARTS))
def test_no_row_can_be_taken_away_or_turned_round_unseen(part: int) -> None:
    survivors = [one.name for one in [*mutants()][part::PARTS] if survives(one)]
    print(f"{len(survivors)} rows survive:", *survivors, sep="\n  ")
    assert survivors == []
