"""The base classes of the two kinds of event: acts and facts.

An act is a person's request: it is permitted, or refused with clause and remedy. A fact is a report of a device or an
event of the controller: it is never refused.
"""

from typing import Final

from msgspec import Struct

from controller.core.words import Person, Role


class Act(Struct, frozen=True, gc=False):
    """A person's request, with the authenticated person's number and role.

    The row of the act (`ActRule`) has its name and the posts that may ask for it.
    """

    person: Person
    role: Role


NOT_ASKED: Final = frozenset({"person", "role", "seal_differs", "verified", "journal_at", "signature"})
"""Fields that people do not enter: the shell fills in person and role, and all results of seals and signatures."""


def value_names(act: type[Act]) -> tuple[str, ...]:
    """The names of the act's fields, except the fields in NOT_ASKED; a `salt` is included."""
    return tuple(name for name in act.__struct_fields__ if name not in NOT_ASKED)


def values_of(act: Act) -> tuple[str, ...]:
    """The act's values as texts, in the order of `value_names`; None becomes an empty text."""
    return tuple(_text(getattr(act, name)) for name in value_names(type(act)))


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(_text(one) for one in value)
    return "" if value is None else str(value)


class Source(Struct, frozen=True, gc=False):
    """The boot of a device, and the number of one event within that boot."""

    boot: int
    number: int


class Fact(Struct, frozen=True, gc=False):
    """An event that a device or the controller reports. The fact's row (`FactRule`) has its name and its effect."""
