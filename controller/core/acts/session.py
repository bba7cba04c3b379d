"""Acts that open and close a session, and who comes and goes."""

from msgspec import Struct

from controller.core.cards import Card
from controller.core.words import Operation, Person, Role


class ByPerson(Struct, frozen=True, gc=False):
    """Who asks: number and role, already authenticated."""

    person: Person
    role: Role


# --- people


class SignIn(ByPerson, frozen=True):
    operation: Operation


class SignOut(ByPerson, frozen=True):
    pass


# --- opening


class OpenSession(ByPerson, frozen=True):
    pass


class NumberDeckSet(ByPerson, frozen=True):
    deck_set: int


class ConfirmDisplay(ByPerson, frozen=True):
    pass


class ConfirmCount(ByPerson, frozen=True):
    """Seals and the maker's order are as they should be; so many cards were counted in each deck (br.prep.2a-b).

    Before the next shoe: so many all together, or in several heaps (br.prep.3b, br.dev.4).
    """

    counted: tuple[int, ...]


class ShuffleDeck(ByPerson, frozen=True):
    """One deck was mixed and shuffled by itself, so many times (br.prep.4a)."""

    deck: int
    passes: int


class ConfirmMixing(ByPerson, frozen=True):
    pass


class StatePlayers(ByPerson, frozen=True):
    """Who sits at the table: they are offered the cut (pt.bj.8b); without a value nobody does."""

    seats: tuple[int, ...] | None


class RefuseCut(ByPerson, frozen=True):
    seat: int


class ConfirmCut(ByPerson, frozen=True):
    """The cards were cut by this seat's player; 0: by whom the profile names when no player will."""

    seat: int


class PlaceWarningCard(ByPerson, frozen=True):
    """So many cards lie behind it; without a value as many as the profile says."""

    behind: int | None


class FillShoe(ByPerson, frozen=True):
    """Every card is in the shoe, or in the box."""


class BeginLoading(ByPerson, frozen=True):
    pass


class OpenPacket(ByPerson, frozen=True):
    pass


class ClosePacket(ByPerson, frozen=True):
    pass


class CompleteLoading(ByPerson, frozen=True):
    pass


class TakeOutLoading(ByPerson, frozen=True):
    pass


class ConfirmTakenOut(ByPerson, frozen=True):
    pass


class AbandonOpening(ByPerson, frozen=True):
    """Back to closed before anything was loaded."""


# --- closing


class IndicateClosing(ByPerson, frozen=True):
    pass


class BeginUnloading(ByPerson, frozen=True):
    pass


class CompleteUnloading(ByPerson, frozen=True):
    pass


class EnterCards(ByPerson, frozen=True):
    """Cards of the deck check that no reader read (the rack's leftovers, unread ones)."""

    cards: tuple[Card, ...]


class EnterGrid(ByPerson, frozen=True):
    """The deck check as the dealer ordered it: 52 counts in the order of `cards.DECK`, and foreign cards.

    Of all cards, or where the decks have two back colours of those with the first or the second.
    """

    counts: tuple[int, ...]
    foreign: int
    back: int | None = None


class ConfirmDeckCheck(ByPerson, frozen=True):
    pass


class ProposeIrregularClosing(ByPerson, frozen=True):
    pass


class ConfirmIrregularClosing(ByPerson, frozen=True):
    pass
