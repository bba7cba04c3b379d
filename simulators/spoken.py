"""The messages of the demo, the rehearsed table and the simulated devices, in the language of the terminal.

The commands for developers (`world`, `power-cuts`) speak English.
"""

import os
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from controller.catalogue import Language, language_of, sentence
from drivers.errors import system_word


@cache
def words(language: Language) -> Mapping[str, str]:
    """Returns every message in this language, by key. Returns the English messages for a language without a file."""
    name = "pt" if language in (Language.PT, Language.BR) else "en"
    known: dict[str, str] = tomllib.loads((Path(__file__).parent / "demo" / f"{name}.toml").read_text("utf-8"))
    return known


def spoken() -> Mapping[str, str]:
    """Returns every message in the language of this terminal, by key."""
    return words(language_of(os.environ))


def said(key: str, **values: object) -> str:
    """Returns the message `key`, filled with these values, in the language of this terminal."""
    return spoken()[key].format(**values)


class SpokenError(Exception):
    """An error whose text is the message `wrong.<key>`."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(said(f"wrong.{key}", **values))


def system_said(error: OSError) -> str:
    """Returns the error in words: the file's name, and the system's reason."""
    why = sentence("cli.error.system", {"detail": system_word(error)}, language_of(os.environ))
    return f"{error.filename or '-'}: {why}"
