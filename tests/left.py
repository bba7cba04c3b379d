"""Each test is checked for a thread, process, descriptor or handler of Ctrl-C left behind."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """Fails a test that leaves something running; descriptors and threads of its module or worker are excepted."""
    descriptors, threads, processes = open_descriptors(), set(threading.enumerate()), children()
    interrupted = signal.getsignal(signal.SIGINT)
    yield
    assert signal.getsignal(signal.SIGINT) is interrupted, "another handler of Ctrl-C left behind"
    left = {name: what for name, what in open_descriptors().items() if descriptors.get(name) != what}
    assert left == {}, "descriptors left open"
    assert set(threading.enumerate()) <= threads, "threads left running"
    assert children() <= processes, "processes left running, or not waited for"


def open_descriptors() -> dict[str, str]:
    """Descriptors of this process and their targets, without the listing's own."""
    found = {}
    for name in os.listdir("/proc/self/fd"):
        with suppress(FileNotFoundError):
            found[name] = os.readlink(f"/proc/self/fd/{name}")
    return found


def children() -> set[str]:
    """The processes that this one has started, including ended ones without a wait.

    A task may end during the reading.
    """
    found: set[str] = set()
    for task in os.listdir("/proc/self/task"):
        with suppress(FileNotFoundError), open(f"/proc/self/task/{task}/children") as listed:
            found.update(listed.read().split())
    return found
