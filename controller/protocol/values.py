"""The kinds of the values of acts, and their texts. A client can thus check a value before the client sends it.
`is_readable` checks that a text is of its kind. `fits` also checks the present bounds and choices from `list`.
"""

import re
from enum import StrEnum, unique
from typing import Final

from msgspec import Struct

LONGEST_TEXT: Final = 560
LARGEST: Final = 1_000_000
MOST_ITEMS: Final = 500
_AS_A_COMMITMENT: Final = re.compile(r"sealed:[0-9a-f]{64}(?:\.{10})?")
"""The form of a commitment in an entry (journal/words.py).

A typed text of this form is refused, since a reader of the journal would take it for a commitment.
"""


@unique
class ValueKind(StrEnum):
    SEAT = "seat"  # its number; 0 is the bank
    SEATS = "seats"  # numbers with commas
    HOLD = "hold"  # H3, or 3
    DUTY = "duty"  # D1, or 1
    ENTRY = "entry"  # an entry's number in the journal: #1234, or 1234
    CARD = "card"  # rank then suit: 10H; JOKER: a card of no deck
    CARDS = "cards"  # with commas
    NUMBER = "number"  # whole, from 0
    NUMBERS = "numbers"  # with commas
    YES_NO = "yes-no"
    WORD = "word"  # one of the choices
    TEXT = "text"  # one printable line
    AMOUNT = "amount"  # currency units, whole or with two decimals: 20, 37.50
    GRID = "grid"  # AC=6,2C=6,...: a card left out is 0


class Choice(Struct, frozen=True):
    """One possible text of a value, with its label and the roles that may give it.

    `has`: if the choice is an entry to be corrected, the entry's recorded values by name; "" for a value that was not
    given. `takes`: if the choice is an act, the act's values by name; True for each mandatory one. `stays`: the entry's
    card has come, so the entry cannot be taken back without another in its place.
    """

    value: str
    label: str
    who: list[str]
    has: dict[str, str] = {}
    takes: dict[str, bool] = {}
    stays: bool = False


class ValueDocument(Struct, frozen=True):
    """Describes one value of an act.

    `least`, `most`: bounds of a number, of each number in a list, or of a text's length. `choices`: all texts possible
    now; empty: any text of the kind within the bounds. `default`: the text that a form shows first.
    """

    name: str
    what: str
    label: str
    kind: ValueKind
    may_be_left_out: bool = False
    least: int | None = None
    most: int | None = None
    choices: list[Choice] = []
    default: str | None = None


DECK: Final = tuple(rank + suit for suit in "CDHS" for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K"))
"""The 52 cards of one deck in the order of the closing grid."""

FOREIGN: Final = "FOREIGN"
"""The name of every card that belongs to no deck of the table. People write JOKER for such a card."""


def card_named(text: str) -> str:
    """Returns the card that `text` names, in upper case, for example "10H". Returns FOREIGN for JOKER."""
    upper = text.strip().upper()
    return upper if upper in DECK else FOREIGN


_LISTS: Final = {ValueKind.SEATS: "seat", ValueKind.CARDS: "card", ValueKind.NUMBERS: "number", ValueKind.GRID: "cell"}
_CARD: Final = r"(?:A|[2-9]|10|J|Q|K)[CDHS]"
_ITEMS: Final = {
    "seat": re.compile(r"bank|banca|[0-9]{1,2}", re.IGNORECASE | re.ASCII),
    "hold": re.compile(r"H?[0-9]{1,7}", re.IGNORECASE | re.ASCII),
    "duty": re.compile(r"D?[0-9]{1,7}", re.IGNORECASE | re.ASCII),
    "entry": re.compile(r"#?[0-9]{1,12}", re.ASCII),
    "card": re.compile(rf"{_CARD}|JOKER|FOREIGN", re.IGNORECASE | re.ASCII),
    "number": re.compile(r"[0-9]{1,7}", re.ASCII),
    "yes-no": re.compile(r"yes|true|sim|no|false|não|nao", re.IGNORECASE),
    "word": re.compile(r"[a-z][a-z_-]*", re.IGNORECASE | re.ASCII),
    "amount": re.compile(r"[0-9]{1,11}(?:\.[0-9]{2})?", re.ASCII),
    "cell": re.compile(rf"{_CARD}=[0-9]{{1,3}}", re.IGNORECASE | re.ASCII),
}


def items(text: str) -> list[str]:
    """Returns the items of a list, which are separated by commas or blanks."""
    return [item for item in re.split(r"[,\s]+", text) if item]


def is_readable(kind: ValueKind, text: str) -> bool:
    """Returns True if `text` has the form of a value of `kind`."""
    text = text.strip()
    if kind is ValueKind.TEXT:
        is_line = 0 < len(text) <= LONGEST_TEXT and text.isprintable()
        return is_line and not _AS_A_COMMITMENT.fullmatch(text)
    if kind not in _LISTS:
        return _is_item(kind.value, text)
    parts = items(text)
    names = [part.partition("=")[0].upper() for part in parts]
    is_once = kind is not ValueKind.GRID or len(set(names)) == len(names)
    return 0 < len(parts) <= MOST_ITEMS and is_once and all(_is_item(_LISTS[kind], part) for part in parts)


def _is_item(kind: str, text: str) -> bool:
    if not _ITEMS[kind].fullmatch(text):
        return False
    digits = text.lstrip("HhDd")
    return kind not in {"number", "hold", "duty"} or int(digits) <= LARGEST


def fits(value: ValueDocument, text: str) -> bool:
    """Returns True if `text` is of the value's kind, within its bounds and, if the value has choices, one of its
    choices.
    """
    if not is_readable(value.kind, text):
        return False
    parts = items(text) if value.kind in _LISTS else [text.strip()]
    if value.choices and value.kind is not ValueKind.GRID:
        known = {_plain(choice.value) for choice in value.choices}
        return all(_plain(part) in known for part in parts)
    return all(_is_within(value, part) for part in parts)


def _plain(text: str) -> str:
    """Returns a text that is equal for equal choices: "0" for "bank", "3" for "H3", "in_hand" for "in-hand"."""
    lower = text.lower().replace("-", "_")
    lower = {"bank": "0", "banca": "0", "true": "yes", "sim": "yes", "false": "no", "foreign": "joker"}.get(
        lower, lower
    )
    lower = {"não": "no", "nao": "no"}.get(lower, lower)
    return lower[1:] if re.fullmatch(r"[hd][0-9]+", lower) else lower


def _is_within(value: ValueDocument, part: str) -> bool:
    match value.kind:
        case ValueKind.NUMBER | ValueKind.NUMBERS:
            size = int(part)
        case ValueKind.TEXT:
            size = len(part)
        case ValueKind.GRID:
            size = int(part.partition("=")[2])
        case _:
            return True
    return (value.least is None or size >= value.least) and (value.most is None or size <= value.most)
