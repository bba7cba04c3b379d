"""The real cards of a scenario, which the table does not see: where each lies, whatever the table believes."""

from typing import Final

from controller.core.custody.state import DECK, FOREIGN, Card

ANY: Final = "-"
"""In place of a card: any would have done, and none is left."""


class NoSuchCard(Exception):  # noqa: N818 (the name says what it is)
    """A card that a scenario wants out of the machine is not in there."""


class Pack:
    """Cards outside the machine, inside it, and those that came out of it in their order."""

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
        """Every card, wherever it is."""
        return (*self.outside, *self.inside, *self.away)

    def lose(self, card: Card) -> None:
        """A card is missing from the start."""
        self._take(self.outside, card)

    def feed(self) -> None:
        """One card goes in: one that came out before, otherwise one from outside."""
        source = self.away or self.outside
        if not source:
            raise NoSuchCard(ANY)
        self.inside.append(source.pop(0))

    def fill(self) -> None:
        """Every card goes in."""
        self.inside, self.outside, self.away = [*self.inside, *self.away, *self.outside], [], []

    def empty(self) -> None:
        """Every card is taken out."""
        self.outside, self.inside, self.away = [*self.outside, *self.away, *self.inside], [], []

    def draw(self, card: Card | None) -> Card:
        """One card comes out: this one, or the next. Raises NoSuchCard."""
        drawn = self._take(self.inside, card)
        self.away.append(drawn)
        return drawn

    def by_hand(self, into: int) -> None:
        """People put cards in (above zero) or take them out."""
        for _ in range(into):
            self.feed()
        for _ in range(-into):
            self.draw(None)

    def _take(self, cards: list[Card], card: Card | None) -> Card:
        if not cards or (card is not None and card not in cards):
            raise NoSuchCard("JOKER" if card == FOREIGN else card or ANY)
        return cards.pop(0 if card is None else cards.index(card))
