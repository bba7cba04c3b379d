"""The comparison of the video recorder's clock with the table's clock, by which video and journal can be aligned.

A person enters a time that the recorder is about to show, and confirms at the moment when the recorder shows it. The
journal's entry has the table's own time of that moment. A reader of the journal computes the difference; no decision
uses it. If the profile demands the comparison (`clock_compared`), each session begins with a duty to make one.
"""

from typing import Any

from controller.core.engine.act import Act
from controller.core.house.duties import open_duty
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import WHILE_OPEN, ActGuard, ActRule
from controller.core.house.state import State, StateT, with_house
from controller.core.house.undoing import AGAIN
from controller.core.setup import Setup
from controller.core.words import DutyKind, Role, SessionPhase, TableMs


class CompareClock(Act, frozen=True):
    """The video recorder's time of day at this moment, as a person sees or hears it."""

    hour: int
    minute: int
    second: int


CLOCK_CAN_SHOW_IT = ActGuard[State, CompareClock](
    "clock_can_show_it", lambda _state, act: act.hour in range(24) and {act.minute, act.second} <= set(range(60))
)


def asks_for_clock(setup: Setup) -> bool:
    return setup.procedure.clock_compared


def watch_clock(before: StateT, after: StateT, at_ms: TableMs) -> StateT:
    """The state `after` an event, with a duty to compare the clock if a session has begun and no such duty is open."""
    begins = before.house.session is SessionPhase.CLOSED is not after.house.session
    if not begins or _is_due(after):
        return after
    return open_duty(after, DutyKind.COMPARE_CLOCK, Role.DEALER, at_ms)


def _is_due(state: State) -> bool:
    return any(duty.kind is DutyKind.COMPARE_CLOCK for duty in state.house.duties)


def compare_clock(state: StateT, _act: CompareClock, _at_ms: TableMs) -> StateT:
    """The state without the duty to compare the clock. Unchanged if no such duty is open."""
    if not _is_due(state):
        return state
    duties = tuple(duty for duty in state.house.duties if duty.kind is not DutyKind.COMPARE_CLOCK)
    return with_house(state, duties=duties)


CLOCK_RULES: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "compare-clock",
        CompareClock,
        (Role.DEALER, Role.TABLE_INSPECTOR, Role.CHIEF_SUPERVISOR),
        compare_clock,
        (CLOCK_CAN_SHOW_IT,),
        in_session=WHILE_OPEN,
        manner=Manner.ATTESTS,
        undone=AGAIN,
        money=Money.NONE,
    ),
)
