"""Unsigned entries that would end something, or count as a person's word, are not taken over from a second copy."""

from collections.abc import Callable
from typing import Final

import pytest

from controller.core.engine.replacing import replace
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.state import Duty, Hold, Presence
from controller.core.house.waiting import Waiting
from controller.core.words import (
    DutyId,
    DutyKind,
    HoldId,
    HoldKind,
    HoldPhase,
    Operation,
    OutageOutcome,
    Role,
    TableMs,
)
from controller.record.unsigned import ends
from tests.core.parts import changed
from tests.core.states_by_hand import in_play
from tests.core.table import CHIEF, DEALER

AT: Final = TableMs(0)
JAM: Final = Hold(HoldId(1), HoldKind.JAM, HoldPhase.RAISED, AT)
COUNT: Final = Hold(HoldId(2), HoldKind.COUNT, HoldPhase.ATTENDED, AT, needs_count=True)
DUTY: Final = Duty(DutyId(1), DutyKind.REPORT_DAMAGED_CARD, Role.CHIEF_SUPERVISOR, AT)
HERE: Final = Presence(DEALER, Role.DEALER, Operation.TABLE, AT, AT)
ASKED: Final = Waiting("pay-jackpot", (), DEALER, Role.DEALER, (Role.CHIEF_SUPERVISOR,), AT)
BEFORE: Final = changed(in_play(), holds=(JAM, COUNT), duties=(DUTY,), present=(HERE,))

Change = Callable[[BlackjackState], BlackjackState]
ACTS: Final[dict[str, Change]] = {
    "attends": lambda state: changed(state, holds=(replace(JAM, phase=HoldPhase.ATTENDED), COUNT)),
    "calls": lambda state: changed(state, holds=(replace(JAM, technician_called=True), COUNT)),
    "counts": lambda state: changed(state, holds=(JAM, replace(COUNT, counted=True))),
    "comes": lambda state: changed(
        state, present=(HERE, Presence(CHIEF, Role.CHIEF_SUPERVISOR, Operation.LOADING, AT, AT))
    ),
    "goes": lambda state: changed(state, present=()),
    "asks first": lambda state: changed(state, waiting=(ASKED,)),
    "proposes": lambda state: changed(state, irregular_proposed_by=CHIEF),
    "states": lambda state: changed(state, outage_said=OutageOutcome.VOIDED),
}
ANYTHING: Final[dict[str, Change]] = {
    "ends a hold": lambda state: changed(state, holds=(COUNT,)),
    "ends a duty": lambda state: changed(state, duties=()),
}
NOTHING: Final[dict[str, Change]] = {
    "raises a hold": lambda state: changed(state, holds=(JAM, COUNT, replace(JAM, id=HoldId(3), kind=HoldKind.LID))),
    "is there still": lambda state: changed(state, present=(replace(HERE, confirmed_ms=TableMs(9)),)),
    "is nothing": lambda state: state,
}


@pytest.mark.parametrize("what", ANYTHING)
@pytest.mark.parametrize("is_act", [True, False])
def test_no_hold_and_no_duty_ends_by_any_entry(what: str, is_act: bool) -> None:
    assert ends(BEFORE, ANYTHING[what](BEFORE), is_act=is_act)


@pytest.mark.parametrize("what", ACTS)
def test_a_persons_act_is_nobodys_word(what: str) -> None:
    after = ACTS[what](BEFORE)
    assert ends(BEFORE, after, is_act=True)
    assert not ends(BEFORE, after, is_act=False), "a fact moves what it moves"


@pytest.mark.parametrize("what", NOTHING)
def test_what_ends_nothing_is_taken_over(what: str) -> None:
    assert not ends(BEFORE, NOTHING[what](BEFORE), is_act=True)
