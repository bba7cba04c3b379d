"""G17: the time from a jam's frame to the bytes that lock the mouth and light the lamp, beside a raw echo's time.

Protection comes before any write, so a stuck disk may not delay it.
"""

import os
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic, perf_counter_ns

from tests.bench.card_event import EVERY_S, process_at_line
from tests.bench.lines import READ_AT_MOST, Line
from tests.bench.real_table import CHIEF, RealTable, pace
from tests.bench.rows import Goal, Plan, Row, interleave, ratios, spread

JAMS = 20  # in one repetition
JAM_BYTES, LOCK_BYTES = 64, 40
STANDS_STILL_S = 0.5  # the duration of each sync
GOAL = 3.0


def run(plan: Plan) -> list[Row]:
    jams = plan.count(JAMS)
    with TemporaryDirectory() as name, ExitStack() as open_:
        echo, _ = open_.enter_context(process_at_line(Path(name), "floor", LOCK_BYTES, "echo"))
        times = interleave(
            {
                "raw echo": lambda: _echoed(echo, jams),
                "sabot": lambda: _jammed(jams, 0.0),
                "disk at rest": lambda: _jammed(jams, STANDS_STILL_S),
            },
            plan.repetitions,
        )
    beside = {of: spread(values) for of, values in times.items()}
    what = "a jam's frame on the tty to the lock and the lamp, over a raw echo"
    return [
        Row("G17", what, ratios(times["sabot"], times["raw echo"]), beside, "us", Goal(GOAL, gates=False)),
        Row(
            "G17",
            f"the same while each sync takes {STANDS_STILL_S:g} s",
            ratios(times["disk at rest"], times["raw echo"]),
            beside,
            "us",
            Goal(GOAL, gates=False),
        ),
    ]


def _echoed(line: Line, shots: int) -> float:
    samples, next_s = [], monotonic()
    for _ in range(shots):
        next_s = pace(next_s, EVERY_S)
        samples.append(line.shot_us(bytes(JAM_BYTES), LOCK_BYTES))
    return median(samples)


def _jammed(jams: int, sync_s: float) -> float:
    """The median over jams in one deal; each sync from a jam to its lamp takes `sync_s`."""
    with TemporaryDirectory() as name, RealTable(Path(name), disk=(disk := Path(name) / "disk")) as table:
        table.open_session()
        table.begin_round()
        return median(_jam_us(table, disk, sync_s) for _ in range(jams))


def _jam_us(table: RealTable, disk: Path, sync_s: float) -> float:
    """Microseconds from a jam under an open mouth to the first byte of lock and light; then people end it."""
    table.until_open()
    table.until_quiet()
    table.rest(EVERY_S)
    _say(disk, sync_s)
    line = table.lines["shuffler"].fd
    table.shuffler.jam(monotonic())
    data = table.shuffler.data_to_send()
    began = perf_counter_ns()
    os.write(line, data)
    while not table.shuffler.status.lamp_lit:
        got = os.read(line, READ_AT_MOST)
        ended = perf_counter_ns()
        table.take(line, got)
    assert not table.shuffler.mouth_is_open
    _say(disk, 0.0)
    _end(table)
    return (ended - began) / 1000


def _say(disk: Path, sync_s: float) -> None:
    """Writes the file whole, since the controller may read it at any moment."""
    new = disk.with_name("disk.new")
    new.write_text(str(sync_s))
    new.replace(disk)


def _end(table: RealTable) -> None:
    hold = table.hold()
    table.act("attend-hold", CHIEF, hold=hold)
    table.shuffler.clear_path(monotonic())
    table.until_quiet()
    table.act("clear-hold", CHIEF, hold=hold)
    table.until(lambda: not table.shuffler.status.jammed)
    table.until_quiet()
    table.act("confirm-hold", CHIEF, hold=hold)
