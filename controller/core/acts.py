"""Acts: what people ask for, imperative, data only. Each is allowed, or refused with clause and remedy.

`ACTS` gives each its wire name (`sabot act NAME`). Who may do what, and when, stands in act_rules.py.
"""

from dataclasses import dataclass, fields
from typing import Final, TypeAlias

from controller.core.acts_corrections import (
    CallForRuling as CallForRuling,
)
from controller.core.acts_corrections import (
    MakeRuling as MakeRuling,
)
from controller.core.acts_corrections import (
    MoveCard as MoveCard,
)
from controller.core.acts_corrections import (
    ReportExtraCard as ReportExtraCard,
)
from controller.core.acts_corrections import (
    ReportFaceUpCard as ReportFaceUpCard,
)
from controller.core.acts_corrections import (
    ReportHoleExposed as ReportHoleExposed,
)
from controller.core.acts_corrections import (
    ReportMisdealt as ReportMisdealt,
)
from controller.core.acts_session import (
    AbandonOpening as AbandonOpening,
)
from controller.core.acts_session import (
    BeginLoading as BeginLoading,
)
from controller.core.acts_session import (
    BeginUnloading as BeginUnloading,
)
from controller.core.acts_session import (
    ByPerson as ByPerson,
)
from controller.core.acts_session import (
    ClosePacket as ClosePacket,
)
from controller.core.acts_session import (
    CompleteLoading as CompleteLoading,
)
from controller.core.acts_session import (
    CompleteUnloading as CompleteUnloading,
)
from controller.core.acts_session import (
    ConfirmDeckCheck as ConfirmDeckCheck,
)
from controller.core.acts_session import (
    ConfirmDisplay as ConfirmDisplay,
)
from controller.core.acts_session import (
    ConfirmIrregularClosing as ConfirmIrregularClosing,
)
from controller.core.acts_session import (
    ConfirmMixing as ConfirmMixing,
)
from controller.core.acts_session import (
    ConfirmTakenOut as ConfirmTakenOut,
)
from controller.core.acts_session import (
    EnterCards as EnterCards,
)
from controller.core.acts_session import (
    EnterGrid as EnterGrid,
)
from controller.core.acts_session import (
    IndicateClosing as IndicateClosing,
)
from controller.core.acts_session import (
    NumberDeckSet as NumberDeckSet,
)
from controller.core.acts_session import (
    OpenPacket as OpenPacket,
)
from controller.core.acts_session import (
    OpenSession as OpenSession,
)
from controller.core.acts_session import (
    ProposeIrregularClosing as ProposeIrregularClosing,
)
from controller.core.acts_session import (
    SignIn as SignIn,
)
from controller.core.acts_session import (
    SignOut as SignOut,
)
from controller.core.acts_session import (
    TakeOutLoading as TakeOutLoading,
)
from controller.core.cards import Card
from controller.core.words import DutyId, HoldId, OutageOutcome, Place

# --- round


@dataclass(frozen=True, slots=True)
class TakeBets(ByPerson):
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CancelBets(ByPerson):
    """Nobody plays after all: the bets are taken back before the announcement."""


@dataclass(frozen=True, slots=True)
class AnnounceNoMoreBets(ByPerson):
    pass


@dataclass(frozen=True, slots=True)
class DrawCard(ByPerson):
    """One further card: to a seat, or to the bank (seat 0)."""

    seat: int


@dataclass(frozen=True, slots=True)
class TurnHoleCard(ByPerson):
    """The bank's face-down card is turned; `card` and `salt` come from the seal, or `card` is read off by people.

    `seal_differs`: the seal says another card than the one given; its salt stays out, or tries would name the card.
    """

    card: Card | None
    salt: str | None
    seal_differs: bool = False


@dataclass(frozen=True, slots=True)
class ConfirmSettled(ByPerson):
    pass


@dataclass(frozen=True, slots=True)
class CollectCards(ByPerson):
    pass


@dataclass(frozen=True, slots=True)
class BeginPuttingBack(ByPerson):
    pass


@dataclass(frozen=True, slots=True)
class EndPuttingBack(ByPerson):
    pass


@dataclass(frozen=True, slots=True)
class LeaveInRack(ByPerson):
    pass


# --- holds and incidents


@dataclass(frozen=True, slots=True)
class AttendHold(ByPerson):
    hold: HoldId


@dataclass(frozen=True, slots=True)
class CallTechnician(ByPerson):
    hold: HoldId


@dataclass(frozen=True, slots=True)
class AttestRepair(ByPerson):
    hold: HoldId


@dataclass(frozen=True, slots=True)
class ClearHold(ByPerson):
    hold: HoldId


@dataclass(frozen=True, slots=True)
class ConfirmHold(ByPerson):
    hold: HoldId


@dataclass(frozen=True, slots=True)
class StateCardsMoved(ByPerson):
    """Cards that people moved by hand while a hold was attended."""

    source: Place
    target: Place
    count: int


@dataclass(frozen=True, slots=True)
class StateCount(ByPerson):
    """A supervised count of everything that is not inside the shuffler."""

    rack: int
    table: int
    pending: int
    in_hand: int
    outside: int


@dataclass(frozen=True, slots=True)
class StateOutage(ByPerson):
    """What became of the round while the controller was down: the chief supervisor's word."""

    became: OutageOutcome


@dataclass(frozen=True, slots=True)
class ConfirmOutage(ByPerson):
    """The same in the dealer's own words; another outcome than the chief supervisor's begins it anew."""

    became: OutageOutcome


@dataclass(frozen=True, slots=True)
class NameCard(ByPerson):
    """The face of the card that the reader could not read."""

    card: Card


@dataclass(frozen=True, slots=True)
class ReportDamagedCard(ByPerson):
    card: Card


@dataclass(frozen=True, slots=True)
class ReplaceCard(ByPerson):
    replacement: Card


@dataclass(frozen=True, slots=True)
class RecordAuthorisation(ByPerson):
    """The inspection service authorises replacing the damaged card alone (pt.bj.5c)."""

    reference: str


@dataclass(frozen=True, slots=True)
class ReplaceDeck(ByPerson):
    """The whole deck of the damaged card (pt.bj.5b)."""

    deck: int


@dataclass(frozen=True, slots=True)
class RecordComplaint(ByPerson):
    seat: int


@dataclass(frozen=True, slots=True)
class DecideComplaint(ByPerson):
    upheld: bool


@dataclass(frozen=True, slots=True)
class ReportDuty(ByPerson):
    duty: DutyId
    reference: str


Act: TypeAlias = (
    SignIn
    | SignOut
    | OpenSession
    | NumberDeckSet
    | ConfirmDisplay
    | ConfirmMixing
    | BeginLoading
    | OpenPacket
    | ClosePacket
    | CompleteLoading
    | TakeOutLoading
    | ConfirmTakenOut
    | AbandonOpening
    | TakeBets
    | CancelBets
    | AnnounceNoMoreBets
    | DrawCard
    | TurnHoleCard
    | ConfirmSettled
    | CollectCards
    | BeginPuttingBack
    | EndPuttingBack
    | LeaveInRack
    | ReportMisdealt
    | MoveCard
    | ReportHoleExposed
    | ReportExtraCard
    | ReportFaceUpCard
    | CallForRuling
    | MakeRuling
    | AttendHold
    | CallTechnician
    | AttestRepair
    | ClearHold
    | ConfirmHold
    | StateCardsMoved
    | StateCount
    | StateOutage
    | ConfirmOutage
    | NameCard
    | ReportDamagedCard
    | ReplaceCard
    | ReplaceDeck
    | RecordAuthorisation
    | RecordComplaint
    | DecideComplaint
    | ReportDuty
    | IndicateClosing
    | BeginUnloading
    | CompleteUnloading
    | EnterCards
    | EnterGrid
    | ConfirmDeckCheck
    | ProposeIrregularClosing
    | ConfirmIrregularClosing
)

ACTS: Final[dict[str, type[Act]]] = {
    "sign-in": SignIn,
    "sign-out": SignOut,
    "open-session": OpenSession,
    "number-deck-set": NumberDeckSet,
    "confirm-display": ConfirmDisplay,
    "confirm-mixing": ConfirmMixing,
    "begin-loading": BeginLoading,
    "open-packet": OpenPacket,
    "close-packet": ClosePacket,
    "complete-loading": CompleteLoading,
    "take-out-loading": TakeOutLoading,
    "confirm-taken-out": ConfirmTakenOut,
    "abandon-opening": AbandonOpening,
    "take-bets": TakeBets,
    "cancel-bets": CancelBets,
    "announce-no-more-bets": AnnounceNoMoreBets,
    "draw-card": DrawCard,
    "turn-hole-card": TurnHoleCard,
    "confirm-settled": ConfirmSettled,
    "collect-cards": CollectCards,
    "begin-putting-back": BeginPuttingBack,
    "end-putting-back": EndPuttingBack,
    "leave-in-rack": LeaveInRack,
    "report-misdealt": ReportMisdealt,
    "move-card": MoveCard,
    "report-hole-exposed": ReportHoleExposed,
    "report-extra-card": ReportExtraCard,
    "report-face-up-card": ReportFaceUpCard,
    "call-for-ruling": CallForRuling,
    "make-ruling": MakeRuling,
    "attend-hold": AttendHold,
    "call-technician": CallTechnician,
    "attest-repair": AttestRepair,
    "clear-hold": ClearHold,
    "confirm-hold": ConfirmHold,
    "state-cards-moved": StateCardsMoved,
    "state-count": StateCount,
    "state-outage": StateOutage,
    "confirm-outage": ConfirmOutage,
    "name-card": NameCard,
    "report-damaged-card": ReportDamagedCard,
    "replace-card": ReplaceCard,
    "replace-deck": ReplaceDeck,
    "record-authorisation": RecordAuthorisation,
    "record-complaint": RecordComplaint,
    "decide-complaint": DecideComplaint,
    "report-duty": ReportDuty,
    "indicate-closing": IndicateClosing,
    "begin-unloading": BeginUnloading,
    "complete-unloading": CompleteUnloading,
    "enter-cards": EnterCards,
    "enter-grid": EnterGrid,
    "confirm-deck-check": ConfirmDeckCheck,
    "propose-irregular-closing": ProposeIrregularClosing,
    "confirm-irregular-closing": ConfirmIrregularClosing,
}

NAMES: Final[dict[type[Act], str]] = {cls: name for name, cls in ACTS.items()}


def value_names(act: type[Act]) -> tuple[str, ...]:
    """The names of the values that this act takes besides who asks and what a seal says."""
    return tuple(field.name for field in fields(act) if field.name not in {"person", "role", "seal_differs"})
