"""The doubles that count at a settlement, from the text of the law alone: a double may prove not allowed, since a card
proves to be another one.

People rule then: the double stays, or its card is taken away, and the double goes with it.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from simulators.oracles.settle import Hand, Round, hard_total, total

_TOTALS: Final = (9, 10, 11)
_IN_BRAZIL: Final = "br"
_IN_MACAU: Final = "mo"


def as_ruled(played: Round, stay: Collection[tuple[int, int]], *, on_eleven: bool) -> Round:
    """Returns the round without the doubles that the cards do not allow and that no person has let stand.

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
    """True if the law allows to double these first two cards, or they are not both known.

    They total 9, 10 or 11 (pt.bj.29a, 31, house.12, br.double.1); in Macau they are any two, or total 11 (mo.17.1,
    mo.17.2).
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
    """True for a hand that has got all its cards with its first two.

    These are a blackjack and 21 (pt.bj.18a, 18b, house.9a, mo.6.4.1, br.ex.5), in Brazil only a blackjack, and a
    separated ace (pt.bj.26c, house.11a, mo.16.3, br.pairs.6a).
    """
    first, is_split = hand.faces[:2], len(played.hands_at(hand.seat)) > 1
    if is_split and first[0][0] == "A":
        return True
    return total(first) == 21 and not (is_split and played.law == _IN_BRAZIL)
