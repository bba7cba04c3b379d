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
EMPTY_FIRST = (
    *("it", "its", "they", "there", "that", "such", "everything", "where", "of", "so", "then", "also", "not", "nor"),
    *("neither", "but", "and", "or", "because", "the same as", "the same by", "the same for", "the same of"),
    *("the same with",),
)
_FRAGMENT = re.compile(rf"(?:{'|'.join(map(str.capitalize, EMPTY_FIRST))})\b")
"""Begins a docstring without a subject: a pronoun whose noun is elsewhere, or the rest of another sentence."""

NOWHERE = "nobody", "that which", "worked out", "thereby"
_VAGUE = re.compile(rf"\b(?:{'|'.join(NOWHERE)})\b".replace(" ", r"\s+"), re.IGNORECASE)

_MAY_HAVE_ONE = (
    re.compile(rf"[\"'#][\\\s#]*(?:{'|'.join(WORDS)})\b", re.IGNORECASE),
    re.compile(f'"""{_FRAGMENT.pattern}'),
    re.compile("|".join(f"[{word[0]}{word[0].upper()}]{word[1:]}" for word in NOWHERE).replace(" ", r"\s+")),
)
"""A file without a match has no string or comment of these shapes, and is not parsed, which would take seconds."""


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


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("# Whether the lid is open.", True),
        ("It shows the page.", True),
        ("The same for a jackpot.", True),
        ("The same line for both.", False),
        ("# It ends with the session.", False),
        ("Of the last commit.", True),
        ("Office of the law.", False),
        ("The sum, worked\n    out again.", True),
        ("The name of nobody.", True),
        ("The lid is open.", False),
    ],
)
def test_a_bad_sentence_is_known(text: str, is_one: bool) -> None:
    assert _is_bad(text) is is_one
    assert _may_have_one(text if text.startswith("#") else f'"""{text}"""') or not is_one


def _may_have_one(source: str) -> bool:
    return any(shape.search(source) for shape in _MAY_HAVE_ONE)


def _is_bad(text: str) -> bool:
    return any((_RIDDLE.match(text), _FRAGMENT.match(text), _VAGUE.search(text)))


def test_a_sentence_begins_with_its_subject_and_has_no_vague_word() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text.splitlines()[0]}"
        for path in tracked()
        if path.suffix == ".py" and path.exists() and _may_have_one(path.read_text("utf-8"))
        for line, text in sentences(path)
        if text and _is_bad(text)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("begins", "words"),
    [("does not begin with", WORDS), ("begins neither with", EMPTY_FIRST), ("are in no docstring", NOWHERE)],
)
def test_the_page_of_words_has_the_same_list(begins: str, words: tuple[str, ...]) -> None:
    rule = (ROOT / ".github/WORDS.md").read_text().split(begins, 1)[1].split("Instead", 1)[0]
    assert set(re.findall(r"\*([\w ]+)\*", rule)) == set(words)
