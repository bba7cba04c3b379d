"""Holds of every kind: facts open them, and only the people and the evidence in the table of holds end them."""

from controller.core.custody.complaints import DecideComplaint, RecordComplaint
from controller.core.custody.counting import StateCardsMoved, StateCount
from controller.core.custody.damage import ReplaceCard, ReportDamagedCard
from controller.core.custody.desired import of_shuffler
from controller.core.custody.naming import NameCard
from controller.core.custody.opening import CompleteLoading
from controller.core.custody.putting_back import BeginPuttingBack, CollectCards, EndPuttingBack
from controller.core.custody.state import Card
from controller.core.custody.turning import RenameCard, TurnHoleCard
from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.deal import AnnounceNoMoreBets
from controller.core.games.blackjack.settlement import ConfirmSettled
from controller.core.games.blackjack.table import TABLE
from controller.core.house.deciding import next_of
from controller.core.house.duties import ReportDuty, look_into, report_duty
from controller.core.house.facts import (
    ControllerStarted,
    DeviceLost,
    JournalFailed,
    JournalRestored,
    ShufflerStatus,
    TimerFired,
)
from controller.core.house.hold_acts import AttendHold, AttestRepair, CallTechnician, ClearHold, ConfirmHold
from controller.core.house.permitted import permitted
from controller.core.words import (
    Device,
    DutyKind,
    HoldKind,
    HoldPhase,
    JamPlace,
    Operation,
    Place,
    Purpose,
    Role,
    RoundPhase,
    TableMs,
    Timer,
)
from tests.core.table import CHIEF, DEALER, MANAGER, TECHNICIAN, CoreTable


def end_jam(table: CoreTable, *, card_to: Place = Place.RACK) -> None:
    hold = table.state.house.holds[0].id
    table.act(AttendHold, CHIEF, hold=hold)
    table.lid(is_open=True)
    assert table.status.inside is not None
    taken = table.state.custody.book.jammed_inside
    table.status = ShufflerStatus(**{**_fields(table.status), "inside": table.status.inside - taken})
    if table.state.custody.book.jammed:
        table.act(StateCardsMoved, CHIEF, source=Place.JAMMED, target=card_to, count=table.state.custody.book.jammed)
    table.clear_path()
    table.lid(is_open=False)
    table.act(ClearHold, CHIEF, hold=hold)
    table.act(ConfirmHold, CHIEF, hold=hold)


def _fields(status: ShufflerStatus) -> dict[str, object]:
    return {name: getattr(status, name) for name in ShufflerStatus.__struct_fields__}


def test_a_jam_in_the_deal_locks_lights_and_serves_the_same_card_once(table: CoreTable) -> None:
    """Clause: pt.bj.51c."""
    table.act(TakeBets, DEALER, seats=(1, 2))
    table.act(AnnounceNoMoreBets, DEALER)
    table.draw()
    table.jam()
    wanted = of_shuffler(table.state)
    assert wanted.lamp
    assert wanted.release_after is None
    assert table.state.custody.book.jammed == 1
    end_jam(table)
    assert not of_shuffler(table.state).lamp
    for _ in range(5):
        table.draw()
    assert table.state.game.phase is RoundPhase.PLAYING
    assert len(table.state.game.dealt) == 6
    table.finish_round()
    assert table.state.custody.book.inside == 312


def test_the_dealer_cannot_end_a_jam(table: CoreTable) -> None:
    """Clause: pt.bj.51d."""
    table.jam(cards=0)
    hold = table.state.house.holds[0].id
    assert table.refuse(AttendHold, DEALER, hold=hold) == "role_may"
    assert table.refuse(ClearHold, CHIEF, hold=hold) == "hold_is_attended"


def test_a_blocked_sensor_keeps_the_jam(table: CoreTable) -> None:
    table.jam(cards=0)
    hold = table.state.house.holds[0].id
    table.act(AttendHold, CHIEF, hold=hold)
    assert table.refuse(ClearHold, CHIEF, hold=hold) == "path_is_clear"


def test_a_count_that_differs_after_the_jam_holds(table: CoreTable) -> None:
    table.jam(cards=0)
    hold = table.state.house.holds[0].id
    table.act(AttendHold, CHIEF, hold=hold)
    table.lid(is_open=True)
    table.status = ShufflerStatus(**{**_fields(table.status), "inside": 310})
    table.clear_path()
    table.lid(is_open=False)
    table.act(ClearHold, CHIEF, hold=hold)
    assert table.refuse(ConfirmHold, CHIEF, hold=hold) == "counts_agree"
    table.wait(2000)
    assert next_of(TABLE.deadlines, table.state) == (table.now, Timer.COUNTS)
    table.put(TimerFired(Timer.COUNTS))
    assert table.hold_kinds() == [HoldKind.JAM, HoldKind.COUNT]


def test_the_technician_attests_before_the_chief_supervisor_goes_on(table: CoreTable) -> None:
    """Clause: pt.bj.51e."""
    table.jam(cards=0)
    hold = table.state.house.holds[0].id
    table.act(AttendHold, CHIEF, hold=hold)
    table.act(CallTechnician, CHIEF, hold=hold)
    table.clear_path()
    assert table.refuse(ClearHold, CHIEF, hold=hold) == "repair_is_attested"
    table.act(AttestRepair, TECHNICIAN, hold=hold)
    table.act(ClearHold, TECHNICIAN, hold=hold)
    assert table.refuse(ConfirmHold, TECHNICIAN, hold=hold) == "role_may"
    table.act(ConfirmHold, CHIEF, hold=hold)
    assert not table.state.house.holds


def test_a_jam_before_the_burn_leaves_the_burn_owed() -> None:
    table = CoreTable()
    table.connect()
    table.display_and_mix()
    table.load(156, 156)
    table.act(CompleteLoading, DEALER)
    table.jam()
    end_jam(table)
    table.draw()
    assert table.state.house.tally.burned == 1
    assert table.state.custody.book.rack == 2


def test_a_jam_while_feeding_comes_from_the_rack(table: CoreTable) -> None:
    table.deal(1)
    table.act(ConfirmSettled, DEALER)
    table.act(CollectCards, DEALER)
    table.act(BeginPuttingBack, DEALER)
    table.card_in()
    table.jam(JamPlace.FEED)
    assert (table.state.custody.book.rack, table.state.custody.book.jammed_feed) == (3, 1)
    end_jam(table)
    for _ in range(4):
        table.card_in()
    table.act(EndPuttingBack, DEALER)
    assert table.state.custody.book.inside == 312


def test_the_lid_without_a_supervisor_is_a_tamper_alarm(table: CoreTable) -> None:
    """Clause: pt.bj.51d."""
    table.lid(is_open=True)
    assert table.hold_kinds() == [HoldKind.LID]
    assert of_shuffler(table.state).lamp
    hold = table.state.house.holds[0].id
    table.act(AttendHold, CHIEF, hold=hold)
    assert table.refuse(ClearHold, CHIEF, hold=hold) == "lid_is_closed"
    table.lid(is_open=False)
    table.act(ClearHold, CHIEF, hold=hold)
    table.act(ConfirmHold, CHIEF, hold=hold)
    assert not table.state.house.holds


def test_a_card_that_nobody_asked_for_is_pending(table: CoreTable) -> None:
    table.count_out()
    table.read()
    assert table.state.custody.book.pending == 1
    assert table.hold_kinds() == [HoldKind.UNEXPECTED_CARD]
    hold = table.state.house.holds[0].id
    table.act(AttendHold, CHIEF, hold=hold)
    assert table.refuse(ClearHold, CHIEF, hold=hold) == "no_card_is_pending"
    table.act(StateCardsMoved, CHIEF, source=Place.PENDING, target=Place.RACK, count=1)
    table.act(ClearHold, CHIEF, hold=hold)
    table.act(ConfirmHold, CHIEF, hold=hold)
    assert not table.state.house.holds


def test_an_unread_card_waits_for_its_name(table: CoreTable) -> None:
    table.act(TakeBets, DEALER, seats=(1,))
    table.act(AnnounceNoMoreBets, DEALER)
    table.count_out()
    assert of_shuffler(table.state).release_after is None
    table.wait(2000)
    table.put(TimerFired(Timer.JOIN))
    assert table.hold_kinds() == [HoldKind.UNREAD_CARD]
    table.act(NameCard, DEALER, card=Card("9C"))
    assert table.state.game.dealt[0].card == "9C"
    assert not table.state.house.holds
    assert table.state.devices.reader.faults == 1


def test_an_unread_hole_card_is_no_hold(table: CoreTable) -> None:
    table.act(TakeBets, DEALER, seats=(1,))
    table.act(AnnounceNoMoreBets, DEALER)
    for _ in range(3):
        table.draw()
    table.count_out()
    table.read(readable=False)
    assert not table.state.house.holds
    assert table.state.game.phase is RoundPhase.PLAYING
    assert table.state.game.dealt[-1].purpose is Purpose.HOLE


def test_a_read_without_a_count_is_never_dealt(table: CoreTable) -> None:
    table.act(TakeBets, DEALER, seats=(1,))
    table.act(AnnounceNoMoreBets, DEALER)
    table.read(Card("AS"))
    table.wait(2000)
    table.put(TimerFired(Timer.JOIN))
    assert not table.state.game.dealt
    assert table.hold_kinds() == [HoldKind.UNEXPECTED_CARD]
    hold = table.state.house.holds[0].id
    table.act(AttendHold, CHIEF, hold=hold)
    assert table.refuse(ClearHold, CHIEF, hold=hold) == "count_is_stated"
    table.act(StateCount, CHIEF, rack=2, table=0, pending=0, in_hand=0, outside=0)
    assert table.refuse(ClearHold, CHIEF, hold=hold) == "count_is_stated"
    table.act(StateCount, CHIEF, rack=1, table=0, pending=0, in_hand=0, outside=0)
    table.act(ClearHold, CHIEF, hold=hold)
    table.act(ConfirmHold, CHIEF, hold=hold)
    table.draw()
    assert len(table.state.game.dealt) == 1


def test_a_double_feed_believes_neither_identity(table: CoreTable) -> None:
    table.act(TakeBets, DEALER, seats=(1,))
    table.act(AnnounceNoMoreBets, DEALER)
    table.count_out()
    table.count_out()
    table.read(Card("AS"))
    table.read(Card("KS"))
    assert table.state.custody.book.pending == 1
    table.wait(2000)
    table.put(TimerFired(Timer.JOIN))
    assert table.hold_kinds() == [HoldKind.UNEXPECTED_CARD]
    assert (table.state.game.dealt[0].card, table.state.game.dealt[0].doubted) == (None, ())
    hold = table.state.house.holds[0].id
    table.act(AttendHold, CHIEF, hold=hold)
    table.act(StateCardsMoved, CHIEF, source=Place.PENDING, target=Place.RACK, count=1)
    assert table.refuse(ClearHold, CHIEF, hold=hold) == "doubted_cards_are_named"
    table.act(RenameCard, CHIEF, seat=1, position=1, card=Card("AS"))
    table.act(ClearHold, CHIEF, hold=hold)
    assert table.state.game.dealt[0].card == "AS"


def test_a_lost_device_holds_and_a_reconnect_ends_nothing(table: CoreTable) -> None:
    table.act(TakeBets, DEALER, seats=(1,))
    table.act(AnnounceNoMoreBets, DEALER)
    table.put(DeviceLost(Device.SHUFFLER, "unplugged"))
    assert table.hold_kinds() == [HoldKind.DEVICE_LOST]
    hold = table.state.house.holds[0].id
    table.act(AttendHold, CHIEF, hold=hold)
    assert table.refuse(ClearHold, CHIEF, hold=hold) == "device_is_connected"
    table.connect()
    assert table.hold_kinds() == [HoldKind.DEVICE_LOST]
    assert of_shuffler(table.state).release_after is None
    table.act(ClearHold, CHIEF, hold=hold)
    table.act(ConfirmHold, CHIEF, hold=hold)
    table.draw()


def test_a_card_that_moved_while_the_cable_was_out_is_a_number_not_a_guess(table: CoreTable) -> None:
    table.put(DeviceLost(Device.SHUFFLER, "unplugged"))
    table.status = ShufflerStatus(**{**_fields(table.status), "cards_out": 1002, "inside": 310})
    table.connect()
    table.wait(2000)
    table.put(TimerFired(Timer.COUNTS))
    assert table.hold_kinds() == [HoldKind.DEVICE_LOST, HoldKind.COUNT]
    assert "inside 311/310" in dict(table.state.house.holds[1].details)["figures"]


def test_a_restart_keeps_the_jam_and_needs_nobody_where_counts_agree(table: CoreTable) -> None:
    start = ControllerStarted(2, table.state.setup, "c", "r", "0", ())
    table.put(start)
    table.connect()
    assert not table.state.house.holds
    table.jam()
    table.put(start)
    assert table.hold_kinds() == [HoldKind.JAM]
    assert of_shuffler(table.state).lamp


def test_a_device_that_does_not_come_after_a_start_is_lost(table: CoreTable) -> None:
    table.put(ControllerStarted(2, table.state.setup, "c", "r", "0", ()))
    table.wait(5000)
    table.put(TimerFired(Timer.DEVICES))
    assert table.hold_kinds() == [HoldKind.DEVICE_LOST] * 2


def test_a_reboot_is_an_event_that_the_procedure_sees(table: CoreTable) -> None:
    table.connect(boot=2)
    assert table.hold_kinds() == [HoldKind.DEVICE_LOST]


def test_unknown_counts_need_a_supervised_count(table: CoreTable) -> None:
    table.status = ShufflerStatus(**{**_fields(table.status), "counts_known": False, "inside": None, "cards_in": 0})
    table.connect(boot=2)
    assert HoldKind.COUNT in table.hold_kinds()


def test_a_damaged_card_is_replaced_by_the_same_and_reported(table: CoreTable) -> None:
    """Clauses: pt.bj.51a, pt.bj.51b."""
    table.deal(1)
    table.act(ReportDamagedCard, DEALER, card=Card("4D"))
    assert table.refuse(ReplaceCard, DEALER, replacement=Card("4D")) == "role_may"
    assert table.refuse(ReplaceCard, CHIEF, replacement=Card("4D")) == "supervisor_is_present_for_hold"
    hold = table.state.house.holds[0].id
    table.act(AttendHold, CHIEF, hold=hold)
    assert table.refuse(ReplaceCard, CHIEF, replacement=Card("5D")) == "replacement_is_the_same_card"
    table.act(ReplaceCard, CHIEF, replacement=Card("4D"))
    table.act(ConfirmHold, CHIEF, hold=hold)
    assert not table.state.house.holds
    assert table.state.custody.book.withdrawn == 1
    table.finish_round()
    table.close()
    assert not table.state.house.closing_final
    table.act(ReportDuty, MANAGER, duty=table.state.house.duties[0].id, reference="SRIJ 1")
    assert table.state.house.closing_final


def test_a_final_report_stays_final_whatever_is_found_later(table: CoreTable) -> None:
    """Two duties of a closed table: once the first report of them made the closing's report provisional."""
    at_ms, state = TableMs(1), table.state
    for kind in (DutyKind.LOOK_INTO_SEALS, DutyKind.LOOK_INTO_DISPLAY):
        state = look_into(state, kind, at_ms)
    for duty in state.house.duties:
        state = report_duty(state, ReportDuty(MANAGER, Role.ROOM_MANAGER, duty.id, "SRIJ 1"), at_ms)
        assert state.house.closing_final


def test_a_complaint_locks_the_putting_back(table: CoreTable) -> None:
    """Clause: pt.bj.61."""
    table.deal(1)
    table.act(ConfirmSettled, DEALER)
    table.act(CollectCards, DEALER)
    table.act(RecordComplaint, DEALER, seat=1)
    assert table.refuse(BeginPuttingBack, DEALER) == "no_complaint_is_open"
    table.act(DecideComplaint, CHIEF, upheld=False)
    table.act(BeginPuttingBack, DEALER)
    table.act(RecordComplaint, DEALER, seat=1)
    assert not of_shuffler(table.state).feed_open
    table.act(DecideComplaint, CHIEF, upheld=False)
    assert of_shuffler(table.state).feed_open
    table.card_in()
    assert table.refuse(RecordComplaint, DEALER, seat=1) == "complaint_is_in_time"


def test_a_card_short_in_putting_back_holds_until_it_is_found(table: CoreTable) -> None:
    """Clause: pt.bj.59b."""
    table.deal(1)
    table.act(ConfirmSettled, DEALER)
    table.act(CollectCards, DEALER)
    table.act(BeginPuttingBack, DEALER)
    for _ in range(4):
        table.card_in()
    table.act(EndPuttingBack, DEALER)
    assert table.hold_kinds() == [HoldKind.COUNT]
    hold = table.state.house.holds[0].id
    table.act(AttendHold, CHIEF, hold=hold)
    table.act(StateCount, CHIEF, rack=0, table=0, pending=0, in_hand=0, outside=0)
    assert table.refuse(ClearHold, CHIEF, hold=hold) == "count_is_stated"
    table.act(StateCount, CHIEF, rack=1, table=0, pending=0, in_hand=0, outside=0)
    table.act(ClearHold, CHIEF, hold=hold)
    table.act(ConfirmHold, CHIEF, hold=hold)
    table.card_in()
    table.act(EndPuttingBack, DEALER)
    assert (table.state.game.phase, table.state.custody.book.inside) == (RoundPhase.IDLE, 312)


def test_a_journal_fault_permits_nothing(table: CoreTable) -> None:
    table.act(TakeBets, DEALER, seats=(1,))
    table.act(AnnounceNoMoreBets, DEALER)
    table.put(JournalFailed("disk full"))
    assert of_shuffler(table.state).release_after is None
    hold = table.state.house.holds[0].id
    table.act(AttendHold, TECHNICIAN, hold=hold)
    assert table.refuse(ClearHold, TECHNICIAN, hold=hold) == "journal_is_writing"
    table.put(JournalRestored())
    table.act(ClearHold, TECHNICIAN, hold=hold)
    table.act(ConfirmHold, CHIEF, hold=hold)
    table.draw()


def test_a_flood_of_the_same_cause_is_one_hold(table: CoreTable) -> None:
    for _ in range(50):
        table.count_out()
    assert table.hold_kinds() == [HoldKind.UNEXPECTED_CARD]
    assert table.state.custody.book.pending == 50
    assert table.state.house.holds[0].times == 50


def test_presence_lapses_by_table_time(table: CoreTable) -> None:
    table.jam(cards=0)
    hold = table.state.house.holds[0].id
    table.act(AttendHold, CHIEF, hold=hold)
    table.wait(180_000)
    table.put(TimerFired(Timer.PRESENCE))
    assert table.state.house.holds[0].phase is HoldPhase.RAISED
    assert not [p for p in table.state.house.present if p.operation is Operation.HOLD]


def allowed(table: CoreTable) -> list[str]:
    return [p.act for p in permitted(TABLE, table.state) if p.refusal is None]


def test_what_may_be_done_next_follows_the_hold(table: CoreTable) -> None:
    assert "attend-hold" not in allowed(table)
    table.jam(cards=0)
    assert "attend-hold" in allowed(table)
    assert "clear-hold" not in allowed(table)
    table.act(AttendHold, CHIEF, hold=table.state.house.holds[0].id)
    assert "clear-hold" not in allowed(table)
    table.clear_path()
    assert "clear-hold" in allowed(table)
    table.act(ClearHold, CHIEF, hold=table.state.house.holds[0].id)
    assert "confirm-hold" in allowed(table)
    assert "clear-hold" not in allowed(table)


def test_a_hold_is_heard_of_before_a_face_that_is_not_given(table: CoreTable) -> None:
    table.deal(1)
    assert table.refuse(TurnHoleCard, DEALER, card=None, salt=None) == "face_is_given"
    table.jam(cards=0)
    assert table.refuse(TurnHoleCard, DEALER, card=None, salt=None) == "no_hold_forbids_it"
