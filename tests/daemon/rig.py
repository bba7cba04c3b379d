"""A table for a real controller: scripted devices on ptys, a configuration, staff, and the child process."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import msgspec

from controller.cli.client import Answer, Client, Silent
from controller.core.words import Role
from controller.journal.verify import entries_of
from controller.staff import HashCost, StaffBook, save_staff
from simulators.pty_port import PtyHost, PtyPort
from tests.daemon.warm import Forked, Warm
from tests.endings import HANGS_S, seconds_to_end
from tests.runtime.peers import DisplayPeer, ShoePeer, ShufflerPeer
from tests.waiting import wait_for, whole_lines

ROOT = Path(__file__).parents[2]
WITHIN_S = HANGS_S

CONFIG = """\
[table]
id = "{table}"
profile = "pt-csm"
decks = 4
seats = 7
minimum_bet = 10
maximum_bet = 300
currency = "EUR"
language = "en"
simulated = {simulated}

[devices.shuffler]
port = "{directory}/shuffler"
protocol = "tdp"

[devices.shoe]
port = "{directory}/shoe"
protocol = "tdp"

[devices.jackpot_display]
port = "{directory}/display"
protocol = "tdp"

[journal]
path = "journal"

[staff]
path = "staff.toml"

[controller]
socket = "{directory}/control.sock"
"""

DEALER, CHIEF, TECHNICIAN = 11, 21, 41
BADGE = "4F0021"
DAY = date(2026, 11, 27)
"""The date on which the tests remove a person."""
PINS = {DEALER: "411123", CHIEF: "412123", TECHNICIAN: "414123"}

Status = dict[str, Any]


CHEAP = HashCost(memory_kib=8, time_cost=1, parallelism=1)
DEAR = HashCost(memory_kib=16_384, time_cost=3, parallelism=1)
"""The cost of a PIN's hash: a check takes far longer than reading a line, and far less than its bound."""


def staff_book(cost: HashCost = CHEAP) -> StaffBook:
    book = StaffBook(cost=cost)
    for number, role in ((DEALER, Role.DEALER), (CHIEF, Role.CHIEF_SUPERVISOR), (TECHNICIAN, Role.TECHNICIAN)):
        book = book.with_person(number, f"Person {number}", role, PINS[number])
    return book


class Rig:
    """A table. As a context manager it runs the devices; the controller runs from `start` to `stop` or `kill`."""

    def __init__(self, directory: Path, *, table: str = "T1", simulated: bool = True, warm: Warm | None = None) -> None:
        """`warm`: the process from which the rig forks its controllers; without it each controller is a new process."""
        self.directory = directory
        self.config = directory / "table.toml"
        self.socket = directory / "control.sock"
        self.journal = directory / "journal"
        self.disk = directory / "disk"
        self.slow_directory = directory / "slow-directory"
        self.log = directory / "log"
        values = {"table": table, "directory": directory, "simulated": str(simulated).lower()}
        self.config.write_text(CONFIG.format(**values))
        save_staff(staff_book(), directory / "staff.toml")
        self.host = PtyHost()
        self.shuffler = ShufflerPeer(self.host.clock())
        self.shoe = ShoePeer(self.host.clock())
        self.display = DisplayPeer(self.host.clock())
        self.ports: dict[str, PtyPort] = {}
        self.child: subprocess.Popen[bytes] | Forked | None = None
        self._warm = warm
        self._stderr: int | None = None  # the log
        # all of them end, even those that a test started by `child`
        self._children: list[subprocess.Popen[bytes] | Forked] = []
        self.notified: list[str] = []

    def __enter__(self) -> "Rig":
        self.host.start()
        for name in ("shuffler", "shoe", "display"):
            self.plug(name)
        return self

    def __exit__(self, *_: object) -> None:
        for child in self._children:
            child.kill()
            child.wait(WITHIN_S)
        self.host.close()

    def plug(self, name: str) -> None:
        if name in self.ports:
            self.ports[name].plug()
        else:
            self.ports[name] = self.host.add(self.directory / name, getattr(self, name), baud_rate=None)

    def unplug(self, name: str) -> None:
        self.ports[name].unplug()

    # ---- the controller

    def start(self, **environment: str) -> None:
        """Starts the controller with these environment variables; returns when the controller reports its readiness."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
            path = self.directory / "notify"
            path.unlink(missing_ok=True)
            notify.bind(str(path))
            notify.setblocking(False)
            self._spawn(NOTIFY_SOCKET=str(path), **environment)
            wait_for(lambda: self._is_ready(notify), self.log.read_text)

    def _is_ready(self, notify: socket.socket) -> bool:
        assert self.child is not None
        assert self.child.poll() is None, self.log.read_text()
        with contextlib.suppress(BlockingIOError):
            self.notified.append(notify.recv(256).decode())
        return "READY=1" in self.notified

    def start_with_stderr(self, stderr: int) -> None:
        """Starts the controller with `stderr` as its standard error; returns when it answers."""
        self._stderr = stderr
        self.start()
        self.connected()

    def _spawn(self, **environment: str) -> None:
        self.notified.clear()
        own = {
            "SABOT_TEST_DISK": str(self.disk),
            "SABOT_TEST_DIRECTORY": str(self.slow_directory),
            "PYTHONPATH": str(ROOT),
            "PYTHONWARNINGS": "error",
        }
        with self.log.open("ab") as log:
            words, whole = ("run", "--config", str(self.config)), os.environ | own | environment
            stderr = log.fileno() if self._stderr is None else self._stderr
            if self._warm is not None:
                self.child = self._warm.start(words, whole, log.fileno(), stderr)
            else:
                command = [sys.executable, "-m", "tests.daemon.child", *words]
                self.child = subprocess.Popen(command, cwd=ROOT, env=whole, stdout=log, stderr=stderr)
        self._children.append(self.child)

    def refused(self) -> tuple[int, str]:
        """Starts a controller that must refuse to run; returns its exit code and output."""
        self.log.unlink(missing_ok=True)
        self._spawn()
        assert self.child is not None
        return self.child.wait(WITHIN_S), self.log.read_text()

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, float]:
        """Ends the controller in an orderly way; returns the exit code and the seconds until the end."""
        assert self.child is not None
        self.child.send_signal(number)
        took_s = seconds_to_end(self.child)
        return self.child.wait(), took_s

    def kill(self) -> None:
        assert self.child is not None
        self.child.kill()
        self.child.wait(WITHIN_S)

    # ---- its clients

    @contextlib.contextmanager
    def client(self) -> Iterator[Client]:
        with Client(self.socket, within_s=WITHIN_S) as client:
            yield client

    def ask(self, do: str, **fields: object) -> Answer:
        with self.client() as client:
            return client.ask(do, **fields)

    def act(self, act: str, person: int = DEALER, pin: str | None = None, **values: str) -> Answer:
        given = pin if pin is not None else PINS.get(person)
        return self.ask("act", act=act, person=person, pin=given, values=values)

    def status(self) -> Status:
        answer = self.ask("status")
        assert answer.status is not None
        return msgspec.json.decode(msgspec.json.encode(answer.status))

    def until(self, what: Callable[[Status], bool], within_s: float = WITHIN_S) -> Status:
        """Waits for a status for which `what` is true, and returns it; subscribes again after a silence."""
        deadline_s = time.monotonic() + within_s
        known: Status = {}
        while time.monotonic() < deadline_s:
            with contextlib.suppress(Silent), self.client() as client:
                known = {}
                for answer in client.changes():
                    known |= msgspec.json.decode(msgspec.json.encode(answer.status or answer.changed))
                    if what(known):
                        return known
                    if time.monotonic() > deadline_s:
                        break
        raise AssertionError(known)

    def connected(self) -> Status:
        """Waits until every device is connected and every entry is durable; returns the status."""
        return self.until(
            lambda status: (
                all(device["connected"] for device in status["devices"].values()) and status["journal"]["waiting"] == 0
            )
        )

    def journal_has(self, kind: str, times: int) -> bool:
        return sum(entry.kind == kind for entry in entries_of(self.journal)) == times

    # ---- its memory and its descriptors, by the system

    def resident_bytes(self) -> int:
        assert self.child is not None
        fields = Path(f"/proc/{self.child.pid}/statm").read_text().split()
        return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")

    def descriptors(self) -> int:
        assert self.child is not None
        return len(os.listdir(f"/proc/{self.child.pid}/fd"))  # noqa: PTH208 - only their number

    def log_lines(self) -> list[Status]:
        return [msgspec.json.decode(line) for line in whole_lines(self.log) if line.startswith("{")]
