"""What may be done now, by whom, and why the rest may not: read off the rows of act_rules.py."""

from controller.core.act_rules import ACT_RULES
from controller.core.acts import NAMES
from controller.core.decide import first_failed
from controller.core.decision import Permitted
from controller.core.state import State


def permitted(state: State) -> tuple[Permitted, ...]:
    """Every act in table order; without a refusal it may be asked for now (its values are checked when it is)."""
    return tuple(Permitted(NAMES[rule.act], rule.who, first_failed(state, None, rule)) for rule in ACT_RULES)
