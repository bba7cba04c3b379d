"""Lets a client check an act's values before it sends them, by the act's description in the answer to `list`."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from controller.protocol.lines import ActDocument
from controller.protocol.values import ValueDocument, ValueKind, is_readable

LONGEST_SHOWN: Final = 60


class Problem(Struct, frozen=True, gc=False):
    """A problem with a value of an act. `wrong`, `right`: the last parts of the catalogue's keys for the fault
    (`value.wrong`) and its remedy (`value.right`). `given`: the value as printable text; `known`: the possible names or
    words, separated by commas.
    """

    name: str
    wrong: str
    right: str
    given: str = ""
    known: str = ""


def problems_of(act: ActDocument, values: Mapping[str, str]) -> list[Problem]:
    """Returns a problem for each value that is unknown to the act, missing or unreadable. A readable value may still be
    impossible now.
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
    """Returns the first LONGEST_SHOWN characters of a text, with "?" for each character that cannot be printed."""
    return "".join(char if char.isprintable() else "?" for char in text[:LONGEST_SHOWN])
