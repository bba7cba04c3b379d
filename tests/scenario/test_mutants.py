"""For each removed or reversed row, dropped field or reversed condition, a test about it fails."""

import gc
from collections.abc import Callable

import pytest

from tests.scenario.field_mutants import _running
from tests.scenario.finders import every_mutant, is_found, known_survivors

PARTS = 16


@pytest.mark.drawn(1)
@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_is_wrong_unseen(part: int) -> None:
    """A survivor needs a scenario, or the reason why none can show it; `make mutants` remembers each trial."""
    asked = [one for one in every_mutant().values() if one.name not in known_survivors()][part::PARTS]
    survivors = [one.name for one in asked if not is_found(one)]
    print(f"{len(survivors)} mutants survive:", *survivors, sep="\n  ")
    assert survivors == []


def test_a_known_survivor_is_there_to_be_changed_and_has_its_reason() -> None:
    assert sorted(known_survivors().keys() - every_mutant().keys()) == []
    assert [name for name, reason in known_survivors().items() if not reason] == []


def test_a_function_is_changed_wherever_it_is_known_whatever_the_collector_leaves_out() -> None:
    made = [_maker() for _time in range(2)]
    gc.freeze()
    assert sorted(map(id, _running(_maker, made[0].__code__))) == sorted(map(id, made))


def _maker() -> Callable[[], None]:
    def made() -> None:
        return

    return made
