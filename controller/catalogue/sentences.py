"""Reads the catalogue's files and fills in values.

A file is TOML; nested tables make dotted keys (`hold.jam.text`), an array is a list of steps. `{name}`
stands for the value `name`; `{name:word}` looks each word of the value up under `word.<it>` (`a|b`: in either), and
what is found there may have values in turn; numbers behind a name stay (`split-17-20`). A value that was not given
leaves its placeholder standing: people see that something is missing, and the table's status still comes. An unknown
key is a mistake of the program and raises.
"""

import re
import tomllib
from collections.abc import Mapping
from enum import StrEnum, unique
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias, TypeVar, assert_never

from controller.catalogue.brazil import brazilian

Values: TypeAlias = Mapping[str, str] | tuple[tuple[str, str], ...]
"""Named values of a sentence, as a mapping or as the pairs that the core gives."""

Tree: TypeAlias = "Mapping[str, str | list[str] | Tree]"
Entry: TypeAlias = str | tuple[str, ...]
_NUMBERED: Final = re.compile(r"([a-z-]+)-([0-9]+(?:-[0-9]+)*)")
"""A name with numbers, as a bet on certain numbers has it: split-17-20."""
T = TypeVar("T")

_PLACEHOLDER: Final = re.compile(r"\{([a-z_]+)(?::([a-z.|-]+))?\}")


@unique
class Language(StrEnum):
    """The languages that the catalogue has.

    Brazil's Portuguese is Portugal's with other words (pt-BR.toml). Chinese is whatever people at a table read; what is
    for technicians is English there.
    """

    PT = "pt"
    BR = "pt-BR"
    EN = "en"
    ZH = "zh-Hant"


class UnknownKey(LookupError):  # noqa: N818 (the name says what it is)
    """No sentence, or no list of steps, stands under this key."""


def sentence(key: str, values: Values, language: Language) -> str:
    """The sentence under `key` with its values. Raises UnknownKey."""
    return _fill(_entry(key, language, str), dict(values), language)


def keys(language: Language) -> tuple[str, ...]:
    """Every key of one language, in the file's order."""
    return tuple(_catalogue(language))


def own_keys(language: Language) -> tuple[str, ...]:
    """The keys that this language's own file has."""
    return tuple(_file(language))


def has_key(key: str) -> bool:
    """Whether a sentence or a list of steps stands under `key`."""
    return key in _catalogue(Language.EN)


Variants: TypeAlias = tuple[str, ...]
"""The kinds of table for which the catalogue may have other words (`variant.<it>.<key>`), the most special first."""


def fitting(key: str, variants: Variants) -> str:
    """The key under which the words for such a table stand."""
    return next((found for one in variants if has_key(found := f"variant.{one}.{key}")), key)


def placeholders(key: str, language: Language) -> frozenset[str]:
    """What stands in braces under `key`, as written. Raises UnknownKey."""
    entry = _entry(key, language, object)
    lines = entry if isinstance(entry, tuple) else (entry,)
    return frozenset(match.group(0) for line in lines for match in _PLACEHOLDER.finditer(str(line)))


def language_of(environment: Mapping[str, str]) -> Language:
    """The language that a terminal's environment asks for; English where the catalogue has not got it."""
    for name in ("SABOT_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            wanted = environment[name].lower().replace("_", "-")
            return next((one for one in _TERMINALS if wanted.startswith(one.value.lower())), Language.EN)
    return Language.EN


_TERMINALS: Final = (Language.BR, Language.PT)
"""What a terminal may ask for besides English, the more particular first."""


def _entry(key: str, language: Language, kind: type[T]) -> T:
    found = _catalogue(language).get(key)
    if not isinstance(found, kind):
        raise UnknownKey(key)
    return found


def _fill(text: str, values: Mapping[str, str], language: Language) -> str:
    def word(match: re.Match[str]) -> str:
        name, groups = match.groups()
        if name not in values:
            return match.group(0)
        return values[name] if groups is None else _words(groups.split("|"), values[name], language)

    def value(match: re.Match[str]) -> str:
        return word(match) if match.group(2) is None else _PLACEHOLDER.sub(word, word(match))

    return _PLACEHOLDER.sub(value, text)


def _words(groups: list[str], value: str, language: Language) -> str:
    """The value with each word that the catalogue has put in its place; a plain list of words gets commas."""
    entries = _catalogue(language)

    def entry_of(part: str) -> str | None:
        found = (entries.get(f"{group}.{part}") for group in groups)
        return next((entry for entry in found if isinstance(entry, str)), None)

    def word(part: str) -> str | None:
        found, numbered = entry_of(part), _NUMBERED.fullmatch(part)
        if found is not None or numbered is None or (name := entry_of(numbered[1])) is None:
            return found
        return f"{name} {numbered[2]}"

    parts = [word(part) for part in re.split(r"[,\s]+", value)]
    known = [part for part in parts if part is not None]
    if len(known) == len(parts):
        return ", ".join(known)
    return re.sub(r"[^,;\s]+", lambda match: word(match.group(0)) or match.group(0), value)


@cache
def _catalogue(language: Language) -> dict[str, Entry]:
    match language:
        case Language.PT | Language.EN:
            return _file(language)
        case Language.ZH:
            return _file(Language.EN) | _file(language)
        case Language.BR:
            return {key: _in_brazil(key, entry) for key, entry in _file(Language.PT).items()}
        case _:
            assert_never(language)


def _in_brazil(key: str, entry: Entry) -> Entry:
    return brazilian(key, entry) if isinstance(entry, str) else tuple(brazilian(key, line) for line in entry)


@cache
def _file(language: Language) -> dict[str, Entry]:
    text = (Path(__file__).parent / f"{language.value}.toml").read_text("utf-8")
    return _flat("", tomllib.loads(text))


def _flat(prefix: str, tree: Tree) -> dict[str, Entry]:
    flat: dict[str, Entry] = {}
    for name, entry in tree.items():
        match entry:
            case str():
                flat[prefix + name] = entry
            case list():
                flat[prefix + name] = tuple(entry)
            case _:
                flat |= _flat(f"{prefix}{name}.", entry)
    return flat
