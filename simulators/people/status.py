"""The controller's status as the people at the table read it off a screen: typed, and only what they look at."""

from typing import Final

import msgspec

from controller.core.words import HoldKind, HoldPhase, Purpose, Role, RoundPhase, SessionPhase


class OwedCard(msgspec.Struct, frozen=True):
    """The card that comes next: for a seat, the bank (0), or the burn (no seat)."""

    purpose: Purpose
    seat: int | None = None


class FaceDownCard(msgspec.Struct, frozen=True):
    """A card of the table's book that lies face down, by its seat (0: the bank) and its place there, from 1."""

    seat: int
    position: int


class ShownHold(msgspec.Struct, frozen=True):
    """One hold as the screen shows it."""

    id: str
    kind: HoldKind
    phase: HoldPhase
    device: str | None = None
    place: str | None = None
    text: str = ""
    who: tuple[Role, ...] = ()
    recorded: bool = True


class ShownDuty(msgspec.Struct, frozen=True):
    id: str
    kind: str = ""
    who: str = ""


class AllowedAct(msgspec.Struct, frozen=True):
    act: str
    who: tuple[Role, ...] = ()


class PresentPerson(msgspec.Struct, frozen=True):
    person: int
    role: Role
    operation: str = ""


class ShownJournal(msgspec.Struct, frozen=True):
    seq: int = 0
    head: str = ""
    waiting: int = 0  # entries that are not durable yet: what may be done next does not know of them


class ShownShoe(msgspec.Struct, frozen=True):
    """One filling of a shoe or a box; `warning_card` is none, waiting (to be placed), placed or out."""

    filling: int = 0
    players: tuple[int, ...] | None = None
    decks_shuffled: tuple[int, ...] = ()
    cut_offered_to: int | None = None
    warning_card: str = "none"
    cards_behind: int | None = None
    announced: bool = False
    last_round: bool = False


class ShownBet(msgspec.Struct, frozen=True):
    bettor: int
    stake_cents: int


class ShownHand(msgspec.Struct, frozen=True):
    """A hand that is played for money: `3`, or `3/2` where a pair was separated."""

    hand: str
    bets: tuple[ShownBet, ...] = ()
    insured_cents: int = 0
    is_collected: bool = False

    @property
    def place(self) -> tuple[int, int]:
        """Its seat, and which of the seat's hands it is."""
        return place_of(self.hand)


class ShownAmount(msgspec.Struct, frozen=True):
    hand: str
    payment: str


class ShownMoney(msgspec.Struct, frozen=True):
    """`turn`: a hand, or the bank's."""

    turn: str = ""
    hands: tuple[ShownHand, ...] = ()
    amounts: tuple[ShownAmount, ...] = ()


def place_of(hand: str) -> tuple[int, int]:
    """Seat and number of a hand that is written as the screen writes it."""
    seat, _, index = hand.partition("/")
    return int(seat), int(index or 1)


class ShownPrize(msgspec.Struct, frozen=True):
    """The prize that is paid next."""

    seat: int
    cents: int
    covered: bool = True


class ShownJackpot(msgspec.Struct, frozen=True):
    """The pool, this round's chips by their seats, and what is to be paid."""

    amount_cents: int
    marking: str = "manual"
    chips: tuple[int, ...] = ()
    marked: tuple[int, ...] = ()
    is_collected: bool = False
    increment_cents: int = 0
    raised_cents: int | None = None
    next_prize: ShownPrize | None = None
    sign: str = "none"
    slots: str = "none"
    astray: tuple[int, ...] = ()
    broken: tuple[int, ...] = ()

    @property
    def fails(self) -> bool:
        """Slots that should tell which chips lie do not."""
        return self.slots == "lost" or (self.slots == "told" and any(seat in self.broken for seat in self.chips))


class ShownDevice(msgspec.Struct, frozen=True):
    connected: bool = False


class TableStatus(msgspec.Struct, frozen=True):
    """A whole status document; keys that nobody here reads are left out."""

    session: SessionPhase
    round: RoundPhase
    session_number: int = 0
    round_number: int = 0
    seats: tuple[int, ...] = ()
    collected: tuple[int, ...] = ()  # of these, whose cards are out of play
    owed: OwedCard | None = None
    face_down: tuple[FaceDownCard, ...] = ()
    holds: tuple[ShownHold, ...] = ()
    counts: dict[str, int] = {}
    next: tuple[AllowedAct, ...] = ()
    duties: tuple[ShownDuty, ...] = ()
    present: tuple[PresentPerson, ...] = ()
    shoe: ShownShoe | None = None
    grids_entered: tuple[int, ...] = ()
    grid_cards: tuple[int, ...] = ()
    devices: dict[str, ShownDevice] = {}
    journal: ShownJournal = ShownJournal()
    money: ShownMoney | None = None  # None: the table follows cards alone
    jackpot: ShownJackpot | None = None
    state_digest: str = ""

    def allows(self, act: str, role: Role) -> bool:
        """Whether this act may be asked for now, by somebody of this role."""
        return any(entry.act == act and role in entry.who for entry in self.next)

    def held_by(self, *kinds: HoldKind) -> bool:
        """Whether a hold of one of these kinds stands."""
        return any(hold.kind in kinds for hold in self.holds)

    @property
    def is_held(self) -> bool:
        """Whether a hold stands that keeps anybody from drawing a card."""
        return any(hold.kind not in (HoldKind.JACKPOT_OWED, HoldKind.JACKPOT_DOUBTED) for hold in self.holds)

    def is_present(self, role: Role, operation: str) -> bool:
        """Whether somebody of this role is signed in for this operation."""
        return any(person.role is role and person.operation == operation for person in self.present)

    def is_at_table(self, dealer: int) -> bool:
        """Whether this very dealer is the one at the table."""
        return any(person.person == dealer and person.operation == "table" for person in self.present)

    def count(self, place: str) -> int:
        """Cards in one place, as the table's book says."""
        return self.counts.get(place, 0)


_DECODER: Final = msgspec.json.Decoder(TableStatus)


def read_status(document: bytes) -> TableStatus:
    """The status in this JSON object. Raises msgspec.DecodeError for one that no controller sends."""
    return _DECODER.decode(document)
