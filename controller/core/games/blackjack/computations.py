"""Lists the computations for which a law's profile gives clauses: functions by their name, payments
as `payment.NAME`.
"""

from typing import Final

from controller.core.games.blackjack.bank import is_below_its_total
from controller.core.games.blackjack.bets.place import may_bet
from controller.core.games.blackjack.decisions.insurance import may_insure, may_insure_with
from controller.core.games.blackjack.hand import is_blackjack, points
from controller.core.games.blackjack.jackpot.cards import conditions, first_cards, wins
from controller.core.games.blackjack.money import Payment, rule_of
from controller.core.games.blackjack.settling import (
    bets_of_doubled_hand,
    bets_of_new_hand,
    result,
    settle_bet,
    settle_insurance,
)
from controller.core.games.blackjack.side_bets import settle_any_pair, settle_sevens
from controller.core.games.blackjack.values import card_value, hand_points
from controller.core.house.pool import begun_anew, hit, next_payment

COMPUTATIONS: Final = (
    card_value,
    hand_points,
    points,
    is_below_its_total,
    is_blackjack,
    result,
    settle_bet,
    may_bet,
    may_insure,
    may_insure_with,
    bets_of_new_hand,
    bets_of_doubled_hand,
    settle_insurance,
    settle_any_pair,
    settle_sevens,
    begun_anew,
    conditions,
    first_cards,
    wins,
    hit,
    next_payment,
)
PAYMENTS: Final = tuple(map(rule_of, Payment))
