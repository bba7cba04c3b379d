"""What a fact is: something that a device reports or that the controller went through. It is never refused."""

from msgspec import Struct


class Source(Struct, frozen=True, gc=False):
    """The number of a device's event within one boot of that device."""

    boot: int
    number: int


class Fact(Struct, frozen=True, gc=False):
    """Something that has happened; its row, with its name and what it does, stands in the file of its subject."""
