"""Acts that open and close a session, and what people say of the cards."""

from controller.core.custody.cards import Card
from controller.core.engine.act import Act
from controller.core.words import OutageOutcome, Place

# --- opening


class OpenSession(Act, frozen=True):
    pass


class NumberDeckSet(Act, frozen=True):
    deck_set: int


class ConfirmDisplay(Act, frozen=True):
    pass


class ConfirmMixing(Act, frozen=True):
    pass


class BeginLoading(Act, frozen=True):
    pass


class OpenPacket(Act, frozen=True):
    pass


class ClosePacket(Act, frozen=True):
    pass


class CompleteLoading(Act, frozen=True):
    pass


class TakeOutLoading(Act, frozen=True):
    pass


class ConfirmTakenOut(Act, frozen=True):
    pass


class AbandonOpening(Act, frozen=True):
    """Back to closed before anything was loaded."""


# --- shoe and box


class ConfirmCount(Act, frozen=True):
    """Seals and the maker's order are as they should be; so many cards were counted in each deck (br.prep.2a-b).

    Before the next shoe: so many all together, or in several heaps (br.prep.3b, br.dev.4).
    """

    counted: tuple[int, ...]


class ShuffleDeck(Act, frozen=True):
    """One deck was mixed and shuffled by itself, so many times (br.prep.4a)."""

    deck: int
    passes: int


class StatePlayers(Act, frozen=True):
    """Who sits at the table: they are offered the cut (pt.bj.8b); without a value nobody does."""

    seats: tuple[int, ...] | None


class RefuseCut(Act, frozen=True):
    seat: int


class ConfirmCut(Act, frozen=True):
    """The cards were cut by this seat's player; 0: by whom the profile names when no player will."""

    seat: int


class PlaceWarningCard(Act, frozen=True):
    """So many cards lie behind it; without a value as many as the profile says."""

    behind: int | None


class FillShoe(Act, frozen=True):
    """Every card is in the shoe, or in the box."""


class ConfirmCardDealt(Act, frozen=True):
    """At a table without a device that counts: the card that was owed lies where it was owed."""


class ReportWarningCard(Act, frozen=True):
    """The warning card came out; where the shoe tells of it, both must agree."""


class AnnounceLastRound(Act, frozen=True):
    pass


class GatherCards(Act, frozen=True):
    """All cards are taken out to be mixed anew."""


class SpreadCards(Act, frozen=True):
    """The game is interrupted: all cards are spread face up (pt.bj.12)."""


# --- cards that people moved, counted, named, replaced


class StateCardsMoved(Act, frozen=True):
    """Cards that people moved by hand while a hold was attended."""

    source: Place
    target: Place
    count: int


class StateCount(Act, frozen=True):
    """A supervised count of everything that is not inside the machine, whose own count is known."""

    rack: int
    table: int
    pending: int
    in_hand: int
    outside: int


class StateWholeCount(Act, frozen=True):
    """A supervised count of every card, where no device counts those inside shoe or box."""

    inside: int
    rack: int
    table: int
    burnt: int
    in_hand: int
    outside: int


class StateOutage(Act, frozen=True):
    """What became of the round while the controller was down: the chief supervisor's word."""

    became: OutageOutcome


class ConfirmOutage(Act, frozen=True):
    """The same in the dealer's own words; another outcome than the chief supervisor's begins it anew."""

    became: OutageOutcome


class NameCard(Act, frozen=True):
    """The face of the card that the reader could not read."""

    card: Card


class ReportDamagedCard(Act, frozen=True):
    card: Card


class ReplaceCard(Act, frozen=True):
    replacement: Card


class RecordAuthorisation(Act, frozen=True):
    """The inspection service authorises replacing the damaged card alone (pt.bj.5c)."""

    reference: str


class ReplaceDeck(Act, frozen=True):
    """The whole deck of the damaged card (pt.bj.5b)."""

    deck: int


# --- closing


class IndicateClosing(Act, frozen=True):
    pass


class BeginUnloading(Act, frozen=True):
    pass


class CompleteUnloading(Act, frozen=True):
    pass


class EnterCards(Act, frozen=True):
    """Cards of the deck check that no reader read (the rack's leftovers, unread ones)."""

    cards: tuple[Card, ...]


class EnterGrid(Act, frozen=True):
    """The deck check as the dealer ordered it: 52 counts in the order of `cards.DECK`, and foreign cards.

    Of all cards, or where the decks have two back colours of those with the first or the second.
    """

    counts: tuple[int, ...]
    foreign: int
    back: int | None = None


class ConfirmDeckCheck(Act, frozen=True):
    pass


class ProposeIrregularClosing(Act, frozen=True):
    pass


class ConfirmIrregularClosing(Act, frozen=True):
    pass
