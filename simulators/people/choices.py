"""What people choose: a function of seed, session and round alone, never of time or of how often they were asked."""

from dataclasses import dataclass
from random import Random

PACKET_LEAST = 100
MOST_SEATS = 3
SEATS = 7


@dataclass(frozen=True, slots=True)
class Choices:
    """Every free choice of a table's people and players."""

    seed: int
    cards: int = 312
    seats_at_table: int = SEATS

    def _rng(self, *about: object) -> Random:
        return Random(":".join(map(str, (self.seed, *about))))

    def deck_set(self, session: int) -> int:
        """The number that the chief supervisor gives the deck set."""
        return 1000 + session

    def packets(self, session: int) -> tuple[int, ...]:
        """The sizes of the packets of a loading: two, or three."""
        rng = self._rng("packets", session)
        first = rng.randint(self.cards * 2 // 5, self.cards * 3 // 5)
        if rng.random() < 0.5:
            return first, self.cards - first
        second = (self.cards - first) // 2
        return first, second, self.cards - first - second

    def seats(self, session: int, round_number: int) -> tuple[int, ...]:
        """The seats with a bet."""
        rng = self._rng("seats", session, round_number)
        count = rng.randint(1, MOST_SEATS)
        return tuple(sorted(rng.sample(range(1, self.seats_at_table + 1), count)))

    def further_cards(self, session: int, round_number: int, seats: tuple[int, ...]) -> tuple[int, ...]:
        """Who of those that play gets a further card, in order; seat 0 is the bank, after all players."""
        rng = self._rng("further", session, round_number)
        players = [seat for seat in seats for _ in range(rng.choice((0, 0, 1, 1, 2)))]
        return (*players, *[0] * rng.choice((0, 1, 1)))

    def leaves_in_rack(self, session: int, round_number: int) -> bool:
        """Whether the cards of this round wait in the rack for the next (pt.bj.60a)."""
        return self._rng("leave", session, round_number).random() < 0.1

    def complaint(self, session: int, round_number: int) -> int | None:
        """The seat whose player complains once the cards are collected."""
        rng = self._rng("complaint", session, round_number)
        return rng.choice(self.seats(session, round_number)) if rng.random() < 0.06 else None

    def upholds(self, session: int, round_number: int) -> bool:
        """How the chief supervisor decides a complaint."""
        return self._rng("upheld", session, round_number).random() < 0.4

    def damaged_card(self, session: int, round_number: int) -> int | None:
        """Which of the round's cards (1 is the first) turns out to be damaged."""
        rng = self._rng("damaged", session, round_number)
        return rng.randint(1, 3) if rng.random() < 0.03 else None

    def breaks_machine(self, jam: int) -> bool:
        """Whether this jam of the machine needs a technician."""
        return self._rng("broken", jam).random() < 0.25
