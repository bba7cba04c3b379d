"""What goes wrong at a simulated table, and when: by seed and by number of card, never by time.

Some of it is a fault in a device (its own plan), some is done by hands: a cable is pulled, a plug is kicked. Hands
strike just before a card is drawn, when nothing is on its way.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum, unique
from itertools import cycle
from random import Random
from typing import Final

from controller.core.words import Device
from simulators.devices.faults import (
    AnyFault,
    DrawWhileLocked,
    FaultPlan,
    Jam,
    LidSprings,
    Misread,
    Overdraw,
    PresetTouched,
    Retry,
    ReversedCard,
    Spot,
)
from simulators.kit import devices_of
from simulators.people.choices import Choices


@unique
class Kind(StrEnum):
    """What can go wrong."""

    JAM_AT_MOUTH = "jam at the mouth"
    MISREAD = "misread"
    UNPLUG_SHOE = "cable of the reader pulled"
    REBOOT_SHUFFLER = "shuffler restarts"
    JAM_AT_FEED = "jam at the feed"
    RETRY = "card freed by the machine itself"
    UNPLUG_SHUFFLER = "cable of the shuffler pulled"
    REBOOT_SHOE = "reader restarts"
    JAM_IN_CAROUSEL = "jam in the carousel"
    LID_SPRINGS = "lid springs open"
    OVERDRAW = "reader takes a card for one too many of its own game"
    DRAWN_WHILE_LOCKED = "card drawn past a reader that somebody has locked"
    REVERSED = "card moved backwards in the reader"
    PRESET_TOUCHED = "setting of the reader changed"


OF_ANGEL_EYE: Final[dict[Kind, type[Overdraw | DrawWhileLocked | ReversedCard | PresetTouched]]] = {
    Kind.OVERDRAW: Overdraw,
    Kind.DRAWN_WHILE_LOCKED: DrawWhileLocked,
    Kind.REVERSED: ReversedCard,
    Kind.PRESET_TOUCHED: PresetTouched,
}
"""What can only go wrong with an Angel Eye at the mouth."""

ORDER: Final = tuple(kind for kind in Kind if kind not in OF_ANGEL_EYE)
"""Each in its turn, so that a short evening already sees the first ones."""

ORDER_OF_ANGEL_EYE: Final = (*ORDER[:2], *OF_ANGEL_EYE, *ORDER[2:])

PRANKS: Final = {
    Kind.UNPLUG_SHOE: (Device.SHOE, True),
    Kind.UNPLUG_SHUFFLER: (Device.SHUFFLER, True),
    Kind.REBOOT_SHUFFLER: (Device.SHUFFLER, False),
    Kind.REBOOT_SHOE: (Device.SHOE, False),
}
"""What hands do, to which device, and whether they pull its cable."""

NAMES: Final = {kind.name.lower().replace("_", "-"): kind for kind in Kind}
"""As the command line has them."""

BEFALLS: Final = {
    kind: Device.SHOE if kind in {Kind.MISREAD, Kind.UNPLUG_SHOE, Kind.REBOOT_SHOE, *OF_ANGEL_EYE} else Device.SHUFFLER
    for kind in Kind
}
"""To which device it happens."""

FIRST_AT: Final = (4, 8)
APART: Final = (16, 44)


@dataclass(frozen=True, slots=True)
class Prank:
    """Something that hands do to a device before card number `at` is drawn."""

    at: int
    device: Device
    pulls_cable: bool  # otherwise the device loses power for a moment


@dataclass(slots=True)
class Incidents:
    """A table's plan of faults, and which pranks are still to come."""

    shuffler: FaultPlan
    shoe: FaultPlan
    pranks: list[Prank]
    done: list[Prank] = field(default_factory=list)

    def due(self, drawn: int) -> Prank | None:
        """The prank to be played before the next card, once."""
        if not self.pranks or drawn + 1 < self.pranks[0].at:
            return None
        self.done.append(self.pranks.pop(0))
        return self.done[-1]


@dataclass(frozen=True, slots=True)
class _Mark:
    """A moment in a session's play: cards drawn, cards out of the machine, cards into it, each since the beginning."""

    drawn: int
    out: int
    into: int


def plan(
    choices: Choices,
    rounds: int,
    sessions: int,
    shoe_protocol: str = "tdp",
    profile: str = "pt-csm",
    kinds: tuple[Kind, ...] = tuple(Kind),
) -> Incidents:
    """What goes wrong in so many sessions of so many rounds: of `kinds`, what can at a table of this profile."""
    order = ORDER_OF_ANGEL_EYE if shoe_protocol == "angel-eye" else ORDER
    order = tuple(kind for kind in order if kind in kinds and BEFALLS[kind] in devices_of(profile))
    if not order:
        return Incidents(FaultPlan(), FaultPlan(), [])
    unloads = choices.cards if Device.SHUFFLER in devices_of(profile) else 0
    incidents = list(zip(cycle(order), _marks(choices, rounds, sessions, unloads), strict=False))
    shuffler = [fault for kind, mark in incidents if (fault := _shuffler_fault(kind, mark))]
    shoe = [fault for kind, mark in incidents if (fault := _shoe_fault(kind, mark))]
    pranks = [Prank(mark.drawn, *PRANKS[kind]) for kind, mark in incidents if kind in PRANKS]
    return Incidents(FaultPlan(tuple(shuffler)), FaultPlan(tuple(shoe)), pranks)


def _shuffler_fault(kind: Kind, mark: _Mark) -> AnyFault | None:
    match kind:
        case Kind.JAM_AT_MOUTH:
            return Jam(mark.out, Spot.MOUTH)
        case Kind.JAM_AT_FEED:
            return Jam(mark.into + 1, Spot.FEED)
        case Kind.JAM_IN_CAROUSEL:
            return Jam(mark.out + mark.into, Spot.CAROUSEL)
        case Kind.RETRY:
            return Retry(mark.out, Spot.MOUTH, tries=2)
        case Kind.LID_SPRINGS:
            return LidSprings(mark.out + mark.into)
        case _:
            return None


def _shoe_fault(kind: Kind, mark: _Mark) -> AnyFault | None:
    if kind is Kind.MISREAD:
        return Misread(mark.out)
    make = OF_ANGEL_EYE.get(kind)
    return None if make is None else make(mark.out)


def _marks(choices: Choices, rounds: int, sessions: int, unloads: int) -> Iterator[_Mark]:
    """Moments at random distances within the play of each session, none while it is loaded or unloaded.

    `unloads`: so many cards run out at the end of a session.
    """
    rng = Random(f"{choices.seed}:incidents")
    drawn = 0
    for session in range(1, sessions + 1):
        moved = (session - 1) * unloads  # by the unloadings before
        back = moved + choices.cards
        due = drawn + rng.randint(*FIRST_AT)
        drawn += 1  # the burn
        for number in range(1, rounds + 1):
            before, drawn = drawn, drawn + cards_of_round(choices, session, number)
            while before < due <= drawn:
                yield _Mark(drawn=due, out=moved + due, into=back)
                due += rng.randint(*APART)
            back = moved + choices.cards + drawn


def cards_of_round(choices: Choices, session: int, number: int) -> int:
    """How many cards the round takes."""
    seats = choices.seats(session, number)
    return 2 * (len(seats) + 1) + len(choices.further_cards(session, number, seats))
