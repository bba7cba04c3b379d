"""G1, G2, G4: the time from a card at the reader to the permission for the next, and the cost of a card.

An event comes every 4 ms: the shuffler's count, which is not measured, then the reader's identity. The measured time is
from the last byte of the reader's event on the tty to the first byte of the command that opens the mouth again. The
floor does at the same pace: raw read, 200 bytes appended, fdatasync, write of frames of the same lengths.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import TypeAlias

from tests.bench.lines import Line
from tests.bench.processes import Wait, cpu_us, running
from tests.bench.real_table import RealTable, pace
from tests.bench.rows import Goal, Plan, Row, ratios, say, spread

EVERY_S = 0.004
EVENTS = 300  # in one repetition
EVENT_BYTES, COMMAND_BYTES = 44, 75  # on the wire: the reader's event; the command and the acknowledgement with it
FACE_UP = ("2C", "3D", "4H", "5S", "6C", "7D", "8H", "9S", "10C", "JD", "QH", "KS", "AC", "2D", "3H")
AS_TYPICAL = Goal(1.0, gates=False)


Shots: TypeAlias = Callable[[], tuple[list[float], float]]
"""Runs some events: the microseconds of each, and the processor time of one."""


class Measured:
    """Microseconds of one path: of each repetition the median and p99, and the whole cost of a card."""

    def __init__(self) -> None:
        self.p50: list[float] = []
        self.all: list[float] = []
        self.cpu: list[float] = []

    def add(self, samples: list[float], cpu: float) -> None:
        cuts = quantiles(samples, n=100)
        self.p50.append(cuts[49])
        self.cpu.append(cpu)
        self.all += samples

    @property
    def p99(self) -> float:
        return quantiles(self.all, n=100)[98]


def run(plan: Plan) -> list[Row]:
    blocks = -(-plan.count(EVENTS) // len(FACE_UP))
    floor, subject, peer = Measured(), Measured(), Measured()
    with TemporaryDirectory() as name, ExitStack() as open_:
        directory = Path(name)
        table = open_.enter_context(RealTable(directory))
        table.open_session()
        raw = open_.enter_context(
            process_at_line(directory, "floor", COMMAND_BYTES, "durable", directory / "floor.journal", wait=table.serve)
        )
        typical = open_.enter_context(
            process_at_line(directory, "typical", EVENT_BYTES, COMMAND_BYTES, directory / "sqlite", wait=table.serve)
        )
        paths: list[tuple[Measured, Shots]] = [
            (floor, lambda: _shots(table, *raw, len(FACE_UP))),
            (subject, lambda: deals(table, len(FACE_UP))),
            (peer, lambda: _shots(table, *typical, len(FACE_UP))),
        ]
        for repetition in range(plan.repetitions):
            _repeat(paths, blocks)
            say(f"  {repetition + 1}/{plan.repetitions} floor {floor.p50[-1]:.0f} us, sabot {subject.p50[-1]:.0f} us")
    return _rows(floor, subject, peer)


def _repeat(paths: list[tuple[Measured, Shots]], blocks: int) -> None:
    """One repetition, interleaved deal by deal, so that a change of the medium's pace affects all paths."""
    taken: list[tuple[list[float], list[float]]] = [([], []) for _ in paths]
    for _ in range(blocks):
        for (_, path), (samples, cpu) in zip(paths, taken, strict=True):
            times, spent = path()
            samples.extend(times)
            cpu.append(spent)
    for (measured, _), (samples, cpu) in zip(paths, taken, strict=True):
        measured.add(samples, sum(cpu) / len(cpu))


@contextmanager
def process_at_line(
    directory: Path, name: str, *arguments: object, python: str = sys.executable, wait: Wait = sleep
) -> Iterator[tuple[Line, int]]:
    """Runs `name`_process.py at a line of its own: the line, and the process's number."""
    line = Line(directory / f"tty-{name}")
    try:
        with running(f"{name}_process.py", str(line.link), *map(str, arguments), python=python, wait=wait) as process:
            yield line, process.pid
    finally:
        line.close()


def _shots(table: RealTable, line: Line, pid: int, events: int) -> tuple[list[float], float]:
    """Sends events to a process that only answers; serves the table's devices between them."""
    samples: list[float] = []
    before, next_s = cpu_us(pid), monotonic()
    for _ in range(events):
        next_s = pace(next_s, EVERY_S)
        samples.append(line.shot_us(bytes(EVENT_BYTES), COMMAND_BYTES))
        table.serve()
    return samples, (cpu_us(pid) - before) / events


def deals(table: RealTable, events: int) -> tuple[list[float], float]:
    """Plays whole rounds; measures the cards of the deal except the bank's face-down one, which comes last."""
    samples: list[float] = []
    spent = 0.0
    while len(samples) < events:
        table.begin_round()
        before = cpu_us(table.pid)
        samples += _deal(table)
        spent += cpu_us(table.pid) - before
        table.draw("4S")
        table.end_round()
    return samples, spent / len(samples) / 2  # each card is two events


def _deal(table: RealTable) -> list[float]:
    samples, next_s = [], monotonic()
    for card in FACE_UP:
        next_s = pace(next_s, EVERY_S)
        table.count_card()
        next_s = pace(next_s, EVERY_S)
        samples.append(table.read_card_us(card))
    return samples


def _rows(floor: Measured, subject: Measured, peer: Measured) -> list[Row]:
    p50 = {"sabot": spread(subject.p50), "floor": spread(floor.p50), "typical": spread(peer.p50)}
    p99 = {"sabot": spread([subject.p99]), "floor": spread([floor.p99]), "typical": spread([peer.p99])}
    cpu = {"sabot": spread(subject.cpu), "floor": spread(floor.cpu), "typical": spread(peer.cpu)}
    floors, tail = ratios(subject.p50, floor.p50), spread([subject.p99 / peer.p99])
    what = "card event on the tty to the next permitting command, over the typical stack's"
    over_floor = f"{floors.median:.2f} of the floor, the typical stack {ratios(peer.p50, floor.p50).median:.2f}"
    events = f"{len(subject.all)} events"
    spent = "processor time of a durable event, over the typical stack's"
    return [
        Row("G1", what, ratios(subject.p50, peer.p50), p50, "us", AS_TYPICAL, over_floor),
        Row("G2", "the same, p99", tail, p99, "us", AS_TYPICAL, events),
        Row("G4", spent, ratios(subject.cpu, peer.cpu), cpu, "us", AS_TYPICAL),
    ]
