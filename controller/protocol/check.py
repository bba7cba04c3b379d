"""Finds problems in the values of an act before they are sent, by the act's description in the answer to `list`."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from controller.protocol.lines import ActDocument
from controller.protocol.values import ValueDocument, ValueKind, is_readable

LONGEST_SHOWN: Final = 60


class Problem(Struct, frozen=True, gc=False):
    """A problem of one value. `wrong`: the end of the catalogue's key of the fault, under `value.wrong`; `right`: of
    its remedy, under `value.right`.

    `given`: the value in printable form; `known`: the names or words that are known, with commas.
    """

    name: str
    wrong: str
    right: str
    given: str = ""
    known: str = ""


def problems_of(act: ActDocument, values: Mapping[str, str]) -> list[Problem]:
    """A problem for each unreadable, missing or unknown value of the act; whether a readable value is possible at this
    moment is not checked.
    """
    known = {value.name: value for value in act.values}
    names = ", ".join(known)
    strange = [
        Problem(printable(name), "unknown", "names" if known else "no-names", known=names)
        for name in values
        if name not in known
    ]
    judged = [_judged(value, values.get(value.name)) for value in act.values]
    return strange + [one for one in judged if one is not None]


def _judged(value: ValueDocument, given: str | None) -> Problem | None:
    if given is None:
        return None if value.may_be_left_out else Problem(value.name, "missing", "add")
    is_known = value.kind is not ValueKind.WORD or _word(given) in {_word(one.value) for one in value.choices}
    if is_readable(value.kind, given) and is_known:
        return None
    known = ", ".join(choice.value for choice in value.choices)
    return Problem(value.name, "unreadable", value.kind.value, printable(given), known)


def _word(text: str) -> str:
    return text.strip().lower().replace("-", "_")


def printable(text: str) -> str:
    """Returns at most LONGEST_SHOWN characters of a text, with "?" for each that a terminal cannot print."""
    return "".join(char if char.isprintable() else "?" for char in text[:LONGEST_SHOWN])
