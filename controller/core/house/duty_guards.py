"""Guards of duties: what is reported is open, and has a reference."""

from controller.core.engine.act import Act
from controller.core.house import acts as a
from controller.core.house.guard import Guard
from controller.core.state import State

_LONGEST_REFERENCE = 80


def is_a_reference(text: str) -> bool:
    """Something by which the report can be found again."""
    return 0 < len(text.strip()) <= _LONGEST_REFERENCE


def _duty_is_open(state: State, act: Act | None) -> bool:
    return any(not isinstance(act, a.ReportDuty) or duty.id == act.duty for duty in state.house.duties)


DUTY_IS_OPEN = Guard("duty_is_open", "pt.bj.51b", _duty_is_open)


def _reference_is_given(_state: State, act: Act | None) -> bool:
    return not isinstance(act, a.ReportDuty) or is_a_reference(act.reference)


REFERENCE_IS_GIVEN = Guard("reference_is_given", "pt.bj.51b", _reference_is_given, needs_act=True)
