"""Where session, round and the card that is passing stand, as an observer follows them (pt.bj.10, 17, 53 to 60)."""

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
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


@lru_cache(maxsize=256)  # of few values, and asked for with each card
def deal_order(seats: tuple[int, ...], bank_second: str = "hole") -> tuple[Owed, ...]:
    """Seats ascending, the bank, the seats again; the bank's second card face down with them (pt.bj.17a-b), or later.

    br.dev.1, mo.5.2.2.2: where it lies open it is dealt when the players want no more.
    """
    players = tuple(Owed(SEAT, seat) for seat in sorted(seats))
    hole = (Owed(HOLE, 0),) if bank_second == "hole" else ()
    return (*players, Owed(BANK, 0), *players, *hole)


@dataclass(slots=True)
class Lying:
    """One card of the round on the table: neither face nor commitment where nobody knows yet what it is.

    `commitment` of a card that lies face down; empty where no reader has seen it.
    """

    purpose: str
    seat: int
    card: str = ""
    commitment: str | None = None
    is_named: bool = False  # by people alone
    is_doubted: bool = False  # nobody vouches for what people said it is: the next time it counts
    outlives_round: bool = False  # set aside, and the next card that is drawn (mo.6.1b)

    @property
    def lies_face_down(self) -> bool:
        """Nobody at the table knows what it is."""
        return not self.card and self.commitment is not None

    @property
    def is_unread(self) -> bool:
        """It lies open, and nobody has named it."""
        return not self.card and self.commitment is None


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
    taken_out: bool = False  # a loading that failed
    ended_irregularly: bool = False  # the one before: a machine may have kept cards of it
    found: Counter[str] = field(default_factory=Counter)
    by_back: dict[int, dict[str, int]] = field(default_factory=dict)  # each back colour's own grid (br.decks.2)
    read_out: Counter[str] = field(default_factory=Counter)  # what the reader itself saw of the unloading


@dataclass(slots=True)
class Shoe:
    """One filling of a shoe or box: who cuts, the warning card, how many cards came out, its last round."""

    players: tuple[int, ...] | None = None  # who sits at the table; None: nobody has said
    counted_again: bool = False  # all cards, mixed for the next filling (br.prep.3b)
    shuffled: set[int] = field(default_factory=set)  # decks, by themselves (br.prep.4a)
    refused: set[int] = field(default_factory=set)  # the cut, this time
    last_cut: int = 0  # the seat after which the turn goes on; 0: it begins at the lowest
    behind: int | None = None  # cards behind the warning card; None: it is not in
    measured: int | None = None  # cards before it, as they came out
    filled_at: int | None = None  # the reader's own number then
    out: int = 0  # cards since
    first_round: int = 1
    last_round: int | None = None
    announced: bool = False

    def offered_to(self, *, in_order: bool) -> int | None:
        """Whose turn it is to cut: the next occupied seat, round again behind the last (pt.bj.8b-c); None: nobody's."""
        willing = [seat for seat in self.players or () if seat not in self.refused]
        later = [seat for seat in willing if in_order and seat > self.last_cut]
        return next(iter(later or willing), None)


@dataclass(slots=True)
class Round:
    """One round. `dealt` are its cards in order."""

    step: str = "idle"
    number: int = 0  # of the session
    seats: tuple[int, ...] = ()
    bets: set[tuple[int, int]] = field(default_factory=set)  # seat and bettor, where hands are followed
    chips: set[tuple[int, int]] = field(default_factory=set)  # on the jackpot, not collected yet (pt.bj.48b)
    collected: set[int] = field(default_factory=set)  # seats whose cards are in the rack already (pt.bj.58)
    asked: set[int] = field(default_factory=set)  # those of them that had got further cards (pt.bj.18c)
    dealt: list[Lying] = field(default_factory=list)
    turn_back: int | None = None  # the seat that was passed over and may ask; 0: whichever asks next
    requested: int | None = None
    burned: int = 0  # of this round (mo.4.2)
    can_be_corrected: bool = False  # the last card: no other card, no act of the round since (pt.bj.18d)
    put_back_due: int = 0
    put_back: int = 0
    outage_said: str = ""  # what the chief supervisor says that became of it while the controller was down

    @property
    def in_play(self) -> tuple[int, ...]:
        """Seats whose cards have not been collected."""
        return tuple(seat for seat in self.seats if seat not in self.collected)

    @property
    def hole(self) -> Lying | None:
        """The bank's card that lies face down."""
        return next((one for one in self.dealt if one.purpose == HOLE and one.lies_face_down), None)

    def at(self, seat: int, position: int) -> Lying | None:
        """The card that lies at this place of a seat, the first being 1, if it lies face down there."""
        there = [one for one in self.dealt if one.seat == seat][position - 1 : position] if position > 0 else []
        return there[0] if there and there[0].purpose == SEAT and there[0].lies_face_down else None


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
