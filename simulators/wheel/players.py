"""The simulated players of a roulette table: the times of their presence, the value of their chips, their bets on each
spin.
"""

from functools import cache
from random import Random
from typing import Final

from msgspec import Struct

from simulators.oracles.bets_by_name import bets_by_name
from simulators.oracles.wheel import FRENCH

PLAYERS: Final = 4
COLOURS: Final = ("red", "blue", "green", "yellow")
VALUES: Final = ("5", "10", "20", "50")
MOST_BETS: Final = 5
_MORE_THAN_COLOURS: Final = 12
"""More players than a table has colours: they wait for a colour, even if each colour is free."""


class Wish(Struct, frozen=True):
    """One bet that a player wants. `amount`: currency units in chips with a printed value, used instead of `chips` of
    the player's colour.
    """

    player: int
    bet: str
    chips: int = 0
    amount: str = ""
    marked: bool = False

    @property
    def act(self) -> str:
        return "place-value-chips" if self.amount else "place-chips"

    @property
    def values(self) -> dict[str, str]:
        who = {"player": str(self.player), "bet": self.bet}
        if not self.amount:
            return who | {"chips": str(self.chips)}
        return who | {"amount": self.amount} | ({"marked": "yes"} if self.marked else {})


@cache
def _names() -> tuple[str, ...]:
    return tuple(bets_by_name(FRENCH))


OFTEN_WINS: Final = ("red", "black", "even", "odd", "low", "high", "dozen-1", "dozen-2", "dozen-3")


def _drilled(rng: Random, player: int) -> Wish:
    """Returns a random bet for a practice table: four in five are on an even chance or a dozen, the others
    on a number.
    """
    bet = rng.choice(OFTEN_WINS) if rng.random() < 0.8 else f"straight-{rng.randrange(37)}"
    return Wish(player, bet, chips=bets_by_name(FRENCH)[bet].stake * rng.choice((1, 2, 3)))


class Players(Struct, frozen=True):
    """The simulated players. Each method computes its result from the seed, so equal calls return equal results.
    `values`: the chip values from which a player chooses; a table refuses a value that it has not posted.
    `are_drilled`: players make only bets that the table accepts, most of them likely to win. A trainee then has
    something to pay.
    """

    seed: int
    values: tuple[str, ...] = VALUES
    are_drilled: bool = False

    def value_of(self, player: int) -> str:
        return Random(f"{self.seed}:value:{player}").choice(self.values)

    def here_at(self, session: int, spin: int) -> tuple[int, ...]:
        """Returns the numbers of the players who are at the table in this spin."""
        return tuple(
            one
            for one in range(1, PLAYERS + 1)
            if Random(f"{self.seed}:here:{session}:{spin // 3}:{one}").random() < 2 / 3
        )

    def wishes(self, session: int, spin: int) -> tuple[Wish, ...]:
        """Returns the bets that players want on this spin. The table may refuse some of them."""
        rng = Random(f"{self.seed}:bets:{session}:{spin}")
        if self.are_drilled:
            return tuple(_drilled(rng, player) for player in self.here_at(session, spin))
        return tuple(
            self._wish(rng, player) for player in self.here_at(session, spin) for _ in range(rng.randrange(MOST_BETS))
        )

    def _wish(self, rng: Random, player: int) -> Wish:
        bet = rng.choice(_names())
        if rng.random() < 0.2:
            return Wish(player, bet, amount=str(rng.choice((5, 10, 25, 400))), marked=rng.random() < 0.5)
        least = bets_by_name(FRENCH)[bet].stake
        return Wish(player, bet, chips=least * rng.choice((1, 1, 1, 2, 3)) + (rng.random() < 0.1))

    def waiting(self, session: int, spin: int) -> dict[str, str]:
        """Returns the values of the act `state-waiting`: the number of players who wait for a colour.

        Returns {} at a practice table: the trainee's page has this act only in a list, and a wait for the act would
        delay the bets.
        """
        return {} if self.are_drilled else {"players": str(_MORE_THAN_COLOURS * ((session + spin) % 2))}

    def takes_down(self, session: int, spin: int) -> bool:
        """True if a player has the winning chips of the previous spin taken off the cloth."""
        return not self.are_drilled and Random(f"{self.seed}:down:{session}:{spin}").random() < 0.7
