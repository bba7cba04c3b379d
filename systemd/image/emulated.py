"""Runs an emulated machine in place of the controller of a demo: starts it, cuts its power at random times, and starts
it again.
"""

import contextlib
import json
import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Final, TypeAlias

from monitor import Cables, Monitor, MonitorLostError

from simulators.demo.child import ControllerChild

PLAYS_FOR_S: Final = (2.0, 30.0)
"""The least and the most seconds of play between the return of the people and the next cut."""

FIRST_PLAYS_FOR_S: Final = 300.0
"""The seconds of play of the first start, in which the browser comes up."""

OFF_WITHIN_S: Final = 300.0

Commands: TypeAlias = Callable[[int], list[str]]
"""The emulator's command for the start with this number; the first start is number 1."""


class Machine(ControllerChild):
    """An emulated machine in place of the controller of a demo.

    After each start it waits for the findings that the machine prints. `cuts`: the number of power cuts. Each comes
    after a random time of play.
    """

    def __init__(self, command: Commands, links: Mapping[str, Path], work: Path, cuts: int, rng: Random) -> None:
        super().__init__(work / "table.toml", work / "machine.log")
        self._emulator = command
        self._links = links
        self._monitor_at = work / "monitor"
        self.console = work / "console.log"
        self._cuts, self._rng = cuts, rng
        self._thread: threading.Thread | None = None
        self.findings: list[dict[str, str]] = []
        self.pictures = work
        self._is_ending = threading.Event()

    def start(self) -> None:
        self._end_thread()
        self.starts += 1
        self.started_s = time.monotonic()
        self._monitor_at.unlink(missing_ok=True)
        self.console.write_bytes(b"")
        quiet = ("-display", "none", "-no-reboot", "-serial", f"file:{self.console}")
        monitor = ("-qmp", f"unix:{self._monitor_at},server=on,wait=off")
        command = [*self._emulator(self.starts), *quiet, *monitor]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log)
        self._process = process
        self._thread = threading.Thread(target=self._tend, args=(process,), name="machine")
        self._thread.start()

    def power_off(self) -> int | None:
        """Presses the power button, and cuts the power if the machine still runs after OFF_WITHIN_S seconds. Returns
        the emulator's exit code.
        """
        self._is_ending.set()
        self._end_thread()
        with contextlib.suppress(MonitorLostError), contextlib.closing(Monitor(self._monitor_at)) as monitor:
            monitor.do("system_powerdown")
        if not self.ended_within(OFF_WITHIN_S):
            self.kill()
        return self.stop()

    def _end_thread(self) -> None:
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _tend(self, process: subprocess.Popen[bytes]) -> None:
        """Plugs a device into the machine, or out of it, as soon as its line appears on this computer or goes. Cuts the
        power when it is time.
        """
        cut_s = float("inf")
        try:
            with contextlib.closing(Monitor(self._monitor_at)) as monitor:
                cables = Cables(monitor, self._links)
                while process.poll() is None and not self._is_ending.wait(0.02):
                    cables.look()
                    if len(self.findings) < self.starts and (told := self._told()) is not None:
                        cut_s = self._came_back(told)
                    if time.monotonic() > cut_s:
                        self._cut(process, monitor)
        except MonitorLostError:
            process.kill()
            process.wait()

    def _came_back(self, told: dict[str, str]) -> float:
        """Stores and prints the findings of a start. Returns the monotonic second of the next power cut; infinity if
        none is to come.
        """
        self.findings.append(told)
        plays_s = self._rng.uniform(*PLAYS_FOR_S) if self.starts > 1 else FIRST_PLAYS_FOR_S
        self._say(told, plays_s)
        return time.monotonic() + plays_s if self.starts <= self._cuts else float("inf")

    def _cut(self, process: subprocess.Popen[bytes], monitor: Monitor) -> None:
        """Takes a picture of the screen, then ends the machine at once, as a power cut would."""
        monitor.do("screendump", filename=str(self.pictures / f"start-{self.starts}.png"), format="png")
        process.send_signal(signal.SIGKILL)
        process.wait()

    def _told(self) -> dict[str, str] | None:
        """Returns the findings that the machine has printed since its start. None until one of them says that people
        may act.
        """
        told = dict(re.findall(r"TOLD ([a-z]+) ([^\r\n]*)", self.console.read_text(errors="replace")))
        return told if "people" in told else None

    def _say(self, told: dict[str, str], plays_s: float) -> None:
        cut = f"; the next cut after {plays_s:.1f} s of play" if self.starts <= self._cuts else ""
        after = "first start" if self.starts == 1 else f"cut {self.starts - 1}"
        back_s = time.monotonic() - self.started_s
        print(f"{after}: back in {back_s:.0f} s; {told['journal']}; {state(told['table'])}{cut}", flush=True)


def state(document: str) -> str:
    """Returns the table's state in a status document, in a few words."""
    try:
        status = json.loads(document)
    except ValueError:
        return f"no status: {document[:200]!r}"
    holds = ", ".join(f"{hold['id']} {hold['kind']}" for hold in status["holds"]) or "no hold"
    return f"session {status['session']}, round {status['round']}, {holds}"
