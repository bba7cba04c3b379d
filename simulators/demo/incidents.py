"""Plans the faults of a simulated table. Their kinds and moments depend on the seed and the drawn cards, never on time.

A fault inside a device is in the device's own plan. Any other fault is a deed of people: a pulled cable, a cut of
power, a dispute. People do the deed just before a card is drawn, while no message is on its way.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum, unique
from itertools import cycle
from random import Random
from typing import Final, TypeAlias

from msgspec import Struct, field

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
    """The kinds of fault at a simulated table."""

    JAM_AT_MOUTH = "jam at the mouth"
    DISPUTED = "a player disputes what lies before him"
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


class _Mark(Struct, frozen=True):
    """A moment of the play, as three counts of cards since the beginning.

    `drawn`: cards that hands have drawn; `out` and `into`: cards that have left and entered the machine.
    """

    drawn: int
    out: int
    into: int


class Prank(Struct, frozen=True):
    """A person pulls a device's cable, or cuts its power, before card number `at` is drawn."""

    at: int
    device: Device
    pulls_cable: bool  # False: the device loses power for a moment


class Dispute(Struct, frozen=True):
    """A player disputes the dealt cards, before card number `at` is drawn."""

    at: int


ByPeople: TypeAlias = Prank | Dispute


_SHUFFLER, _SHOE = Device.SHUFFLER, Device.SHOE

AFFECTED: Final[Mapping[Kind, tuple[Device | None, Callable[[_Mark], AnyFault | ByPeople]]]] = {
    Kind.JAM_AT_MOUTH: (_SHUFFLER, lambda at: Jam(at.out, Spot.MOUTH)),
    Kind.DISPUTED: (None, lambda at: Dispute(at.drawn)),
    Kind.MISREAD: (_SHOE, lambda at: Misread(at.out)),
    Kind.UNPLUG_SHOE: (_SHOE, lambda at: Prank(at.drawn, _SHOE, pulls_cable=True)),
    Kind.REBOOT_SHUFFLER: (_SHUFFLER, lambda at: Prank(at.drawn, _SHUFFLER, pulls_cable=False)),
    Kind.JAM_AT_FEED: (_SHUFFLER, lambda at: Jam(at.into + 1, Spot.FEED)),
    Kind.RETRY: (_SHUFFLER, lambda at: Retry(at.out, Spot.MOUTH, tries=2)),
    Kind.UNPLUG_SHUFFLER: (_SHUFFLER, lambda at: Prank(at.drawn, _SHUFFLER, pulls_cable=True)),
    Kind.REBOOT_SHOE: (_SHOE, lambda at: Prank(at.drawn, _SHOE, pulls_cable=False)),
    Kind.JAM_IN_CAROUSEL: (_SHUFFLER, lambda at: Jam(at.out + at.into, Spot.CAROUSEL)),
    Kind.LID_SPRINGS: (_SHUFFLER, lambda at: LidSprings(at.out + at.into)),
    Kind.OVERDRAW: (_SHOE, lambda at: Overdraw(at.out)),
    Kind.DRAWN_WHILE_LOCKED: (_SHOE, lambda at: DrawWhileLocked(at.out)),
    Kind.REVERSED: (_SHOE, lambda at: ReversedCard(at.out)),
    Kind.PRESET_TOUCHED: (_SHOE, lambda at: PresetTouched(at.out)),
}
"""For each kind of fault its device (None for a dispute, which concerns no device), and the maker of the fault."""

OF_ANGEL_EYE: Final = (Kind.OVERDRAW, Kind.DRAWN_WHILE_LOCKED, Kind.REVERSED, Kind.PRESET_TOUCHED)
"""The kinds of fault that only an Angel Eye at the mouth can have."""

ORDER: Final = tuple(kind for kind in Kind if kind not in OF_ANGEL_EYE)
"""The kinds of fault at a table without an Angel Eye, in the order in which they happen; even a short evening has the
first kinds.
"""

ORDER_OF_ANGEL_EYE: Final = (*ORDER[:3], *OF_ANGEL_EYE, *ORDER[3:])

NAMES: Final = {kind.name.lower().replace("_", "-"): kind for kind in Kind}
"""The kinds of fault by their names on the command line."""

FIRST_AT: Final = (4, 8)
SECOND_APART: Final = (8, 16)
"""The least and the most cards between the first fault and the second; few, so that two minutes show both."""

APART: Final = (16, 44)


class Incidents(Struct):
    """All planned faults of a table. `pranks`: the pranks and disputes still to come; `done`: the faults that have
    happened.
    """

    shuffler: FaultPlan
    shoe: FaultPlan
    pranks: list[ByPeople]
    done: list[ByPeople] = field(default_factory=list)

    def due(self, drawn: int) -> ByPeople | None:
        """Returns the prank or dispute that is due before the card after `drawn` cards, and moves the prank or dispute
        to `done`. Returns None if none is due.
        """
        if not self.pranks or drawn + 1 < self.pranks[0].at:
            return None
        self.done.append(self.pranks.pop(0))
        return self.done[-1]


def plan(
    choices: Choices,
    rounds: int,
    sessions: int,
    shoe_protocol: str = "tdp",
    profile: str = "pt-csm",
    kinds: tuple[Kind, ...] = tuple(Kind),
) -> Incidents:
    """Plans the faults of `sessions` sessions with `rounds` rounds each.

    Leaves out the `kinds` that are impossible at a table of this profile with this card reader (`shoe_protocol`).
    """
    order = ORDER_OF_ANGEL_EYE if shoe_protocol == "angel-eye" else ORDER
    here = (None, *devices_of(profile)) if devices_of(profile) else ()
    order = tuple(kind for kind in order if kind in kinds and AFFECTED[kind][0] in here)
    if not order:
        return Incidents(FaultPlan(), FaultPlan(), [])
    unloads = choices.cards if Device.SHUFFLER in devices_of(profile) else 0
    marks = _marks(choices, rounds, sessions, unloads)
    incidents = [(AFFECTED[kind][0], AFFECTED[kind][1](mark)) for kind, mark in zip(cycle(order), marks, strict=False)]
    pranks = [what for _device, what in incidents if isinstance(what, ByPeople)]
    return Incidents(_plan_of(_SHUFFLER, incidents), _plan_of(_SHOE, incidents), pranks)


def _plan_of(device: Device, incidents: Iterable[tuple[Device | None, AnyFault | ByPeople]]) -> FaultPlan:
    return FaultPlan(tuple(what for at, what in incidents if at is device and not isinstance(what, ByPeople)))


def _marks(choices: Choices, rounds: int, sessions: int, unloads: int) -> Iterator[_Mark]:
    """Yields moments for faults, at random distances, during the rounds of each session.

    `unloads`: the number of cards that the machine unloads at the end of a session.
    """
    rng = Random(f"{choices.seed}:incidents")
    drawn, apart = 0, SECOND_APART
    for session in range(1, sessions + 1):
        moved = (session - 1) * unloads  # cards moved by earlier unloadings
        back = moved + choices.cards
        due = drawn + rng.randint(*FIRST_AT)
        drawn += 1  # the burn card
        for number in range(1, rounds + 1):
            before, drawn = drawn, drawn + cards_of_round(choices, session, number)
            while before < due <= drawn:
                yield _Mark(drawn=due, out=moved + due, into=back)
                due += rng.randint(*apart)
                apart = APART
            back = moved + choices.cards + drawn


def cards_of_round(choices: Choices, session: int, number: int) -> int:
    """Returns the number of cards that are dealt in round `number` of the session."""
    seats = choices.seats(session, number)
    return 2 * (len(seats) + 1) + sum(choices.further_cards(session, number, seat) for seat in (*seats, 0))
