"""The table as a person sees it, as plain data: the cards' places, the machine from outside, complaints and errors."""

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
    """A card on the table. `face`: None for a face-down card; `seat`: 0 for the bank."""

    seat: int
    face: str | None
    hand: int = 1  # the number of the seat's hand


class Sight(msgspec.Struct, frozen=True):
    """The table as a person sees it at one moment. Cards are counted only if people can count them, never inside the
    machine.
    """

    outside: int = 0
    packet: int = 0  # the pile ready beside the feed
    hopper: int = 0
    tray: int = 0
    pack: PackLook | None = None  # where hands fill the machine
    rack: int = 0
    burnt: int = 0  # burnt cards kept apart from the rack
    table: tuple[LyingCard, ...] = ()
    aside: int = 0  # cards that came out although no place was owed one
    jammed: int = 0
    stuck_at: Spot | None = None
    withdrawn: int = 0
    mouth_open: bool = False  # a card is in the mouth
    lid_open: bool = False
    lamp_lit: bool = False
    jam_shown: bool = False  # the machine's own display shows a jam
    shown_inside: int | None = None  # the figure on the machine's own display
    seen_inside: int = 0  # cards visible in the machine, while its lid is open
    unplugged: tuple[Device, ...] = ()
    in_slots: tuple[int, ...] = ()  # seats in whose jackpot slots a chip lies
    complaint: int | None = None  # the seat of a player who complains
    damaged: str | None = None  # the face of a damaged card on the table
    damaged_in_rack: str | None = None  # the face of a damaged card in the rack
    new_deck_is_ready: bool = False  # a whole new deck can replace the damaged card's deck
    swapped_deck: int | None = None  # the deck that was last removed whole
    slip: DealingError | None = None  # a wrongly dealt card that a person has noticed
    mistyped: Mistyped | None = None  # a mistyped entry that a person has noticed
    ruling_wanted: Cause | None = None  # a person asks for a ruling
    spare_for: Device | None = None  # a failed device for which the casino has a spare device
    spare_is_called: bool = False
    broken: bool = False  # the machine needs a technician
    technician_here: bool = False
    on_duty: int = 0  # the number of the dealer on duty; 0: any dealer
    foreign: int = 0  # cards of another back that lie outside the machine
    faces: tuple[tuple[str, int], ...] = ()  # the number of each face outside the machine (deck check alone)
    second_faces: tuple[tuple[str, int], ...] = ()  # as `faces`, for the second back colour

    def places(self, session: SessionPhase) -> dict[str, int]:
        """Returns the number of cards by place, under the names of the book's places. A card in the hopper counts at
        the place from which it came.
        """
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
    """True if from `before` to `now` nothing has changed except the numbers of cards in hopper, tray and inside, which
    the machine itself changes. False if hopper, tray or inside has become empty or got its first card.
    """
    figures = {name: getattr(before, name) for name in _MOVED_BY_A_MACHINE}
    is_same_else = msgspec.structs.replace(now, **figures) == before
    return is_same_else and all(bool(getattr(now, name)) is bool(figure) for name, figure in figures.items())


def differences(book: Mapping[str, int], seen: Mapping[str, int]) -> dict[str, int]:
    """Returns the number of cards seen minus the number in the book, for each place where the two differ.

    Cards that people do not see count as inside the machine.
    """
    found = {place: count - book.get(place, 0) for place, count in seen.items() if count != book.get(place, 0)}
    inside = -sum(found.values())
    return found | ({"inside": inside} if inside else {})
