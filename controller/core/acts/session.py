"""Acts that open and close a session, and who comes and goes."""

from dataclasses import dataclass

from controller.core.cards import Card
from controller.core.words import Operation, Person, Role


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
    """Seals and the maker's order are as they should be; so many cards were counted in each deck (br.prep.2a-b).

    Before the next shoe: so many all together, or in several heaps (br.prep.3b, br.dev.4).
    """

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
    """The deck check as the dealer ordered it: 52 counts in the order of `cards.DECK`, and foreign cards.

    Of all cards, or where the decks have two back colours of those with the first or the second.
    """

    counts: tuple[int, ...]
    foreign: int
    back: int | None = None


@dataclass(frozen=True, slots=True)
class ConfirmDeckCheck(ByPerson):
    pass


@dataclass(frozen=True, slots=True)
class ProposeIrregularClosing(ByPerson):
    pass


@dataclass(frozen=True, slots=True)
class ConfirmIrregularClosing(ByPerson):
    pass
