"""Before a shuffler runs out, it counts its slots: a card that went in uncounted does not stay inside."""

import pytest

from controller.core.custody.closing import BeginUnloading
from controller.core.custody.counting import StateCount
from controller.core.custody.desired import of_shuffler
from controller.core.custody.opening import ConfirmTakenOut, TakeOutLoading
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.table import TABLE
from controller.core.house.attendance import SignIn
from controller.core.house.deciding import next_of
from controller.core.house.facts import TimerFired
from controller.core.house.hold_acts import AttendHold, ClearHold, ConfirmHold
from controller.core.house.plain_session import IndicateClosing
from controller.core.words import HoldKind, Operation
from tests.core.table import CHIEF, DEALER, CoreTable


@pytest.fixture
def table() -> CoreTable:
    table = CoreTable()
    table.connect()
    return table


def slots_really_hold(table: CoreTable, cards: int) -> None:
    """Sets what the next recount finds in the slots; the shuffler reports nothing yet."""
    table.status = replace(table.status, inside=cards)


def test_a_failed_loading_is_taken_out_to_the_last_card_in_the_slots(table: CoreTable) -> None:
    table.display_and_mix()
    table.load(156, 155)  # the last card went in uncounted
    recounts = table.status.recounts
    slots_really_hold(table, 312)
    table.act(TakeOutLoading, CHIEF)
    assert table.status.recounts == recounts + 1
    table.wait(2_000)
    hold = count_hold(table)
    table.act(AttendHold, CHIEF, hold=hold)
    table.act(StateCount, CHIEF, rack=0, table=0, pending=0, in_hand=0, outside=0)
    table.act(ClearHold, CHIEF, hold=hold)
    table.act(ConfirmHold, CHIEF, hold=hold)
    for _ in range(312):
        assert of_shuffler(table.state).unload
        table.count_out()
    table.act(ConfirmTakenOut, CHIEF)


def test_unloading_begins_with_a_recount(table: CoreTable) -> None:
    table.open()
    recounts = table.status.recounts
    table.act(IndicateClosing, DEALER)
    table.act(SignIn, CHIEF, operation=Operation.UNLOADING)
    table.act(BeginUnloading, DEALER)
    assert table.status.recounts == recounts + 1
    assert not table.state.house.holds


def count_hold(table: CoreTable) -> int:
    """Fires the timer of a difference between book and slots, and returns the number of the hold that it raises."""
    due = next_of(TABLE.deadlines, table.state)
    assert due is not None
    table.put(TimerFired(due[1]))
    assert [hold.kind for hold in table.state.house.holds] == [HoldKind.COUNT]
    return table.state.house.holds[0].id
