"""The reduced set of faults still makes a world fail, and is small."""

import pytest

from simulators.world.shrink import MOST_RUNS, shrink


@pytest.mark.parametrize("guilty", [(7,), (2, 9), (1, 5, 12), tuple(range(1, 13))])
def test_the_guilty_ones_are_left(guilty: tuple[int, ...]) -> None:
    tried = []

    def fails(numbers: tuple[int, ...]) -> bool:
        tried.append(numbers)
        return set(guilty) <= set(numbers)

    assert shrink(range(1, 13), fails) == guilty
    assert len(tried) <= MOST_RUNS


def test_a_failure_without_any_fault_is_said_to_need_none() -> None:
    assert shrink((4, 8), lambda _numbers: True) == ()


def test_a_failure_that_needs_all_is_left_as_it_is() -> None:
    assert shrink((1, 2, 3), lambda numbers: len(numbers) == 3) == (1, 2, 3)


def test_the_runs_are_bounded() -> None:
    tried = []

    def fails(numbers: tuple[int, ...]) -> bool:
        tried.append(numbers)
        return set(numbers) >= {3, 77, 150}

    left = shrink(range(200), fails, most_runs=10)
    assert {3, 77, 150} <= set(left)
    assert len(tried) <= 10
