"""The shape of sentences in docstrings and comments, as far as a machine finds it (.github/WORDS.md)."""

import ast
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.frame.test_tree import ROOT, tracked

pytestmark = pytest.mark.waits

WORDS = "what", "who", "whose", "whether", "whoever", "whatever", "nobody"
_RIDDLE = re.compile(rf"#*\s*(?:{'|'.join(WORDS)})\b", re.IGNORECASE)
_MAY_HAVE_ONE = re.compile(rf"[\"'#][\\\s#]*(?:{'|'.join(WORDS)})\b", re.IGNORECASE)
"""A file without a match has no string or comment that begins so, and is not parsed, which would take seconds."""


def sentences(path: Path) -> Iterator[tuple[int, str]]:
    """Line and text of each docstring, string below a constant, and comment that begins on its line."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Expr(value=ast.Constant(value=str() as text)):
                yield node.lineno, text
    before = 0
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type == tokenize.COMMENT:
                if token.start[0] != before + 1:
                    yield token.start[0], token.string
                before = token.start[0] if token.line.lstrip().startswith("#") else 0


def test_a_sentence_begins_with_its_subject() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text.splitlines()[0]}"
        for path in tracked()
        if path.suffix == ".py" and path.exists() and _MAY_HAVE_ONE.search(path.read_text("utf-8"))
        for line, text in sentences(path)
        if text and _RIDDLE.match(text)
    ]
    assert found == []


def test_the_page_of_words_has_the_same_list() -> None:
    rule = (ROOT / ".github/WORDS.md").read_text().split("does not begin with", 1)[1].split("Instead", 1)[0]
    assert set(re.findall(r"\*(\w+)\*", rule)) == set(WORDS)
