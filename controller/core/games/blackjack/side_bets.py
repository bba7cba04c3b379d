"""The results of Macau's side bets: any pair, sevens, over and under 13. Cards alone decide these results."""

from enum import StrEnum, unique

from controller.core.custody.state import Card, suit_of
from controller.core.games.blackjack.hand import ACE, SEVEN, is_rank_pair
from controller.core.games.blackjack.money import Amount, Payment, pay
from controller.core.games.blackjack.values import card_value, hard_points
from controller.core.hand_rules import HandFigures, HandRules
from controller.core.words import Cents

_TEN_MORE = 10


@unique
class SideBet(StrEnum):
    ANY_PAIR = "any-pair"
    SEVENS = "sevens"
    OVER = "over"
    UNDER = "under"


def settle_any_pair(first: Card, second: Card, stake: Cents, rules: HandRules, *, is_split: bool = False) -> Amount:
    """Returns the amount of a stake on any pair (mo.13.1.1, mo.13.1.2, mo.14.1). The two cards are the first two of a
    seat or, with `is_split`, of a hand after a split.
    """
    payment = Payment.ANY_PAIR if is_rank_pair(first, second) else Payment.SIDE_BET_LOST
    return pay(payment, stake, rules, ("any_pair_new_stake",) if is_split else ())


def settle_sevens(dealt: tuple[Card, ...], stake: Cents, rules: HandRules, *, is_split: bool) -> Amount:
    """Returns the amount of a stake on sevens. Only the highest combination is paid (mo.13.2.1, mo.13.2.2, mo.14.2).
    `dealt`: the seat's first cards in order.

    The result is final once two sevens can no longer be split: the next card after a split belongs to them.
    """
    return pay(_sevens(dealt, is_split=is_split), stake, rules)


def _sevens(dealt: tuple[Card, ...], *, is_split: bool) -> Payment:
    if [card_value(card) for card in dealt[:2]] != [SEVEN, SEVEN]:
        return Payment.SIDE_BET_LOST
    if is_split and len(dealt) > 2 and card_value(dealt[2]) == SEVEN:
        return Payment.THREE_SEVENS_SUITED if _are_suited(dealt[:3]) else Payment.THREE_SEVENS
    return Payment.SEVENS_SUITED if _are_suited(dealt[:2]) else Payment.SEVENS


def _are_suited(cards: tuple[Card, ...]) -> bool:
    return len({suit_of(card) for card in cards}) == 1


def settle_over_under(bet: SideBet, first: Card, second: Card, stake: Cents, rules: HandRules) -> Amount:
    """Returns the amount of a stake on the first two cards being over or under 13. A total of 13 loses (mo.13.3,
    mo.14.3).
    """
    figures = rules.figures
    totals = _totals((first, second), figures)
    limit = figures.over_under_total
    won = max(totals) > limit if bet is SideBet.OVER else min(totals) < limit
    why = ("over_under_ace_either",) if ACE in map(card_value, (first, second)) else ()
    return pay(Payment.OVER_UNDER if won else Payment.SIDE_BET_LOST, stake, rules, why)


def _totals(cards: tuple[Card, Card], figures: HandFigures) -> tuple[int, ...]:
    hard = hard_points(cards)
    aces = sum(card_value(card) == ACE for card in cards) if figures.over_under_ace_either else 0
    return tuple(hard + _TEN_MORE * count for count in range(aces + 1))
