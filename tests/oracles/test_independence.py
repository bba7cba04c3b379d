"""The checks of money are small and independent: a few pages of the standard library and the law."""

import ast
import sys
from pathlib import Path

import pytest

import simulators.oracles

HERE = Path(simulators.oracles.__file__).parent


@pytest.mark.parametrize(("name", "most"), [("settle", 250), ("pool", 150), ("wheel", 120)])
def test_a_check_of_money_is_small_and_imports_nothing_of_the_project(name: str, most: int) -> None:
    text = (HERE / f"{name}.py").read_text(encoding="utf-8")
    nodes = list(ast.walk(ast.parse(text)))
    modules = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    modules += [str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)]
    assert {module.partition(".")[0] for module in modules} <= sys.stdlib_module_names
    assert len(text.splitlines()) <= most
