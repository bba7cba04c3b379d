"""People's choices, drawn from the seed and the arguments alone, never from the time or the number of calls."""

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
    """Every free choice of a table's people and players.

    `for_a_guest`: a visitor holds the post and speaks; the script only does the deeds of hands at that post.
    `rules_freely`: a ruling may have any outcome; else the round always continues.
    """

    seed: int
    cards: int = 312
    seats_at_table: int = SEATS
    for_a_guest: bool = False
    rules_freely: bool = True
    minimum_cents: int = 1000  # the least bet on the table's plate

    def deck_set(self, session: int) -> int:
        """The number that the chief supervisor gives the deck set."""
        return 1000 + session

    def packets(self, session: int) -> tuple[int, ...]:
        """The sizes of the packets of a loading: two, or three."""
        rng = _rng(self, "packets", session)
        first = rng.randint(self.cards * 2 // 5, self.cards * 3 // 5)
        if rng.random() < 0.5:
            return first, self.cards - first
        second = (self.cards - first) // 2
        return first, second, self.cards - first - second

    def seats(self, session: int, round_number: int) -> tuple[int, ...]:
        """The seats with a bet in this round."""
        return self._some_seats(_rng(self, "seats", session, round_number), range(1, MOST_SEATS + 1))

    def further_cards(self, session: int, round_number: int, seat: int) -> int:
        """The number of further cards that this player wants; seat 0 is the bank."""
        few = (0, 1, 1) if seat == 0 else (0, 0, 1, 1, 2)
        return few[int(len(few) * _chance(self, "further", session, round_number, seat))]

    def bets(self, session: int, round_number: int, seat: int) -> tuple[tuple[int | None, int], ...]:
        """The bettors on this seat, each with his cents: the seat's own player (None), and on some seats a standing
        player, whose number lies above those of the seats.
        """
        rng = _rng(self, "bets", session, round_number, seat)
        own = (None, self.minimum_cents * rng.choice((1, 1, 1, 2, 3)))
        standing = FIRST_STANDING + seat if self.for_a_guest else self.seats_at_table + seat
        return (own, (standing, self.minimum_cents)) if rng.random() < 0.2 else (own,)

    def side_bet(self, session: int, round_number: int, seat: int) -> str | None:
        """The side bet of the player at this seat; None: he makes none."""
        rng = _rng(self, "aside", session, round_number, seat)
        return rng.choice(("any-pair", "sevens", "over", "under")) if rng.random() < 0.3 else None

    def wish(self, session: int, round_number: int, *about: object) -> float:
        """Returns a number from 0 to 1, the player's wish for the subject `about`: the same for equal arguments."""
        return _chance(self, "wish", session, round_number, *about)

    def players(self, session: int, filling: int) -> tuple[int, ...]:
        """The players at the table when a shoe or box is filled; sometimes none."""
        return self._some_seats(_rng(self, "players", session, filling), (0, 1, 1, 2, 3, 4))

    def refuses_cut(self, session: int, filling: int, seat: int) -> bool:
        """True where this player prefers not to cut."""
        return _chance(self, "cut", session, filling, seat) < 0.4

    def shuffle_passes(self, session: int, filling: int, deck: int, least: int) -> int:
        """The number of shuffles of one deck: the required number, or one more."""
        return least + _rng(self, "passes", session, filling, deck).choice((0, 0, 1))

    def stops_the_shoe(self, session: int, round_number: int, filling: int) -> bool:
        """True where the shoe ends after this round: all players have left, or the bank wants to shuffle."""
        return not self.for_a_guest and _chance(self, "stops", session, round_number, filling) < 0.06

    def shows_early(self, session: int, round_number: int, seat: int) -> bool:
        """True where this player shows his cards before the other players (a claim, mo.6.4)."""
        return _chance(self, "shows", session, round_number, seat) < 0.25

    def leaves_in_rack(self, session: int, round_number: int) -> bool:
        """True where the cards of this round wait in the rack for the next round (pt.bj.60a)."""
        return not self.for_a_guest and _chance(self, "leave", session, round_number) < 0.1

    def says_that_cards_go_back(self, session: int, round_number: int) -> bool:
        """True where the dealer announces the putting back before he lays the cards in the feed."""
        return not self.for_a_guest and _chance(self, "says", session, round_number) < 0.2

    def complaint(self, session: int, round_number: int) -> int | None:
        """The seat whose player complains after the collection; None without a complaint."""
        rng = _rng(self, "complaint", session, round_number)
        return rng.choice(self.seats(session, round_number)) if rng.random() < 0.06 else None

    def upholds(self, session: int, round_number: int) -> bool:
        """True where the complaint of this round is upheld."""
        return _chance(self, "upheld", session, round_number) < 0.4

    def ruling(self, session: int, hold: str, *, of_a_device: bool, spare: tuple[str, ...]) -> str:
        """Returns the outcome of a ruling, in the words of `make-ruling`, drawn for each hold.

        `spare`: the outcomes to choose from where there is a spare device, else empty. `of_a_device`: the ruling is
        about a device, so that no outcome for a card is drawn. Without `rules_freely` the outcome is `continue`, except
        where there is a spare device.
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
        """True where people replace the whole deck, not the damaged card alone by an authorisation (pt.bj.5b-c)."""
        return _chance(self, "deck", session, round_number) < 0.4

    def damaged_card(self, session: int, round_number: int) -> int | None:
        """The position of the damaged card among the round's cards, from 1; None without one."""
        rng = _rng(self, "damaged", session, round_number)
        return rng.randint(1, 3) if rng.random() < 0.03 else None

    def _some_seats(self, rng: Random, few: Sequence[int]) -> tuple[int, ...]:
        return tuple(sorted(rng.sample(range(1, self.seats_at_table + 1), rng.choice(few))))

    def breaks_machine(self, jam: int) -> bool:
        """True where jam number `jam` of the machine needs a technician."""
        return _chance(self, "broken", jam) < 0.25


def _rng(choices: Choices, *about: object) -> Random:
    return Random(":".join(map(str, (choices.seed, *about))))


@lru_cache(REMEMBERED)
def _chance(choices: Choices, *about: object) -> float:
    """A number from 0 to 1, drawn from the seed and `about` alone."""
    return _rng(choices, *about).random()
