"""With a row taken away or turned round, a field dropped or a condition turned, a test that is about it fails."""

import pytest

from tests.scenario.finders import every_mutant, is_found, known_survivors
from tests.scenario.trials import trials

PARTS = 8


def test_every_trial_is_well_while_nothing_is_changed() -> None:
    assert [one.name for one in trials().values() if one.fails()] == []


@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_is_wrong_unseen(part: int) -> None:
    """What survives wants a scenario, or its reason in survivors.toml; `make mutants` remembers who finds what."""
    asked = [one for one in every_mutant().values() if one.name not in known_survivors()][part::PARTS]
    survivors = [one.name for one in asked if not is_found(one)]
    print(f"{len(survivors)} mutants survive:", *survivors, sep="\n  ")
    assert survivors == []


def test_a_known_survivor_is_there_to_be_changed() -> None:
    assert sorted(known_survivors().keys() - every_mutant().keys()) == []
