"""The cards that a drill deals more often than chance would: a pair at a seat, a blackjack, an ace of the bank."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from controller.core.words import Purpose
from simulators.people.choices import Choices
from simulators.people.hands import PullCard
from simulators.people.mislaid import Laid

TENS: Final = frozenset({"10", "J", "Q", "K"})
LOW: Final = frozenset({"2", "3", "4", "5", "6", "7", "8", "9"})
ANY: Final[frozenset[str]] = frozenset()

_FIRST_TWO: Final = 2


class Stack(Struct, frozen=True):
    """The ranks that a drill gives to the first cards of a round.

    `bank`: ranks for the bank's first card; `first` and `second`: for the first two cards of a seat. `is_pair`: the
    second card has the rank of the first. `bank_share`, `seat_share`: the shares of rounds, and of seats' hands, that
    get these ranks.
    """

    bank: frozenset[str] = ANY
    bank_share: float = 1.0
    first: frozenset[str] = ANY
    second: frozenset[str] = ANY
    is_pair: bool = False
    seat_share: float = 1.0

    def ranks(self, pull: PullCard, table: Sequence[Laid], choices: Choices) -> frozenset[str]:
        """Returns the ranks that the card drawn by `pull` may have. Empty if any card will do."""
        if self is CHANCE or pull.seat is None or pull.purpose not in {Purpose.SEAT, Purpose.BANK}:
            return ANY
        lying = [laid.card.face[:-1] for laid in table if laid.seat == pull.seat]
        share = self.seat_share if pull.seat else self.bank_share
        is_stacked = choices.wish(pull.session, pull.round_number, "stack", pull.seat) < share
        if not is_stacked or len(lying) >= _FIRST_TWO:
            return ANY
        if not pull.seat:
            return ANY if lying else self.bank
        if not lying:
            return self.first
        return frozenset(lying) if self.is_pair else self.second


CHANCE: Final = Stack()
"""The cards come as chance gives them."""
