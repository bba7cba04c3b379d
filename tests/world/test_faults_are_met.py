"""Each kind of fault has a seed whose story shows the table meeting it, and surviving it."""

import pytest

from controller.core.words import Device
from simulators.cli import main
from simulators.kit import procedure_of
from simulators.wheel.faults import OWN
from simulators.world.card_game import GAME, run_world
from simulators.world.fault_kinds import FaultKind
from simulators.world.fault_plan import Length, plan_faults
from simulators.world.faults import FAULTS, ROWS
from simulators.world.plan import WorldPlan
from tests.night import IS_NIGHT
from tests.world.golden import seed_of
from tests.world.stories import STORIES, Story, command, first_met, is_met, stands, told


@pytest.mark.drawn(5)
@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.kind.value)
def test_the_table_meets_it_and_stands_it(story: Story) -> None:
    """By night its seed is searched from the first one on."""
    seed = first_met(story) if IS_NIGHT else seed_of(story)
    result, lines = told(story, seed)
    assert result.violations == (), "\n".join(lines)
    assert stands(story, result, lines), f"not met in seed {seed} any more; `make golden` searches again"
    named = [line for line in lines if "FAULT" in line and f" {story.kind.value}" in line]
    assert len(named) == result.faults[story.kind.value]


def test_each_kind_has_its_story() -> None:
    assert [story.kind for story in STORIES] == [row.kind for row in FAULTS]


def test_a_story_that_never_names_the_fault_does_not_do() -> None:
    story = STORIES[0]
    _, lines = told(story, seed_of(story))
    unnamed = [line for line in lines if "FAULT" not in line]
    assert is_met(story, lines)
    assert not is_met(story, unnamed)
    assert not is_met(story, lines[: len(lines) // 4])


def test_people_print_it_with_one_command(capsys: pytest.CaptureFixture[str]) -> None:
    seed = seed_of(STORIES[0])
    _, lines = told(STORIES[0], seed)
    assert main(command(STORIES[0], seed).split()[1:]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[: len(lines)] == lines
    assert [line for line in said[len(lines) :] if line.startswith("met: #1 jam-at-feed")]


@pytest.mark.slow
def test_no_fault_is_met_where_none_was_asked_for() -> None:
    result = run_world(WorldPlan(1, 3))
    assert (result.faults, result.met, result.violations) == ({}, (), ())


def test_each_kind_has_one_row() -> None:
    of_wheel_alone = [row.kind for row in OWN if row.kind not in ROWS]
    assert [row.kind for row in FAULTS] + of_wheel_alone == list(FaultKind)


def test_leaving_a_kind_out_changes_no_other() -> None:
    draw, table = Length(rounds=20, cards=52).draw, (tuple(Device), procedure_of("pt-csm"))
    for seed in range(30):
        whole = plan_faults(WorldPlan(seed, 20, GAME.kinds), draw, *table)
        fewer = plan_faults(WorldPlan(seed, 20, GAME.kinds - {FaultKind.MISREAD}), draw, *table)
        same = [fault for fault in whole if fault.kind is not FaultKind.MISREAD]
        assert [(f.kind, f.at, f.salt) for f in same] == [(f.kind, f.at, f.salt) for f in fewer]
