"""Converts the texts that people type for an act into the typed fields of the act's class.

The type of a field decides its kind of value (protocol/values.py), and each kind has a reader. `parse_values` raises no
error for a bad text: it returns the problems of all values at once.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import Final, TypeAlias, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from controller.core.engine.act import NOT_ASKED, Act, value_names
from controller.core.money import cents_of, units
from controller.core.words import Role
from controller.protocol.check import Problem, printable
from controller.protocol.values import DECK, FOREIGN, ValueKind, card_named, is_readable, items

Field: TypeAlias = int | bool | str | tuple[int, ...] | tuple[str, ...] | None
"""A value that a field of an act can hold."""


class Unreadable(Exception):  # noqa: N818 (the name says what the text is)
    """A typed text is not a value of the kind that the field needs."""


_NOT_FROM_PEOPLE: Final = NOT_ASKED | {"salt"}
"""The fields of an act that no person gives: for example the salt, which the seal of a face-down card gives."""


@cache
def _hints(act: type[Act]) -> Mapping[str, object]:
    return get_type_hints(act)


def asked_values(act: type[Act]) -> tuple[str, ...]:
    """Returns the names of the values that a person gives with an act of class `act`."""
    return tuple(name for name in act.__struct_fields__ if name not in _NOT_FROM_PEOPLE)


def words_of(act: type[Act], name: str) -> tuple[str, ...]:
    """The words that people may give for the value `name` of an act: "yes" and "no" for a truth value, the members of
    an enumeration. () for any other value, such as a number.
    """
    kind = _hints(act)[name]
    if kind in {bool, bool | None}:
        return ("yes", "no")
    return tuple(word.value for word in kind) if isinstance(kind, type) and issubclass(kind, StrEnum) else ()


def make_act(act: type[Act], person: int, role: Role, fields: Mapping[str, Field]) -> Act:
    """Returns the act of a person, made of the fields that `parse_values` has read. The field `salt`, if the act has
    one, is None: only the seal of a card gives a salt.
    """
    salt = {"salt": None} if "salt" in act.__struct_fields__ else {}  # only the seal gives the salt
    return msgspec.convert({"person": person, "role": role, **fields, **salt}, act)


def parse_values(act: type[Act], values: Mapping[str, str]) -> dict[str, Field] | list[Problem]:
    """Returns the fields of `act`, read from `values` (name to text). A missing optional field is None.

    Returns the list of problems instead if a value is unknown, missing or unreadable.
    """
    readers = _readers(act)
    names = tuple(readers)
    problems = [
        Problem(printable(name), "unknown", "names" if names else "no-names", known=", ".join(names))
        for name in values
        if name not in readers
    ]
    fields: dict[str, Field] = {}
    for name, reader in readers.items():
        if name not in values:
            if reader.may_be_left_out:
                fields[name] = None
            else:
                problems.append(Problem(name, "missing", "add"))
            continue
        try:
            fields[name] = reader.read(values[name].strip())
        except Unreadable:
            given, known = printable(values[name]), ", ".join(reader.words)
            problems.append(Problem(name, "unreadable", reader.kind.value, given, known))
    return problems or fields


def kind_of(act: type[Act], name: str) -> ValueKind:
    """The kind of the value `name` of an act. Raises TypeError if its type has no kind."""
    hint = _hints(act)[name]
    if name in _KIND_BY_NAME:
        return _KIND_BY_NAME[name]
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return ValueKind.WORD
    hint = _given(hint)
    if get_origin(hint) is tuple:
        kind = _KIND_OF_LIST.get(get_args(hint)[0].__name__)
    else:
        kind = _KIND_BY_TYPE.get(getattr(hint, "__name__", ""))
    if kind is None:
        raise TypeError(f"{name}: {hint}")
    return kind


def _given(hint: object) -> object:
    """Returns the type hint `hint` without None. Returns a hint without None unchanged."""
    kinds = [kind for kind in get_args(hint) if kind is not type(None)]
    return kinds[0] if type(None) in get_args(hint) else hint


def may_be_left_out(act: type[Act], name: str) -> bool:
    """True if the value `name` of the act is optional."""
    return type(None) in getattr(_hints(act)[name], "__args__", ())


_KIND_BY_NAME: Final = {"seat": ValueKind.SEAT, "seats": ValueKind.SEATS, "counts": ValueKind.GRID}
_KIND_BY_TYPE: Final = {
    "HoldId": ValueKind.HOLD,
    "DutyId": ValueKind.DUTY,
    "EntryNumber": ValueKind.ENTRY,
    "Card": ValueKind.CARD,
    "Cents": ValueKind.AMOUNT,
    "int": ValueKind.NUMBER,
    "bool": ValueKind.YES_NO,
    "str": ValueKind.TEXT,
}
"""The kind of a field by the name of its type, so that nothing of the cards' modules is imported here."""
_KIND_OF_LIST: Final = {"Card": ValueKind.CARDS, "int": ValueKind.NUMBERS}


class _Reader(Struct, frozen=True, gc=False):
    """Converts the text that a person types for one field of an act into the field's value."""

    kind: ValueKind
    may_be_left_out: bool
    words: tuple[str, ...]

    def read(self, text: str) -> Field:
        """Converts a typed text into the field's value. Raises Unreadable."""
        if not is_readable(self.kind, text):
            raise Unreadable
        return self._word(text) if self.kind is ValueKind.WORD else _READ[self.kind](text)

    def _word(self, text: str) -> str:
        by_text = {word.replace("-", "_"): word for word in self.words}
        found = by_text.get(text.lower().replace("-", "_"))
        if found is None:
            raise Unreadable
        return found


def _seat(text: str) -> int:
    return int(text) if text.isdecimal() else 0


def _number(text: str) -> int:
    return int(text.lstrip("HhDd#"))


def _grid(text: str) -> tuple[int, ...]:
    """Reads pairs "card=count", separated by commas. Returns the counts of the 52 cards in the deck's order, 0 for a
    card that `text` does not name.
    """
    pairs = [item.partition("=") for item in items(text)]
    counts = {card_named(name): int(count) for name, _, count in pairs}
    return tuple(counts.get(card, 0) for card in DECK)


_READ: Final[Mapping[ValueKind, Callable[[str], Field]]] = {
    ValueKind.SEAT: _seat,
    ValueKind.SEATS: lambda text: tuple(map(_seat, items(text))),
    ValueKind.HOLD: _number,
    ValueKind.DUTY: _number,
    ValueKind.ENTRY: _number,
    ValueKind.CARD: card_named,
    ValueKind.CARDS: lambda text: tuple(map(card_named, items(text))),
    ValueKind.NUMBER: int,
    ValueKind.AMOUNT: cents_of,
    ValueKind.NUMBERS: lambda text: tuple(map(int, items(text))),
    ValueKind.YES_NO: lambda text: text.lower() in {"yes", "true", "sim"},
    ValueKind.TEXT: str,
    ValueKind.GRID: _grid,
}
"""The reader of each kind, for a text that is readable as this kind."""


def value_text(kind: ValueKind, field: Field) -> str:
    """The text that a person would type for `field`. `parse_values` turns this text into `field` again. "" for None."""
    match field:
        case None:
            return ""
        case int() if kind is ValueKind.AMOUNT:
            return units(field)
        case bool():
            return "yes" if field else "no"
        case tuple() if kind is ValueKind.GRID:
            return ",".join(f"{card}={count}" for card, count in zip(DECK, field, strict=True) if count)
        case tuple():
            return ",".join(value_text(kind, one) for one in field)
        case _:
            return _PREFIXES.get(kind, "") + ("JOKER" if field == FOREIGN else str(field))


def values_as_typed(act: type[Act], texts: Sequence[str]) -> dict[str, str]:
    """Returns an act's values by name, in the form in which people type them. Leaves out empty values. `texts`: the
    values in the act's journal entry, in the order of `value_names`.
    """
    given = {name: text for name, text in zip(value_names(act), texts, strict=True) if text}
    return {name: _typed(kind_of(act, name), text) for name, text in given.items()}


def _typed(kind: ValueKind, text: str) -> str:
    match kind:
        case ValueKind.AMOUNT:
            return value_text(kind, int(text))
        case ValueKind.YES_NO:
            return "yes" if text == "True" else "no"
        case ValueKind.SEAT:
            return "bank" if text == "0" else text
        case _:
            return text


_PREFIXES: Final = {ValueKind.HOLD: "H", ValueKind.DUTY: "D", ValueKind.ENTRY: "#"}
_READERS: Final[dict[type[Act], Mapping[str, _Reader]]] = {}
"""The readers of each act, filled when the act is first asked for."""


def _readers(act: type[Act]) -> Mapping[str, _Reader]:
    """Returns, by the field's name, the reader of each field that a person gives. Cached by act."""
    if act not in _READERS:
        _READERS[act] = {
            name: _Reader(kind_of(act, name), may_be_left_out(act, name), words_of(act, name))
            for name in asked_values(act)
        }
    return _READERS[act]
