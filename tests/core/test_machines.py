"""The state machines of the core: in every profile their cached answers equal those of the library."""

import sys
from types import FrameType
from typing import Any

import pytest

from controller.config.profile import CARD_PROFILES
from controller.config.profile_file import law
from controller.core.custody.round import ROUND
from controller.core.custody.state import SESSION
from controller.core.engine.machine import ProcedureMachine, Row, TableError
from controller.core.house.hold_table import HOLD
from controller.core.house.session_table import PLAIN_SESSION
from controller.core.words import SessionPhase

MACHINES: tuple[ProcedureMachine[Any], ...] = (SESSION, PLAIN_SESSION, ROUND, HOLD)


@pytest.mark.parametrize("profile", CARD_PROFILES)
def test_every_cell_is_what_the_library_says_each_time(profile: str) -> None:
    procedure = law(profile).procedure
    for machine in MACHINES:
        triggers = dict.fromkeys(row.trigger for row in machine.rows)
        for state in machine.states:
            for trigger in triggers:
                kept = [machine.target(procedure, state, trigger) for _ in range(2)]
                rows = [row for row in machine.rows if (row.source, row.trigger) == (state, trigger)]
                meant = [row.target for row in rows if row.stands_in(procedure)]
                assert kept == [machine.asked(procedure, state, trigger)] * 2
                assert kept[0] is (meant[0] if meant else None)


def test_a_table_that_cannot_be_meant_is_none() -> None:
    step, phase = "step", SessionPhase
    there = Row(phase.CLOSED, phase.CLOSED, phase.OPENED)
    back = Row(phase.CLOSED, phase.OPENED, phase.CLOSED)
    ProcedureMachine(step, (there, back), initial=phase.CLOSED)
    for wrong in ((there, there, back), (there,), (back,)):
        with pytest.raises(TableError):
            ProcedureMachine(step, wrong, initial=phase.CLOSED)


class Interrupted:
    """A tracer that interrupts at the n-th line."""

    def __init__(self, at: int) -> None:
        self.left = at

    def __call__(self, _frame: FrameType, event: str, _argument: object) -> "Interrupted":
        if event == "line":
            self.left -= 1
            if self.left == 0:
                sys.settrace(None)
                raise KeyboardInterrupt
        return self


def test_an_interrupt_is_not_swallowed_wherever_it_comes() -> None:
    procedure, row, before = law(CARD_PROFILES[0]).procedure, SESSION.rows[0], sys.gettrace()
    lines = 0
    interrupted = Interrupted(0)
    while interrupted.left <= 0:
        lines += 1
        interrupted, raised = Interrupted(lines), False
        sys.settrace(interrupted)
        try:
            SESSION.asked(procedure, row.source, row.trigger)
        except KeyboardInterrupt:
            raised = True
        finally:
            sys.settrace(before)
        assert raised is (interrupted.left == 0)
    assert lines > 20
