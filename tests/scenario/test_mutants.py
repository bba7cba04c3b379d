"""Rules are rows: with any one of them taken away, a test that names its clause fails."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from controller.scenario.play import play
from tests.core.hold_rows import KINDS, asks_too_little, forbids_too_little
from tests.core.rows_out_of_reach import CASES
from tests.scenario.mutants import Mutant, mutants
from tests.scenario.test_written_scenarios import FILES, scenarios


@dataclass(frozen=True, slots=True)
class Shown:
    """A test that is run in this process: its clauses, and whether it fails now."""

    name: str
    clauses: frozenset[str]
    fails: Callable[[], bool]


@cache
def shown() -> tuple[Shown, ...]:
    written = (
        Shown(one.id, frozenset(one.clauses), lambda one=one: play(one).failure is not None)
        for path in FILES
        for one in scenarios(path)
    )
    by_hand = (Shown(case.guard, frozenset({case.clause}), case.fails) for case in CASES)
    return (*by_hand, *_of_holds(), *written)


def _of_holds() -> Iterator[Shown]:
    for kind in KINDS:
        clauses = frozenset(HOLD_CLAUSES)
        yield Shown(f"forbids {kind}", clauses, lambda kind=kind: bool(forbids_too_little(kind)))
        yield Shown(f"evidence {kind}", clauses, lambda kind=kind: bool(asks_too_little(kind)))


HOLD_CLAUSES = (
    "pt.bj.51a",
    "pt.bj.51c",
    "pt.bj.51d",
    "pt.bj.51e",
    "pt.bj.55b",
    "pt.bj.17a",
    "pt.bj.61",
    "pt.bj.54d",
    "br.inc.1",
)
"""The clauses that tests/core/test_rows.py names for what holds forbid and ask for."""


def survives(mutant: Mutant) -> bool:
    """No test that names one of its clauses fails."""
    with mutant.applied():
        return not any(one.fails() for one in _likely_first(mutant) if one.clauses & mutant.clauses)


def _likely_first(mutant: Mutant) -> list[Shown]:
    """Order only saves time: the short tests first, then the written refusals."""
    refusals = ("XR-", "evidence", "forbids")
    return sorted(shown(), key=lambda one: not one.name.startswith(refusals))


def test_no_row_can_be_taken_away_unseen() -> None:
    assert not any(one.fails() for one in shown())
    survivors = [one.name for one in mutants() if survives(one)]
    print(f"{len(survivors)} rows survive:", *survivors, sep="\n  ")
    assert survivors == []
