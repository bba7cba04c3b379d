"""Acts of corrections and rulings."""

from controller.core.acts.session import ByPerson
from controller.core.cards import Card
from controller.core.words import Cause, Outcome


class ReportMisdealt(ByPerson, frozen=True):
    """The last card was dealt by mistake; `seen`: somebody has seen its face."""

    seen: bool


class MoveCard(ByPerson, frozen=True):
    """The last card lies at the wrong place: it belongs to this seat, or to the bank (seat 0)."""

    seat: int


class ReportHoleExposed(ByPerson, frozen=True):
    """The bank's second card was turned while it was dealt."""


class ReportExtraCard(ByPerson, frozen=True):
    """The bank's last card should not have been drawn; `seen`: somebody has seen its face."""

    seen: bool


class ReportFaceUpCard(ByPerson, frozen=True):
    """The last card came face up out of the machine."""


class RetractCard(ByPerson, frozen=True):
    """The card that was confirmed last was not dealt, where no device counts: it is still inside."""


class RenameCard(ByPerson, frozen=True):
    """A turned card that people had read off, the `position`th at this seat (0: the bank), is another one."""

    seat: int
    position: int
    card: Card


class CallForCount(ByPerson, frozen=True):
    """Where no device counts: what lies on the table is not what the table's book says."""


class CallForRuling(ByPerson, frozen=True):
    cause: Cause


class MakeRuling(ByPerson, frozen=True):
    outcome: Outcome
