"""Tests that wait for a process, a socket, a browser or a clock have the mark `waits`: `make flakes` repeats them.

An unmarked test that begins such a wait is refused. The interpreter's audit events show processes and sockets; a
browser is a process, and an event loop opens sockets. No event shows a thread or a pseudo-terminal.
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
"""The audit events that show a wait, each with the kind of wait."""

_begun: set[str] = set()


def _hear(event: str, _arguments: tuple[object, ...]) -> None:
    if event in WAITED_FOR:
        _begun.add(WAITED_FOR[event])


sys.addaudithook(_hear)


_sleep = time.sleep


def _heard_sleep(seconds: float) -> None:
    """Replaces `time.sleep`, and notes each sleep as a wait: Python has an audit event for it only from 3.13 on."""
    _begun.add("a clock")
    _sleep(seconds)


time.sleep = _heard_sleep


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Forgets earlier waits before the fixtures of a test are set up, since the fixtures' waits count as the test's."""
    _begun.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Refuses a test that waits without the mark."""
    yield
    if _begun and item.get_closest_marker("waits") is None:
        waits = " and ".join(sorted(_begun))
        pytest.fail(f"It waits for {waits}: mark it `waits`, so that `make flakes` repeats it.", pytrace=False)
