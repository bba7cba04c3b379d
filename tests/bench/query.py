"""G3, G4: a question without effect, and the cost of an event, beside a register server made with pymodbus.

The status is asked at the Unix socket, a register read at a pty; each is compared with a raw echo on its own kind of
line, with as many bytes, at the same pace.
"""

import socket
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic, perf_counter_ns

from tests.bench import peers
from tests.bench.card_event import EVERY_S, deals, process_at_line
from tests.bench.processes import cpu_us, running
from tests.bench.real_table import RealTable, pace
from tests.bench.rows import Goal, Plan, Row, ratios, say, spread

QUESTIONS = 300
STATUS = b'{"id":1,"do":"status"}\n'
READ_REGISTERS = bytes.fromhex("010300000006c5c8")  # device 1, six holding registers
REGISTERS_BYTES = 17

Shot = Callable[[], float]


class Asker:
    """One connection; asks a question and reads the whole answer."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.connect(str(path))

    def close(self) -> None:
        self._socket.close()

    def line(self) -> bytes:
        """The line that the other side sends."""
        self._socket.sendall(STATUS)
        answer = b""
        while not answer.endswith(b"\n"):
            answer += self._socket.recv(65536)
        return answer

    def shot_us(self, answer_bytes: int) -> float:
        """Microseconds to the first byte of an answer of `answer_bytes`."""
        began = perf_counter_ns()
        self._socket.sendall(STATUS)
        got = len(self._socket.recv(65536))
        ended = perf_counter_ns()
        while got < answer_bytes:
            got += len(self._socket.recv(65536))
        return (ended - began) / 1000


def run(plan: Plan) -> list[Row]:
    """The rows; none without pymodbus as a peer."""
    python = peers.python()
    if python is None:
        return []
    with TemporaryDirectory() as name, ExitStack() as open_:
        directory = Path(name)
        table = open_.enter_context(RealTable(directory))
        table.open_session()
        table.rest(0.2)
        subject = _asker(open_, table.socket)
        size = len(subject.line())
        open_.enter_context(running("socket_process.py", str(directory / "raw.sock"), str(size), wait=table.serve))
        raw = _asker(open_, directory / "raw.sock")
        echo, _ = open_.enter_context(process_at_line(directory, "floor", REGISTERS_BYTES, "echo", wait=table.serve))
        modbus, pid = open_.enter_context(process_at_line(directory, "modbus", python=python, wait=table.serve))
        shots: dict[str, Shot] = {
            "sabot": lambda: subject.shot_us(size),
            "raw socket": lambda: raw.shot_us(size),
            "raw tty": lambda: echo.shot_us(READ_REGISTERS, REGISTERS_BYTES),
            "pymodbus": lambda: modbus.shot_us(READ_REGISTERS, REGISTERS_BYTES),
        }
        return _rows(*_measure(plan, table, shots, pid), size)


def _asker(open_: ExitStack, path: Path) -> Asker:
    asker = Asker(path)
    open_.callback(asker.close)
    return asker


def _measure(
    plan: Plan, table: RealTable, shots: dict[str, Shot], modbus: int
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Microseconds to an answer, and of processor time for a durable event and a register read."""
    times: dict[str, list[float]] = {name: [] for name in shots}
    cpu: dict[str, list[float]] = {"sabot, durable event": [], "pymodbus, register read": []}
    count = plan.count(QUESTIONS)
    for repetition in range(plan.repetitions):
        before = cpu_us(modbus)
        for name, shot in shots.items():
            times[name].append(_asked(table, shot, count))
        cpu["pymodbus, register read"].append((cpu_us(modbus) - before) / count)
        cpu["sabot, durable event"].append(deals(table, count)[1])
        say(f"  {repetition + 1}/{plan.repetitions} " + ", ".join(f"{name} {times[name][-1]:.0f} us" for name in shots))
    return times, cpu


def _asked(table: RealTable, shot: Shot, count: int) -> float:
    samples, next_s = [], monotonic()
    for _ in range(count):
        next_s = pace(next_s, EVERY_S)
        samples.append(shot())
        table.serve()
    return median(samples)


def _rows(times: dict[str, list[float]], cpu: dict[str, list[float]], size: int) -> list[Row]:
    event, read = cpu.values()
    echoes = f"{size} bytes; over its echo {ratios(times['sabot'], times['raw socket']).median:.2f}"
    return [
        Row(
            "G3",
            "an answer with the whole status, over pymodbus's with six registers",
            ratios(times["sabot"], times["pymodbus"]),
            {name: spread(values) for name, values in times.items()},
            "us",
            Goal(0.8, gates=False),
            f"{echoes}; pymodbus over its own {ratios(times['pymodbus'], times['raw tty']).median:.2f}",
        ),
        Row(
            "G4",
            "processor time of a durable event, over a register read of pymodbus",
            ratios(event, read),
            {name: spread(values) for name, values in cpu.items()},
            "us",
        ),
    ]
