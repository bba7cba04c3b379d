"""Acts about holds, incidents, complaints and duties."""

from dataclasses import dataclass

from controller.core.acts.session import ByPerson
from controller.core.cards import Card
from controller.core.words import DutyId, HoldId, OutageOutcome, Place


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
    """A supervised count of everything that is not inside the machine, whose own count is known."""

    rack: int
    table: int
    pending: int
    in_hand: int
    outside: int


@dataclass(frozen=True, slots=True)
class StateWholeCount(ByPerson):
    """A supervised count of every card, where no device counts those inside shoe or box."""

    inside: int
    rack: int
    table: int
    burnt: int
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
