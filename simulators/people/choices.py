"""The free choices of simulated people, computed from seed and arguments alone, never from time or the
number of calls.
"""

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from msgspec import Struct

MOST_SEATS = 3
SEATS = 7

FIRST_STANDING = 60
"""A standing player's number at a visitor's table is this number plus the seat's: none of the staff has it."""

REMEMBERED = 256
"""The number of cached answers: people ask again at every look, and a round's answers do not change."""


class Choices(Struct, frozen=True):
    """The free choices of a table's people and players.

    `for_a_guest`: True if a visitor holds the post and makes the acts, and the script only does the deeds there.
    `rules_freely`: True if a ruling may have any outcome; otherwise the round always continues.
    """

    seed: int
    cards: int = 312
    seats_at_table: int = SEATS
    for_a_guest: bool = False
    rules_freely: bool = True
    minimum_cents: int = 1000  # the least bet on the table's plate

    def deck_set(self, session: int) -> int:
        """Returns the number that the chief supervisor gives the deck set."""
        return 1000 + session

    def packets(self, session: int) -> tuple[int, ...]:
        """Returns the sizes of the two or three packets of a loading."""
        rng = _rng(self, "packets", session)
        first = rng.randint(self.cards * 2 // 5, self.cards * 3 // 5)
        if rng.random() < 0.5:
            return first, self.cards - first
        second = (self.cards - first) // 2
        return first, second, self.cards - first - second

    def seats(self, session: int, round_number: int) -> tuple[int, ...]:
        """Returns the seats that have a bet in this round."""
        return self._some_seats(_rng(self, "seats", session, round_number), range(1, MOST_SEATS + 1))

    def further_cards(self, session: int, round_number: int, seat: int) -> int:
        """Returns the number of further cards that the player at this seat wants; seat 0 is the bank."""
        few = (0, 1, 1) if seat == 0 else (0, 0, 1, 1, 2)
        return few[int(len(few) * _chance(self, "further", session, round_number, seat))]

    def bets(self, session: int, round_number: int, seat: int) -> tuple[tuple[int | None, int], ...]:
        """Returns the bettors at this seat, each with an amount in cents. The first bettor is the seat's own player,
        given as None.

        Some seats have a second bettor: a standing player, whose number is above those of the seats.
        """
        rng = _rng(self, "bets", session, round_number, seat)
        own = (None, self.minimum_cents * rng.choice((1, 1, 1, 2, 3)))
        standing = FIRST_STANDING + seat if self.for_a_guest else self.seats_at_table + seat
        return (own, (standing, self.minimum_cents)) if rng.random() < 0.2 else (own,)

    def side_bet(self, session: int, round_number: int, seat: int) -> str | None:
        """Returns the side bet of the player at this seat; None for no side bet."""
        rng = _rng(self, "aside", session, round_number, seat)
        return rng.choice(("any-pair", "sevens", "over", "under")) if rng.random() < 0.3 else None

    def wish(self, session: int, round_number: int, *about: object) -> float:
        """Returns a number from 0 to 1: how much the player wants `about`. Equal arguments give equal numbers."""
        return _chance(self, "wish", session, round_number, *about)

    def players(self, session: int, filling: int) -> tuple[int, ...]:
        """Returns the seats of the players who are at the table when a shoe or box is filled; may be empty."""
        return self._some_seats(_rng(self, "players", session, filling), (0, 1, 1, 2, 3, 4))

    def refuses_cut(self, session: int, filling: int, seat: int) -> bool:
        """True if the player at this seat does not want to cut the cards."""
        return _chance(self, "cut", session, filling, seat) < 0.4

    def shuffle_passes(self, session: int, filling: int, deck: int, least: int) -> int:
        """Returns how often the deck `deck` is shuffled: `least` times, or once more."""
        return least + _rng(self, "passes", session, filling, deck).choice((0, 0, 1))

    def stops_the_shoe(self, session: int, round_number: int, filling: int) -> bool:
        """True if the shoe ends after round `round_number`: all players have left, or the bank wants to shuffle."""
        return not self.for_a_guest and _chance(self, "stops", session, round_number, filling) < 0.06

    def shows_early(self, session: int, round_number: int, seat: int) -> bool:
        """True if the player at this seat shows the cards before the other players do (a claim, mo.6.4)."""
        return _chance(self, "shows", session, round_number, seat) < 0.25

    def leaves_in_rack(self, session: int, round_number: int) -> bool:
        """True if the cards of this round stay in the rack while the next round is played (pt.bj.60a)."""
        return not self.for_a_guest and _chance(self, "leave", session, round_number) < 0.1

    def says_that_cards_go_back(self, session: int, round_number: int) -> bool:
        """True if the dealer announces the putting back before laying the cards in the feed."""
        return not self.for_a_guest and _chance(self, "says", session, round_number) < 0.2

    def complaint(self, session: int, round_number: int) -> int | None:
        """Returns the seat of the player who complains after the collection; None without a complaint."""
        rng = _rng(self, "complaint", session, round_number)
        return rng.choice(self.seats(session, round_number)) if rng.random() < 0.06 else None

    def upholds(self, session: int, round_number: int) -> bool:
        """True if the complaint of this round is upheld."""
        return _chance(self, "upheld", session, round_number) < 0.4

    def ruling(self, session: int, hold: str, *, of_a_device: bool, spare: tuple[str, ...]) -> str:
        """Returns the outcome of a ruling, as a value of the act `make-ruling`: random, but always the same for the
        same hold.

        `spare`: the outcomes to choose from if there is a spare device, else empty. Without a spare device the outcome
        is "continue", unless `rules_freely` is set. `of_a_device`: True if the ruling is about a device; outcomes about
        a card are then left out.
        """
        if spare:
            return _rng(self, "spare", session, hold).choice(spare)
        if not self.rules_freely:
            return "continue"
        outcomes: tuple[str, ...] = ("continue", "round-void")
        if not of_a_device:
            outcomes += ("card-discarded", "card-to-next", "turn-given-back")
        return _rng(self, "ruling", session, hold).choice(outcomes)

    def replaces_deck(self, session: int, round_number: int) -> bool:
        """True if people replace the whole deck of a damaged card; False if people have the replacement of only the
        card authorised (pt.bj.5b-c).
        """
        return _chance(self, "deck", session, round_number) < 0.4

    def damaged_card(self, session: int, round_number: int) -> int | None:
        """Returns the number, from 1, of the damaged card among the round's cards; None if no card is damaged."""
        rng = _rng(self, "damaged", session, round_number)
        return rng.randint(1, 3) if rng.random() < 0.03 else None

    def _some_seats(self, rng: Random, few: Sequence[int]) -> tuple[int, ...]:
        return tuple(sorted(rng.sample(range(1, self.seats_at_table + 1), rng.choice(few))))

    def breaks_machine(self, jam: int) -> bool:
        """True if jam number `jam` breaks the machine. A broken machine needs a technician."""
        return _chance(self, "broken", jam) < 0.25


def _rng(choices: Choices, *about: object) -> Random:
    return Random(":".join(map(str, (choices.seed, *about))))


@lru_cache(REMEMBERED)
def _chance(choices: Choices, *about: object) -> float:
    """Returns a number from 0 to 1, computed from the seed and `about` alone."""
    return _rng(choices, *about).random()
