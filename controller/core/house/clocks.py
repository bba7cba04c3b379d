"""The comparison of the recorder's clock with the table's, so that video and journal can be laid side by side.

A person enters a time that the recorder is about to show, and confirms at the moment when the recorder shows it. The
journal's entry has the table's own time of that moment. A reader of the journal works out the difference; no decision
uses it.
"""

from typing import Any

from controller.core.engine.act import Act
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import WHILE_OPEN, ActGuard, ActRule, unchanged
from controller.core.house.state import State
from controller.core.house.undoing import AGAIN
from controller.core.words import Role


class CompareClock(Act, frozen=True):
    """The recorder's time of day at this moment, as a person sees or hears it."""

    hour: int
    minute: int
    second: int


CLOCK_CAN_SHOW_IT = ActGuard[State, CompareClock](
    "clock_can_show_it", lambda _state, act: act.hour in range(24) and {act.minute, act.second} <= set(range(60))
)

CLOCK_RULES: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "compare-clock",
        CompareClock,
        (Role.DEALER, Role.TABLE_INSPECTOR, Role.CHIEF_SUPERVISOR),
        unchanged,
        (CLOCK_CAN_SHOW_IT,),
        in_session=WHILE_OPEN,
        manner=Manner.ATTESTS,
        undone=AGAIN,
        money=Money.NONE,
    ),
)
