"""Tests that wait for a process, a socket, a browser or a clock have the mark `waits`: `make flakes` repeats them.

A test without it that begins such a thing is refused. Of processes and sockets the interpreter's audit events tell; a
browser is a process, and an event loop opens sockets. Of a thread and of a pseudo-terminal nothing is told.
"""

import sys
import time
from collections.abc import Generator
from typing import Final

import pytest

WAITED_FOR: Final = {
    "subprocess.Popen": "a process",
    "os.fork": "a process",
    "os.forkpty": "a process",
    "os.posix_spawn": "a process",
    "os.system": "a process",
    "socket.__new__": "a socket",
}
"""By the name of the event."""

_begun: set[str] = set()


def _hear(event: str, _arguments: tuple[object, ...]) -> None:
    if event in WAITED_FOR:
        _begun.add(WAITED_FOR[event])


sys.addaudithook(_hear)


_sleep = time.sleep


def _heard_sleep(seconds: float) -> None:
    """Python 3.13 has an event for it."""
    _begun.add("a clock")
    _sleep(seconds)


time.sleep = _heard_sleep


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Before the fixtures of a test, which count as it does."""
    _begun.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Refuses a test that waits and does not say so."""
    yield
    if _begun and item.get_closest_marker("waits") is None:
        waits = " and ".join(sorted(_begun))
        pytest.fail(f"It waits for {waits}: mark it `waits`, so that `make flakes` repeats it.", pytrace=False)
