"""The measures of the tests leave out the seconds that other work on the machine has taken."""

import gc
import time

import pytest

from tests.waiting import stopwatch

pytestmark = pytest.mark.waits


def test_a_stopwatch_leaves_out_the_collections_of_the_tests_own_process() -> None:
    heap = [[number] for number in range(400_000)]
    took_s, began_s = stopwatch(), time.monotonic()
    gc.collect()
    left_s, passed_s = took_s(), time.monotonic() - began_s
    assert len(heap) == 400_000
    assert left_s < passed_s / 2
