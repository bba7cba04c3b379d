"""Checks after each test that it left no thread, process, descriptor or handler of Ctrl-C behind."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """Fails a test that leaves something behind. Whatever existed before the test may stay."""
    descriptors, threads, processes = open_descriptors(), set(threading.enumerate()), children()
    interrupted = signal.getsignal(signal.SIGINT)
    yield
    assert signal.getsignal(signal.SIGINT) is interrupted, "another handler of Ctrl-C left behind"
    left = {name: what for name, what in open_descriptors().items() if descriptors.get(name) != what}
    assert left == {}, "descriptors left open"
    assert set(threading.enumerate()) <= threads, "threads left running"
    assert children() <= processes, "processes left running, or not waited for"


def open_descriptors() -> dict[str, str]:
    """The open descriptors of this process by number, each with its target; without the one that lists them."""
    found = {}
    for name in os.listdir("/proc/self/fd"):
        with suppress(FileNotFoundError):
            found[name] = os.readlink(f"/proc/self/fd/{name}")
    return found


def children(number: str = "self") -> set[str]:
    """The ids of the children of a process, also of ended ones that were not waited for.

    A thread that ends during the reading is skipped.
    """
    found: set[str] = set()
    with suppress(FileNotFoundError, ProcessLookupError):
        for task in os.listdir(f"/proc/{number}/task"):
            with suppress(FileNotFoundError), open(f"/proc/{number}/task/{task}/children") as listed:
                found.update(listed.read().split())
    return found
