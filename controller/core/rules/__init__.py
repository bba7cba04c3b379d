"""Who may do what, when: one row an act, only read elsewhere. A row names roles, clause, the step of session
and round (by the trigger it fires, or where it is at home), the permission that a hold takes away, the guards in order.
"""

from controller.core import acts as a
from controller.core.rules.act_rule import ActRule as ActRule
from controller.core.rules.session import CLOSING_RULES, OPENING_RULES
from controller.core.rules.table import TABLE_RULES

ACT_RULES: tuple[ActRule, ...] = (*OPENING_RULES, *TABLE_RULES, *CLOSING_RULES)

_BY_ACT: dict[type[a.Act], ActRule] = {rule.act: rule for rule in ACT_RULES}


def rule_for(act: a.Act) -> ActRule:
    """The row of this act."""
    return _BY_ACT[type(act)]
