"""What a fact is: something that a device reports or that the controller went through. It is never refused."""

from msgspec import Struct


class Source(Struct, frozen=True, gc=False):
    """The number of a device's event within one boot of that device."""

    boot: int
    number: int


class Fact(Struct, frozen=True, gc=False):
    """Something that has happened; the rows that name each fact and say what it does stand in facts/."""
