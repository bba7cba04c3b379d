"""Adds `-n N` to pytest: runs the tests in N processes, which are forked after the collection.

One collection serves all processes, and only the reports of a test go from one process to another. Tests with the mark
`first` come one by one. Then each process takes one folder after another, in their order, so that a folder's fixtures
are set up once. If no folder is left, it takes half of another process's rest. If a process dies, its test has failed,
and another process replaces it.
"""

import fcntl
import mmap
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, Pipe, wait
from types import SimpleNamespace
from typing import Final, NamedTuple, NoReturn

import pytest
from _pytest.capture import CaptureManager
from _pytest.runner import runtestprotocol
from _pytest.terminal import TerminalReporter
from _pytest.tmpdir import TempPathFactory


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("forked")
    group._addoption("-n", "--forks", type=int, default=0, metavar="N", help="tests run in so many processes")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Runs the tests in processes, returns True; None (pytest's own loop) without `-n` or after a failed collection."""
    forks = min(session.config.option.forks, len(session.items))
    if forks < 1 or session.testsfailed or session.config.option.collectonly:
        return None
    begin_first = sum(item.get_closest_marker("first") is not None for item in session.items)
    parts = Parts(forks, begin_first, _folders_begin(session.items, begin_first))
    _folders(session.config).getbasetemp()  # made once
    sys.stdout.flush()
    sys.stderr.flush()
    running: dict[Connection, Process] = {}
    try:
        for number in range(forks):
            _begin(session, number, parts, running)
        _report(session, parts, running)
    finally:
        parts.end()
        for results, process in running.items():
            _drain(results)
            os.waitpid(process.pid, 0)
        parts.close()
    return True


def _folders_begin(items: Sequence[pytest.Item], first: int) -> list[int]:
    """The index in the list at which each folder begins, from `first` on; at the end, the list's length."""
    folders = [item.path.parent for item in items]
    return [at for at in range(first, len(items)) if at == first or folders[at] != folders[at - 1]] + [len(items)]


def _begin(session: pytest.Session, number: int, parts: "Parts", running: "dict[Connection, Process]") -> None:
    ours, theirs = Pipe(duplex=False)
    if (pid := os.fork()) == 0:
        _work(session, number, parts, theirs)
    theirs.close()
    running[ours] = Process(number, pid)


def _drain(results: Connection) -> None:
    """Reads and drops a process's reports until it closes its pipe: a process that cannot write would never end."""
    with results, suppress(EOFError):
        while True:
            results.recv_bytes()


_NONE: Final = -1


class Process(NamedTuple):
    number: int
    pid: int


class Parts:
    """The tests that no process has taken yet, in memory that all processes share.

    Each process has the first and the end of its part, its present test and the next one that it has taken; the tests
    that begin first and the folders, which belong to all, have only their first.
    """

    def __init__(self, forks: int, begin_first: int, folders: Sequence[int]) -> None:
        self._forks, self._begin_first, self._folders = forks, begin_first, folders
        size = 8 * (4 * forks + 2)
        self._lock = os.memfd_create("parts")
        os.ftruncate(self._lock, size)
        self._shared = memoryview(mmap.mmap(self._lock, size)).cast("q")
        for number in range(forks):
            self._shared[2 * forks + number] = self._shared[3 * forks + number] = _NONE

    @contextmanager
    def _alone(self) -> Iterator[None]:
        fcntl.lockf(self._lock, fcntl.LOCK_EX)
        yield
        fcntl.lockf(self._lock, fcntl.LOCK_UN)

    def take(self, number: int) -> tuple[int, int | None] | None:
        """Takes tests for a process and returns the index of its present and its next test; None where no test is left.

        The next test is None where the present one is the last.
        """
        with self._alone():
            taken = self._shared[3 * self._forks + number]
            current = self._first(number) if taken == _NONE else taken
            following = _NONE if current == _NONE else self._first(number)
            self._shared[2 * self._forks + number], self._shared[3 * self._forks + number] = current, following
        return None if current == _NONE else (current, None if following == _NONE else following)

    def _first(self, number: int) -> int:
        if (one := self._shared[-1]) < self._begin_first:
            self._shared[-1] += 1
            return one
        if not self._left(number) and (folder := self._shared[-2]) < len(self._folders) - 1:
            self._shared[-2] += 1
            self._shared[2 * number], self._shared[2 * number + 1] = self._folders[folder : folder + 2]
        if not self._left(number):
            self._take_half_of(max(range(self._forks), key=self._left), number)
        if not self._left(number):
            return _NONE
        self._shared[2 * number] += 1
        return self._shared[2 * number] - 1

    def _left(self, number: int) -> int:
        return self._shared[2 * number + 1] - self._shared[2 * number]

    def _take_half_of(self, longest: int, number: int) -> None:
        end = self._shared[2 * longest + 1]
        middle = end - (self._left(longest) + 1) // 2
        self._shared[2 * longest + 1] = self._shared[2 * number] = middle
        self._shared[2 * number + 1] = end

    def end(self) -> None:
        """Leaves no test to take. A process still runs the tests that it has taken, and tears down its fixtures."""
        with self._alone():
            self._shared[-1], self._shared[-2] = self._begin_first, len(self._folders)
            for number in range(self._forks):
                self._shared[2 * number] = self._shared[2 * number + 1]

    def close(self) -> None:
        os.close(self._lock)

    def left_by(self, number: int) -> int | None:
        """Returns and clears the present test of a process that has died; None before its first test."""
        current = self._shared[2 * self._forks + number]
        self._shared[2 * self._forks + number] = _NONE
        return None if current == _NONE else current


class Told:
    """A pytest plugin of a forked process: sends the reports of tests to the parent process."""

    def __init__(self, results: Connection) -> None:
        self._results = results

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
        to_data = item.config.hook.pytest_report_to_serializable
        self._results.send([to_data(config=item.config, report=report) for report in reports])
        return True


def _work(session: pytest.Session, number: int, parts: Parts, results: Connection) -> NoReturn:
    """Runs tests in a forked process until none is left, then ends the process without the parent's exit handlers."""
    code = pytest.ExitCode.INTERNAL_ERROR
    try:
        _set_up(session.config, results)
        while (taken := parts.take(number)) is not None:
            item, after = session.items[taken[0]], None if taken[1] is None else session.items[taken[1]]
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        code = pytest.ExitCode.OK
    except KeyboardInterrupt:
        code = pytest.ExitCode.INTERRUPTED
    finally:
        if code is pytest.ExitCode.INTERNAL_ERROR:
            traceback.print_exc()
        os._exit(code)


def _set_up(config: pytest.Config, results: Connection) -> None:
    """Gives this process a separate file for printed text, a separate folder for files, and no terminal."""
    manager = config.pluginmanager
    capture, terminal = manager.getplugin("capturemanager"), manager.getplugin("terminalreporter")
    assert isinstance(capture, CaptureManager)
    assert isinstance(terminal, TerminalReporter)
    capture.stop_global_capturing()
    capture.start_global_capturing()
    capture.suspend_global_capture()
    manager.unregister(terminal)
    manager.register(SimpleNamespace(_tw=terminal._tw), "terminalreporter")  # writes the output of a timeout
    manager.register(Told(results))
    folders = _folders(config)
    folders._basetemp = folders.getbasetemp() / f"fork-{os.getpid()}"
    folders._basetemp.mkdir()


def _folders(config: pytest.Config) -> TempPathFactory:
    factory: TempPathFactory = config._tmp_path_factory  # type: ignore[attr-defined]
    return factory


def _report(session: pytest.Session, parts: Parts, running: dict[Connection, Process]) -> None:
    """Logs the reports of all processes until every process has ended; raises pytest's error for a stopped run."""
    terminal = session.config.pluginmanager.getplugin("terminalreporter")
    assert isinstance(terminal, TerminalReporter)
    terminal.showfspath = False
    while running:
        for results in wait(list(running)):
            assert isinstance(results, Connection)
            try:
                reports = [_made(session, data) for data in results.recv()]
            except EOFError:
                reports = _ended(session, parts, running, results)
            _log(session, reports)
        if session.shouldfail or session.shouldstop:
            parts.end()
    if session.shouldfail:
        raise session.Failed(session.shouldfail)
    if session.shouldstop:
        raise session.Interrupted(session.shouldstop)


def _made(session: pytest.Session, data: object) -> pytest.TestReport:
    report = session.config.hook.pytest_report_from_serializable(config=session.config, data=data)
    assert isinstance(report, pytest.TestReport)
    return report


def _ended(
    session: pytest.Session, parts: Parts, running: dict[Connection, Process], results: Connection
) -> list[pytest.TestReport]:
    """Handles the end of a process: after a crash starts another one, and returns a failure of its present test."""
    process = running.pop(results)
    results.close()
    _pid, status = os.waitpid(process.pid, 0)
    if status == 0:
        return []
    code = os.waitstatus_to_exitcode(status)
    if (test := parts.left_by(process.number)) is None:
        raise ChildProcessError(f"a process of tests has ended with {code} before its first test")
    _begin(session, process.number, parts, running)
    item = session.items[test]
    return [pytest.TestReport(item.nodeid, item.location, {}, "failed", f"its process has ended with {code}", "call")]


def _log(session: pytest.Session, reports: list[pytest.TestReport]) -> None:
    hook = session.config.hook
    for report in reports:
        hook.pytest_runtest_logreport(report=report)
    for report in reports[-1:]:
        hook.pytest_runtest_logfinish(nodeid=report.nodeid, location=report.location)
