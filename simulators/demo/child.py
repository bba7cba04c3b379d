"""Runs the real controller and the real panel as child processes: starts, watches, kills and ends them."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, ClassVar, Protocol, TypeAlias

END_WITHIN_S = 1.8
SERVES_WITHIN_S = 60.0
"""The most seconds that a busy computer may take to start a panel; without its address the page cannot be found."""

SERVES = "panel: "


class Process(Protocol):
    """The members of `subprocess.Popen` that this module uses."""

    pid: int

    @property
    def returncode(self) -> int | None: ...

    def poll(self) -> int | None: ...

    def wait(self, timeout: float | None = None) -> int: ...

    def send_signal(self, number: int, /) -> None: ...

    def terminate(self) -> None: ...

    def kill(self) -> None: ...


Spawn: TypeAlias = Callable[[Sequence[str], IO[bytes]], Process]
"""A function that starts `sabot` with these arguments, and writes its output into this log."""


def tied(words: Sequence[str], log: IO[bytes]) -> Process:
    """Starts `sabot` with the arguments `words`, as a process that ends together with the thread that started it
    (tied.py).
    """
    return subprocess.Popen(
        [sys.executable, "-m", "simulators.demo.tied", str(os.getpid()), *words],
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        start_new_session=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )


class SabotChild:
    """The child process of `sabot COMMAND --config FILE`. The process has its own session, so that Ctrl-C in the
    terminal does not reach it.
    """

    spawn: ClassVar[Spawn] = staticmethod(tied)

    def __init__(self, command: Sequence[str], config: Path, log: Path) -> None:
        self._command = (*command, "--config", str(config))
        self._log: IO[bytes] = log.open("ab")
        self._process: Process | None = None
        self.starts = 0
        self.started_s = 0.0

    @property
    def pid(self) -> int | None:
        """The process number while the process runs, else None."""
        running = self._process is not None and self._process.poll() is None
        return self._process.pid if self._process and running else None

    @property
    def exit_code(self) -> int | None:
        """The exit code, negative for a signal; None while the process runs and before its first start."""
        return None if self._process is None else self._process.poll()

    def start(self) -> None:
        """Starts the process, or restarts it after its end."""
        self.starts += 1
        self.started_s = time.monotonic()
        self._process = SabotChild.spawn(self._command, self._log)

    def ended_within(self, seconds: float) -> bool:
        """Waits at most `seconds` for the process to end. Returns True if the process is not running afterwards."""
        if self._process is None:
            return True
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def kill(self) -> None:
        """Sends SIGKILL to the process if it runs. Does not wait for its end."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGKILL)

    def stop(self) -> int | None:
        """Asks the process to end, and kills a process that still runs after END_WITHIN_S seconds. Returns the exit
        code of the process; None if the process was never started.
        """
        if self._process is None:
            return None
        if self._process.poll() is None:
            self._process.terminate()
        try:
            self._process.wait(END_WITHIN_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        return self._process.returncode

    def close(self) -> None:
        """Ends the process as `stop` does, and closes the log."""
        self.stop()
        self._log.close()


class ControllerChild(SabotChild):
    """The process of `sabot run`, the controller."""

    def __init__(self, config: Path, log: Path) -> None:
        super().__init__(("run",), config, log)


class PanelChild(SabotChild):
    """The process of `sabot panel` at port `port`; with port 0 the system chooses a free port."""

    def __init__(self, config: Path, log: Path, port: int) -> None:
        super().__init__(("panel", "--visitors", "--port", str(port)), config, log)
        self._said = log

    def url(self) -> str | None:
        """Waits until the panel has printed its address, and returns the address.

        Returns None after SERVES_WITHIN_S seconds, or once the panel has ended.
        """
        until_s = time.monotonic() + SERVES_WITHIN_S
        while time.monotonic() < until_s and self.pid is not None:
            for line in self._said.read_text("utf-8", "replace").splitlines():
                if line.startswith(SERVES):
                    return line.removeprefix(SERVES)
            time.sleep(0.02)
        return None
