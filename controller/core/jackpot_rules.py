"""The approved rules of a jackpot: its bet, its increment, its amounts and its pay table (pt.bj.40 to 44).

Rates and parts of the pool are parts per million, so that a percentage with four decimals is a whole number.
"""

from collections.abc import Iterable
from enum import StrEnum, unique
from typing import Final

from msgspec import Struct

from controller.core.words import Cents

CENT: Final = 10_000
"""Millionths of a currency unit in one cent."""

MILLION: Final = 1_000_000
PERCENT_PPM: Final = 10_000
PRIZE: Final = r"([1-9][0-9]?) ([A-Za-z0-9-]{3,40}) (rest|[0-9]{1,9}(?:\.[0-9]{2})?|[0-9]{1,3}(?:\.[0-9]{1,4})?%)"
"""A row of the pay table in people's notation: its rank, its combination, and its amount or part of the pool."""

FEWEST_CARDS: Final = 2
MOST_CARDS: Final = 4

_RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_RED: Final = "DH"
_ANY: Final = "X"


@unique
class Marking(StrEnum):
    """The ways in which jackpot bets are marked (pt.bj.41)."""

    MANUAL = "manual"
    AUTOMATIC = "automatic"


@unique
class Suits(StrEnum):
    """A combination's demand on the suits of its cards."""

    ANY = "any"
    SUITED = "suited"  # all of one suit
    COLOURED = "coloured"  # all red or all black


class Combination(Struct, frozen=True, gc=False):
    """A winning combination: the ranks of its cards in any order, and a condition on their suits.

    The rank `X` matches any rank. `same`: all ranks must be equal.
    """

    ranks: tuple[str, ...]
    suits: Suits = Suits.ANY
    same: bool = False

    def __str__(self) -> str:
        more = (("same",) if self.same else ()) + (() if self.suits is Suits.ANY else (self.suits.value,))
        return "-".join((*self.ranks, *more))


class Prize(Struct, frozen=True, gc=False):
    """One row of the pay table; rank 1 is the lowest. The prize is an amount (`cents`) or a part of the pool
    (`part_ppm`), or the rest of the pool if both are 0.
    """

    rank: int
    combination: Combination
    cents: Cents = Cents(0)
    part_ppm: int = 0

    @property
    def is_largest(self) -> bool:
        return not self.cents and not self.part_ppm

    @property
    def cards(self) -> int:
        """The number of a player's first cards that count for this prize (pt.bj.42)."""
        return len(self.combination.ranks)


class JackpotConditions(Struct, frozen=True, gc=False):
    """The profile's conditions for playing and winning with a jackpot chip. Each field is named as in the profile's
    file.
    """

    jackpot_chip_each_place: bool  # one chip for each place of a player, not one for each player
    jackpot_for_others: bool  # a player who bets on another's place may play for the jackpot there
    jackpot_one_prize: bool  # a chip wins only its highest combination


AS_THE_TEXT_HAS_IT: Final = JackpotConditions(
    jackpot_chip_each_place=False, jackpot_for_others=False, jackpot_one_prize=True
)
"""The conditions of the law's text, which apply if no others are approved."""


class JackpotRules(Struct, frozen=True, gc=False):
    """The rules of one jackpot. `limit`: the most that the pool may have (0: no limit); money beyond the limit goes
    into the overflow. `by_hand_from`: prizes from this amount on are paid by hand, away from the table (0: none).
    """

    marking: Marking
    bet: Cents
    rate_ppm: int
    start: Cents
    reset: Cents
    prizes: tuple[Prize, ...]
    reserve_ppm: int = 0
    limit: Cents = Cents(0)
    by_hand_from: Cents = Cents(0)
    communication: str = ""  # the reference of the communication to the inspectorate (pt.bj.38)
    conditions: JackpotConditions = AS_THE_TEXT_HAS_IT

    def increment(self, rate_ppm: int) -> int:
        """The amount that one bet adds at the rate `rate_ppm`, in millionths of a currency unit. The configuration
        accepts only rates at which this amount is a whole number.
        """
        return self.bet * CENT * rate_ppm // MILLION

    def prize(self, rank: int) -> Prize:
        return self.prizes[rank - 1]

    @property
    def cards(self) -> int:
        """The greatest number of a player's first cards that can count for a prize."""
        return max(prize.cards for prize in self.prizes)


def parse_combination(text: str) -> Combination | None:
    """The combination in a text such as `6-7-8-suited`, `7-7-7` or `X-X-same`. None for other texts."""
    words = text.split("-")
    suits = [Suits(word) for word in words if word in {Suits.SUITED.value, Suits.COLOURED.value}]
    ranks = tuple(word for word in words if word in _RANKS or word == _ANY)
    is_same = words.count("same")
    rightly = len(ranks) + len(suits) + is_same == len(words) and len(suits) <= 1 and is_same <= 1
    if not rightly or not FEWEST_CARDS <= len(ranks) <= MOST_CARDS:
        return None
    if is_same and len({rank for rank in ranks if rank != _ANY}) > 1:
        return None
    return Combination(ranks, suits[0] if suits else Suits.ANY, same=bool(is_same))


def parse_ppm(text: str) -> int | None:
    """Converts the text of a percentage with at most four decimals to parts per million. None for other texts."""
    whole, point, decimals = text.partition(".")
    if not (whole.isdecimal() and len(whole) <= 3) or (point and not (decimals.isdecimal() and len(decimals) <= 4)):
        return None
    return int(whole) * PERCENT_PPM + int(decimals.ljust(4, "0"))


def is_made_of(combination: Combination, cards: Iterable[str]) -> bool:
    """True if these cards are the combination, in any order."""
    cards = tuple(cards)
    ranks, suits = [card[:-1] for card in cards], {card[-1] for card in cards}
    if len(cards) != len(combination.ranks) or (combination.same and len(set(ranks)) > 1):
        return False
    if combination.suits is Suits.SUITED and len(suits) > 1:
        return False
    if combination.suits is Suits.COLOURED and len({suit in _RED for suit in suits}) > 1:
        return False
    left = list(ranks)
    for rank in combination.ranks:
        if rank != _ANY and rank not in left:
            return False
        if rank != _ANY:
            left.remove(rank)
    return True
