"""G34: a card event with the Merkle tree and without it, pair by pair; G14 has the same for a full verify.

python -m tests.bench --only tree-pairs --only recovery --repetitions 10
"""

from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from tests.bench.card_event import EVENTS, FACE_UP, deals
from tests.bench.real_table import RealTable
from tests.bench.rows import Plan, Row, interleave, ratios, spread

WITH, WITHOUT = "with the tree", "without it"
PROGRAMS: Final = {WITH: "controller.cli.main", WITHOUT: "tests.bench.without_tree"}


def run(plan: Plan) -> list[Row]:
    """The rows: microseconds of a card event, and of processor time for a durable event."""
    cpu: dict[str, list[float]] = {which: [] for which in PROGRAMS}
    blocks = -(-plan.count(EVENTS) // len(FACE_UP))

    def measured(which: str) -> float:
        times, spent = _played(PROGRAMS[which], blocks)
        cpu[which].append(spent)
        return times

    times = interleave({which: lambda which=which: measured(which) for which in PROGRAMS}, plan.repetitions)
    return [
        _row("card event on the tty to the next permitting command", times),
        _row("processor time of a durable event", cpu),
    ]


def _played(module: str, blocks: int) -> tuple[float, float]:
    """Medians of a new table of this program: of a card event, and of the processor time of an event."""
    with TemporaryDirectory() as name, RealTable(Path(name), module=module) as table:
        table.open_session()
        found = [deals(table, len(FACE_UP)) for _ in range(blocks)]
    return median(one for samples, _spent in found for one in samples), median(spent for _samples, spent in found)


def _row(what: str, found: dict[str, list[float]]) -> Row:
    beside = {which: spread(values) for which, values in found.items()}
    return Row("G34", f"{what}, over the same without the tree", ratios(found[WITH], found[WITHOUT]), beside, "us")
