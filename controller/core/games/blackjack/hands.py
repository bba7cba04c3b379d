"""The records of a round's hands and stakes: people's bets and decisions, at a table that tracks hands.

worth.py computes all results from these records and the cards.
"""

from collections.abc import Iterable
from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias

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


class Bettor(Struct, frozen=True, gc=False):
    """A player who bets. `number`: the player's own number in the round. `seat`: the player's seat; None for a player
    without a seat.
    """

    number: int
    seat: int | None = None


class Laid(Struct, frozen=True, gc=False):
    """One bet on a place."""

    bettor: Bettor
    amount: Cents


class BettingPlace(Struct, frozen=True, gc=False):
    """A betting place at a seat. `holder`: the player who sits there; None for a vacant place. `bets`: the bet nearest
    to the bank first.
    """

    seat: int
    holder: Bettor | None = None
    bets: tuple[Laid, ...] = ()

    def sum_of(self, bettor: Bettor | None) -> Cents:
        """Returns the sum in cents of the bets of `bettor` on this place; for None the sum of all bets."""
        return Cents(sum(one.amount for one in self.bets if bettor is None or one.bettor == bettor))


def decider(place: BettingPlace, rules: HandRules) -> Bettor | None:
    """Returns the player who decides for all bets on the place; None without bets (pt.bj.15b, pt.bj.16b, pt.bj.16c,
    house.7b, mo.20.1, br.players.2).
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
    """Returns the players with the highest bet on the place, ordered by seat. Players without a seat are last."""
    bettors = list(dict.fromkeys(one.bettor for one in place.bets))
    most = max(place.sum_of(bettor) for bettor in bettors)
    highest = [bettor for bettor in bettors if place.sum_of(bettor) == most]
    return sorted(highest, key=lambda one: (one.seat is None, one.seat or 0))


class HandId(Struct, frozen=True, gc=False):
    """Identifies a hand by its seat and by its number at the seat (1 as dealt, higher after a split)."""

    seat: int
    index: int = 1


def shown(hand: HandId) -> str:
    """Returns a hand as text: `3` for the first hand of seat 3, `3/2` for its second."""
    return f"{hand.seat}/{hand.index}" if hand.index > 1 else str(hand.seat)


class Insurance(Struct, frozen=True, gc=False):
    """A player's insurance against the bank's blackjack, with its amount in cents."""

    bettor: int
    amount: Cents


class SideStake(Struct, frozen=True, gc=False):
    """A side bet on a place. `of`: for a stake laid on the next pair after a split, the number of that hand; else None.
    `hands`: the number of hands that the seat had when the stake was laid.
    """

    seat: int
    bettor: int
    kind: SideBet
    stake: Cents
    pairs: int | None = None  # pairs won before it was taken down; None: it stays up
    of: int | None = None
    hands: int = 1


class Waiting(StrEnum):
    """The point at which a hand gets its turn again, if its decision was taken back after later hands had played."""

    LAST = "last"  # after all other hands
    NEXT = "next"  # after a hand that plays already, before those that do not


class PlayedHand(Struct, frozen=True, gc=False):
    """The record of a hand: its bets and decisions. `kept`: the hand's cards after the collection; None before."""

    id: HandId
    bets: tuple[Bet, ...]
    holder: int  # the player who decides
    is_split: bool = False
    is_doubled: bool = False
    has_stood: bool = False
    end: HandEnd | None = None
    insurances: tuple[Insurance, ...] = ()
    kept: tuple[Card, ...] | None = None
    waits: Waiting | None = None  # it was passed over after a withdrawn decision, or by the bank (`turn_given_back`)


class Decided(Struct, frozen=True, gc=False):
    """People's decision to pay or take `paid` cents, in place of an amount that no chips make up."""

    hand: HandId
    bettor: int
    payment: Payment
    paid: Cents


class Stakes(Struct, frozen=True, gc=False):
    """The bets of a round, and its hands in their order of play."""

    places: tuple[BettingPlace, ...] = ()
    side: tuple[SideStake, ...] = ()
    hands: tuple[PlayedHand, ...] = ()
    decided: tuple[Decided, ...] = ()


class Brings(Struct, frozen=True, gc=False):
    """The result of one stake: its hand, its player, and the amount with the reason for it. `paid`: the amount that
    people decided instead of an amount that no chips make up; None without a decision.
    """

    hand: HandId
    bettor: int
    amount: Amount
    paid: Cents | None = None

    @property
    def brought(self) -> Fraction:
        """Returns the exact result in cents: positive if the player is paid, negative if the player loses."""
        if self.paid is None:
            return self.amount.exact
        return Fraction(self.paid if self.amount.exact > 0 else -self.paid)


def without(some: tuple[Brings, ...], others: tuple[Brings, ...], *, as_decided: bool = False) -> tuple[Brings, ...]:
    """Returns the results in `some` that `others` lacks. Each result in `others` cancels one in `some`.

    Two results match if hand, player, payment and amount are equal. `as_decided`: if True, the amount that people
    decided instead must be equal, too.
    """
    left = [_kind(one, as_decided=as_decided) for one in others]
    return tuple(one for one in some if not _taken_from(left, _kind(one, as_decided=as_decided)))


_Kind: TypeAlias = tuple[HandId, int, Payment, Fraction, Cents | None]


def _kind(one: Brings, *, as_decided: bool) -> _Kind:
    return one.hand, one.bettor, one.amount.payment, one.amount.exact, one.paid if as_decided else None


def _taken_from(left: list[_Kind], kind: _Kind) -> bool:
    """Removes `kind` from the list once. Returns False if the list lacks it."""
    is_there = kind in left
    if is_there:
        left.remove(kind)
    return is_there


class Takings(Struct, frozen=True, gc=False):
    """The bank's total result of all settled rounds in cents, and the results of the last round's stakes."""

    bank: Rate = NOTHING
    last: tuple[Brings, ...] = ()


def hands_of(places: tuple[BettingPlace, ...], rules: HandRules) -> tuple[PlayedHand, ...]:
    """Returns the hands that begin with the bets on `places`. All bets of a player on a place become one bet."""
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
    """Returns the stakes with `changed` in place of the hand with the same id, followed by the new hands `then`."""
    hands = tuple(new for one in stakes.hands for new in ((changed, *then) if one.id == changed.id else (one,)))
    return replace(stakes, hands=hands)


def settled_takings(takings: Takings, brought: tuple[Brings, ...]) -> Takings:
    """Returns the takings after one more round; `brought`: the results of its stakes."""
    bank = Fraction(takings.bank.pays, takings.bank.of) - total_of(brought)
    return Takings(Rate(bank.numerator, bank.denominator), brought)


def total_of(amounts: Iterable[Brings], *, bettor: int | None = None, seat: int | None = None) -> Fraction:
    """Returns the sum of `amounts` in cents. With `bettor` or `seat`, counts only results of that player or seat."""
    meant = (one for one in amounts if bettor in {None, one.bettor} and seat in {None, one.hand.seat})
    return sum((one.brought for one in meant), Fraction(0))
