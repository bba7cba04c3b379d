"""Checks every test for things left running and for unmarked waits, and sets the order of the tests."""

import gc
import os
import random
import signal
from collections import Counter

import pytest
from hypothesis import HealthCheck, settings

from tests.night import IS_NIGHT, examples

pytest_plugins = ["tests.marked", "tests.left", "tests.costs", "tests.drawn", "tests.forked", "pytester"]

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it in background processes

gc.disable()  # until all tests are collected, which takes a third less time without the collector

settings.register_profile(
    "sabot",
    max_examples=examples(50),
    derandomize=not IS_NIGHT,
    deadline=None,  # no deadline for examples on a busy machine
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("sabot")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest tests begin first, so that none of them begins when the other workers have ended. Then come the
    folders with most tests: a process that takes half of another's rest builds what these tests share once more.

    With SABOT_SHUFFLE (a seed) the order of folders, of files in a folder and of tests in a file is random.
    """
    seed = os.environ.get("SABOT_SHUFFLE")
    if seed is None:
        tests = Counter(item.path.parent for item in items)
        items.sort(key=lambda item: (item.get_closest_marker("first") is None, -tests[item.path.parent]))
    else:
        items.sort(key=lambda item: _places(item.nodeid, seed))


def _places(nodeid: str, seed: str) -> list[float]:
    """The sort key of a test: a random number from the seed for its folder, for its file and for the test."""
    file = nodeid.partition("::")[0]
    return [random.Random(f"{seed} {part}").random() for part in (file.rpartition("/")[0], file, nodeid)]  # noqa: S311


def pytest_collection_finish() -> None:
    """Starts the garbage collector, which then ignores all objects made so far."""
    gc.freeze()
    gc.enable()
