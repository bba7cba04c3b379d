"""The ways to the end of a session: without a reader, with cards left in the rack, with a complaint, by the grid."""

import pytest

from controller.core.custody.closing import (
    BeginUnloading,
    CompleteUnloading,
    ConfirmIrregularClosing,
    ProposeIrregularClosing,
)
from controller.core.custody.complaints import RecordComplaint
from controller.core.custody.counting import StateCardsMoved, StateCount
from controller.core.custody.deck_check import ConfirmDeckCheck, EnterGrid
from controller.core.custody.opening import BeginLoading
from controller.core.custody.putting_back import BeginPuttingBack, CollectCards, LeaveInRack
from controller.core.custody.state import DECK
from controller.core.custody.turning import TurnHoleCard
from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.settlement import ConfirmSettled
from controller.core.house.attendance import SignIn
from controller.core.house.facts import DeviceLost, EventsMissed, PersonRemoved
from controller.core.house.hold_acts import AttendHold, ClearHold, ConfirmHold
from controller.core.house.holds import raise_hold
from controller.core.house.plain_session import IndicateClosing, OpenSession
from controller.core.words import (
    Closing,
    Device,
    HoldKind,
    Operation,
    Person,
    Place,
    Role,
    RoundPhase,
    SessionPhase,
    TableMs,
)
from tests.core.table import CHIEF, DEALER, MANAGER, SALT, CoreTable


def unloading(table: CoreTable) -> None:
    table.act(IndicateClosing, DEALER)
    table.act(SignIn, CHIEF, operation=Operation.UNLOADING)
    table.act(BeginUnloading, DEALER)


def run_out(table: CoreTable, *, is_read: bool = True) -> None:
    table.next_card = 0
    while table.status.inside:
        table.count_out()
        if is_read:
            table.read()
    table.act(CompleteUnloading, DEALER)


# --- cards outside


@pytest.mark.parametrize("stated", [True, False])
def test_no_card_is_outside_while_the_table_plays(table: CoreTable, stated: bool) -> None:
    table.lid(is_open=True)
    table.act(AttendHold, CHIEF, hold=table.state.house.holds[0].id)
    if stated:
        counted = {"table": 0, "pending": 0, "in_hand": 0}
        assert table.refuse(StateCount, CHIEF, rack=0, outside=1, **counted) == "cards_stay_at_the_table"
        table.act(StateCount, CHIEF, rack=1, outside=0, **counted)
    else:
        moved = {"source": Place.RACK, "count": 1}
        assert table.refuse(StateCardsMoved, CHIEF, target=Place.OUTSIDE, **moved) == "cards_stay_at_the_table"
        table.act(StateCardsMoved, CHIEF, target=Place.IN_HAND, **moved)


def test_cards_are_outside_while_they_are_taken_out(table: CoreTable) -> None:
    unloading(table)
    table.lid(is_open=True)
    table.act(AttendHold, CHIEF, hold=table.state.house.holds[0].id)
    table.act(StateCardsMoved, CHIEF, source=Place.RACK, target=Place.OUTSIDE, count=1)
    assert table.state.custody.book.outside == 1


# --- without a reader


@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_a_lost_reader_does_not_keep_the_session_from_closing_regularly(table: CoreTable, when: str) -> None:
    """pt.bj.55b: the decks are checked by the grid that the dealer enters."""
    if when == "before":
        table.put(DeviceLost(Device.SHOE, "silent"))
    unloading(table)
    if when == "meanwhile":
        table.unload_one()
        table.put(DeviceLost(Device.SHOE, "silent"))
    run_out(table, is_read=False)
    table.act(EnterGrid, DEALER, counts=(6,) * 52, foreign=0)
    table.act(ConfirmDeckCheck, DEALER)
    assert (table.state.house.session, table.state.house.last_closing) == (SessionPhase.CLOSED, Closing.REGULAR)
    assert [hold.kind for hold in table.state.house.holds] == [HoldKind.DEVICE_LOST]
    assert table.refuse(OpenSession, DEALER) == "no_hold_forbids_it"


def test_a_lost_reader_stops_the_game_and_a_lost_shuffler_the_unloading(table: CoreTable) -> None:
    table.put(DeviceLost(Device.SHOE, "silent"))
    assert table.refuse(TakeBets, DEALER, seats=(1,)) == "no_hold_forbids_it"
    unloading(table)
    table.put(DeviceLost(Device.SHUFFLER, "silent"))
    assert table.refuse(CompleteUnloading, DEALER) in {"nothing_is_inside", "no_hold_forbids_it"}


def test_reports_of_the_reader_that_are_lost_while_cards_run_out_hold_nothing(table: CoreTable) -> None:
    unloading(table)
    table.put(EventsMissed(Device.SHOE, table.reads + 1, table.reads + 3))
    assert not table.state.house.holds


# --- cards that stay in the rack


def test_what_the_shuffler_does_not_take_any_more_stays_in_the_rack(table: CoreTable) -> None:
    """Clause: pt.bj.60a."""
    table.deal(1)
    table.act(TurnHoleCard, DEALER, card=table.face_down, salt=SALT.hex())
    for act in (ConfirmSettled, CollectCards, BeginPuttingBack):
        table.act(act, DEALER)
    table.card_in()
    table.act(LeaveInRack, DEALER)
    assert (table.state.game.phase, table.state.custody.book.rack) == (RoundPhase.IDLE, 4)
    table.deal(1)
    table.finish_round()
    assert table.state.custody.book.rack == 0


# --- complaints


def test_an_irregular_closing_does_not_end_a_complaint_in_silence(table: CoreTable) -> None:
    """Clause: pt.bj.61."""
    table.deal(1, 3)
    table.act(RecordComplaint, DEALER, seat=1)
    table.act(RecordComplaint, DEALER, seat=3)
    table.lid(is_open=True)
    table.act(ProposeIrregularClosing, CHIEF)
    table.act(ConfirmIrregularClosing, MANAGER)
    left = [dict(duty.details) for duty in table.state.house.duties if duty.kind.value == "report-undecided-complaint"]
    assert [(duty["seat"], duty["round"]) for duty in left] == [("1", "1"), ("3", "1")]
    assert {duty.who for duty in table.state.house.duties} == {Role.ROOM_MANAGER}


# --- counts and grids


def test_nothing_is_loaded_on_top_of_a_difference() -> None:
    table = CoreTable()
    table.connect()
    table.display_and_mix()
    table.act(SignIn, CHIEF, operation=Operation.LOADING)
    table.state = raise_hold(table.state, HoldKind.COUNT, TableMs(table.now), details=(("cause", "difference"),))
    assert table.refuse(BeginLoading, DEALER) == "counts_are_settled"
    for act in (AttendHold, ClearHold, ConfirmHold):
        table.act(act, CHIEF, hold=table.state.house.holds[0].id)
    table.act(BeginLoading, DEALER)


def test_a_grid_that_has_less_than_the_reader_saw_is_told_with_both_figures(table: CoreTable) -> None:
    unloading(table)
    run_out(table)
    assert table.state.custody.read_out[0] == 6
    grid = (5, *(6,) * 51)
    table.act(EnterGrid, DEALER, counts=grid, foreign=1)
    (hold,) = table.state.house.holds
    assert dict(hold.details) == {"cause": "grid", "figures": f"{DECK[0]} 5/6"}


def test_a_grid_that_agrees_with_the_reader_holds_nothing(table: CoreTable) -> None:
    unloading(table)
    run_out(table)
    table.act(EnterGrid, DEALER, counts=(6,) * 52, foreign=0)
    table.act(ConfirmDeckCheck, DEALER)
    assert table.state.house.session is SessionPhase.CLOSED


# --- absent people


def test_who_is_removed_from_the_staff_is_not_at_the_table_any_more(table: CoreTable) -> None:
    table.put(PersonRemoved(DEALER))
    assert table.refuse(TakeBets, DEALER, seats=(1,)) == "actor_is_the_dealer_at_table"


def test_a_chief_supervisor_who_is_removed_does_not_watch_an_unloading(table: CoreTable) -> None:
    unloading(table)
    table.put(PersonRemoved(Person(99)))
    assert not table.state.house.holds
    table.put(PersonRemoved(CHIEF))
    assert [hold.kind for hold in table.state.house.holds] == [HoldKind.SUPERVISOR_ABSENT]
