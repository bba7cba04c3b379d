"""An act and a fact: the two kinds of event.

An act is a person's request: it is allowed, or refused with clause and remedy. A fact is a report of a device or an
event of the controller: it is never refused.
"""

from typing import Final

from msgspec import Struct

from controller.core.words import Person, Role


class Act(Struct, frozen=True, gc=False):
    """A person's request: number and role, already authenticated. Its name and its rights are in its row."""

    person: Person
    role: Role


NOT_ASKED: Final = frozenset({"person", "role", "seal_differs", "verified", "journal_at", "signature"})
"""Fields that people do not enter: the shell fills in person and role, and all results of seals and signatures."""


def value_names(act: type[Act]) -> tuple[str, ...]:
    """The names of the act's values apart from NOT_ASKED; a `salt`, which comes from the seal, is among them."""
    return tuple(name for name in act.__struct_fields__ if name not in NOT_ASKED)


def values_of(act: Act) -> tuple[str, ...]:
    """The values in the order of `value_names`, each as text; a missing value is empty."""
    return tuple(_text(getattr(act, name)) for name in value_names(type(act)))


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(_text(one) for one in value)
    return "" if value is None else str(value)


class Source(Struct, frozen=True, gc=False):
    """The number of a device's event within one boot of that device."""

    boot: int
    number: int


class Fact(Struct, frozen=True, gc=False):
    """An event that has happened; its name and its effect are in its row, in the module of its subject."""
