"""The exact value of a strategy with an endless shoe: by sums over totals, without cards and without chance.

It shares nothing with the checked functions except the strategy's own grids. A hand is (hard total, has an ace, number
of cards); a bank is its distribution of final totals.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

from tests.money.odds.strategy import Strategy

TEN: Final = 10
CHANCE: Final = {value: (4 if value == TEN else 1) / 13 for value in range(1, 11)}
"""The chance of the next card's value, an ace as 1."""

BUST, BLACKJACK = 0, 22
"""The ends of a bank's hand besides 17 to 21."""


def best(hard: int, *, ace: bool) -> int:
    return hard + 10 if ace and hard <= 11 else hard


def bank_of(up: int) -> dict[int, float]:
    """Returns the chance of each final hand of a bank that stands on every 17, from its open card `up` alone."""
    return _bank(up, 1, ace=up == 1)


@cache
def _bank(hard: int, count: int, *, ace: bool) -> dict[int, float]:
    total = best(hard, ace=ace)
    if total >= 17:
        return {BUST if total > 21 else BLACKJACK if total == 21 and count == 2 else total: 1.0}
    found: dict[int, float] = {}
    for card, part in CHANCE.items():
        for end, chance in _bank(hard + card, min(count + 1, 3), ace=ace or card == 1).items():
            found[end] = found.get(end, 0.0) + part * chance
    return found


@cache
def stood(total: int, up: int) -> float:
    """Returns the value of a hand of this total (not a blackjack) against every final hand of the bank."""
    if total > 21:
        return -1.0
    return sum(chance * _against(total, end) for end, chance in bank_of(up).items())


def _against(total: int, end: int) -> int:
    if end == BLACKJACK:
        return -1
    return (total > end) - (total < end)


@dataclass(frozen=True)
class Game:
    """The few figures on which a total depends, by hand from each law."""

    hands: int | None = None  # of one pair, at most
    aces_again: bool = True
    prize: int = 0  # for 6-7-8 of one suit and three sevens
    half_for_five: bool = False


GAMES: Final = {
    "pt": Game(prize=3),
    "house": Game(prize=3),
    "mo": Game(hands=4, prize=3, half_for_five=True),
    "br": Game(),
}


class Worth:
    """Computes the expectation of one round, for one stake, of a strategy at a game."""

    def __init__(self, game: Game, strategy: Strategy) -> None:
        self._game, self._strategy = game, strategy
        self._played: dict[tuple[int, bool, int, int], float] = {}

    def of_a_round(self) -> float:
        return sum(
            CHANCE[first] * CHANCE[second] * CHANCE[up] * self.of_a_deal(first, second, up)
            for first in CHANCE
            for second in CHANCE
            for up in CHANCE
        )

    def of_a_deal(self, first: int, second: int, up: int) -> float:
        """Returns the expectation of a deal of two cards, before any decision."""
        if {first, second} == {1, TEN}:
            return 1.5 * (1 - bank_of(up).get(BLACKJACK, 0.0))
        if first == second and self._strategy.pairs[first, up] == "p":
            return self._separated(first, up, hands=2, single=2)
        is_soft = 1 in (first, second)
        if not is_soft and self._strategy.given_up.get((first + second, up)) == "r":
            return -0.5
        return self._two(first, second, up)

    def _separated(self, value: int, up: int, hands: int, single: int) -> float:
        """Returns the expectation of the `single` hands of a separated pair that still wait for a second card.

        `hands`: the number of all hands of the pair.
        """
        if not single:
            return 0.0
        may_again = value != 1 or self._game.aces_again
        goes_on = may_again and (self._game.hands is None or hands < self._game.hands)
        stays = [card for card in CHANCE if card != value or not goes_on]
        rest = sum(CHANCE[card] * self._second(value, card, up) for card in stays)
        if goes_on and self._game.hands is None:  # endless splits: each such hand is worth the same
            return single * rest / (1 - 2 * CHANCE[value])
        others = self._separated(value, up, hands, single - 1)
        worth = rest + sum(CHANCE[card] for card in stays) * others
        return worth + CHANCE[value] * self._separated(value, up, hands + 1, single + 1) if goes_on else worth

    def _second(self, value: int, card: int, up: int) -> float:
        """Returns the expectation of a separated card with its second card; a separated ace gets no third."""
        if value == 1:
            return stood(best(1 + card, ace=True), up)
        return self._two(value, card, up)

    def _two(self, first: int, second: int, up: int) -> float:
        hard, ace = first + second, 1 in (first, second)
        wish = self._wish(hard, up, ace=ace)
        if wish == "d":
            return sum(
                part * (2 * stood(best(hard + card, ace=ace or card == 1), up) + self._prize(first, second, card))
                for card, part in CHANCE.items()
            )
        if wish == "s" or best(hard, ace=ace) == 21:
            return stood(best(hard, ace=ace), up)
        return sum(
            part * (self._more(hard + card, 3, up, ace=ace or card == 1) + self._prize(first, second, card))
            for card, part in CHANCE.items()
        )

    def _more(self, hard: int, count: int, up: int, *, ace: bool) -> float:
        """Returns the expectation of a hand of three cards or more."""
        key = (hard, ace, min(count, 6), up)
        if key not in self._played:
            self._played[key] = self._further(hard, count, up, ace=ace)
        return self._played[key]

    def _further(self, hard: int, count: int, up: int, *, ace: bool) -> float:
        total = best(hard, ace=ace)
        if total > 21:
            return -1.0
        if count == 5 and self._game.half_for_five and self._strategy.five_cards.get((total, up)) == "c":
            return 0.5
        wish = self._wish(hard, up, ace=ace)
        if wish == "s" or (wish == "d" and ace and total == 18):
            return stood(total, up)
        return sum(part * self._more(hard + card, count + 1, up, ace=ace or card == 1) for card, part in CHANCE.items())

    def _wish(self, hard: int, up: int, *, ace: bool) -> str:
        total = best(hard, ace=ace)
        return (self._strategy.soft if total != hard else self._strategy.hard)[total, up]

    def _prize(self, first: int, second: int, third: int) -> float:
        if (first, second, third) == (7, 7, 7):
            return float(self._game.prize)
        return self._game.prize / 16 if {first, second, third} == {6, 7, 8} else 0.0
