"""Acts of corrections and rulings."""

from dataclasses import dataclass

from controller.core.acts.session import ByPerson
from controller.core.cards import Card
from controller.core.words import Cause, Outcome


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
class RetractCard(ByPerson):
    """The card that was confirmed last was not dealt, where no device counts: it is still inside."""


@dataclass(frozen=True, slots=True)
class RenameCard(ByPerson):
    """A turned card that people had read off, the `position`th at this seat (0: the bank), is another one."""

    seat: int
    position: int
    card: Card


@dataclass(frozen=True, slots=True)
class CallForCount(ByPerson):
    """Where no device counts: what lies on the table is not what the table's book says."""


@dataclass(frozen=True, slots=True)
class CallForRuling(ByPerson):
    cause: Cause


@dataclass(frozen=True, slots=True)
class MakeRuling(ByPerson):
    outcome: Outcome
