"""What every test of the journal gets: a check that no thread and no descriptor is left."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest


def open_descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    descriptors, threads = open_descriptors(), set(threading.enumerate())
    yield
    assert set(threading.enumerate()) <= threads, "threads left running"
    assert open_descriptors() == descriptors, "descriptors left open"
