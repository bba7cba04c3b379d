"""A row as one line, for people or as a JSON object, printed as soon as it is measured."""

import os
import platform
from collections.abc import Sequence

from tests.bench.rows import Row, Spread

COLUMNS = (("row", 6), ("figure [min-max]", 22), ("goal", 18), ("", 6))


def head() -> str:
    return _line(*(name for name, _width in COLUMNS), "what; measured (median)")


def line(row: Row) -> str:
    """The row as one line of text for people."""
    verdict = {True: "met", False: "MISSED", None: ""}[row.is_met]
    beside = ", ".join(f"{name} {_number(value.median)}" for name, value in row.beside.items())
    note = f"; {row.note}" if row.note else ""
    goal = row.goal.text() if row.goal else ""
    return _line(row.id, _spread(row.figure), goal, verdict, f"{row.what}: {beside} {row.unit}{note}")


def machine() -> dict[str, object]:
    """The first of the JSON lines, about the machine."""
    return {"python": platform.python_version(), "system": platform.platform(), "cpus": os.cpu_count()}


def misses(rows: Sequence[Row]) -> list[Row]:
    """The rows that missed their goal."""
    return [row for row in rows if row.is_met is False and row.goal is not None and row.goal.gates]


def _line(*cells: str) -> str:
    padded = [cell.ljust(width) for cell, (_name, width) in zip(cells, COLUMNS, strict=False)]
    return "  ".join([*padded, cells[-1]])


def _spread(value: Spread) -> str:
    return f"{value.median:.2f} [{value.low:.2f}-{value.high:.2f}]"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def document(row: Row) -> dict[str, object]:
    """One row for programs; `met` is null for a row without a goal, `gates` tells if it affects the exit code."""
    return {
        "id": row.id,
        "what": row.what,
        "figure": _spread_document(row.figure),
        "measured": {name: _spread_document(value) for name, value in row.beside.items()},
        "unit": row.unit,
        "goal": None if row.goal is None else row.goal.text(),
        "gates": row.goal is not None and row.goal.gates,
        "met": row.is_met,
        "note": row.note,
    }


def _spread_document(value: Spread) -> dict[str, float]:
    return {"median": value.median, "min": value.low, "max": value.high}
