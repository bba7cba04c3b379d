"""Acts of a round, from the bets to the cards put back."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from controller.core.acts.session import ByPerson
from controller.core.cards import Card


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
class TurnCard(ByPerson):
    """A player shows a card that lies face down before him: the `position`th at this seat, the first dealt being 1."""

    seat: int
    position: int
    card: Card | None
    salt: str | None
    seal_differs: bool = False


Turning: TypeAlias = TurnHoleCard | TurnCard
"""What brings the face of a card in that lay face down; the seal fills in `card` and `salt`, or people read it off."""

TURNINGS: Final = (TurnHoleCard, TurnCard)


@dataclass(frozen=True, slots=True)
class ConfirmSettled(ByPerson):
    pass


@dataclass(frozen=True, slots=True)
class CollectHand(ByPerson):
    """The cards of this seat are out of play: they go to the discard rack while the others play on (pt.bj.58)."""

    seat: int


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
