"""Finds the duty numbers of PROTOCOL.md (`[TDP-5.1]`) and the words before each. The caller passes the page's text."""

import re
from typing import Final

MARK: Final = re.compile(r"\s*\[TDP-(\d+\.\d+)\]")
_BEGINS: Final = re.compile(
    r"\n\s*\n(?:- )?|\n\s*(?:- |\d\. |\| )"
)  # at the start of a paragraph, a point of a list or a row of a table
_SENTENCE_ENDS: Final = re.compile(r"(?<=[.:;])\**\s+|(?<=\))\.\s+")
_LEAST: Final = 24  # fewest characters that make sense by themselves


def numbers_of(text: str) -> list[str]:
    """The numbers in the text, in order; a number that occurs twice is listed twice."""
    return MARK.findall(text)


def words_by_number(text: str) -> dict[str, str]:
    """Returns the words before each duty number: a sentence, or a part of one."""
    return {match[1]: _words_before(text, match.start()) for match in MARK.finditer(text)}


def _words_before(text: str, end: int) -> str:
    begins = [match.end() for match in _BEGINS.finditer(text, 0, end)]
    paragraph = text[begins[-1] if begins else 0 : end]
    parts = [MARK.sub("", part) for part in _split(paragraph)]
    words = parts.pop()
    while parts and len(words) < _LEAST:
        words = f"{parts.pop()} {words}"
    plain = re.sub(r"\s+", " ", words.replace("**", "").replace("`", "").replace(" |", ":"))
    return re.sub(r" ([,;.])", r"\1", plain).strip(" *;,|")


def _split(paragraph: str) -> list[str]:
    marked = MARK.sub(lambda match: f"{match[0]}\0", paragraph)
    return [part for one in marked.split("\0") for part in _SENTENCE_ENDS.split(one) if part.strip()]
