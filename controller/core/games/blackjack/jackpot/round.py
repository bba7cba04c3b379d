"""The record of one round's jackpot bets."""

from msgspec import Struct

from controller.core.custody.state import Card
from controller.core.house.pool import Payment
from controller.core.words import Cents


class Chip(Struct, frozen=True, gc=False):
    """A jackpot chip: the seat where it lies, and the number of its player."""

    seat: int
    bettor: int


class KeptCard(Struct, frozen=True, gc=False):
    """A collected card. `at`: the index of the card, from 0, among the cards of its seat in the order of the deal."""

    seat: int
    at: int
    card: Card | None


class RoundJackpot(Struct, frozen=True, gc=False):
    """The jackpot bets of a round. `marked`: the seats whose chips were collected and replaced by markers.

    `rise`: the amount by which the sign must rise for the bets; `raised`: the amount that the dealer entered.
    """

    chips: tuple[Chip, ...] = ()
    marked: tuple[int, ...] = ()
    is_collected: bool = False
    rise: Cents = Cents(0)
    raised: Cents | None = None
    kept: tuple[KeptCard, ...] = ()  # collected cards, which still count
    is_hit: bool = False  # the pool owes this round's wins, or has paid them
    paid: tuple[Payment, ...] = ()  # prizes of this round that were paid


class FirstCards(Struct, frozen=True, gc=False):
    """The first cards of a seat with a jackpot chip, None for an unknown card.

    `is_whole`: no later card can be one of them.
    """

    seat: int
    cards: tuple[Card | None, ...]
    is_whole: bool = False


class Unseen(Struct, frozen=True, gc=False):
    """The jackpot of the last round that an outage has ended, until chips are collected again.

    `chips`, `seen`: of a round that people finished by hand, the chips and the cards that the table knew. `stated`: the
    cards that people have stated since. `paid`: the prizes of the round that were paid, also those paid after it.
    `of_round`: the numbers of its session and its round.
    """

    chips: tuple[Chip, ...] = ()
    seen: tuple[FirstCards, ...] = ()
    stated: tuple[FirstCards, ...] = ()
    paid: tuple[Payment, ...] = ()
    of_round: tuple[int, int] = (0, 0)


def collection_is_owed(jackpot: RoundJackpot) -> bool:
    """True if jackpot chips are laid and not collected. After the announcement they are collected first (pt.bj.48b)."""
    return bool(jackpot.chips) and not jackpot.is_collected
