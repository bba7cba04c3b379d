"""Even money: a blackjack is paid at once, with an amount equal to its stake (pt.bj.34, mo.10.3)."""

from typing import Final

from controller.core import choices as c
from controller.core.custody.agreement import CORRECTIONS_ARE_AGREED
from controller.core.custody.state import Card
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.decisions.one_hand import (
    BANKS_CARD_IS_KNOWN,
    HAND_IS_SHOWN_TO_CLAIM,
    HandAct,
    decision,
    ended_by,
    hand_meant,
    while_played,
)
from controller.core.games.blackjack.hand import ACE, TEN, Answer, Hand, HandEnd, PlayRule, is_blackjack
from controller.core.games.blackjack.paying import claim_takes_two
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.values import card_value
from controller.core.games.blackjack.worth import Table
from controller.core.hand_rules import HandRules
from controller.core.house.correct_entry import DIFFERENCES_ARE_SETTLED


class TakeEvenMoney(HandAct, frozen=True):
    """A player with a blackjack takes an amount equal to his stake at once."""


EVEN_MONEY_IS_OFFERED: Final = PlayRule("even_money_is_offered")
EVEN_MONEY_IS_PAID_HERE: Final = PlayRule("even_money_is_paid_here")
BLACKJACK_IS_STILL_UNPAID: Final = PlayRule("blackjack_is_still_unpaid")
HAND_IS_A_BLACKJACK: Final = PlayRule("hand_is_a_blackjack")
BANKS_SECOND_IS_UNKNOWN: Final = PlayRule("banks_second_is_unknown")
HAND_IS_NOT_INSURED: Final = PlayRule("hand_is_not_insured")


def may_take_even_money(hand: Hand, up: Card, rules: HandRules, *, second_is_known: bool) -> Answer:
    """Returns the rule that forbids even money on this hand; None if even money is permitted (pt.bj.34, mo.10.3). `up`:
    the bank's open card. `second_is_known`: the bank's second card is known.
    """
    figures = rules.figures
    against = {c.EvenMoney.NEVER: (), c.EvenMoney.ACE: (ACE,), c.EvenMoney.ACE_OR_TEN: (ACE, TEN)}[figures.even_money]
    if card_value(up) not in against:
        return EVEN_MONEY_IS_OFFERED
    if hand.end is not None or not is_blackjack(hand, figures):
        return HAND_IS_A_BLACKJACK
    return BANKS_SECOND_IS_UNKNOWN if second_is_known else None


def _may_take_even_money(_state: BlackjackState, table: Table, act: HandAct) -> Answer:
    meant = hand_meant(table, act)
    if meant is None or table.up is None:
        return None
    played, hand = meant
    rule = may_take_even_money(hand, table.up, table.rules, second_is_known=table.second_is_known)
    if rule == EVEN_MONEY_IS_OFFERED:
        return _not_offered(hand, table.rules)
    return HAND_IS_NOT_INSURED if rule is None and played.insurances else rule


def _not_offered(hand: Hand, rules: HandRules) -> PlayRule:
    """Returns the rule that forbids even money: the profile has none, the hand's blackjack was paid at once, or the
    bank's open card does not permit it.
    """
    if rules.figures.even_money is c.EvenMoney.NEVER:
        return EVEN_MONEY_IS_PAID_HERE
    return BLACKJACK_IS_STILL_UNPAID if hand.end is HandEnd.BLACKJACK_PAID else EVEN_MONEY_IS_OFFERED


_NOT_OFFERED: Final = while_played(
    _may_take_even_money, EVEN_MONEY_IS_PAID_HERE, BLACKJACK_IS_STILL_UNPAID, EVEN_MONEY_IS_OFFERED
)
EVEN_MONEY_MAY_BE_TAKEN = (
    *(replace(guard, rule=EVEN_MONEY_IS_OFFERED) for guard in _NOT_OFFERED),
    *while_played(_may_take_even_money, HAND_IS_A_BLACKJACK, BANKS_SECOND_IS_UNKNOWN, HAND_IS_NOT_INSURED),
)


_TAKE: Final = ended_by(HandEnd.EVEN_MONEY)
EVEN_MONEY: Final = decision(
    "take-even-money",
    TakeEvenMoney,
    _TAKE,
    DIFFERENCES_ARE_SETTLED,
    HAND_IS_SHOWN_TO_CLAIM,
    BANKS_CARD_IS_KNOWN,
    *EVEN_MONEY_MAY_BE_TAKEN,
    CORRECTIONS_ARE_AGREED,
    second=claim_takes_two(_TAKE),
)
