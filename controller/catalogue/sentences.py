"""Reads the catalogue's files and fills values into sentences. An unknown key is a fault of the program and raises
UnknownKey.

A file uses a subset of TOML with one entry per line. Reading this subset takes a tenth of a TOML reader's time, and
every command reads a file at its start.

Tables make dotted keys (`hold.jam.text`). The placeholder `{name}` stands for the value `name`. `{name:word}` replaces
each word of the value by the entry `word.<the word>`; `{name:a|b}` searches the group `a`, then `b`. Such an entry may
contain placeholders, and numbers after a word stay (`split-17-20`). A placeholder without a value stays in the
sentence, so that people see which value is missing.
"""

import re
from collections.abc import Mapping
from enum import StrEnum, unique
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from controller.catalogue.brazil import brazilian

Values: TypeAlias = Mapping[str, str] | tuple[tuple[str, str], ...]
"""Named values of a sentence, as a mapping or as the core's pairs."""

_NUMBERED: Final = re.compile(r"([a-z-]+)-([0-9]+(?:-[0-9]+)*)")
"""A name with numbers, as in the name of a bet: split-17-20."""

_PLACEHOLDER: Final = re.compile(r"\{([a-z_]+)(?::([a-z.|-]+))?\}")


@unique
class Language(StrEnum):
    """A language of the catalogue. Brazil's Portuguese is Portugal's with words replaced (pt-BR.toml).

    Chinese has only the sentences for people at a table; sentences for technicians are then in English.
    """

    PT = "pt"
    BR = "pt-BR"
    EN = "en"
    ZH = "zh-Hant"


class UnknownKey(LookupError):  # noqa: N818 (the name says what it is)
    """Raised for a key that the catalogue does not have."""


def sentence(key: str, values: Values, language: Language) -> str:
    """Returns the sentence under `key` with its placeholders filled in. Raises UnknownKey."""
    return _fill(_entry(key, language), dict(values), language)


def keys(language: Language) -> tuple[str, ...]:
    """Returns every key for which a sentence can be shown in `language`, even one from another language's file, in the
    files' order.
    """
    return tuple(dict.fromkeys(key for file in _FILES[language] for key in _file(file)))


def own_keys(language: Language) -> tuple[str, ...]:
    """Returns the keys in the file of sentences of `language`, which must not be Brazil's Portuguese: that has no such
    file.
    """
    return tuple(_file(language))


def has_key(key: str) -> bool:
    """True if the catalogue has a sentence under `key`."""
    return key in _file(Language.EN)


Variants: TypeAlias = tuple[str, ...]
"""The kinds of table that may have words of their own (`variant.<kind>.<key>`), the most special first."""


def fitting(key: str, variants: Variants) -> str:
    """Returns the most specific key for a table: `variant.<kind>.<key>` of the first kind in `variants` that has a
    sentence.

    Returns `key` if no kind has a sentence.
    """
    return next((found for one in variants if has_key(found := f"variant.{one}.{key}")), key)


def placeholders(key: str, language: Language) -> frozenset[str]:
    """Returns the placeholders of the sentence under `key`, as written, with braces. Raises UnknownKey."""
    return frozenset(match.group(0) for match in _PLACEHOLDER.finditer(_entry(key, language)))


def language_of(environment: Mapping[str, str]) -> Language:
    """Returns the language that a terminal's environment variables select, or English if the catalogue lacks it."""
    for name in ("SABOT_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            wanted = environment[name].lower().replace("_", "-")
            return next((one for one in _TERMINALS if wanted.startswith(one.value.lower())), Language.EN)
    return Language.EN


_TERMINALS: Final = (Language.BR, Language.PT)
"""The languages that a terminal may ask for besides English, the more special first."""


def _entry(key: str, language: Language) -> str:
    found = _found(key, language)
    if found is None:
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
    """Returns the value with each known word replaced by its entry in one of the groups.

    If all words are known, commas separate them.
    """

    def entry_of(part: str) -> str | None:
        found = (_found(f"{group}.{part}", language) for group in groups)
        return next((entry for entry in found if entry is not None), None)

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


_FILES: Final = {
    Language.PT: (Language.PT,),
    Language.BR: (Language.PT,),
    Language.EN: (Language.EN,),
    Language.ZH: (Language.ZH, Language.EN),
}
"""The files of each language, in the order of search."""


def _found(key: str, language: Language) -> str | None:
    text = next((file[key] for name in _FILES[language] if key in (file := _file(name))), None)
    return text if text is None or language is not Language.BR else _in_brazil(key, text)


_in_brazil = cache(brazilian)
"""Caches the results of `brazilian`, at most one for each sentence."""

_TEXT: Final = msgspec.json.Decoder(str)


@cache
def _file(language: Language) -> dict[str, str]:
    return read_sentences((Path(__file__).parent / f"{language.value}.toml").read_text("utf-8"))


def read_sentences(text: str) -> dict[str, str]:
    """Returns the sentences of a file's text by dotted key. A line is `[table]`, `key = "text"` with a JSON string, a
    comment, or blank.
    """
    found: dict[str, str] = {}
    table = ""
    for line in text.splitlines():
        if line.startswith("["):
            table = line[1:-1] + "."
        elif line and not line.startswith("#"):
            key, _, quoted = line.partition(" = ")
            found[table + key] = _TEXT.decode(quoted)
    return found
