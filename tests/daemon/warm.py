"""A process with all modules of the controller loaded that forks controllers, which saves half a second at each start.

A forked controller has an environment and outputs of its own, like any controller, and ends with this process. The
demos and the tests of panel, backup and packages try starts without forking. Panels and floors are forked likewise by
`tests.panel.warm_panel` and `tests.floor.warm_floor`.
"""

import gc
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import IO, Final, NoReturn, Self

from controller.catalogue import Language, sentence
from controller.config.profile import USUAL_PROFILE
from controller.config.profile_file import law
from controller.machine.software import running
from controller.runtime.game import game_of
from simulators.demo.tied import tie

ROOT: Final = Path(__file__).parents[2]
LONGEST: Final = 1 << 17  # bytes of a question: words and environment
LOOKS_EVERY_S: Final = 0.005


class Warm:
    """The process that forks controllers: a context manager, to be left after all forked processes have ended.

    `program`: the module that this process runs, where it forks another program than `sabot run`.
    """

    def __init__(self, program: str = "tests.daemon.warm") -> None:
        self._program = program

    def __enter__(self) -> Self:
        self._lock = threading.Lock()  # one question at a time
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", self._program, str(theirs.fileno())],
                cwd=ROOT,
                env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"},
                pass_fds=[theirs.fileno()],
            )
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()
        self._process.wait()

    def start(self, words: Sequence[str], environment: Mapping[str, str], stdout: int, stderr: int) -> "Forked":
        """Forks a `sabot` with these arguments, this environment and these outputs."""
        return Forked(self, self._ask({"words": words, "environment": dict(environment)}, stdout, stderr))

    def piped(self, words: Sequence[str]) -> "Forked":
        """Forks the program with these arguments and this environment; its `stdout` is read here."""
        ours, theirs = os.pipe()
        try:
            forked = self.start(words, os.environ, theirs, sys.__stderr__.fileno())
        finally:
            os.close(theirs)
        forked.stdout = os.fdopen(ours, encoding="utf-8")  # the caller closes it after the process's end
        return forked

    def end_of(self, pid: int) -> int | None:
        """The exit code of a forked process, negative for a signal; None while it runs."""
        code = self._ask({"pid": pid})
        return None if code == RUNS else code

    def _ask(self, question: Mapping[str, object], *descriptors: int) -> int:
        with self._lock:
            socket.send_fds(self._socket, [json.dumps(question).encode()], descriptors)
            return int(self._socket.recv(64))


class Forked:
    """A forked process, with the part of `subprocess.Popen` that the tests use."""

    stdout: IO[str] | None = None

    def __init__(self, warm: Warm, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._warm = warm
        self._lock = threading.Lock()  # an end is reported once

    def poll(self) -> int | None:
        with self._lock:
            if self.returncode is None:
                self.returncode = self._warm.end_of(self.pid)
            return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        until_s = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if until_s is not None and time.monotonic() > until_s:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0.0)
            time.sleep(LOOKS_EVERY_S)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


RUNS: Final = 1000  # no exit code


def fork_when_asked(control: socket.socket) -> None:
    """Forks processes, and reports their ends, until the asking process ends; returns only in each forked process."""
    while True:
        data, descriptors, _, _ = socket.recv_fds(control, LONGEST, 2)
        if not data:
            sys.exit()
        asked = json.loads(data)
        if "pid" in asked:
            answer = _end_of(asked["pid"])
        elif (answer := os.fork()) == 0:
            tie(os.getppid())
            control.close()
            _become(asked["words"], asked["environment"], *descriptors)
            return
        for descriptor in descriptors:
            os.close(descriptor)
        control.send(str(answer).encode())


def import_all() -> None:
    """Imports the modules of a starting controller, and reads the files that no test changes."""
    for module in ("controller.daemon.run", "controller.cli.run", "concurrent.futures.thread"):
        import_module(module)
    sentence("cli.option.config", {}, Language.EN)  # reads the catalogue
    game_of(USUAL_PROFILE).screen()
    law(USUAL_PROFILE)
    running()


def _end_of(pid: int) -> int:
    ended, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if ended else RUNS


def _become(words: Sequence[str], environment: Mapping[str, str], stdout: int, stderr: int) -> None:
    os.dup2(stdout, 1)
    os.dup2(stderr, 2)
    os.close(stdout)
    os.close(stderr)
    sys.stdout = os.fdopen(1, "w", closefd=False)  # the one before may remember a file that could be sought in
    os.environ.clear()
    os.environ.update(environment)
    sys.argv[1:] = words


def fork_program(run: Callable[[], int]) -> NoReturn:
    """Forks processes that run the program `run`; all that was loaded before is shared by them."""
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=int(sys.argv[1])) as asked_here:
        fork_when_asked(asked_here)
    sys.exit(run())


if __name__ == "__main__":
    from tests.daemon import child

    import_all()
    fork_program(child.run)
