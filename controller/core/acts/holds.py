"""Acts about holds, incidents, complaints and duties."""

from controller.core.acts.session import ByPerson
from controller.core.cards import Card
from controller.core.words import DutyId, HoldId, OutageOutcome, Place


class AttendHold(ByPerson, frozen=True):
    hold: HoldId


class CallTechnician(ByPerson, frozen=True):
    hold: HoldId


class AttestRepair(ByPerson, frozen=True):
    hold: HoldId


class ClearHold(ByPerson, frozen=True):
    hold: HoldId


class ConfirmHold(ByPerson, frozen=True):
    hold: HoldId


class StateCardsMoved(ByPerson, frozen=True):
    """Cards that people moved by hand while a hold was attended."""

    source: Place
    target: Place
    count: int


class StateCount(ByPerson, frozen=True):
    """A supervised count of everything that is not inside the machine, whose own count is known."""

    rack: int
    table: int
    pending: int
    in_hand: int
    outside: int


class StateWholeCount(ByPerson, frozen=True):
    """A supervised count of every card, where no device counts those inside shoe or box."""

    inside: int
    rack: int
    table: int
    burnt: int
    in_hand: int
    outside: int


class StateOutage(ByPerson, frozen=True):
    """What became of the round while the controller was down: the chief supervisor's word."""

    became: OutageOutcome


class ConfirmOutage(ByPerson, frozen=True):
    """The same in the dealer's own words; another outcome than the chief supervisor's begins it anew."""

    became: OutageOutcome


class NameCard(ByPerson, frozen=True):
    """The face of the card that the reader could not read."""

    card: Card


class ReportDamagedCard(ByPerson, frozen=True):
    card: Card


class ReplaceCard(ByPerson, frozen=True):
    replacement: Card


class RecordAuthorisation(ByPerson, frozen=True):
    """The inspection service authorises replacing the damaged card alone (pt.bj.5c)."""

    reference: str


class ReplaceDeck(ByPerson, frozen=True):
    """The whole deck of the damaged card (pt.bj.5b)."""

    deck: int


class RecordComplaint(ByPerson, frozen=True):
    """A player's complaint about a round of this session; without its number about the last one."""

    seat: int
    round: int | None = None


class DecideComplaint(ByPerson, frozen=True):
    upheld: bool


class ReportDuty(ByPerson, frozen=True):
    duty: DutyId
    reference: str
