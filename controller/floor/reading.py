"""Parts of the room's page, and which of them people of a role read. No role writes anything into a table.

| role | reads |
|---|---|
| pit | tables, holds, duties, devices, jackpots |
| technician | tables, holds, duties, devices, fleet |
| manager | everything but the fleet |
| inspector | everything |

Who may            those to whom the casino's provider gives a role that the floor's configuration names
who else must agree nobody at the floor
what undoes it     the provider takes the role away: the floor asks anew at the end of each session
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
    """A role at the page, as the configuration names it."""

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
    """Reads these parts, until this second of the wall clock. `name`: as the provider says it."""

    name: str
    parts: frozenset[Part]
    until_s: float = inf


AT_THIS_COMPUTER: Final = Person("", frozenset(Part))
"""Without a provider the page is served to this computer alone."""


def parts_of(readers: Iterable[Reader]) -> frozenset[Part]:
    return frozenset().union(*(READS[one] for one in readers))
