"""The controller's status as people at the table read it off a screen, with the fields that they use."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from controller.core.words import HoldKind, HoldPhase, Role, RoundPhase, SessionPhase
from controller.protocol.jackpot import JackpotStatus, LinkedStatus
from controller.protocol.money_status import MoneyStatus
from controller.protocol.status import (
    DeviceStatus,
    EvidenceStatus,
    FaceDownStatus,
    FiguresStatus,
    LoadingStatus,
    NextStatus,
    OwedStatus,
    ShoeStatus,
    StepState,
    StepStatus,
    WaitingStatus,
)
from controller.protocol.suggestion import Suggestion


def offered(plan: Sequence[StepStatus], role: Role) -> Iterator[Suggestion]:
    """Yields the acts for which this role may ask in the next step of `plan`."""
    return (one for step in plan if step.state is StepState.NEXT for one in step.acts if role in one.who)


class ShownHold(msgspec.Struct, frozen=True):
    """One hold as the screen shows it."""

    id: str
    kind: HoldKind
    phase: HoldPhase
    device: str | None = None
    place: str | None = None
    text: str = ""
    recorded: bool = True
    evidence: list[EvidenceStatus] = []
    plan: list[StepStatus] = []
    about: dict[str, str] = {}

    @property
    def unmet(self) -> set[str]:
        """The missing evidence: for clearing an attended hold, for confirming any other hold."""
        to = "clear" if self.phase is HoldPhase.ATTENDED else "confirm"
        return {one.what for one in self.evidence if one.to == to and not one.met}


class ShownDuty(msgspec.Struct, frozen=True):
    id: str
    kind: str = ""
    who: str = ""


class PresentPerson(msgspec.Struct, frozen=True):
    person: int
    role: Role
    operation: str = ""


class ShownJournal(msgspec.Struct, frozen=True):
    seq: int = 0
    head: str = ""
    waiting: int = 0  # entries that are not durable yet; the offered acts do not depend on them


def place_of(hand: str) -> tuple[int, int]:
    """Returns seat and number of a hand of cards from the screen's text: `3` for the seat's first hand, `3/2` after a
    split.
    """
    seat, _, index = hand.partition("/")
    return int(seat), int(index or 1)


class TableStatus(msgspec.Struct, frozen=True):
    """A status document of a card table, with only the keys that simulated people read."""

    session: SessionPhase
    round: RoundPhase
    session_number: int = 0
    round_number: int = 0
    seats: tuple[int, ...] = ()
    collected: tuple[int, ...] = ()  # the seats whose cards are out of play
    owed: OwedStatus | None = None
    face_down: list[FaceDownStatus] = []
    holds: tuple[ShownHold, ...] = ()
    counts: dict[str, int] = {}
    next: list[NextStatus] = []
    waiting: tuple[WaitingStatus, ...] = ()
    duties: tuple[ShownDuty, ...] = ()
    present: tuple[PresentPerson, ...] = ()
    loading: LoadingStatus = LoadingStatus()
    shoe: ShoeStatus | None = None
    grids_entered: tuple[int, ...] = ()
    grid_cards: tuple[int, ...] = ()
    figures: FiguresStatus = FiguresStatus()
    devices: dict[str, DeviceStatus] = {}
    journal: ShownJournal = ShownJournal()
    money: MoneyStatus | None = None  # None: the table follows cards alone
    jackpot: JackpotStatus | None = None
    linked: LinkedStatus | None = None
    state_digest: str = ""

    def allows(self, act: str, role: Role) -> bool:
        """True if a person of this role may ask for this act now."""
        return any(entry.act == act and role in entry.who for entry in self.next)

    def plan(self, hold: ShownHold) -> Sequence[StepStatus]:
        """Returns the steps towards this hold's end."""
        return hold.plan

    @property
    def decisions(self) -> Sequence[Suggestion]:
        """The decisions that are possible now on the hands of cards and for the bank."""
        return () if self.money is None else self.money.decisions

    def held_by(self, *kinds: HoldKind) -> bool:
        """True if a hold of one of these kinds is open."""
        return any(hold.kind in kinds for hold in self.holds)

    @property
    def is_held(self) -> bool:
        """True if a hold is open, other than a hold for a jackpot prize that is owed or doubted. People deal on during
        those two holds.
        """
        return any(hold.kind not in (HoldKind.JACKPOT_OWED, HoldKind.JACKPOT_DOUBTED) for hold in self.holds)

    def is_present(self, role: Role, operation: str) -> bool:
        """True if a person of this role is signed in for this operation."""
        return any(person.role is role and person.operation == operation for person in self.present)

    def is_at_table(self, dealer: int) -> bool:
        """True if the dealer with this number is signed in at the table."""
        return any(person.person == dealer and person.operation == "table" for person in self.present)

    def count(self, place: str) -> int:
        """Returns the number of cards in a place according to the table's book."""
        return self.counts.get(place, 0)


_DECODER: Final = msgspec.json.Decoder(TableStatus)


def read_status(document: bytes) -> TableStatus:
    """Decodes a status from its JSON document. Raises msgspec.DecodeError for any other data."""
    return _DECODER.decode(document)
