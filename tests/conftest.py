"""What every test gets: a check that it leaves no thread, process or descriptor, and another that it says for what it
waits; and the order of the whole.
"""

import gc
import os
import random
import signal
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import settings

from tests.night import IS_NIGHT, examples

pytest_plugins = ["tests.marked", "tests.drawn", "tests.forked", "pytester"]

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has it ignored in what runs in its background

gc.disable()  # until all tests are collected: in what is only made, a third of the time is spent looking for circles

settings.register_profile("sabot", max_examples=examples(50), derandomize=not IS_NIGHT, deadline=None)
settings.load_profile("sabot")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest tests begin first, so that none of them begins when the other workers have ended.

    With SABOT_SHUFFLE the order is that of a seed: of folders, of the files in one, of the tests in one.
    """
    seed = os.environ.get("SABOT_SHUFFLE")
    if seed is None:
        items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    else:
        items.sort(key=lambda item: _places(item.nodeid, seed))


def _places(nodeid: str, seed: str) -> list[float]:
    """Where its folder, its file and it come with this seed."""
    file = nodeid.partition("::")[0]
    return [random.Random(f"{seed} {part}").random() for part in (file.rpartition("/")[0], file, nodeid)]  # noqa: S311


def pytest_collection_finish() -> None:
    """From here on the collector looks (at all: field mutants ask it which functions a code has)."""
    gc.enable()


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """Whatever a test begins it ends; what its module or its worker had open before is not its own."""
    descriptors, threads, processes = open_descriptors(), set(threading.enumerate()), children()
    interrupted = signal.getsignal(signal.SIGINT)
    yield
    assert signal.getsignal(signal.SIGINT) is interrupted, "another handler of Ctrl-C left behind"
    left = {name: what for name, what in open_descriptors().items() if descriptors.get(name) != what}
    assert left == {}, "descriptors left open"
    assert set(threading.enumerate()) <= threads, "threads left running"
    assert children() <= processes, "processes left running, or not waited for"


def open_descriptors() -> dict[str, str]:
    """Descriptors of this process and what they point at (the listing's own is gone once it is read)."""
    found = {}
    for name in os.listdir("/proc/self/fd"):
        with suppress(FileNotFoundError):
            found[name] = os.readlink(f"/proc/self/fd/{name}")
    return found


def children() -> set[str]:
    """The processes that this one has started, also those that have ended and that nobody has waited for.

    A task may end while it is asked.
    """
    found: set[str] = set()
    for task in os.listdir("/proc/self/task"):
        with suppress(FileNotFoundError), open(f"/proc/self/task/{task}/children") as listed:
            found.update(listed.read().split())
    return found
