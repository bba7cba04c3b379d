"""Duties: reports that people still owe (pt.bj.51b)."""

from typing import Any

from controller.core.engine.act import Act
from controller.core.engine.decision import Values
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import ActGuard, ActRule, Case
from controller.core.house.state import Duty, State, StateT, with_house
from controller.core.house.undoing import Never, never
from controller.core.words import DutyId, DutyKind, Role, TableMs


class ReportDuty(Act, frozen=True):
    duty: DutyId
    reference: str


def open_duty(state: StateT, kind: DutyKind, who: Role, at_ms: TableMs, details: Values = ()) -> StateT:
    """The state with a new duty of the kind `kind` for the post `who`. A session that ends while a duty is open has no
    final report (pt.bj.51b).
    """
    duty = Duty(DutyId(state.house.last_duty + 1), kind, who, at_ms, details)
    return with_house(state, duties=(*state.house.duties, duty), last_duty=duty.id)


def look_into(state: StateT, kind: DutyKind, at_ms: TableMs) -> StateT:
    """The state with a duty of this kind for the room manager. Unchanged if such a duty is open."""
    if any(duty.kind is kind for duty in state.house.duties):
        return state
    return open_duty(state, kind, Role.ROOM_MANAGER, at_ms)


_LONGEST_REFERENCE = 80


def is_a_reference(text: str) -> bool:
    """True for a text of 1 to 80 characters, not counting blanks at its ends."""
    return 0 < len(text.strip()) <= _LONGEST_REFERENCE


DUTY_IS_OPEN = ActGuard[State, ReportDuty](
    "duty_is_open",
    lambda state, act: any(duty.id == act.duty for duty in state.house.duties),
    possible=lambda state: bool(state.house.duties),
)
REFERENCE_IS_GIVEN = ActGuard[State, ReportDuty](
    "reference_is_given", lambda _state, act: is_a_reference(act.reference)
)


def _is_of_a_damaged_card(state: State, act: ReportDuty) -> bool:
    return all(duty.id != act.duty or duty.kind is DutyKind.REPORT_DAMAGED_CARD for duty in state.house.duties)


def report_duty(state: StateT, act: ReportDuty, _at_ms: TableMs) -> StateT:
    left = tuple(duty for duty in state.house.duties if duty.id != act.duty)
    return with_house(state, duties=left, closing_final=state.house.closing_final or not left)


DUTY_RULES: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "report-duty",
        ReportDuty,
        (Role.ROOM_MANAGER,),
        report_duty,
        (DUTY_IS_OPEN, REFERENCE_IS_GIVEN),
        who_case=Case("damaged-card", _is_of_a_damaged_card),
        undone=never(Never.SAID),
        money=Money.NONE,
        manner=Manner.DECIDES,
    ),
)
