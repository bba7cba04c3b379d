"""The languages of scenarios. Translates the words of a file into English, and English words of messages back."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from controller.config.problems import near
from controller.scenario.portuguese import PAIRS

_WORD: Final = re.compile(
    r"[a-z]{1,16}(?:\.[a-z]{1,16}){0,4}\.\d[\w.]*|[AJKQX](?=-)|[^\W\d_]+(?:[-_][^\W\d_]+)*(?:-(?=\d))?"
)
"""A clause's id, the same in both languages; a rank; or a word, with the hyphen that binds figures to it.

An id is bounded, since without a bound the time for a line would grow with the square of its length.
"""
_NAMES_FOLLOW: Final = frozenset(
    {"rules", "clauses", "profile", "set", "prize", "parameter", "pays", "told", "not-told", "tells"}
)
"""The words before names, which are written as in FORMAT.md."""
_CENTS: Final = re.compile(r"(?:(?<=\s)|(?<=\bmontante=)|(?<=\bvalor=))([+-]?\d+),(\d\d)(?=\s|$)")
"""An amount as Portuguese writes it: with a comma. A list never has two figures after its comma."""


def plain(text: str) -> str:
    """Returns the text without accents, which people omit or type as separate characters."""
    return "".join(one for one in unicodedata.normalize("NFD", text) if not unicodedata.combining(one))


def _instead(word: str, known_as: str, words: Mapping[str, str]) -> str:
    """Returns the translation of `word`: the value of the key `known_as` in `words`, or `word` itself without that key.

    For a word that ends in a hyphen, `words` may have the key without the hyphen.
    """
    if known_as in words or not word.endswith("-"):
        return words.get(known_as, word)
    return words.get(known_as[:-1], word[:-1]) + "-"


@dataclass(frozen=True, slots=True)
class Tongue:
    """A language for scenarios. `english`: the English word for each word of the language (without accents). `own`: the
    language's word for each English word. A word that is not listed is the same in both.
    """

    english: Mapping[str, str]
    own: Mapping[str, str]

    def read(self, text: str) -> str:
        """Returns the text with each word of this language translated into English."""
        whole = _CENTS.sub(r"\1.\2", unicodedata.normalize("NFC", text)) if self.english else text
        return _WORD.sub(lambda found: _instead(found[0], plain(found[0]), self.english), whole)

    def said(self, text: str) -> str:
        """Returns the text with each English word translated into this language."""
        return _WORD.sub(lambda found: _instead(found[0], found[0], self.own), text)

    def stranger(self, text: str) -> str | None:
        """Returns the first English word in a line for which this language has its own word; None without such a word.
        A file must not mix languages.

        Also None for a line with names, which are the same in every language.
        """
        found = _WORD.findall(unicodedata.normalize("NFC", text))
        if _NAMES_FOLLOW & {self.english.get(plain(word)) for word in found[:2]}:
            return None
        words = (word if word in self.own else word.removesuffix("-") for word in found)
        return next((word for word in words if word in self.own and plain(word) not in self.english), None)

    def near(self, word: str, known: Sequence[str]) -> str | None:
        """Returns the word of `known` that is most similar to `word`, in this language; None if none is similar."""
        return near(self.said(word), [self.said(one) for one in known])


ENGLISH: Final = Tongue({}, {})
PORTUGUESE: Final = Tongue(
    {plain(own): english for own, english in PAIRS}, {english: own for own, english in reversed(PAIRS)}
)
_BY_FIRST_WORD: Final = {"scenario": ENGLISH, plain(PORTUGUESE.own["scenario"]): PORTUGUESE}
FIRST_WORDS: Final = ("scenario", PORTUGUESE.own["scenario"])


def tongue_of(first_word: str) -> Tongue | None:
    """Returns the language in which `first_word` begins a scenario; None if no language has this word there."""
    return _BY_FIRST_WORD.get(plain(first_word))
