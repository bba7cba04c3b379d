"""G11 to G13: the time of a start, its memory, and the cost of rest, beside pymodbus' simulator and moonraker.

Each program reports its own readiness: `READY=1` to systemd's socket, or an open port for its pages. The controller and
the simulator are at a serial line; moonraker, which drives 3D printers for people as we drive tables, has no printer.
"""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Final

from tests.bench import peers
from tests.bench.lines import PATIENCE_S, Line
from tests.bench.processes import cpu_us
from tests.bench.real_table import RealTable
from tests.bench.rows import Goal, Plan, Row, ratios, say, spread

OURS: Final = "sabot"
PYMODBUS: Final = "pymodbus.simulator"
MOONRAKER: Final = "moonraker"

LOOK_S: Final = 0.002
SIMULATOR: Final = Path(__file__).parents[2] / ".venv-bench/lib"

RESTS_S: Final = 10.0
SETTLES_S: Final = 8.0  # the rest of a start, and the time until a silent device is asked again

AS_INSTALLED: Final = (
    "import sys; sys.modules['rich'] = sys.modules['greenlet'] = None; "
    "from controller.machine import software; software.ARCHIVED = '0' * 40; "
    "from controller.cli.main import main; sys.exit(main(sys.argv[1:]))"
)
"""A table has neither `rich` nor `greenlet`, which structlog would load from a developer's environment.

Its program also knows its commit, for which a checkout asks git.
"""

Found = dict[str, list[float]]
"""The measurements of each program."""

Started = tuple[subprocess.Popen[bytes], float]
"""A program that is ready, and the seconds that it took."""

Starts = dict[str, Callable[[], AbstractContextManager[Started]]]


def run(plan: Plan) -> list[Row]:
    """The rows; none without pymodbus, and without moonraker where that cannot be installed."""
    pythons = {PYMODBUS: peers.python(), MOONRAKER: peers.python(MOONRAKER)}
    if pythons[PYMODBUS] is None:
        return []
    starts = {name: partial(START[name], python) for name, python in pythons.items() if python}
    seconds, megabytes = _readiness(plan, {OURS: _ours_alone} | starts)
    idle = _rest(plan, starts)
    return [
        _row("G11", "start to ready, over pymodbus.simulator", seconds, "s", 0.75),
        _row("G12", "resident memory when ready, over pymodbus.simulator", megabytes, "MB", 0.8),
        Row(
            "G13",
            "processor time at rest, its three devices answering, in percent of a core",
            spread(idle[OURS]),
            {name: spread(values) for name, values in idle.items()},
            "%",
            Goal(0.1, gates=False),
        ),
    ]


def _readiness(plan: Plan, starts: Starts) -> tuple[Found, Found]:
    """Seconds to readiness and resident megabytes then, each program alone."""
    seconds: Found = {name: [] for name in starts}
    megabytes: Found = {name: [] for name in starts}
    for repetition in range(plan.repetitions):
        for name, start in starts.items():
            with start() as (child, ready_s):
                seconds[name].append(ready_s)
                megabytes[name].append(_resident_mb(child))
            say(f"  {repetition + 1}/{plan.repetitions} {name}: {ready_s:.2f} s, {megabytes[name][-1]:.0f} MB")
    return seconds, megabytes


def _rest(plan: Plan, starts: Starts) -> Found:
    """Percent of a core at rest, of all programs at once, and of ours at another table whose devices are silent."""
    idle: Found = {}
    for repetition in range(plan.repetitions):
        with ExitStack() as open_:
            table, away = open_.enter_context(_table()), open_.enter_context(_table())
            ours = {OURS: partial(_ours, table), f"{OURS}, no device answering": partial(_ours, away)}
            pids = {name: open_.enter_context(begin())[0].pid for name, begin in (ours | starts).items()}
            table.rest(SETTLES_S)
            before_us = {name: cpu_us(pid) for name, pid in pids.items()}
            table.rest(RESTS_S)
            for name, pid in pids.items():
                idle.setdefault(name, []).append((cpu_us(pid) - before_us[name]) / RESTS_S / 1e4)
        say(f"  {repetition + 1}/{plan.repetitions} at rest")
    return idle


def _row(number: str, what: str, measured: Found, unit: str, bound: float) -> Row:
    ours, theirs = measured[OURS], measured[PYMODBUS]
    beside = {name: spread(values) for name, values in measured.items()}
    return Row(number, what, ratios(ours, theirs), beside, unit, Goal(bound, gates=False))


@contextmanager
def _table() -> Iterator[RealTable]:
    """A table in a directory of its own, whose controller is not started."""
    with TemporaryDirectory() as name:
        table = RealTable(Path(name))
        try:
            yield table
        finally:
            for line in table.lines.values():
                line.close()


@contextmanager
def _ours_alone() -> Iterator[Started]:
    with _table() as table, _ours(table) as started:
        yield started


@contextmanager
def _ours(table: RealTable) -> Iterator[Started]:
    """Our controller at this table."""
    name = str(table.directory)
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as systemd:
        systemd.bind(f"{name}/notify")
        systemd.settimeout(PATIENCE_S)
        command = [sys.executable, "-c", AS_INSTALLED, "run", "--config", f"{name}/table.toml"]
        began_s = monotonic()
        with _child(command, name, NOTIFY_SOCKET=f"{name}/notify") as child:
            while systemd.recv(256) != b"READY=1":
                pass
            yield child, monotonic() - began_s


@contextmanager
def _pymodbus(python: str) -> Iterator[Started]:
    with TemporaryDirectory() as name, ExitStack() as open_:
        line = Line(Path(name) / "line")
        open_.callback(line.close)
        setup = next(SIMULATOR.glob("*/site-packages/pymodbus/server/simulator/setup.json"))
        document = json.loads(setup.read_text("utf-8"))
        document["server_list"]["server_try_serial"]["port"] = str(line.link)
        (Path(name) / "setup.json").write_text(json.dumps(document))
        port = _free_port()
        command = [python, "-m", "pymodbus.server.simulator.main", "--json_file", f"{name}/setup.json"]
        command += ["--modbus_server", "server_try_serial", "--http_host", "127.0.0.1", "--http_port", str(port)]
        with _until_open([*command, "--log", "error"], name, port) as started:
            yield started


@contextmanager
def _moonraker(python: str) -> Iterator[Started]:
    """Measures moonraker with its core alone; `dev_mode` reads its announcements from a file instead of the network."""
    with TemporaryDirectory() as name:
        port, configuration = _free_port(), Path(name) / "config/moonraker.conf"
        configuration.parent.mkdir()
        server = f"[server]\nhost: 127.0.0.1\nport: {port}\nklippy_uds_address: {name}/printer\n"
        configuration.write_text(f"{server}[machine]\nprovider: none\n[announcements]\ndev_mode: True\n")
        with _until_open([python, "-m", "moonraker", "-d", name], name, port) as started:
            yield started


START: Final[dict[str, Callable[[str], AbstractContextManager[Started]]]] = {PYMODBUS: _pymodbus, MOONRAKER: _moonraker}


@contextmanager
def _until_open(command: list[str], directory: str, port: int) -> Iterator[Started]:
    began_s = monotonic()
    with _child(command, directory) as child:
        while not _is_open(port):
            assert child.poll() is None, (Path(directory) / "log").read_text()
            assert monotonic() < began_s + PATIENCE_S, f"{command[2]} did not come up"
            sleep(LOOK_S)
        yield child, monotonic() - began_s


@contextmanager
def _child(command: list[str], directory: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    with (Path(directory) / "log").open("ab") as log:
        child = subprocess.Popen(command, stdout=log, stderr=log, cwd=directory, env=os.environ | environment)
    try:
        yield child
    finally:
        child.kill()
        child.wait(PATIENCE_S)


def _resident_mb(child: subprocess.Popen[bytes]) -> float:
    lines = Path(f"/proc/{child.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1000


def _free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        number = probe.getsockname()[1]
        assert isinstance(number, int)
        return number


def _is_open(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1.0):
        return True
    return False
