"""Collects all rows of blackjack (acts, facts, watches, tells) in one registry."""

from functools import partial
from typing import Any, Final

from controller.core.custody.agreement import CORRECTIONS_ARE_AGREED
from controller.core.custody.desired import SHOE_RULE, SHUFFLER_RULE
from controller.core.custody.evidence import EVIDENCE_GUARDS, is_met
from controller.core.custody.putting_back import PUTTING_BACK_ACTS
from controller.core.custody.rows import (
    CLOSING_RULES,
    COMPLAINT_RULES,
    CORRECTION_RULES,
    CUSTODY_DEADLINES,
    CUSTODY_FACTS,
    OPENING_RULES,
    STATEMENT_RULES,
)
from controller.core.custody.turning import turning_acts
from controller.core.engine.act import Act, Fact
from controller.core.games.blackjack.amounts import AMOUNT_ACTS
from controller.core.games.blackjack.bets.place import BETTING_ACTS
from controller.core.games.blackjack.bets.seats import TAKING_ACTS
from controller.core.games.blackjack.bets.side import SIDE_BET_ACTS
from controller.core.games.blackjack.correcting import (
    AddHandEntry,
    CorrectHandEntry,
    asked_again,
    drawn_in_vain,
    ended_by_standing,
    passed_over,
)
from controller.core.games.blackjack.deal import ANNOUNCING_ACTS
from controller.core.games.blackjack.decisions.doubling import DOUBLING
from controller.core.games.blackjack.decisions.even_money import EVEN_MONEY
from controller.core.games.blackjack.decisions.five_cards import FIVE_CARDS
from controller.core.games.blackjack.decisions.insurance import INSURING
from controller.core.games.blackjack.decisions.splitting import SPLITTING
from controller.core.games.blackjack.decisions.surrender import SURRENDERING
from controller.core.games.blackjack.decisions.turns import DRAWING_ACTS, EVERY_HAND_IS_OVER, STANDING
from controller.core.games.blackjack.follows import TELLS, WATCHES
from controller.core.games.blackjack.jackpot.bets import (
    JACKPOT_BET_ACTS,
    RAISING_ACTS,
    PlaceJackpotBet,
    WithdrawJackpotBet,
)
from controller.core.games.blackjack.jackpot.prizes import PRIZE_ACTS
from controller.core.games.blackjack.jackpot.slots import MARKING_ACTS, SLOTS_RULE
from controller.core.games.blackjack.jackpot.unseen import UNSEEN_ACTS
from controller.core.games.blackjack.play import BLACKJACK as BLACKJACK  # gives the round its functions
from controller.core.games.blackjack.settlement import SETTLING_ACTS
from controller.core.games.blackjack.state import BlackjackState, initial_state
from controller.core.house.attendance import HOUSE_DEADLINES, PEOPLE_RULES
from controller.core.house.clocks import CLOCK_RULES
from controller.core.house.controller_facts import HOUSE_FACTS
from controller.core.house.correct_entry import DIFFERENCES_ARE_SETTLED, correcting_rules
from controller.core.house.deciding import timer_rule
from controller.core.house.duties import DUTY_RULES
from controller.core.house.hold_acts import on_hold_rules
from controller.core.house.hold_table import Evidence
from controller.core.house.jackpot_acts import JACKPOT_HOUSE_RULES
from controller.core.house.jackpot_moving import JACKPOT_MOVING_RULES
from controller.core.house.linked_acts import LINKED_DEADLINE, LINKED_FACTS, linked_acts
from controller.core.house.recordings import RECORDING_RULES
from controller.core.house.registry import Registry
from controller.core.house.rule import ActRule
from controller.core.house.shift_acts import SHIFT_RULES
from controller.core.house.sign import SIGN_DEADLINE, SIGN_RULES
from controller.core.house.wanted import DISPLAY_RULE

ACT_RULES: tuple[ActRule[Any, Any], ...] = (
    *PEOPLE_RULES,
    *OPENING_RULES,
    *TAKING_ACTS,
    *ANNOUNCING_ACTS,
    *DRAWING_ACTS,
    *turning_acts(EVERY_HAND_IS_OVER),
    *SETTLING_ACTS,
    *PUTTING_BACK_ACTS,
    *BETTING_ACTS,
    *SIDE_BET_ACTS,
    INSURING,
    EVEN_MONEY,
    SURRENDERING,
    STANDING,
    SPLITTING,
    DOUBLING,
    FIVE_CARDS,
    *JACKPOT_BET_ACTS,
    *MARKING_ACTS,
    *RAISING_ACTS,
    *PRIZE_ACTS,
    *UNSEEN_ACTS,
    *linked_acts(CORRECTIONS_ARE_AGREED, DIFFERENCES_ARE_SETTLED),
    *AMOUNT_ACTS,
    *correcting_rules(lambda: TABLE, ("correct-entry", CorrectHandEntry), ("add-entry", AddHandEntry)),
    *CORRECTION_RULES,
    *on_hold_rules(EVIDENCE_GUARDS),
    *STATEMENT_RULES,
    *COMPLAINT_RULES,
    *DUTY_RULES,
    *CLOCK_RULES,
    *RECORDING_RULES,
    *SHIFT_RULES,
    *SIGN_RULES,
    *JACKPOT_HOUSE_RULES,
    *JACKPOT_MOVING_RULES,
    *CLOSING_RULES,
)
"""The rows in the order of an evening; lists for people have the same order."""


_DEADLINES = (*CUSTODY_DEADLINES, *HOUSE_DEADLINES, SIGN_DEADLINE, LINKED_DEADLINE)

TABLE: Final[Registry[BlackjackState]] = Registry(
    state=BlackjackState,
    initial=initial_state,
    acts=ACT_RULES,
    facts=(*HOUSE_FACTS, timer_rule(_DEADLINES), *CUSTODY_FACTS, *LINKED_FACTS),
    deadlines=_DEADLINES,
    watches=WATCHES,
    tells=TELLS,
    devices=(SHUFFLER_RULE, SHOE_RULE, DISPLAY_RULE, SLOTS_RULE),
    evidence={kind: partial(is_met, kind) for kind in Evidence},
    passed_over=passed_over,
    asked_again=asked_again,
    in_vain=drawn_in_vain,
    ended_by=ended_by_standing,
    chips=(PlaceJackpotBet, WithdrawJackpotBet),
)

ACTS: Final[dict[str, type[Act]]] = {rule.name: rule.act for rule in TABLE.acts}
"""The acts by their names for people, scenarios and the journal."""
NAMES: Final = {rule.act: rule.name for rule in TABLE.acts}
FACTS: Final[dict[str, type[Fact]]] = {rule.name: rule.fact for rule in TABLE.facts}
"""The facts by their names in the journal."""
