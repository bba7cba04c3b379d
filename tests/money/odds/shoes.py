"""The sources of the rounds' cards: endless, mixed again for each round, or a shoe dealt to its end."""

from collections.abc import Callable
from random import Random
from typing import Protocol

from controller.core.custody.state import DECK, Card


class Shoe(Protocol):
    """A source of cards; `begin` is called before each round."""

    draw: Callable[[], Card]

    def begin(self) -> None: ...


class EndlessShoe:
    """Each card is any of the 52, independent of earlier ones."""

    def __init__(self, rng: Random) -> None:
        random = rng.random

        def draw() -> Card:
            return DECK[int(random() * 52)]

        self.draw = draw

    def begin(self) -> None:
        """Does nothing, since no card is ever gone."""


class MixedShoe:
    """A continuous shuffler with `decks` decks: it has all cards again at the beginning of each round."""

    def __init__(self, rng: Random, decks: int) -> None:
        cards, random, place = list(DECK * decks), rng.random, 0
        size = len(cards)

        def draw() -> Card:
            nonlocal place
            other = place + int(random() * (size - place))
            card = cards[other]
            cards[other] = cards[place]
            cards[place] = card
            place += 1
            return card

        def begin() -> None:
            nonlocal place
            place = 0

        self.draw, self._begin = draw, begin

    def begin(self) -> None:
        self._begin()


class DealtShoe:
    """A shoe of `decks` decks: mixed, some cards burnt, dealt to the end of the round with the warning card."""

    def __init__(self, rng: Random, decks: int, *, behind: int, burnt: int) -> None:
        self._shoe = MixedShoe(rng, decks)
        self._from, self._behind, self._burnt = 52 * decks, behind, burnt
        self._left = 0
        drawn = self._shoe.draw

        def draw() -> Card:
            self._left -= 1
            return drawn()

        self.draw = draw

    def begin(self) -> None:
        if self._left <= self._behind:
            self._shoe.begin()
            self._left = self._from
            for _ in range(self._burnt):
                self.draw()
