"""Who may do what, when, and what it changes: one row an act. A row names its roles, its clause, the step of session
and round (by the trigger that it fires, or where it is at home), the permission that a hold takes away, the guards in
their order, and its effect.
"""

from typing import Final

from controller.core import acts as a
from controller.core.custody.evidence import EVIDENCE_GUARDS
from controller.core.custody.rules import CLOSING_RULES, OPENING_RULES
from controller.core.custody.statement_rules import STATEMENT_RULES
from controller.core.games.blackjack.play import BLACKJACK as BLACKJACK
from controller.core.games.blackjack.rules import COMPLAINT_RULES, CORRECTION_RULES, ROUND_RULES
from controller.core.house.act_rule import ActRule as ActRule
from controller.core.house.rules import DUTY_RULES, PEOPLE_RULES, on_hold_rules

ACT_RULES: tuple[ActRule[a.Act], ...] = (
    *PEOPLE_RULES,
    *OPENING_RULES,
    *ROUND_RULES,
    *CORRECTION_RULES,
    *on_hold_rules(EVIDENCE_GUARDS),
    *STATEMENT_RULES,
    *COMPLAINT_RULES,
    *DUTY_RULES,
    *CLOSING_RULES,
)
"""In the order in which an evening asks for them; lists that people see keep it."""

_BY_ACT: Final = {rule.act: rule for rule in ACT_RULES}
ACTS: Final = {rule.name: rule.act for rule in ACT_RULES}
"""The acts by the name that people, scenarios and the journal give them."""
NAMES: Final = {rule.act: rule.name for rule in ACT_RULES}


class TwiceDeclaredError(Exception):
    """Two rows have one name, or one act has two rows."""


if not len(ACT_RULES) == len(_BY_ACT) == len(ACTS):
    raise TwiceDeclaredError


def rule_for(act: a.Act) -> ActRule[a.Act]:
    """The row of this act."""
    return _BY_ACT[type(act)]
