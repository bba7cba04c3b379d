"""Lists the computations for which a law's profile gives clauses: functions by their name, payments
as `payment.NAME`.
"""

from typing import Final

from controller.core.games.roulette.chips import exchange_chips
from controller.core.games.roulette.cloth import Group, bets_of, colour_of
from controller.core.games.roulette.late_chips import exchange_late_chips
from controller.core.games.roulette.payments import Settled, rule_of, settle

COMPUTATIONS: Final = (colour_of, bets_of, settle, Settled.of_player, exchange_chips, exchange_late_chips)
PAYMENTS: Final = tuple(map(rule_of, Group))
