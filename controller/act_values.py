"""The values of an act, from the text that people type to the typed fields of its class.

Driven by the fields of the classes in core/acts/__init__.py; a reader for each type that such a field can have. What
is wrong comes back as data, every value's at once.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Final, TypeAlias, get_type_hints

from controller.catalogue import Language, sentence
from controller.core.acts import Act
from controller.core.cards import DECK, Card, parse_card
from controller.core.words import DutyId, HoldId

Field: TypeAlias = int | bool | str | tuple[int, ...] | tuple[str, ...] | None
"""What a field of an act can hold."""


@dataclass(frozen=True, slots=True)
class ValueProblem:
    """What is wrong with one value (a key under `value.wrong`), what would be right (under `value.right`)."""

    name: str
    wrong: str
    right: str
    given: str = ""
    known: str = ""

    def text(self, language: Language) -> str:
        values = {"name": self.name, "given": self.given, "known": self.known}
        wrong = sentence(f"value.wrong.{self.wrong}", values, language)
        return wrong + " " + sentence(f"value.right.{self.right}", values, language)


class Unreadable(Exception):  # noqa: N818 (the name says what the text is)
    """A text that is no value of the wanted type; `right` says what would be."""

    def __init__(self, right: str, known: str = "") -> None:
        super().__init__(right)
        self.right = right
        self.known = known


Reader: TypeAlias = Callable[[str], Field]

LONGEST_TEXT: Final = 200
LARGEST: Final = 1_000_000
MOST_ITEMS: Final = 500

_NOT_FROM_PEOPLE: Final = frozenset({"person", "role", "salt", "seal_differs"})
"""Who asks is authenticated, and what the seal of a face-down card says comes out of the seal."""


def asked_values(act: type[Act]) -> tuple[str, ...]:
    """The names of the values that a person gives with this act."""
    return tuple(name for name in act.__struct_fields__ if name not in _NOT_FROM_PEOPLE)


def words_of(act: type[Act], name: str) -> tuple[str, ...]:
    """The words that a value of an act may be, where they can be counted; otherwise none."""
    kind = get_type_hints(act)[name]
    if kind is bool:
        return ("yes", "no")
    return tuple(word.value for word in kind) if isinstance(kind, type) and issubclass(kind, StrEnum) else ()


def parse_values(act: type[Act], values: Mapping[str, str]) -> dict[str, Field] | list[ValueProblem]:
    """Every asked field of `act` from its text (None where it may be left out and was), or every problem."""
    readers = _readers(act)
    names = tuple(readers)
    problems = [
        ValueProblem(_printable(name), "unknown", "names" if names else "no-names", known=", ".join(names))
        for name in values
        if name not in readers
    ]
    fields: dict[str, Field] = {}
    for name, (reader, may_be_left_out) in readers.items():
        if name not in values:
            if may_be_left_out:
                fields[name] = None
            else:
                problems.append(ValueProblem(name, "missing", "add"))
            continue
        try:
            fields[name] = reader(values[name].strip())
        except Unreadable as error:
            problems.append(ValueProblem(name, "unreadable", error.right, _printable(values[name]), error.known))
    return problems or fields


def _integer(text: str) -> int:
    """A whole number from 0 to LARGEST."""
    if not re.fullmatch(r"[0-9]{1,7}", text) or int(text) > LARGEST:
        raise Unreadable("integer")
    return int(text)


def _seat(text: str) -> int:
    """A seat's number; the bank is 0."""
    if text.lower() in {"bank", "banca"}:
        return 0
    if not re.fullmatch(r"[0-9]{1,2}", text):
        raise Unreadable("seat")
    return int(text)


def _numbered(letter: str, text: str) -> int:
    """An id as status shows it (`H3`) or as a bare number."""
    return _integer(text[1:] if text[:1].upper() == letter else text)


_YES: Final = frozenset({"yes", "true", "sim"})
_NO: Final = frozenset({"no", "false", "não", "nao"})


def _flag(text: str) -> bool:
    if text.lower() not in _YES | _NO:
        raise Unreadable("flag")
    return text.lower() in _YES


def _text(text: str) -> str:
    """One printable line of 1 to LONGEST_TEXT characters."""
    if not 0 < len(text) <= LONGEST_TEXT or not text.isprintable():
        raise Unreadable("text")
    return text


def _word(words: type[StrEnum], text: str) -> str:
    by_text = {word.value.replace("-", "_"): word for word in words}
    found = by_text.get(text.lower().replace("-", "_"))
    if found is None:
        raise Unreadable("one-of", known=", ".join(word.value for word in words))
    return found


def _card(text: str) -> Card:
    card = parse_card(text)
    if card is None:
        raise Unreadable("card")
    return card


def _items(text: str) -> list[str]:
    items = [item for item in re.split(r"[,\s]+", text) if item]
    if not items or len(items) > MOST_ITEMS:
        raise Unreadable("list")
    return items


def _seats(text: str) -> tuple[int, ...]:
    return tuple(_seat(item) for item in _items(text))


def _integers(text: str) -> tuple[int, ...]:
    return tuple(_integer(item) for item in _items(text))


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(_card(item) for item in _items(text))


def _grid(text: str) -> tuple[int, ...]:
    """`AC=6 2C=6 ...`: how many of each of the 52 cards, in the deck's order; a card left out is 0."""
    counts: dict[Card, int] = {}
    for item in _items(text):
        name, _, count = item.partition("=")
        card = parse_card(name)
        if card not in DECK or card in counts or not re.fullmatch(r"[0-9]{1,3}", count):
            raise Unreadable("grid")
        counts[card] = int(count)
    return tuple(counts.get(card, 0) for card in DECK)


_BY_NAME: Final[dict[str, Reader]] = {"seat": _seat, "seats": _seats, "counts": _grid}
_BY_TYPE: Final[Sequence[tuple[object, Reader]]] = (
    (HoldId, partial(_numbered, "H")),
    (DutyId, partial(_numbered, "D")),
    (Card, _card),
    (Card | None, _card),
    (tuple[Card, ...], _cards),
    (tuple[int, ...], _integers),
    (int, _integer),
    (int | None, _integer),
    (bool, _flag),
    (str, _text),
)


_READERS: Final[dict[type[Act], Mapping[str, tuple[Reader, bool]]]] = {}
"""Of each act that was asked for."""


def _readers(act: type[Act]) -> Mapping[str, tuple[Reader, bool]]:
    """How each asked field of an act is read, and whether it may be left out."""
    if act not in _READERS:
        hints = get_type_hints(act)
        _READERS[act] = {name: _reader(name, hints[name]) for name in asked_values(act)}
    return _READERS[act]


def _reader(name: str, hint: object) -> tuple[Reader, bool]:
    """How a field is read, and whether it may be left out. Raises TypeError for a type that no row reads."""
    may_be_left_out = type(None) in getattr(hint, "__args__", ())
    if name in _BY_NAME:
        return _BY_NAME[name], may_be_left_out
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return partial(_word, hint), False
    reader = next((reader for kind, reader in _BY_TYPE if kind == hint), None)
    if reader is None:
        raise TypeError(f"{name}: {hint}")
    return reader, may_be_left_out


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text[:60])
