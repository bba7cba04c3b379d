"""`-n N`: the tests in N processes, which are forked once all is collected.

One collection does for all, and of a test only its reports go from one process to another. Each process has a part of
the tests, in their order, so that what a module or a folder sets up is set up once; one that has nothing left takes
half of the longest part. Those that are marked slow come first, one by one.
"""

import fcntl
import mmap
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, Pipe, wait
from types import SimpleNamespace
from typing import NamedTuple, NoReturn

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
    """In place of the ordinary loop, where it is asked for and all was collected."""
    forks = min(session.config.option.forks, len(session.items))
    if forks < 1 or session.testsfailed or session.config.option.collectonly:
        return None
    slow = sum(item.get_closest_marker("slow") is not None for item in session.items)
    parts = Parts(forks, slow, len(session.items))
    _folders(session.config).getbasetemp()  # made once
    sys.stdout.flush()
    sys.stderr.flush()
    running: dict[Connection, Process] = {}
    try:
        for number in range(forks):
            ours, theirs = Pipe(duplex=False)
            if (pid := os.fork()) == 0:
                _work(session, number, parts, theirs)
            theirs.close()
            running[ours] = Process(number, pid)
        _report(session, parts, running)
    finally:
        parts.end()
        for results, process in running.items():
            _drain(results)
            os.waitpid(process.pid, 0)
        parts.close()
    return True


def _drain(results: Connection) -> None:
    """Reads to the end what nobody takes: a process that cannot write would never end."""
    with results, suppress(EOFError):
        while True:
            results.recv_bytes()


class Process(NamedTuple):
    number: int
    pid: int


class Parts:
    """The tests that nobody has taken yet, as every process sees them.

    Each process has the first and the end of its part; of the slow ones, which are everybody's, the first is there too.
    """

    def __init__(self, forks: int, slow: int, tests: int) -> None:
        self._forks, self._slow = forks, slow
        size = 8 * (3 * forks + 1)
        self._lock = os.memfd_create("parts")
        os.ftruncate(self._lock, size)
        self._shared = memoryview(mmap.mmap(self._lock, size)).cast("q")
        at = [slow + (tests - slow) * number // forks for number in range(forks + 1)]
        for number in range(forks):
            self._shared[2 * number], self._shared[2 * number + 1] = at[number], at[number + 1]

    @contextmanager
    def _alone(self) -> Iterator[None]:
        fcntl.lockf(self._lock, fcntl.LOCK_EX)
        yield
        fcntl.lockf(self._lock, fcntl.LOCK_UN)

    def take(self, number: int) -> int | None:
        """The next test of this process; None: there is no more."""
        with self._alone():
            if (slow := self._shared[-1]) < self._slow:
                self._shared[-1] += 1
                return slow
            if not self._left(number):
                self._take_half_of(max(range(self._forks), key=self._left), number)
            if not self._left(number):
                return None
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
        """Nobody takes another one."""
        with self._alone():
            self._shared[-1] = self._slow
            for number in range(self._forks):
                self._shared[2 * number] = self._shared[2 * number + 1]

    def close(self) -> None:
        os.close(self._lock)

    def set_current(self, number: int, test: int) -> None:
        self._shared[2 * self._forks + number] = test

    def current(self, number: int) -> int:
        """The test that a process is at."""
        return self._shared[2 * self._forks + number]


class Told:
    """In a process of tests: reports go to the one that began it, and not into its own terminal."""

    def __init__(self, results: Connection) -> None:
        self._results = results

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
        to_data = item.config.hook.pytest_report_to_serializable
        self._results.send([to_data(config=item.config, report=report) for report in reports])
        return True


def _work(session: pytest.Session, number: int, parts: Parts, results: Connection) -> NoReturn:
    """Ends the process: nothing of what the first one had begun is ended twice."""
    code = pytest.ExitCode.INTERNAL_ERROR
    try:
        _set_up(session.config, number, results)
        current = parts.take(number)
        while current is not None:
            following = parts.take(number)
            parts.set_current(number, current)
            item, after = session.items[current], None if following is None else session.items[following]
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            current = following
        code = pytest.ExitCode.OK
    except KeyboardInterrupt:
        code = pytest.ExitCode.INTERRUPTED
    finally:
        if code is pytest.ExitCode.INTERNAL_ERROR:
            traceback.print_exc()
        os._exit(code)


def _set_up(config: pytest.Config, number: int, results: Connection) -> None:
    """Its own file for what is printed, its own folder for files, no terminal."""
    manager = config.pluginmanager
    capture, terminal = manager.getplugin("capturemanager"), manager.getplugin("terminalreporter")
    assert isinstance(capture, CaptureManager)
    assert isinstance(terminal, TerminalReporter)
    capture.stop_global_capturing()
    capture.start_global_capturing()
    capture.suspend_global_capture()
    manager.unregister(terminal)
    manager.register(SimpleNamespace(_tw=terminal._tw), "terminalreporter")  # writes what a timeout shows
    manager.register(Told(results))
    folders = _folders(config)
    folders._basetemp = folders.getbasetemp() / f"fork-{number}"
    folders._basetemp.mkdir()


def _folders(config: pytest.Config) -> TempPathFactory:
    factory: TempPathFactory = config._tmp_path_factory  # type: ignore[attr-defined]
    return factory


def _report(session: pytest.Session, parts: Parts, running: dict[Connection, Process]) -> None:
    """Takes reports until every process has ended."""
    terminal = session.config.pluginmanager.getplugin("terminalreporter")
    assert isinstance(terminal, TerminalReporter)
    terminal.showfspath = False
    while running:
        for results in wait(list(running)):
            assert isinstance(results, Connection)
            try:
                reports = [_made(session, data) for data in results.recv()]
            except EOFError:
                reports = _ended(session, parts, running.pop(results))
                results.close()
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


def _ended(session: pytest.Session, parts: Parts, process: Process) -> list[pytest.TestReport]:
    """Where a process does not end as it should, the test at which it was has failed; others take what was left."""
    _pid, status = os.waitpid(process.pid, 0)
    if status == 0:
        return []
    item, code = session.items[parts.current(process.number)], os.waitstatus_to_exitcode(status)
    return [pytest.TestReport(item.nodeid, item.location, {}, "failed", f"its process has ended with {code}", "call")]


def _log(session: pytest.Session, reports: list[pytest.TestReport]) -> None:
    hook = session.config.hook
    for report in reports:
        hook.pytest_runtest_logreport(report=report)
    for report in reports[-1:]:
        hook.pytest_runtest_logfinish(nodeid=report.nodeid, location=report.location)
