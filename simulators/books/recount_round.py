"""One round's cards, recounted from the entries: whose each is, which comes next, what has gone to the rack early."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from simulators.books.rules import BANK, Rules

TABLE: Final = "table"


class Lying(NamedTuple):
    """One card on the table: its seat (0 the bank), and whether the deal gave it."""

    seat: int
    of_the_deal: bool


class RoundCards:
    """From the bets to the rack."""

    def __init__(self, rules: Rules) -> None:
        self.number = 0  # since the cards were loaded
        self.rules = rules
        self._seats: tuple[int, ...] = ()
        self._bets: set[tuple[int, int]] = set()  # seat and bettor, where hands are followed
        self._lying: list[Lying] = []
        self._dealt = 0  # cards of the deal
        self._requested: int | None = None
        self._burned = 0

    def bet(self, seats: Iterable[int], *, is_late: bool) -> None:
        """Who plays; those who bet late join the others (house.4)."""
        self._seats = tuple(sorted({*(self._seats if is_late else ()), *seats}))

    def lay_bet(self, seat: int, bettor: int) -> None:
        """One bet on a place."""
        self._bets.add((seat, bettor))
        self.bet((seat for seat, _ in self._bets), is_late=False)

    def give_back(self, seat: int, bettor: int) -> None:
        """A player's bets on a place are his again."""
        self._bets.discard((seat, bettor))
        self.bet((seat for seat, _ in self._bets), is_late=False)

    def give_all_back(self) -> None:
        """The round does not begin."""
        self._bets.clear()

    def begin(self) -> None:
        """No more bets: the deal."""
        self.number += 1
        self._bets.clear()
        self._lying, self._dealt, self._burned, self._requested = [], 0, 0, None

    def ask(self, seat: int) -> None:
        """A further card is asked for."""
        self._requested = seat

    def next_place(self) -> str | None:
        """Where the card goes that comes now; None: nobody is owed one."""
        if self._burn_is_due():
            self._burned += 1
            return self.rules.burn_place
        order = self._order()
        if self._dealt < len(order):
            self._lying.append(Lying(order[self._dealt], of_the_deal=True))
            self._dealt += 1
            return TABLE
        if self._requested is None:
            return None
        self._lying.append(Lying(self._requested, of_the_deal=False))
        self._requested = None
        return TABLE

    def take_back(self) -> None:
        """The last card was not dealt: it is owed again."""
        if not self._lying:
            return
        last = self._lying.pop()
        if last.of_the_deal:
            self._dealt -= 1
        else:
            self._requested = last.seat

    def collect(self, seat: int) -> int:
        """One hand leaves the table before the others; how many cards it had (pt.bj.58)."""
        left = [card for card in self._lying if card.seat != seat]
        gone, self._lying = len(self._lying) - len(left), left
        return gone

    def _order(self) -> tuple[int, ...]:
        second = () if self.rules.bank_second_later else (BANK,)
        return (*self._seats, BANK, *self._seats, *second)

    def _burn_is_due(self) -> bool:
        """In each round after the first, as the table's rules say (mo.4.2)."""
        if self.number < 2 or self.rules.each_round == "none":
            return False
        of_bank = sum(card.seat == BANK for card in self._lying)
        is_second = self.rules.each_round == "start-and-second" and self._requested == BANK and of_bank == 1
        return self._burned == 0 or (self._burned == 1 and is_second)
