"""Makes Brazil's Portuguese sentences from Portugal's by replacing words (pt-BR.toml)."""

import re
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypedDict, cast


def brazilian(key: str, text: str) -> str:
    """Returns the sentence `text` of Portugal's Portuguese in Brazil's Portuguese. A replaced word keeps its capital
    letters. If pt-BR.toml has its own sentence under `key`, returns that.
    """
    if (instead := _file()["instead"].get(key)) is not None:
        return instead
    for pattern, instead in _words():
        text = pattern.sub(_kept_case(instead), text)
    return text


def _kept_case(instead: str) -> Callable[[re.Match[str]], str]:
    def put(match: re.Match[str]) -> str:
        found, put = match.group(0), match.expand(instead)
        if len(found) > 1 and found.isupper():
            return put.upper()
        return put[0].upper() + put[1:] if found[0].isupper() else put

    return put


class _File(TypedDict):
    words: list[tuple[str, str]]
    instead: dict[str, str]


@cache
def _file() -> _File:
    file: _File = cast("_File", tomllib.loads((Path(__file__).parent / "pt-BR.toml").read_text("utf-8")))
    return file


@cache
def _words() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(rf"\b(?:{old})\b", re.IGNORECASE), new) for old, new in _file()["words"])
