"""The hands of a round and their stakes, as people have bet and decided, at a table that follows hands.

The module worth.py computes all results from these records and the round's cards.
"""

from collections.abc import Iterable
from enum import StrEnum
from fractions import Fraction
from typing import Final

from msgspec import Struct

from controller.core import choices as c
from controller.core.custody.state import Card
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.hand import HandEnd
from controller.core.games.blackjack.money import Amount, Payment
from controller.core.games.blackjack.settling import (
    Bet,
)
from controller.core.games.blackjack.side_bets import (
    SideBet,
)
from controller.core.hand_rules import NOTHING, HandRules, Rate
from controller.core.words import Cents

_TWO: Final = 2


class Bettor(Struct, frozen=True, gc=False):
    """A player who bets. `number`: a number that only he has in the round; `seat`: None for a standing player."""

    number: int
    seat: int | None = None


class Laid(Struct, frozen=True, gc=False):
    """One bet on a place."""

    bettor: Bettor
    amount: Cents


class BettingPlace(Struct, frozen=True, gc=False):
    """A marked place: the player who sits there, and the bets in order from the bank outward."""

    seat: int
    holder: Bettor | None = None
    bets: tuple[Laid, ...] = ()

    def sum_of(self, bettor: Bettor | None) -> Cents:
        """The cents of one player's bets there; of all players' for None."""
        return Cents(sum(one.amount for one in self.bets if bettor is None or one.bettor == bettor))


def decider(place: BettingPlace, rules: HandRules) -> Bettor | None:
    """The player who decides for all bets of a place; None without bets.

    pt.bj.15b, pt.bj.16b, pt.bj.16c, house.7b, mo.20.1, br.players.2.
    """
    if not place.bets:
        return None
    match rules.figures.shared_place:
        case c.SharedPlace.HOLDER:
            return place.holder or _highest(place)[0]
        case c.SharedPlace.SEATED | c.SharedPlace.SEATED_OF_FEW:
            return place.holder or place.bets[0].bettor
        case c.SharedPlace.HIGHEST:
            highest = _highest(place)
            return highest[0] if len(highest) == 1 else place.holder or highest[0]


def _highest(place: BettingPlace) -> list[Bettor]:
    """The players with the highest bet, of equal ones the lowest seat first, standing players last."""
    bettors = list(dict.fromkeys(one.bettor for one in place.bets))
    most = max(place.sum_of(bettor) for bettor in bettors)
    highest = [bettor for bettor in bettors if place.sum_of(bettor) == most]
    return sorted(highest, key=lambda one: (one.seat is None, one.seat or 0))


class HandId(Struct, frozen=True, gc=False):
    """The identity of a hand: its seat and its number there, 1 as dealt, a higher number for a hand from a pair."""

    seat: int
    index: int = 1


def shown(hand: HandId) -> str:
    """The text for a hand: its seat, and for a later hand of the seat `/` and its number."""
    return f"{hand.seat}/{hand.index}" if hand.index > 1 else str(hand.seat)


class Insurance(Struct, frozen=True, gc=False):
    """One player's stake against the bank's blackjack."""

    bettor: int
    amount: Cents


class SideStake(Struct, frozen=True, gc=False):
    """One side bet on a place.

    `of`: the number of the hand for whose next pair a new stake was laid, where the profile offers one, else None;
    `hands`: the number of the place's hands at that time.
    """

    seat: int
    bettor: int
    kind: SideBet
    stake: Cents
    pairs: int | None = None  # pairs won before it was taken down; None: it stays up
    of: int | None = None
    hands: int = 1


class Waiting(StrEnum):
    """The turn of a hand whose decision was taken back after later hands had played."""

    LAST = "last"  # after all other hands
    NEXT = "next"  # after a hand that plays already, before those that do not


class PlayedHand(Struct, frozen=True, gc=False):
    """A hand's stakes and decisions; `kept`: its cards, once they lie in the rack."""

    id: HandId
    bets: tuple[Bet, ...]
    holder: int  # the player who decides
    is_split: bool = False
    is_doubled: bool = False
    has_stood: bool = False
    end: HandEnd | None = None
    insurances: tuple[Insurance, ...] = ()
    kept: tuple[Card, ...] | None = None
    waits: Waiting | None = None  # it was passed over after a withdrawn decision


class Decided(Struct, frozen=True, gc=False):
    """People's decision on another amount, since no chips make up the right amount."""

    hand: HandId
    bettor: int
    payment: Payment
    paid: Cents


class Stakes(Struct, frozen=True, gc=False):
    """The stakes of a round, and its hands in their order of play."""

    places: tuple[BettingPlace, ...] = ()
    side: tuple[SideStake, ...] = ()
    hands: tuple[PlayedHand, ...] = ()
    decided: tuple[Decided, ...] = ()


class Brings(Struct, frozen=True, gc=False):
    """The result of one stake: its player, its hand, and the amount with its reason.

    `paid`: the amount that people have decided instead, where no chips make it up.
    """

    hand: HandId
    bettor: int
    amount: Amount
    paid: Cents | None = None

    @property
    def brought(self) -> Fraction:
        """The cents, with fractions, positive where the player is paid, negative where he loses."""
        if self.paid is None:
            return self.amount.exact
        return Fraction(self.paid if self.amount.exact > 0 else -self.paid)


class Takings(Struct, frozen=True, gc=False):
    """The bank's result of all settled rounds, in cents, and the amounts of the last round."""

    bank: Rate = NOTHING
    last: tuple[Brings, ...] = ()


def hands_of(places: tuple[BettingPlace, ...], rules: HandRules) -> tuple[PlayedHand, ...]:
    """The hands that begin with these bets, in the order of the seats; a player's bets on a place count as one."""
    return tuple(
        PlayedHand(
            HandId(place.seat),
            tuple(Bet(one.number, place.sum_of(one)) for one in dict.fromkeys(laid.bettor for laid in place.bets)),
            holder.number,
        )
        for place in places
        if (holder := decider(place, rules)) is not None
    )


def changed_hand(stakes: Stakes, changed: PlayedHand, *then: PlayedHand) -> Stakes:
    """The stakes with the hand `changed` in its place, followed by the hands `then` that come from it."""
    hands = tuple(new for one in stakes.hands for new in ((changed, *then) if one.id == changed.id else (one,)))
    return replace(stakes, hands=hands)


def settled_takings(takings: Takings, brought: tuple[Brings, ...]) -> Takings:
    """The takings after one more settled round; `brought`: the results of its stakes."""
    bank = Fraction(takings.bank.pays, takings.bank.of) - total_of(brought)
    return Takings(Rate(bank.numerator, bank.denominator), brought)


def total_of(amounts: Iterable[Brings], *, bettor: int | None = None, seat: int | None = None) -> Fraction:
    """The sum of these amounts in cents, for all players, one player or one seat."""
    meant = (one for one in amounts if bettor in {None, one.bettor} and seat in {None, one.hand.seat})
    return sum((one.brought for one in meant), Fraction(0))
