"""The possible texts of a value in a scenario: a list, or a pattern."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Thing:
    """The possible texts of one kind of value. `fits`: returns True for a possible text. `words`: all possible texts
    where these can be listed, otherwise examples.
    """

    fits: Callable[[str], bool]
    words: tuple[str, ...] = ()


def one_of(words: Iterable[str]) -> Thing:
    """Returns a Thing whose possible texts are `words`."""
    known = tuple(words)
    return Thing(lambda text: text in known, known)


def pattern(regular: str, words: Sequence[str] = ()) -> Thing:
    """Returns a Thing whose possible texts match the whole regular expression. `words`: all possible texts, or
    examples.
    """
    compiled = re.compile(regular)
    return Thing(lambda text: compiled.fullmatch(text) is not None, tuple(words))
