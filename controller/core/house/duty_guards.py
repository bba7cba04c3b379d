"""Guards of duties: what is reported is open, and has a reference."""

from controller.core.house import acts as a
from controller.core.house.guard import ActGuard
from controller.core.house.state import State

_LONGEST_REFERENCE = 80


def is_a_reference(text: str) -> bool:
    """Something by which the report can be found again."""
    return 0 < len(text.strip()) <= _LONGEST_REFERENCE


DUTY_IS_OPEN = ActGuard[State, a.ReportDuty](
    "duty_is_open",
    "pt.bj.51b",
    lambda state, act: any(duty.id == act.duty for duty in state.house.duties),
    possible=lambda state: bool(state.house.duties),
)
REFERENCE_IS_GIVEN = ActGuard[State, a.ReportDuty](
    "reference_is_given", "pt.bj.51b", lambda _state, act: is_a_reference(act.reference)
)
