"""The clauses that each test names: scenarios in their head, test functions in their docstring; read statically."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.scenario.test_written_scenarios import FILES, scenarios

TESTS = Path(__file__).parents[1]
CLAUSE = re.compile(r"\b(?:pt|mo|br|house)\.[a-z0-9]+(?:\.[a-z0-9]+)*")


@cache
def named_clauses() -> dict[str, list[str]]:
    """Each clause that a test names, with the tests' node ids; both sorted."""
    found: dict[str, set[str]] = {}
    for clause, test in (*_in_scenarios(), *_in_docstrings()):
        found.setdefault(clause, set()).add(test)
    return {clause: sorted(found[clause]) for clause in sorted(found)}


def _in_scenarios() -> Iterator[tuple[str, str]]:
    for path in FILES:
        for scenario in scenarios(path):
            test = f"tests/scenario/test_written_scenarios.py::test_scenario[{path.stem}-{scenario.id}]"
            yield from ((clause, test) for clause in scenario.clauses)


def _in_docstrings() -> Iterator[tuple[str, str]]:
    for path in sorted(TESTS.rglob("test_*.py")):
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(function, ast.FunctionDef) and function.name.startswith("test_"):
                test = f"{path.relative_to(TESTS.parent)}::{function.name}"
                for clause in CLAUSE.findall(ast.get_docstring(function) or ""):
                    yield clause, test
