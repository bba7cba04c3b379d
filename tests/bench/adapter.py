"""G30: card to command behind an FTDI adapter with its default of 16 ms, and with our setting of 1 ms.

The setting is the udev rule's and the drivers'. The adapter is simulated between the device and the tty
(`simulators.devices.wire.Adapter`), since a pseudo-terminal has none: the times are real, the adapter's are the chip's
published ones. A USB bus adds up to 1 ms, which is not included.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from tests.bench.card_event import FACE_UP, deals
from tests.bench.real_table import RealTable
from tests.bench.rows import Plan, Row, interleave, ratios, spread

CARDS = 45  # in one repetition
AS_IT_COMES, AS_SET, WITHOUT = "adapter at 16 ms", "at 1 ms", "no adapter"
LATENCIES_S: Final = {AS_IT_COMES: 0.016, AS_SET: 0.001, WITHOUT: 0.0}


def run(plan: Plan) -> list[Row]:
    cards = max(len(FACE_UP), plan.count(CARDS))
    paths: dict[str, Callable[[], float]] = {
        name: partial(card_to_command_us, latency_s, cards) for name, latency_s in LATENCIES_S.items()
    }
    times = interleave(paths, plan.repetitions)
    beside = {name: spread(values) for name, values in times.items()}
    what = "card to command with its adapter as it comes, over one set to 1 ms"
    return [Row("G30", what, ratios(times[AS_IT_COMES], times[AS_SET]), beside, "us", note="median of each")]


def card_to_command_us(latency_s: float, cards: int) -> float:
    """The median in microseconds over whole deals at a table of its own."""
    with TemporaryDirectory() as name, RealTable(Path(name), latency_s=latency_s) as table:
        table.open_session()
        return median(deals(table, cards)[0])
