"""A person's view of the table: the cards' places, the look of the machine, the unhappy people. Plain data."""

from collections.abc import Mapping
from typing import Final

import msgspec

from controller.core.words import Cause, Device, SessionPhase
from simulators.devices.faults import Spot
from simulators.people.dealing_errors import DealingError
from simulators.people.mistyped import Mistyped
from simulators.people.pack import PackLook

NOTHING_LOADED = (SessionPhase.CLOSED, SessionPhase.OPENED, SessionPhase.DISPLAYED, SessionPhase.MIXED)
_CARDS_COME_FROM_OUTSIDE = (*NOTHING_LOADED, SessionPhase.LOADING, SessionPhase.TAKING_OUT)


class LyingCard(msgspec.Struct, frozen=True):
    """A card on the table; `face` is None while it lies face down, seat 0 is the bank."""

    seat: int
    face: str | None
    hand: int = 1  # which of the seat's


class Sight(msgspec.Struct, frozen=True):
    """One look at the table. Cards are counted where people can count them, which is never inside the machine."""

    outside: int = 0
    packet: int = 0  # the pile that lies ready beside the feed
    hopper: int = 0
    tray: int = 0
    pack: PackLook | None = None  # where the machine is filled by hand
    rack: int = 0
    burnt: int = 0  # burnt cards, where they lie apart from the rack
    table: tuple[LyingCard, ...] = ()
    aside: int = 0  # cards that came out and belong to nobody
    jammed: int = 0
    stuck_at: Spot | None = None
    withdrawn: int = 0
    mouth_open: bool = False  # a card stands in the mouth
    lid_open: bool = False
    lamp_lit: bool = False
    jam_shown: bool = False  # the machine's own display says that it is jammed
    shown_inside: int | None = None  # the figure on the machine's own display
    seen_inside: int = 0  # cards that lie in the machine, while its lid is open
    unplugged: tuple[Device, ...] = ()
    in_slots: tuple[int, ...] = ()  # seats in whose jackpot slots a chip lies
    complaint: int | None = None  # the seat of a player who complains
    damaged: str | None = None  # the face of a damaged card on the table
    new_deck_is_ready: bool = False  # a whole one can take the place of the damaged card's deck
    swapped_deck: int | None = None  # the deck that was last taken out whole
    slip: DealingError | None = None  # somebody has noticed that a card was dealt wrongly
    mistyped: Mistyped | None = None  # somebody has noticed an entry that was typed wrongly
    ruling_wanted: Cause | None = None  # somebody wants a ruling
    spare_for: Device | None = None  # a device has failed of which the house has another one
    spare_is_called: bool = False
    broken: bool = False  # the machine needs a technician
    technician_here: bool = False
    on_duty: int = 0  # the number of the dealer whose turn it is; 0: whoever is here
    foreign: int = 0  # cards of another back that lie outside the machine
    faces: tuple[tuple[str, int], ...] = ()  # how many of each face lie outside the machine (deck check alone)
    second_faces: tuple[tuple[str, int], ...] = ()  # as `faces`, for the second back colour

    def places(self, session: SessionPhase) -> dict[str, int]:
        """The number of cards by place, as in the table's book; a card in the hopper counts where it came from."""
        from_outside = session in _CARDS_COME_FROM_OUTSIDE
        return {
            "outside": self.outside + self.packet + self.tray + (self.hopper if from_outside else 0),
            "rack": self.rack + (0 if from_outside else self.hopper),
            "table": len(self.table),
            "burnt": self.burnt,
            "pending": self.aside,
            "jammed": self.jammed,
            "in_hand": 0,
        }


_MOVED_BY_A_MACHINE: Final = ("hopper", "tray", "shown_inside")


def goes_on(before: Sight, now: Sight) -> bool:
    """True where the machine alone has moved cards by itself, and no pile has become empty or got a first card."""
    figures = {name: getattr(before, name) for name in _MOVED_BY_A_MACHINE}
    is_same_else = msgspec.structs.replace(now, **figures) == before
    return is_same_else and all(bool(getattr(now, name)) is bool(figure) for name, figure in figures.items())


def differences(book: Mapping[str, int], seen: Mapping[str, int]) -> dict[str, int]:
    """Cards seen minus cards in the book, for each place where they differ; cards that nobody sees count as inside."""
    found = {place: count - book.get(place, 0) for place, count in seen.items() if count != book.get(place, 0)}
    inside = -sum(found.values())
    return found | ({"inside": inside} if inside else {})
