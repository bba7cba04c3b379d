"""The parts of the room's page, and the roles that may read each part. No role may change a table.

| role | reads |
|---|---|
| pit | tables, holds, duties, devices, jackpots |
| technician | tables, holds, duties, devices, fleet |
| manager | everything but the fleet |
| inspector | everything |

Who may            people to whom the casino's provider gives a role that the floor's configuration names
who else must agree no one at the floor
what undoes it     the provider removes the role: the floor asks again at the end of each session
what grows         nothing
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum, unique
from math import inf
from typing import Final

from msgspec import Struct


@unique
class Part(StrEnum):
    ROOM = "room"
    DEVICES = "devices"
    JACKPOTS = "jackpots"
    REPORT = "report"
    FLEET = "fleet"


@unique
class Reader(StrEnum):
    """The role of a person who reads the floor's page, as the floor's configuration names it."""

    PIT = "pit"
    TECHNICIAN = "technician"
    MANAGER = "manager"
    INSPECTOR = "inspector"


READS: Final[Mapping[Reader, frozenset[Part]]] = {
    Reader.PIT: frozenset((Part.ROOM, Part.DEVICES, Part.JACKPOTS)),
    Reader.TECHNICIAN: frozenset((Part.ROOM, Part.DEVICES, Part.FLEET)),
    Reader.MANAGER: frozenset(Part) - {Part.FLEET},
    Reader.INSPECTOR: frozenset(Part),
}


class Person(Struct, frozen=True):
    """A person who may read the `parts` of the page. `name`: the name that the provider gives; `until_s`: the end of
    the session in Unix time.
    """

    name: str
    parts: frozenset[Part]
    until_s: float = inf


AT_THIS_COMPUTER: Final = Person("", frozenset(Part))
"""The reader if people do not sign in, so that the page is served to this computer alone."""


def parts_of(readers: Iterable[Reader]) -> frozenset[Part]:
    return frozenset().union(*(READS[one] for one in readers))
