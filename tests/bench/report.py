"""The rows as a table for people and as one document for programs."""

import os
import platform
from collections.abc import Sequence

from tests.bench.rows import Row, Spread

HEAD = ("row", "what", "figure [min-max]", "goal", "", "measured (median)")


def table(rows: Sequence[Row]) -> str:
    lines = [HEAD, *(_cells(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEAD) - 1)]
    return "\n".join(_line(line, widths) for line in lines)


def document(rows: Sequence[Row]) -> dict[str, object]:
    """`met` is null for a row without a goal; `gates` says whether the exit code minds it."""
    return {
        "machine": {"python": platform.python_version(), "system": platform.platform(), "cpus": os.cpu_count()},
        "rows": [_row(row) for row in rows],
    }


def misses(rows: Sequence[Row]) -> list[Row]:
    """Rows that should have met their goal."""
    return [row for row in rows if row.is_met is False and row.goal is not None and row.goal.gates]


def _cells(row: Row) -> tuple[str, ...]:
    verdict = {True: "met", False: "MISSED", None: ""}[row.is_met]
    beside = ", ".join(f"{name} {_number(value.median)}" for name, value in row.beside.items())
    measured = f"{beside} {row.unit}{'; ' + row.note if row.note else ''}"
    return (row.id, row.what, _spread(row.figure), row.goal.text() if row.goal else "", verdict, measured)


def _line(cells: tuple[str, ...], widths: Sequence[int]) -> str:
    padded = [cell.ljust(width) for cell, width in zip(cells, widths, strict=False)]
    return "  ".join([*padded, cells[-1]]).rstrip()


def _spread(value: Spread) -> str:
    return f"{value.median:.2f} [{value.low:.2f}-{value.high:.2f}]"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _row(row: Row) -> dict[str, object]:
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
