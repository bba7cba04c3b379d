"""The page of figures: the rows of the last whole bench beside those of the version before.

`make bench BENCH=--json > tests/bench/measured/VERSION.jsonl` measures a version, and `make pages` writes the page.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

FOLDER: Final = Path(__file__).parent / "measured"
_HEAD: Final = """# What the paths of this program cost

Generated (`make pages`) from `tests/bench/measured`, which holds the lines of `make bench BENCH=--json` for each
version. A figure compares work of the same run: the program's over a floor's or a peer's. In brackets stand the least
and the greatest of its repetitions. Goals that are not met have their reasons below the table.
"""


class _Range(msgspec.Struct, frozen=True):
    median: float
    min: float
    max: float


class _Line(msgspec.Struct, frozen=True):
    """One line of a bench for programs (report.document); the first, about the machine, has no id."""

    id: str = ""
    what: str = ""
    figure: _Range | None = None
    measured: dict[str, _Range] = {}
    unit: str = ""
    goal: str | None = None
    met: bool | None = None
    machine: dict[str, Any] = {}


def figures_page() -> str:
    """The newest version's rows, each with the figure of the version before, if there is one."""
    versions = sorted(FOLDER.glob("*.jsonl"), key=lambda one: _order(one.stem))
    now, *before = [_lines(one) for one in reversed(versions[-2:])]
    machine = next((one.machine for one in now if one.machine), {})
    told = ", ".join(f"{name} {value}" for name, value in machine.items())
    earlier = {(one.id, one.what): one.figure for one in (before[0] if before else ())}
    was = versions[-2].stem if before else "none"
    lines = [_HEAD, f"Version {versions[-1].stem} on: {told}. Version before: {was}.", ""]
    lines += ["| row | what | now | before | goal | measured (median) |", "|---|---|---|---|---|---|"]
    lines += [_row(one, earlier.get((one.id, one.what))) for one in now if one.figure is not None]
    return "\n".join([*lines, "", (FOLDER / "reasons.txt").read_text().strip()]) + "\n"


def _lines(path: Path) -> Sequence[_Line]:
    decoder = msgspec.json.Decoder(_Line)
    return [decoder.decode(line) for line in path.read_bytes().splitlines()]


def _row(one: _Line, before: _Range | None) -> str:
    met = {True: " (met)", False: " (not met)", None: ""}[one.met]
    beside = ", ".join(f"{name} {_number(value.median)}" for name, value in one.measured.items())
    now = "" if one.figure is None else _range(one.figure)
    cells = (one.id, one.what, now, _range(before) if before else "", (one.goal or "") + met, f"{beside} {one.unit}")
    return "| " + " | ".join(cell.strip() for cell in cells) + " |"


def _range(one: _Range) -> str:
    return f"{one.median:.2f} [{one.min:.2f} to {one.max:.2f}]"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _order(version: str) -> list[int]:
    """The numbers of a version, so that rc10 comes behind rc9."""
    return [int(number) for number in "".join(one if one.isdigit() else " " for one in version).split()]
