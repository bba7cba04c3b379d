"""The rules for the bank's own hand: when it must draw, and when it may not because no player's bet needs its cards."""

from collections.abc import Iterable
from typing import Final

from controller.core.custody.state import Card
from controller.core.games.blackjack.hand import Answer, Hand, PlayRule, is_blackjack, is_live
from controller.core.games.blackjack.values import hand_points, is_soft
from controller.core.hand_rules import HandFigures, HandRules

SOMEBODY_IS_IN_PLAY: Final = PlayRule("somebody_is_in_play")
BANK_IS_BELOW_ITS_TOTAL: Final = PlayRule("bank_is_below_its_total")
BANK_HAS_ITS_TOTAL: Final = PlayRule("bank_has_its_total")

_TWO = 2


def is_below_its_total(cards: tuple[Card, ...], figures: HandFigures) -> bool:
    """True if the bank must draw with `cards` (pt.bj.19c, mo.6.1a, br.play.8a). An ace counts 11 if the points then
    stay within 21 (pt.bj.6a2).
    """
    total = hand_points(cards)
    if total == figures.bank_stands_from and figures.bank_draws_on_soft:
        return is_soft(cards)
    return total < figures.bank_stands_from


def may_bank_draw(cards: tuple[Card, ...], hands: Iterable[Hand], rules: HandRules, *, is_insured: bool) -> Answer:
    """Returns the rule that forbids a card for the bank; None if the bank may draw. `hands`: all hands of the round.

    The bank gets its second card if any hand or an insurance waits for it. The bank gets a later card only below the
    total at which it stops, and only if a hand other than a blackjack waits (pt.bj.22b).
    """
    figures = rules.figures
    if len(cards) < _TWO:
        is_awaited = is_insured or any(map(is_live, hands))
    elif not is_below_its_total(cards, figures):
        return BANK_IS_BELOW_ITS_TOTAL
    else:
        is_awaited = any(is_live(hand) and not is_blackjack(hand, figures) for hand in hands)
    return None if is_awaited else SOMEBODY_IS_IN_PLAY


def may_bank_stand(cards: tuple[Card, ...], hands: Iterable[Hand], rules: HandRules, *, is_insured: bool) -> Answer:
    """Returns the rule that forbids ending the bank's hand; None if the hand may end. A bank that may draw has to."""
    if may_bank_draw(cards, hands, rules, is_insured=is_insured) is None:
        return BANK_HAS_ITS_TOTAL
    return None


def cards_in_vain(
    cards: tuple[Card, ...], dealt: int, hands: tuple[Hand, ...], rules: HandRules, *, is_insured: bool
) -> int:
    """Returns the number of the bank's last cards for which no hand waited. `dealt`: the number of the bank's first
    cards that belong to the deal. These do not count.
    """
    for count in range(dealt, len(cards)):
        if may_bank_draw(cards[:count], hands, rules, is_insured=is_insured) == SOMEBODY_IS_IN_PLAY:
            return len(cards) - count
    return 0
