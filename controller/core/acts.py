"""Acts: what people ask for, imperative, data only. Each is allowed, or refused with clause and remedy.

`ACTS` gives each its wire name (`sabot act NAME`). Who may do what, and when, stands in act_rules.py.
"""

from dataclasses import dataclass, fields
from typing import Final, TypeAlias

from controller.core.cards import Card
from controller.core.words import Cause, DutyId, HoldId, Operation, OutageOutcome, Outcome, Person, Place, Role


@dataclass(frozen=True, slots=True)
class ByPerson:
    """Who asks: number and role, already authenticated."""

    person: Person
    role: Role


# --- people


@dataclass(frozen=True, slots=True)
class SignIn(ByPerson):
    operation: Operation


@dataclass(frozen=True, slots=True)
class SignOut(ByPerson):
    pass


# --- opening


@dataclass(frozen=True, slots=True)
class OpenSession(ByPerson):
    pass


@dataclass(frozen=True, slots=True)
class NumberDeckSet(ByPerson):
    deck_set: int


@dataclass(frozen=True, slots=True)
class ConfirmDisplay(ByPerson):
    pass


@dataclass(frozen=True, slots=True)
class ConfirmCount(ByPerson):
    """Seals and the maker's order are as they should be; so many cards were counted in each deck (br.prep.2a-b)."""

    counted: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ShuffleDeck(ByPerson):
    """One deck was mixed and shuffled by itself, so many times (br.prep.4a)."""

    deck: int
    passes: int


@dataclass(frozen=True, slots=True)
class ConfirmMixing(ByPerson):
    pass


@dataclass(frozen=True, slots=True)
class StatePlayers(ByPerson):
    """Who sits at the table: they are offered the cut (pt.bj.8b); without a value nobody does."""

    seats: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class RefuseCut(ByPerson):
    seat: int


@dataclass(frozen=True, slots=True)
class ConfirmCut(ByPerson):
    """The cards were cut by this seat's player; 0: by whom the profile names when no player will."""

    seat: int


@dataclass(frozen=True, slots=True)
class PlaceWarningCard(ByPerson):
    """So many cards lie behind it; without a value as many as the profile says."""

    behind: int | None


@dataclass(frozen=True, slots=True)
class FillShoe(ByPerson):
    """Every card is in the shoe, or in the box."""


@dataclass(frozen=True, slots=True)
class BeginLoading(ByPerson):
    pass


@dataclass(frozen=True, slots=True)
class OpenPacket(ByPerson):
    pass


@dataclass(frozen=True, slots=True)
class ClosePacket(ByPerson):
    pass


@dataclass(frozen=True, slots=True)
class CompleteLoading(ByPerson):
    pass


@dataclass(frozen=True, slots=True)
class TakeOutLoading(ByPerson):
    pass


@dataclass(frozen=True, slots=True)
class ConfirmTakenOut(ByPerson):
    pass


@dataclass(frozen=True, slots=True)
class AbandonOpening(ByPerson):
    """Back to closed before anything was loaded."""


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
class ConfirmCardDealt(ByPerson):
    """At a table without a device that counts: the card that was owed lies where it was owed."""


@dataclass(frozen=True, slots=True)
class ReportWarningCard(ByPerson):
    """The warning card came out; where the shoe tells of it, both must agree."""


@dataclass(frozen=True, slots=True)
class AnnounceLastRound(ByPerson):
    pass


@dataclass(frozen=True, slots=True)
class GatherCards(ByPerson):
    """All cards are taken out to be mixed anew."""


@dataclass(frozen=True, slots=True)
class SpreadCards(ByPerson):
    """The game is interrupted: all cards are spread face up (pt.bj.12)."""


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


# --- corrections and rulings


@dataclass(frozen=True, slots=True)
class ReportMisdealt(ByPerson):
    """The last card was dealt by mistake; `seen`: somebody has seen its face."""

    seen: bool


@dataclass(frozen=True, slots=True)
class MoveCard(ByPerson):
    """The last card lies at the wrong place: it belongs to this seat, or to the bank (seat 0)."""

    seat: int


@dataclass(frozen=True, slots=True)
class ReportHoleExposed(ByPerson):
    """The bank's second card was turned while it was dealt."""


@dataclass(frozen=True, slots=True)
class ReportExtraCard(ByPerson):
    """The bank's last card should not have been drawn; `seen`: somebody has seen its face."""

    seen: bool


@dataclass(frozen=True, slots=True)
class ReportFaceUpCard(ByPerson):
    """The last card came face up out of the machine."""


@dataclass(frozen=True, slots=True)
class CallForRuling(ByPerson):
    cause: Cause


@dataclass(frozen=True, slots=True)
class MakeRuling(ByPerson):
    outcome: Outcome


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


# --- closing


@dataclass(frozen=True, slots=True)
class IndicateClosing(ByPerson):
    pass


@dataclass(frozen=True, slots=True)
class BeginUnloading(ByPerson):
    pass


@dataclass(frozen=True, slots=True)
class CompleteUnloading(ByPerson):
    pass


@dataclass(frozen=True, slots=True)
class EnterCards(ByPerson):
    """Cards of the deck check that no reader read (the rack's leftovers, unread ones)."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class EnterGrid(ByPerson):
    """The whole deck check as the dealer ordered it: 52 counts in the order of `cards.DECK`, and foreign cards."""

    counts: tuple[int, ...]
    foreign: int


@dataclass(frozen=True, slots=True)
class ConfirmDeckCheck(ByPerson):
    pass


@dataclass(frozen=True, slots=True)
class ProposeIrregularClosing(ByPerson):
    pass


@dataclass(frozen=True, slots=True)
class ConfirmIrregularClosing(ByPerson):
    pass


Act: TypeAlias = (
    SignIn
    | SignOut
    | OpenSession
    | NumberDeckSet
    | ConfirmDisplay
    | ConfirmCount
    | ShuffleDeck
    | ConfirmMixing
    | StatePlayers
    | RefuseCut
    | ConfirmCut
    | PlaceWarningCard
    | FillShoe
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
    | ConfirmCardDealt
    | ReportWarningCard
    | AnnounceLastRound
    | GatherCards
    | SpreadCards
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
    "confirm-count": ConfirmCount,
    "shuffle-deck": ShuffleDeck,
    "confirm-mixing": ConfirmMixing,
    "state-players": StatePlayers,
    "refuse-cut": RefuseCut,
    "confirm-cut": ConfirmCut,
    "place-warning-card": PlaceWarningCard,
    "fill-shoe": FillShoe,
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
    "confirm-card-dealt": ConfirmCardDealt,
    "report-warning-card": ReportWarningCard,
    "announce-last-round": AnnounceLastRound,
    "gather-cards": GatherCards,
    "spread-cards": SpreadCards,
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
