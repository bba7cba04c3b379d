"""Where session, round and the card that is passing stand, as an observer follows them (pt.bj.10, 17, 53 to 60)."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final, NamedTuple

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
FACES: Final = tuple(rank + suit for suit in "CDHS" for rank in RANKS)
"""The 52 faces, in the order of the closing grid."""

BURN: Final = "burn"
SEAT: Final = "seat"
BANK: Final = "bank"
HOLE: Final = "hole"


class Owed(NamedTuple):
    """What the next card is for; seat 0 is the bank, None the burn."""

    purpose: str
    seat: int | None


def deal_order(seats: tuple[int, ...]) -> tuple[Owed, ...]:
    """Seats ascending, the bank, the seats again, the bank's card that stays face down (pt.bj.17a-b)."""
    players = tuple(Owed(SEAT, seat) for seat in sorted(seats))
    return (*players, Owed(BANK, 0), *players, Owed(HOLE, 0))


@dataclass(slots=True)
class Session:
    """From closed to closed."""

    step: str = "closed"
    number: int = 0
    deck_set: int | None = None
    packets: list[int] = field(default_factory=list)
    packet_open: bool = False
    loadings: int = 0
    burned: int = 0
    irregular: bool = False
    found: Counter[str] = field(default_factory=Counter)
    read_out: Counter[str] = field(default_factory=Counter)  # what the reader itself saw of the unloading


@dataclass(slots=True)
class Round:
    """One round. `dealt` are the purposes of its cards, in order."""

    step: str = "idle"
    number: int = 0  # of the session
    seats: tuple[int, ...] = ()
    dealt: list[Owed] = field(default_factory=list)
    requested: int | None = None
    hole: str | None = None  # the commitment of the card that lies face down; "" where it could not be read
    put_back_due: int = 0
    put_back: int = 0
    outage_said: str = ""  # what the chief supervisor says that became of it while the controller was down

    @property
    def is_dealt(self) -> bool:
        """Whether all the initial cards lie."""
        return len(self.dealt) >= len(deal_order(self.seats))


@dataclass(slots=True)
class Passing:
    """The half of one card that waits for the other: its count, or its identity."""

    counted_ms: int | None = None
    counted_for: Owed | None = None  # None: it was not owed
    read: tuple[str, str] | None = None  # face and commitment, each "" where there is none
    read_ms: int | None = None
    contested: bool = False

    @property
    def since_ms(self) -> int | None:
        """Since when a half waits."""
        return self.read_ms if self.counted_ms is None else self.counted_ms

    def begin_anew(self, at_ms: int) -> None:
        """A device is back that may have its half still to tell."""
        if self.counted_ms is not None:
            self.counted_ms = at_ms
        elif self.read_ms is not None:
            self.read_ms = at_ms


@dataclass(slots=True)
class Reader:
    """What the reader has told. `missing`: cards that were counted and whose passage may still come, late."""

    passages: int | None = 0  # None: events are gone, and how many of them were passages nobody knows
    missing: int = 0
    unseen: int = 0  # cards of this round that the reader says it never saw: whose face it tells now, nobody knows
    heard: int | None = None  # its own figure, where it is not that of its events
