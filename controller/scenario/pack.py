"""The real cards of a scenario. The pack knows the place of each card, even if the table's own book is wrong."""

from typing import Final

from controller.core.custody.state import DECK, FOREIGN, Card

ANY: Final = "-"
"""The text of NoSuchCard if any card was wanted and none is left."""


class NoSuchCard(Exception):  # noqa: N818 (the name says what it is)
    """A card that a scenario moves is missing where the scenario takes it: in the machine or, before the start, outside
    it.
    """


class Pack:
    """The cards of a scenario in three groups, each in order: outside the machine, inside it, and dealt from it."""

    def __init__(self, decks: int) -> None:
        self.outside: list[Card] = list(DECK) * decks
        self.inside: list[Card] = []
        self.away: list[Card] = []

    def copied(self) -> "Pack":
        twin = Pack(0)
        twin.outside, twin.inside, twin.away = self.outside[:], self.inside[:], self.away[:]
        return twin

    @property
    def everything(self) -> tuple[Card, ...]:
        """Returns all cards, wherever they are."""
        return (*self.outside, *self.inside, *self.away)

    def lose(self, card: Card) -> None:
        """Removes `card` from the cards outside the machine. Before a scenario's start all its cards lie there. Raises
        NoSuchCard if `card` is not among them.
        """
        self._take(self.outside, card)

    def feed(self) -> None:
        """Puts one card into the machine: a dealt card, or a card from outside if no dealt card is left. Raises
        NoSuchCard if all cards are in the machine.
        """
        source = self.away or self.outside
        if not source:
            raise NoSuchCard(ANY)
        self.inside.append(source.pop(0))

    def fill(self) -> None:
        """Puts every card into the machine."""
        self.inside, self.outside, self.away = [*self.inside, *self.away, *self.outside], [], []

    def empty(self) -> None:
        """Takes every card out of the machine."""
        self.outside, self.inside, self.away = [*self.outside, *self.away, *self.inside], [], []

    def draw(self, card: Card | None) -> Card:
        """Takes `card`, or the next card if `card` is None, out of the machine and returns that card. Raises
        NoSuchCard.
        """
        drawn = self._take(self.inside, card)
        self.away.append(drawn)
        return drawn

    def by_hand(self, into: int) -> None:
        """Puts `into` cards into the machine, or takes them out if `into` is negative. Raises NoSuchCard."""
        for _ in range(into):
            self.feed()
        for _ in range(-into):
            self.draw(None)

    def _take(self, cards: list[Card], card: Card | None) -> Card:
        if not cards or (card is not None and card not in cards):
            raise NoSuchCard("JOKER" if card == FOREIGN else card or ANY)
        return cards.pop(0 if card is None else cards.index(card))
