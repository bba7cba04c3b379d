"""Blind time: a round that was open while the controller was down, and counts that do not agree afterwards."""

import pytest

from controller.core.custody.counting import StateCount
from controller.core.custody.devices import ShufflerStatusHeard
from controller.core.custody.outage import ConfirmOutage, StateOutage
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.decisions.turns import DrawCard
from controller.core.games.blackjack.settlement import ConfirmSettled
from controller.core.house.facts import ControllerStarted, DeviceConnected, TimerFired
from controller.core.house.hold_acts import AttendHold, ClearHold, ConfirmHold
from controller.core.words import Device, HoldId, HoldKind, Outage, OutageOutcome, RoundPhase, SessionPhase, Timer
from tests.core.table import CHIEF, DEALER, SETUP, CoreTable

SMALL = replace(SETUP, decks=1)


@pytest.fixture
def table() -> CoreTable:
    table = CoreTable(SMALL)
    table.open()
    table.deal(1)
    return table


def down(table: CoreTable, drawn: int) -> None:
    """Lets the controller die and come back; meanwhile hands have drawn `drawn` cards, and no event tells of them."""
    status = table.status
    started = ControllerStarted(table.state.house.start_number + 1, SMALL, "c", "r", "s", ())
    table.put(started)
    assert status.inside is not None
    table.status = replace(status, cards_out=status.cards_out + drawn, inside=status.inside - drawn)
    table.put(DeviceConnected(Device.SHUFFLER, "CSM", "S1", "1.0", 1, True, table.status, None))
    table.put(DeviceConnected(Device.SHOE, "R", "R1", "1.0", 1, True, None, table.reads))
    table.wait(2000)
    table.put(TimerFired(Timer.COUNTS))


def held(table: CoreTable) -> HoldId:
    """Lets the chief supervisor attend every hold; returns the number of the first hold, for the count."""
    for hold in table.state.house.holds:
        table.act(AttendHold, CHIEF, hold=hold.id)
    for hold in table.state.house.holds:  # the shuffler's recount may have raised one more
        table.act(AttendHold, CHIEF, hold=hold.id)
    assert {hold.kind for hold in table.state.house.holds} <= {HoldKind.COUNT, HoldKind.UNEXPECTED_CARD}
    return table.state.house.holds[0].id


def state_by_both(table: CoreTable, outcome: OutageOutcome) -> None:
    table.act(StateOutage, CHIEF, became=outcome)
    table.act(ConfirmOutage, DEALER, became=outcome)


NOWHERE = {"rack": 0, "table": 0, "pending": 0, "in_hand": 0, "outside": 0}


def counted_and_ended(at: CoreTable, **places: int) -> None:
    """Makes a supervised count, then clears and confirms every hold."""
    at.act(StateCount, CHIEF, **(NOWHERE | places))
    for hold in at.state.house.holds:
        at.act(ClearHold, CHIEF, hold=hold.id)
        at.act(ConfirmHold, CHIEF, hold=hold.id)
    assert at.state.house.holds == ()


def test_an_outage_whose_counts_agree_asks_for_nothing(table: CoreTable) -> None:
    down(table, 0)
    assert table.state.house.outage is Outage.DOUBTED
    assert table.state.house.holds == ()
    assert table.refuse(StateOutage, CHIEF, became=OutageOutcome.FINISHED) == "outage_is_to_be_stated"
    table.act(ConfirmSettled, DEALER)
    assert table.state.house.outage is Outage.NONE


def test_a_difference_later_in_the_round_is_no_outage_any_more(table: CoreTable) -> None:
    down(table, 0)
    table.act(DrawCard, DEALER, seat=1)
    table.draw()
    table.status = replace(table.status, cards_out=table.status.cards_out + 1, inside=(table.status.inside or 0) - 1)
    table.put(ShufflerStatusHeard(table.status))
    table.wait(2000)
    table.put(TimerFired(Timer.COUNTS))
    assert [hold.kind for hold in table.state.house.holds] == [HoldKind.COUNT]
    assert table.state.house.outage is Outage.NONE


def test_what_comes_after_the_devices_had_their_time_and_agreed_leaves_no_doubt_of_the_round(table: CoreTable) -> None:
    down(table, 0)
    table.wait(SMALL.parameters.devices_due_ms)
    assert table.state.house.outage is Outage.DOUBTED
    table.jam()
    assert table.state.house.outage is Outage.NONE


def test_with_no_round_open_a_difference_is_a_difference(table: CoreTable) -> None:
    table.finish_round()
    down(table, 1)
    held(table)
    assert table.refuse(StateOutage, CHIEF, became=OutageOutcome.FINISHED) == "outage_is_to_be_stated"
    counted_and_ended(table, rack=1)


def test_nothing_goes_on_before_both_have_said_the_same(table: CoreTable) -> None:
    down(table, 2)
    hold = held(table)
    assert table.refuse(ConfirmOutage, DEALER, became=OutageOutcome.VOIDED) == "chief_has_stated_it"
    assert table.refuse(StateOutage, DEALER, became=OutageOutcome.VOIDED) == "role_may"
    table.act(StateCount, CHIEF, rack=1, table=6, pending=0, in_hand=0, outside=0)
    assert table.refuse(ClearHold, CHIEF, hold=hold) == "outage_is_stated"
    table.act(StateOutage, CHIEF, became=OutageOutcome.VOIDED)
    assert table.refuse(StateOutage, CHIEF, became=OutageOutcome.FINISHED) == "chief_has_not_stated_it"
    assert table.refuse(ClearHold, CHIEF, hold=hold) == "outage_is_stated"

    table.act(ConfirmOutage, DEALER, became=OutageOutcome.FINISHED)
    assert table.state.house.outage is Outage.TO_BE_STATED, "two words, two statements: both are asked again"
    assert table.refuse(ConfirmOutage, DEALER, became=OutageOutcome.VOIDED) == "chief_has_stated_it"
    state_by_both(table, OutageOutcome.UNCHANGED)
    assert table.state.game.phase is RoundPhase.PLAYING
    counted_and_ended(table, rack=1, table=6)
    table.wait(2000)
    table.put(TimerFired(Timer.JOIN))  # no reader saw the cards that came out meanwhile
    table.act(DrawCard, DEALER, seat=1)
    table.draw()


@pytest.mark.parametrize("outcome", [OutageOutcome.FINISHED, OutageOutcome.VOIDED])
def test_a_round_that_was_ended_by_hand_is_over_and_its_cards_are_counted(
    table: CoreTable, outcome: OutageOutcome
) -> None:
    down(table, 2)
    hold = held(table)
    table.act(StateCount, CHIEF, rack=1, table=6, pending=0, in_hand=0, outside=0)
    counted_out = table.state.devices.shuffler.counted_out
    state_by_both(table, outcome)
    state = table.state
    assert (state.game.phase, state.game.dealt, state.game.seats, state.custody.book.table) == (
        RoundPhase.IDLE,
        (),
        (),
        0,
    )
    assert state.devices.shuffler.counted_out == counted_out, "a statement is no device's fact"
    assert table.refuse(ClearHold, CHIEF, hold=hold) == "count_is_stated", "the cards lie elsewhere now"
    counted_and_ended(table, rack=7)
    assert table.state.house.session is SessionPhase.IN_PLAY
    table.deal(1)


def test_a_table_that_was_closed_goes_on_with_its_closing(table: CoreTable) -> None:
    down(table, 2)
    held(table)
    state_by_both(table, OutageOutcome.CLOSED)
    assert table.state.house.session is SessionPhase.CLOSING
    counted_and_ended(table, rack=7)
    assert table.state.house.outage is Outage.NONE


def test_a_second_outage_owes_one_statement_still(table: CoreTable) -> None:
    down(table, 2)
    down(table, 0)
    assert table.state.house.outage is Outage.TO_BE_STATED
    state = table.state
    assert [hold.kind for hold in state.house.holds] == [HoldKind.COUNT]


@pytest.mark.parametrize(
    "finding",
    [
        "damage-sealed entry 7 segment 1 offset 900 record-crc technician 41 chief-supervisor 21",
        "behind-mark entry 9 last 7 why other-medium technician 41 chief-supervisor 21",
        "unsigned-entries entry 7 last 9 kept 8 technician 41 chief-supervisor 21",
    ],
)
def test_behind_lost_entries_the_cards_of_an_open_session_are_counted(table: CoreTable, finding: str) -> None:
    table.put(ControllerStarted(table.state.house.start_number + 1, SMALL, "c", "r", "s", (finding,)))
    table.connect()
    (hold,) = table.state.house.holds
    assert (hold.kind, hold.needs_count, dict(hold.details)["cause"]) == (HoldKind.COUNT, True, finding.split()[0])
    assert table.state.house.outage is Outage.TO_BE_STATED
    held(table)
    state_by_both(table, OutageOutcome.FINISHED)
    counted_and_ended(table, rack=5)


def test_behind_a_closed_damage_a_closed_table_has_nothing_to_count() -> None:
    table = CoreTable(SMALL)
    table.put(ControllerStarted(1, SMALL, "c", "r", "s", ("damage-sealed entry 7",)))
    assert table.state.house.holds == ()
