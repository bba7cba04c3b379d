"""The rules of a table of roulette for tests: bets from 5 on, straight bets up to 150, and bets are recorded."""

from controller.config.profile_file import derive, law
from controller.core.choices import NumberOrder
from controller.core.hand_rules import BetLimits
from controller.core.wheel_rules import WheelRules
from controller.core.words import Cents

LIMITS = BetLimits(Cents(500), Cents(15_000), Cents(50))


def rules_of(order: NumberOrder = NumberOrder.FRENCH, *, first_four: bool = False) -> WheelRules:
    chosen = {"number_order": order.value, "first_four": first_four}
    return derive(law("pt-roulette"), "test", chosen).wheel_rules(LIMITS, follows_bets=True)
