"""Acts of a round, from the bets to the cards put back."""

from typing import Final, TypeAlias

from controller.core.acts.session import ByPerson
from controller.core.cards import Card


class TakeBets(ByPerson, frozen=True):
    seats: tuple[int, ...]


class CancelBets(ByPerson, frozen=True):
    """Nobody plays after all: the bets are taken back before the announcement."""


class AnnounceNoMoreBets(ByPerson, frozen=True):
    pass


class DrawCard(ByPerson, frozen=True):
    """One further card: to a seat, or to the bank (seat 0)."""

    seat: int


class ConfirmCardDealt(ByPerson, frozen=True):
    """At a table without a device that counts: the card that was owed lies where it was owed."""


class ReportWarningCard(ByPerson, frozen=True):
    """The warning card came out; where the shoe tells of it, both must agree."""


class AnnounceLastRound(ByPerson, frozen=True):
    pass


class GatherCards(ByPerson, frozen=True):
    """All cards are taken out to be mixed anew."""


class SpreadCards(ByPerson, frozen=True):
    """The game is interrupted: all cards are spread face up (pt.bj.12)."""


class TurnHoleCard(ByPerson, frozen=True):
    """The bank's face-down card is turned; `card` and `salt` come from the seal, or `card` is read off by people.

    `seal_differs`: the seal says another card than the one given; its salt stays out, or tries would name the card.
    """

    card: Card | None
    salt: str | None
    seal_differs: bool = False


class TurnCard(ByPerson, frozen=True):
    """A player shows a card that lies face down before him: the `position`th at this seat, the first dealt being 1."""

    seat: int
    position: int
    card: Card | None
    salt: str | None
    seal_differs: bool = False


Turning: TypeAlias = TurnHoleCard | TurnCard
"""What brings the face of a card in that lay face down; the seal fills in `card` and `salt`, or people read it off."""

TURNINGS: Final = (TurnHoleCard, TurnCard)


class ConfirmSettled(ByPerson, frozen=True):
    pass


class CollectHand(ByPerson, frozen=True):
    """The cards of this seat are out of play: they go to the discard rack while the others play on (pt.bj.58)."""

    seat: int


class CollectCards(ByPerson, frozen=True):
    pass


class BeginPuttingBack(ByPerson, frozen=True):
    pass


class EndPuttingBack(ByPerson, frozen=True):
    pass


class LeaveInRack(ByPerson, frozen=True):
    pass
