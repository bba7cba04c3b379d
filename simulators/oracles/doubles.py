"""The doubles that count at a settlement, from the text of the law alone.

A double may prove forbidden, when a card proves to be another one. People then rule: the double stays, or its card is
taken away together with the double.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from simulators.oracles.settle import Hand, Round, hard_total, total

_TOTALS: Final = (9, 10, 11)
_IN_BRAZIL: Final = "br"
_IN_MACAU: Final = "mo"


def as_ruled(played: Round, stay: Collection[tuple[int, int]], *, on_eleven: bool) -> Round:
    """Returns the round `played` without the forbidden doubles, except those that people have ruled to be valid.
    `stay`: seat and number of each hand whose double stays by a ruling. `on_eleven`: the house has chosen the method by
    which only 11 is doubled (mo.17.2).
    """
    hands = (
        one if (one.seat, one.index) in stay or _may_be_doubled(played, one, on_eleven=on_eleven) else _single(one)
        for one in played.hands
    )
    return replace(played, hands=tuple(hands))


def _single(hand: Hand) -> Hand:
    return replace(hand, doubled=frozenset())


def _may_be_doubled(played: Round, hand: Hand, *, on_eleven: bool) -> bool:
    """True if the law permits a double on the hand's first two cards, or if one of them is unknown.

    They must total 9, 10 or 11 (pt.bj.29a, 31, house.12, br.double.1). In Macau any two cards are enough, or they must
    total 11 (mo.17.1, mo.17.2).
    """
    first = hand.faces[:2]
    if len(first) < 2 or "" in first:
        return True
    if _takes_no_card(played, hand):
        return False
    if played.law == _IN_MACAU:
        return hard_total(first) == 11 if on_eleven else True
    return hard_total(first) in _TOTALS


def _takes_no_card(played: Round, hand: Hand) -> bool:
    """True if the hand gets no card after its first two.

    Such a hand is a blackjack or 21 (pt.bj.18a, 18b, house.9a, mo.6.4.1, br.ex.5), in Brazil only a blackjack; or a
    separated ace (pt.bj.26c, house.11a, mo.16.3, br.pairs.6a).
    """
    first, is_split = hand.faces[:2], len(played.hands_at(hand.seat)) > 1
    if is_split and first[0][0] == "A":
        return True
    return total(first) == 21 and not (is_split and played.law == _IN_BRAZIL)
