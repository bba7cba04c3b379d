"""Parses lines of text into deeds at a simulated table, one deed a line.

A line is a word and its values: `hand-over-packet cards=156`, `feed-packet`, `pull-card purpose=seat seat=3`. The words
follow from the names of the deeds in `people/hands.py`.
"""

from difflib import get_close_matches
from enum import StrEnum
from types import NoneType, UnionType
from typing import Final, TypeAlias, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT
from msgspec.structs import fields

from simulators.people.hands import HandAct, Plain, PlainAct, word_of
from simulators.spoken import SpokenError

Value: TypeAlias = str | int | bool | None
PLAYED_BY_SCRIPT: Final = ("session", "round_number")
"""Fields by which the scripted players choose; they are 0 for hands led by a person."""


class BadLineError(SpokenError):
    """A line that names no deed, or names a deed with wrong values."""


def _flat(kind: object) -> list[type]:
    if get_origin(kind) in (Union, UnionType):
        return [one for part in get_args(kind) for one in _flat(part)]
    return [kind] if isinstance(kind, type) else []


def _is_plain(kind: object) -> bool:
    return all(one in (int, str, bool, NoneType) or issubclass(one, StrEnum) for one in _flat(kind))


WORDS: Final[dict[str, type | PlainAct]] = {
    word_of(act.__name__): act
    for act in _flat(HandAct)
    if not issubclass(act, Plain) and all(map(_is_plain, get_type_hints(act).values()))
} | {word_of(act.value): act for kind in get_args(PlainAct) for act in kind}
"""The deeds that can be typed, by their words: the class of a deed with values, or the plain deed itself."""


def usage() -> list[str]:
    """Returns one line for each deed: its word and the names of its values."""
    return [" ".join((word, *(f"{name}=" for name in _names(act)))) for word, act in sorted(WORDS.items())]


def _names(act: type | Plain) -> list[str]:
    return [] if isinstance(act, Plain) else [one.name for one in fields(act) if one.name not in PLAYED_BY_SCRIPT]


def values_of(parts: list[str]) -> dict[str, str]:
    """Parses the parts after a deed's word, each `NAME=VALUE`. Raises BadLineError."""
    pairs = [part.partition("=") for part in parts]
    if bad := next((name for name, equals, _value in pairs if not equals), None):
        raise BadLineError("value", given=bad, right="NAME=VALUE")
    return {name: value for name, _equals, value in pairs}


def hand_act(word: str, given: dict[str, str]) -> HandAct:
    """Returns the deed with the word `word` and the values `given`. Raises BadLineError."""
    act = WORDS.get(word)
    if act is None:
        near = get_close_matches(word, WORDS, n=1)
        raise BadLineError("word", word=word, near=near[0] if near else "help")
    if unknown := set(given) - set(_names(act)):
        raise BadLineError("value", given=", ".join(sorted(unknown)), right=", ".join(_names(act)) or "-")
    if isinstance(act, Plain):
        return act
    hints, made = get_type_hints(act), dict[str, Value]()
    for one in fields(act):
        if one.name in PLAYED_BY_SCRIPT:
            made[one.name] = 0
        elif one.name in given:
            made[one.name] = _value(one.name, given[one.name], hints[one.name])
        elif NoneType in _flat(hints[one.name]):
            made[one.name] = None
        elif one.default is NODEFAULT:
            raise BadLineError("needs", word=word, name=one.name)
    found: HandAct = act(**made)
    return found


def _value(name: str, text: str, kind: object) -> Value:
    wanted = next(one for one in _flat(kind) if one is not NoneType)
    try:
        if wanted is bool:
            return {"yes": True, "no": False}[text]
        value: Value = wanted(text)
    except (ValueError, KeyError) as error:
        known = ", ".join(wanted) if issubclass(wanted, StrEnum) else "yes, no" if wanted is bool else "0, 1, 2 …"
        raise BadLineError("value", given=f"{name}={text}", right=known) from error
    return value
