"""Each kind of fault has a seed whose told story shows the table meeting it, and the table stands it."""

from functools import partial

import pytest

from simulators.world.ends import End
from simulators.world.faults import FAULTS, FaultKind, Length, plan_faults
from simulators.world.run import ALL_KINDS, run_world
from simulators.world.story import tell_to
from simulators.world.world import WorldPlan

MOST_SEEDS = 12
ROUNDS = 3
TOGETHER = {FaultKind.WRONG_HOLD: {FaultKind.LID_OPENED, FaultKind.JAM_AT_MOUTH}}
"""Kinds that can befall nothing unless something else has happened."""


@pytest.mark.parametrize("kind", FaultKind)
def test_the_table_meets_it_and_stands_it(kind: FaultKind) -> None:
    kinds = frozenset({kind} | TOGETHER.get(kind, set()))
    for seed in range(1, MOST_SEEDS):  # 0 would also be played as a pair
        story: list[str] = []
        result = run_world(WorldPlan(seed, ROUNDS, kinds, decks=1), partial(tell_to, story.append))
        assert result.violations == (), "\n".join(story)
        assert result.end is (End.HELD_DAMAGED if kind is FaultKind.BIT_FLIP and is_held(story) else End.CLOSED)
        if kind.value in result.faults:
            told = [line for line in story if "FAULT" in line and kind.value in line]
            assert len(told) == result.faults[kind.value]
            assert len(story) > story.index(told[0]) + 1, "nothing is told after it"
            return
    pytest.fail(f"not met in {MOST_SEEDS} seeds")


def is_held(story: list[str]) -> bool:
    """A flipped bit may fall on a seal, which is then lost, or on nothing that is read again."""
    return any("journal-damaged" in line for line in story)


def test_no_fault_is_met_where_none_was_asked_for() -> None:
    result = run_world(WorldPlan(1, ROUNDS))
    assert (result.faults, result.met, result.violations) == ({}, (), ())


def test_each_kind_has_one_row() -> None:
    assert [row.kind for row in FAULTS] == list(FaultKind)


def test_leaving_a_kind_out_changes_no_other() -> None:
    length = Length(rounds=20, cards=52)
    for seed in range(30):
        whole = plan_faults(seed, length, ALL_KINDS)
        fewer = plan_faults(seed, length, ALL_KINDS - {FaultKind.MISREAD})
        same = [fault for fault in whole if fault.kind is not FaultKind.MISREAD]
        assert [(f.kind, f.at, f.salt) for f in same] == [(f.kind, f.at, f.salt) for f in fewer]
