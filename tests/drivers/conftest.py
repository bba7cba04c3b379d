"""What every driver test gets: a pty to plug, and a check that no descriptor and no thread is left."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from ptys import PtyLine


def open_descriptors() -> dict[str, str]:
    """Descriptors of this process and what they point at (the listing's own is gone once it is read)."""
    return {entry.name: _target(entry) for entry in Path("/proc/self/fd").iterdir() if _target(entry)}


def _target(entry: Path) -> str:
    try:
        return str(entry.readlink())
    except OSError:
        return ""


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    descriptors, threads = open_descriptors(), set(threading.enumerate())
    yield
    left = {name: what for name, what in open_descriptors().items() if descriptors.get(name) != what}
    assert left == {}, "descriptors left open"
    assert set(threading.enumerate()) <= threads, "threads left running"


@pytest.fixture
def line(tmp_path: Path) -> Iterator[PtyLine]:
    line = PtyLine(tmp_path / "ttyTEST")
    yield line
    line.unplug()
