"""People's sentences are in the catalogue: a text of several words elsewhere in the controller is refused.

Exceptions are docstrings, the texts of exceptions and assertions (for those who repair the program), and regular
expressions. `ALLOWED` names the others, with reasons.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import controller

PACKAGE = Path(controller.__file__).parent
SENTENCE = re.compile(r"[^\W\d_]{2,} [^\W\d_]{2,} [^\W\d_]{2,}")

_LINT = "a part of TableError's text"
ALLOWED: dict[str, str] = {
    "two rows for x from x": _LINT,
    "x is never reached": _LINT,
    "x is never left": _LINT,
}
"""Text of a literal (x for filled-in values): the reason why it is no sentence of the catalogue."""


def texts(tree: ast.AST) -> Iterator[str]:
    """The text literals of a module, without docstrings, exceptions and assertions."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.Raise | ast.Assert):
            continue
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            continue
        if isinstance(child, ast.Call) and _is_exception(child.func):
            continue
        if isinstance(child, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in child.values)
        elif isinstance(child, ast.Constant) and isinstance(child.value, str):
            yield child.value
        else:
            yield from texts(child)


def _is_exception(function: ast.expr) -> bool:
    """True for `super().__init__(...)` of an exception, or an exception that is made now and raised later."""
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name == "__init__" or name.endswith(("Error", "Refused", "Failed", "Damaged"))


def sentences(code: str) -> list[str]:
    return [text for text in texts(ast.parse(code)) if SENTENCE.search(text)]


def test_no_sentence_stands_outside_the_catalogue_and_each_that_is_allowed_somewhere() -> None:
    outside = {
        str(path.relative_to(PACKAGE)): here
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.parent.name != "catalogue" and (here := sentences(path.read_text("utf-8")))
    }
    standing = {text for here in outside.values() for text in here}
    assert {name: here for name, here in outside.items() if set(here) - set(ALLOWED)} == {}
    assert set(ALLOWED) - standing == set()


def test_the_check_sees_a_sentence_and_passes_over_what_is_none() -> None:
    assert sentences('"""Doc of this module."""\nx = "call the supervisor now"') == ["call the supervisor now"]
    assert sentences('x = f"call the {who} right now please"') == ["call the x right now please"]
    assert sentences('raise ValueError("that is not right")') == []
    assert sentences('x = ("pt.bj.3a", "hold-raised", "card in")') == []
