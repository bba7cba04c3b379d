"""The duties of PROTOCOL.md by number: the kinds of device that have each, and the reason if no check can test it."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from firmware_protocols.tdp.schema import SECTION_OF, DeviceKind

TEXT_VERSION: Final = "1.1"


class Untried(StrEnum):
    """The reason why no check can test a duty."""

    HOST = "host-duty"  # the host's duty
    INSIDE = "inside"  # nothing on the line shows it
    WIRE = "wire"  # of the cable, which a check does not move
    LASTS = "lasts"  # years, millions of cards
    BROKEN_MEMORY = "broken-memory"
    CUT = "cut-in-motion"  # only a person can see where the card is
    CARD = "card-in-the-hand"  # only a person can see which card passed, and when


EVERY: Final = frozenset(DeviceKind)
SHUFFLER: Final = frozenset({DeviceKind.SHUFFLER})
SHOE: Final = frozenset({DeviceKind.SHOE})
DISPLAY: Final = frozenset({DeviceKind.DISPLAY})
VALUE_DISPLAY: Final = frozenset({DeviceKind.VALUE_DISPLAY})
SLOTS: Final = frozenset({DeviceKind.SLOTS})
COUNT: Final = SHUFFLER | SHOE
PERMIT: Final = COUNT | DISPLAY

UNTRIED: Final[Mapping[str, Untried]] = {
    "2.1": Untried.WIRE,
    "2.6": Untried.INSIDE,
    "3.9": Untried.HOST,
    "5.12": Untried.HOST,
    "5.13": Untried.HOST,
    "6.14": Untried.HOST,
    "6.18": Untried.HOST,
    "7.1": Untried.HOST,
    "9.2": Untried.INSIDE,
    "9.4": Untried.BROKEN_MEMORY,
    "9.6": Untried.CUT,
    "9.8": Untried.LASTS,
    "9.9": Untried.CUT,
    "10.2": Untried.INSIDE,
    "10.10": Untried.WIRE,
    "10.26": Untried.CARD,
    "10.32": Untried.CARD,
    "11.6": Untried.CARD,
    "11.7": Untried.CARD,
    "11.8": Untried.CARD,
    "14.1": Untried.CARD,
    "15.1": Untried.INSIDE,
    "18.18": Untried.INSIDE,
    "18.20": Untried.HOST,
    "18.21": Untried.HOST,
    "18.22": Untried.INSIDE,
    "18.23": Untried.HOST,
}

WATCHED: Final = frozenset({"2.8", "3.1", "3.4", "3.6", "5.7", "6.2", "9.3", "9.10", "18.3"})
"""Duties tested on every frame and by no check of their own: kept where frames gave evidence and none broke them."""

_BINDS: Final[Mapping[str, frozenset[DeviceKind]]] = {
    **dict.fromkeys(("4.5", "5.1", "5.2", "5.3", "5.5", "5.9", "5.11"), EVERY),
    **dict.fromkeys(("7.5", "7.8", "9.11", "9.12", "9.13", "9.16", "9.17", "9.18"), PERMIT),
    **dict.fromkeys(("5.10", "6.3", "9.5", "9.6", "9.7", "9.8", "9.10"), COUNT),
    **dict.fromkeys(("9.9", "9.14", "9.15", "9.19", "9.20", "9.21", "9.22", "9.24"), SHUFFLER),
    **dict.fromkeys(("9.25", "18.11", "18.12"), SHOE),
}
_OF_SECTION: Final = {section: frozenset({kind}) for kind, section in SECTION_OF.items()}


def section_of(number: str) -> int:
    return int(number.partition(".")[0])


def binds(number: str, kind: DeviceKind) -> bool:
    """True if a device of the kind `kind` has the duty with the number `number`."""
    return kind in _BINDS.get(number, _OF_SECTION.get(section_of(number), EVERY))
