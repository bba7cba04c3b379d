"""The changes by acts and facts on holds, duties and the people at them: each field, and each condition."""

from controller.core.custody.desired import of_shuffler
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.table import TABLE
from controller.core.house.attendance import SignOut
from controller.core.house.deciding import decide_by
from controller.core.house.facts import DeviceConnected, DutyArose, JournalFailed
from controller.core.house.hold_acts import (
    ACTOR_MAY_END_THE_HOLD,
    AttendHold,
    AttestRepair,
    CallTechnician,
    ClearHold,
    ConfirmHold,
)
from controller.core.house.holds import end_holds
from controller.core.house.state import DisplayKnown, Hold, Link
from controller.core.words import (
    Device,
    DutyKind,
    HoldId,
    HoldKind,
    HoldPhase,
    JamPlace,
    Operation,
    Person,
    Role,
    TableMs,
)
from tests.core.parts import changed
from tests.core.states_by_hand import DEAL, dealt, held
from tests.core.table import CHIEF, TECHNICIAN, CoreTable
from tests.core.test_holds import end_jam


def test_a_jam_that_ended_is_counted_once_and_no_other_hold(table: CoreTable) -> None:
    table.jam(JamPlace.MOUTH, cards=0)
    end_jam(table)
    assert (table.state.house.tally.jams_raised, table.state.house.tally.jams_cleared) == (1, 1)
    table.lid(is_open=True)
    table.lid(is_open=False)
    (lid,) = table.state.house.holds
    for act in (AttendHold, ClearHold, ConfirmHold):
        table.act(act, CHIEF, hold=lid.id)
    assert table.state.house.tally.jams_cleared == 1


def test_a_technician_who_is_called_again_attests_again(table: CoreTable) -> None:
    table.jam()
    (hold,) = table.state.house.holds
    table.act(AttendHold, CHIEF, hold=hold.id)
    table.act(CallTechnician, CHIEF, hold=hold.id)
    table.act(AttestRepair, TECHNICIAN, hold=hold.id)
    assert table.state.house.holds[0].technician == TECHNICIAN
    table.act(CallTechnician, CHIEF, hold=hold.id)
    assert (table.state.house.holds[0].technician, table.state.house.holds[0].technician_called) == (None, True)


def test_who_left_a_hold_attends_it_no_more(table: CoreTable) -> None:
    table.jam()
    (hold,) = table.state.house.holds
    table.act(AttendHold, CHIEF, hold=hold.id)
    table.act(SignOut, CHIEF)
    assert (table.state.house.holds[0].phase, table.state.house.holds[0].attended_by) == (HoldPhase.RAISED, None)


def test_a_supervisor_who_takes_a_hold_up_again_takes_the_call_for_the_technician_back(table: CoreTable) -> None:
    table.jam()
    (hold,) = table.state.house.holds
    table.act(AttendHold, CHIEF, hold=hold.id)
    table.act(CallTechnician, CHIEF, hold=hold.id)
    table.act(SignOut, CHIEF)
    table.act(AttendHold, CHIEF, hold=hold.id)
    assert not table.state.house.holds[0].technician_called


def test_a_hold_whose_cause_comes_again_waits_anew_and_says_what_is_known_last() -> None:
    first = held(dealt(*DEAL), counted=True, needs_count=False, details=(("cause", "card-fed"),), times=1)
    called = JournalFailed("full")
    failed = decide_by(TABLE, first, called, TableMs(9)).state
    cleared = replace(failed.house.holds[1], phase=HoldPhase.CLEARED, counted=True)
    twice = decide_by(
        TABLE,
        changed(failed, holds=(failed.house.holds[0], cleared)),
        JournalFailed("io"),
        TableMs(10),
    ).state
    again = twice.house.holds[1]
    assert (again.phase, again.times, again.counted, again.details) == (HoldPhase.RAISED, 2, False, (("reason", "io"),))


def test_who_attends_nothing_any_more_is_here_for_no_hold(table: CoreTable) -> None:
    table.lid(is_open=True)
    table.lid(is_open=False)
    (lid,) = table.state.house.holds
    for act in (AttendHold, ClearHold):
        table.act(act, CHIEF, hold=lid.id)
    assert [one.person for one in table.state.house.present if one.operation is Operation.HOLD] == [CHIEF]
    assert table.state.house.holds[0].recount_request == table.state.devices.recount_request
    table.act(ConfirmHold, CHIEF, hold=lid.id)
    assert [one for one in table.state.house.present if one.operation is Operation.HOLD] == []


def test_another_firmware_calls_the_technician_anew(table: CoreTable) -> None:
    link = replace(table.state.devices.reader.link, version="R 1.0")
    mine, others = (
        Hold(HoldId(n), HoldKind.DEVICE_LOST, HoldPhase.RAISED, TableMs(1), device, technician=Person(33))
        for n, device in ((1, Device.SHOE), (2, Device.SHUFFLER))
    )
    reader = replace(table.state.devices.reader, link=link)
    table.state = changed(table.state, reader=reader, holds=(mine, others), last_hold=HoldId(2))
    table.put(DeviceConnected(Device.SHOE, "R", link.serial, "2.0", link.boot, True, None, reader.passages))
    found = {hold.device: (hold.technician_called, hold.technician) for hold in table.state.house.holds}
    assert found == {Device.SHOE: (True, None), Device.SHUFFLER: (False, Person(33))}


def test_the_firmware_of_a_device_that_nothing_needs_holds_nothing(table: CoreTable) -> None:
    link = Link(connected=True, serial="D1", boot=1, version="D 1.0")
    table.state = changed(table.state, display=DisplayKnown(link))
    table.put(DeviceConnected(Device.JACKPOT_DISPLAY, "D", "D1", "2.0", 1, True, None, None))
    assert table.state.house.holds == ()


def test_what_the_room_manager_has_to_look_into_is_open_once_of_a_kind() -> None:
    arose = DutyArose(next(iter(DutyKind)))
    once = decide_by(TABLE, dealt(), arose, TableMs(9)).state
    assert [duty.kind for duty in once.house.duties] == [arose.kind]
    assert (once.house.last_duty, decide_by(TABLE, once, arose, TableMs(10)).state.house.duties) == (
        1,
        once.house.duties,
    )
    other = DutyArose([*DutyKind][-1])
    assert decide_by(TABLE, once, other, TableMs(10)).state.house.last_duty == 2


def test_what_is_resolved_ends_however_far_people_have_come_with_it() -> None:
    for phase in (HoldPhase.RAISED, HoldPhase.ATTENDED, HoldPhase.CLEARED):
        lid = Hold(HoldId(1), HoldKind.LID, phase, TableMs(0))
        state = changed(dealt(), holds=(lid, replace(lid, id=HoldId(2), kind=HoldKind.COMPLAINT)))
        assert end_holds(state, lambda hold: hold.kind is HoldKind.COMPLAINT).house.holds == (lid,)


ENDED_BY_ACTS_OF_THEIR_OWN = (
    HoldKind.UNREAD_CARD,
    HoldKind.COMPLAINT,
    HoldKind.SUPERVISOR_ABSENT,
    HoldKind.RULING,
    HoldKind.IRREGULAR_SPIN,
    HoldKind.MOVED_CHIPS,
    HoldKind.LINKED_HIT,
    HoldKind.JACKPOT_OWED,
    HoldKind.JACKPOT_DOUBTED,
)
OF_THE_TECHNICIAN = {
    HoldKind.JAM: (ClearHold,),
    HoldKind.DEVICE_LOST: (AttendHold, ClearHold),
    HoldKind.JOURNAL_FAULT: (AttendHold, ClearHold),
}


def test_the_chief_supervisor_ends_a_hold_and_a_technician_helps_with_devices_alone() -> None:
    """Clauses: pt.bj.51c pt.bj.51d pt.bj.51e."""
    of_the_chief = (AttendHold, ClearHold, ConfirmHold)
    for kind in HoldKind:
        state = changed(dealt(), holds=(Hold(HoldId(1), kind, HoldPhase.RAISED, TableMs(0)),))
        may = {
            role: tuple(act for act in of_the_chief if ACTOR_MAY_END_THE_HOLD.holds(state, act(CHIEF, role, HoldId(1))))
            for role in (Role.CHIEF_SUPERVISOR, Role.TECHNICIAN)
        }
        by_chief = () if kind in ENDED_BY_ACTS_OF_THEIR_OWN else of_the_chief
        assert may == {Role.CHIEF_SUPERVISOR: by_chief, Role.TECHNICIAN: OF_THE_TECHNICIAN.get(kind, ())}, kind


def test_the_lamp_is_lit_for_a_jam_and_an_open_machine_alone() -> None:
    """Clause: pt.bj.51c."""
    for kind in HoldKind:
        state = changed(dealt(), holds=(Hold(HoldId(1), kind, HoldPhase.RAISED, TableMs(0)),))
        assert of_shuffler(state).lamp is (kind in {HoldKind.JAM, HoldKind.LID}), kind
