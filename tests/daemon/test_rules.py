"""The digest of the rules that an open session is bound to: every file of the core is part of it, in every room."""

import ast
import shutil
from pathlib import Path

import pytest

from controller import core
from controller.config.profile_file import law
from controller.daemon.rules import meaning, rules_digest

FOLDER = Path(next(iter(core.__path__)))


@pytest.fixture
def a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    copy = Path(shutil.copytree(FOLDER, tmp_path / "core"))
    monkeypatch.setattr(core, "__path__", [str(copy)])
    return copy


def test_a_change_anywhere_in_the_core_is_another_digest(a_copy: Path) -> None:
    found = {rules_digest(law("pt-csm"))}
    for path in (files := sorted(a_copy.rglob("*.py"))):
        with path.open("a") as file:
            file.write("ANOTHER = 1\n")
        found.add(rules_digest(law("pt-csm")))
    assert len(found) == len(files) + 1


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ('"""', '"""In other words. '),
        ("\n\n", "\n\n# a remark\n\n\n"),
        ("import replace\n", "import replace  # a remark\n"),
    ],
)
def test_other_words_about_the_rules_are_no_other_rules(was: str, becomes: str, a_copy: Path) -> None:
    before = rules_digest(law("pt-csm"))
    path = next(path for path in sorted(a_copy.rglob("*.py")) if was in path.read_text())
    path.write_text(path.read_text().replace(was, becomes, 1))
    assert rules_digest(law("pt-csm")) == before


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.py")), ids=lambda path: str(path.relative_to(FOLDER)))
def test_nothing_else_of_a_file_is_left_out(path: Path) -> None:
    whole = ast.parse(path.read_text())
    assert _shape(ast.parse(_with_bodies(meaning(path.read_text())))) == _shape(whole)


def _with_bodies(source: str) -> str:
    """A class or function of which nothing but a docstring was there has a body again."""
    lines = source.splitlines()
    indents = [len(line) - len(line.lstrip()) for line in lines] + [0]
    return "\n".join(
        line + (" ..." if line.startswith(("class ", "def ")) and line.endswith(":") and indents[at + 1] == 0 else "")
        for at, line in enumerate(lines)
    )


class _WithoutDocstrings(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if isinstance(node.value, ast.Constant) else node


def _shape(tree: ast.Module) -> str:
    return ast.dump(_WithoutDocstrings().visit(tree))
