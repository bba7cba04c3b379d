"""What every simulator test gets: a check that no descriptor and no thread is left behind."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest


def _open_descriptors() -> dict[str, str]:
    links = list(Path("/proc/self/fd").iterdir())
    # The listing's own descriptor is among them, and gone by now.
    return {link.name: str(link.readlink()) for link in links if os.path.lexists(link)}


@pytest.fixture(autouse=True)
def nothing_left_behind() -> Iterator[None]:
    descriptors, threads = _open_descriptors(), set(threading.enumerate())
    yield
    assert set(threading.enumerate()) <= threads, "threads left running"
    left = {name: what for name, what in _open_descriptors().items() if descriptors.get(name) != what}
    assert left == {}, "descriptors left open"
