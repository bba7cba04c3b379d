"""Portuguese as Brazil writes it, made from Portugal's by a list of words; a test reads what comes of it."""

import re
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path


def brazilian(text: str) -> str:
    """One sentence with Brazil's words; a word that began with a capital letter does so again."""
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


@cache
def _words() -> tuple[tuple[re.Pattern[str], str], ...]:
    text = (Path(__file__).parent / "pt-BR.toml").read_text("utf-8")
    pairs: list[list[str]] = tomllib.loads(text)["words"]
    return tuple((re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), instead) for pattern, instead in pairs)
