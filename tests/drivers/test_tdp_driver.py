"""The TDP driver against a scripted device in virtual time: identity, wished state, events, ends of connections."""

import pytest
from msgspec import Struct
from msgspec.structs import replace
from tdp_peer import Reaction, TdpPeer
from virtual_line import VirtualLine, frames_where, intact, line_to

from controller.devices.device_kinds import TDP_KINDS
from drivers.errors import DriverError
from drivers.events import (
    CommandRefused,
    CommandUndone,
    DeviceConnected,
    DeviceLost,
    DeviceRefused,
    DriverEvent,
    EventsMissed,
    LostReason,
    Mismatch,
    Reported,
    StatusHeard,
)
from drivers.expected import ExpectedDevice
from drivers.tdp_driver import make_tdp_driver, session_opening
from drivers.tdp_kinds import TDP_DEALING_SHOE, TDP_SHOE, TDP_SHUFFLER, sensor
from drivers.trouble import TroubleCode
from drivers.wishes import Basis, ShufflerWish
from firmware_protocols.tdp.display import DisplayApply
from firmware_protocols.tdp.link import EVENTS_KEPT, FrameKind
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shoe import CardPassed, ShoeApply, ShoeResult
from firmware_protocols.tdp.shuffler import (
    CardOut,
    JamEnded,
    Jammed,
    LidClosed,
    LidOpened,
    Place,
    ShufflerApply,
    ShufflerResult,
    ShufflerStatus,
)
from firmware_protocols.tdp.slots import SlotsApply
from firmware_protocols.tdp.value_display import MarkersApply

SHUFFLER, SHOE, DISPLAY = DeviceKind.SHUFFLER, DeviceKind.SHOE, DeviceKind.DISPLAY
LOCKED = ShufflerWish()
OPEN = ShufflerWish(release_after=0)
UNTIL_1 = ShufflerApply(release_until=1)
UNTIL_0 = ShufflerApply(release_until=0)


@pytest.fixture
def line() -> VirtualLine:
    line = line_to(SHUFFLER)
    line.run(0.1)
    return line


def of_type(events: list[DriverEvent], kind: type) -> list[DriverEvent]:
    return [event for event in events if isinstance(event, kind)]


def reported(events: list[DriverEvent]) -> list[int]:
    return [e.number for e in events if isinstance(e, Reported | Reported)]


# Identity


@pytest.mark.parametrize("kind", DeviceKind)
def test_each_kind_connects_with_identity_and_status(kind: DeviceKind) -> None:
    line = line_to(kind)
    connected, *heard = line.run(0.1)
    assert isinstance(connected, DeviceConnected)
    says_more = kind is DeviceKind.SHOE or TDP_KINDS[kind].guidance is None
    assert heard == ([StatusHeard(line.peer.status, 0)] if says_more else [])
    assert connected.identity.serial == line.peer.identity.serial
    assert connected.status == line.peer.status
    assert line.supervisor.connected


@pytest.mark.parametrize(
    ("expected", "changes", "refusal"),
    [
        (ExpectedDevice(TDP_SHOE, simulated=True), {}, DeviceRefused(Mismatch.KIND, "shoe", "shuffler")),
        (ExpectedDevice(TDP_SHUFFLER, simulated=False), {}, DeviceRefused(Mismatch.SIMULATED, "no", "yes")),
        (
            ExpectedDevice(TDP_SHUFFLER, simulated=True),
            {"simulated": False},
            DeviceRefused(Mismatch.SIMULATED, "yes", "no"),
        ),
        (
            ExpectedDevice(TDP_SHUFFLER, simulated=True, model="M2"),
            {"model": "M1"},
            DeviceRefused(Mismatch.MODEL, "M2", "M1"),
        ),
        (
            ExpectedDevice(TDP_SHUFFLER, simulated=True, serial="S2"),
            {"serial": "S1"},
            DeviceRefused(Mismatch.SERIAL, "S2", "S1"),
        ),
        (
            ExpectedDevice(TDP_SHUFFLER, simulated=True),
            {"major": 2, "minor": 3},
            DeviceRefused(Mismatch.VERSION, "1.0", "2.3"),
        ),
    ],
)
def test_a_wrong_device_is_refused_with_both_values_and_asked_again_only_at_the_cap(
    expected: ExpectedDevice, changes: dict[str, object], refusal: DeviceRefused
) -> None:
    line = VirtualLine(TdpPeer(SHUFFLER, now_s=1000.0, **changes), expected)
    assert line.run(12.0) == [refusal]
    assert line.openings_s == [1000.0, 1005.0, 1010.0]
    assert line.peer.commands == []
    trouble = line.supervisor.trouble
    assert trouble is not None
    assert trouble.code is TroubleCode.WRONG_DEVICE


def test_the_expected_serial_and_model_pass() -> None:
    expected = ExpectedDevice(TDP_SHUFFLER, simulated=True, serial="S1", model="M1")
    line = VirtualLine(TdpPeer(SHUFFLER, now_s=1000.0, serial="S1", model="M1"), expected)
    assert of_type(line.run(0.1), DeviceConnected)


def test_a_boot_number_used_again_is_refused() -> None:
    line = VirtualLine(TdpPeer(SHUFFLER, boot=7, now_s=1000.0), committed=(7, 40))
    (refusal,) = line.run(1.0)
    assert isinstance(refusal, DeviceRefused)
    assert refusal.what is Mismatch.BOOT_NUMBER
    assert "40" in refusal.found


def test_a_silent_line_is_no_device_and_is_tried_again() -> None:
    line = line_to(SHUFFLER)
    line.to_host = lambda _: b""
    assert line.run(30.0) == []
    assert line.supervisor.trouble is not None
    assert line.supervisor.trouble.code is TroubleCode.SILENT
    assert len(line.openings_s) > 2
    line.to_host = intact
    assert of_type(line.run(10.0), DeviceConnected)


# Desired state


def test_nothing_is_sent_to_a_device_that_is_as_desired(line: VirtualLine) -> None:
    line.supervisor.apply(LOCKED, line.now_s)
    line.run(5.0)
    assert line.peer.commands == []


def test_what_differs_is_brought_about_once(line: VirtualLine) -> None:
    line.supervisor.apply(OPEN, line.now_s)
    line.run(5.0)
    assert line.peer.commands == [UNTIL_1]
    assert line.peer.status.release_until == 1


def test_what_is_desired_before_the_device_is_there_is_brought_about_when_it_is() -> None:
    line = line_to(SHUFFLER)
    line.supervisor.apply(OPEN, line.now_s)
    line.run(1.0)
    assert line.peer.commands == [UNTIL_1]


@pytest.mark.parametrize(
    ("kind", "desired"),
    [
        (SHOE, ShoeApply(locked=False)),
        (DISPLAY, DisplayApply(cents=12_345)),
        (DeviceKind.VALUE_DISPLAY, MarkersApply(red=500)),
        (DeviceKind.SLOTS, SlotsApply(1, seats=0b11, lit=0b11)),
    ],
)
def test_shoe_and_displays_become_as_desired(kind: DeviceKind, desired: Struct) -> None:
    line = line_to(kind)
    line.supervisor.apply(desired, line.now_s)
    line.run(5.0)
    assert line.peer.commands == [desired]


def test_a_marker_that_shows_another_value_is_blanked_before_anybody_has_answered() -> None:
    """The driver blanks a wrong marker at once; before the controller's decision it sends only what protects."""
    line = line_to(DeviceKind.VALUE_DISPLAY)
    line.supervisor.apply(MarkersApply(red=500, blue=1000), line.now_s)
    line.run(1.0)
    line.answers = False
    line.peer.change(red=2000)
    line.run(1.0)
    assert line.peer.commands[-1] == MarkersApply(blue=1000)


def test_a_lamp_that_promises_too_much_goes_dark_and_nothing_is_collected_before_anybody_has_answered() -> None:
    line = line_to(DeviceKind.SLOTS)
    line.supervisor.apply(SlotsApply(0, lit=0b1, blinking=0b100), line.now_s)
    line.run(1.0)
    line.answers = False
    line.peer.change(lit=0b11, collections=5)
    line.run(1.0)
    assert line.peer.commands[-1] == SlotsApply(5, lit=0b1, blinking=0b100)


@pytest.mark.parametrize("part", [{"feed_open": True}, {"unload": True}, {"lamp": True}, {"recount_request": 1}])
def test_each_part_of_the_desired_state_counts(line: VirtualLine, part: dict[str, int]) -> None:
    line.supervisor.apply(replace(LOCKED, **part), line.now_s)
    line.run(5.0)
    assert line.peer.commands == [replace(UNTIL_0, **part)]


@pytest.mark.parametrize(
    ("jams", "ended", "asked"),
    [(1, 0, False), (1, 1, True), (0, 0xFFFF, False), (0, 0, True), (1, 2, False), (0xFFFF, 0, False)],
)
def test_a_jam_is_ended_only_when_it_is_the_one_that_people_ended(jams: int, ended: int, asked: bool) -> None:
    """The driver ends a jam only by the device's own number: a higher one is another device's, or of a lost memory."""
    line = line_to(SHUFFLER)
    line.peer.change(jams=jams, jammed=True)
    line.supervisor.apply(replace(LOCKED, jams_ended=ended), line.now_s)
    line.run(1.0)
    assert bool(line.peer.commands) is asked


def test_the_newest_desired_state_follows_a_command_on_its_way(line: VirtualLine) -> None:
    line.supervisor.apply(OPEN, line.now_s)
    line.supervisor.apply(replace(OPEN, lamp=True), line.now_s)
    line.supervisor.apply(LOCKED, line.now_s)
    line.run(1.0)
    assert line.peer.commands == [UNTIL_1, UNTIL_0]


def test_a_refusal_is_told_once_and_asked_again_when_the_status_changes(line: VirtualLine) -> None:
    line.peer.react = lambda _: Reaction(ShufflerResult.REFUSED_LID_OPEN, obeys=False)
    line.peer.change(lid_open=True)
    line.supervisor.apply(OPEN, line.now_s)
    refused = of_type(line.run(10.0), CommandRefused)
    assert refused == [CommandRefused(OPEN, ShufflerResult.REFUSED_LID_OPEN, line.peer.status)]
    assert line.peer.commands == [UNTIL_1]
    line.peer.react = lambda _: Reaction()
    line.peer.change(lid_open=False)
    assert of_type(line.run(1.0), CommandRefused) == []
    assert line.peer.commands == [UNTIL_1, UNTIL_1]


def test_a_recount_that_48_waiting_events_took_back_is_asked_for_again(line: VirtualLine) -> None:
    """The driver asks again for a recount that the device gave up: one different status in between shows that."""
    line.peer.react = lambda _: Reaction(obeys=False)
    line.supervisor.apply(replace(LOCKED, recount_request=1), line.now_s)
    line.run(1.0)
    assert len(line.peer.commands) == 1
    line.peer.change(host_silent=True)
    line.peer.card_out(line.now_s)
    line.peer.change(host_silent=False)
    line.peer.card_out(line.now_s)
    line.run(1.0)
    assert len(line.peer.commands) == 2


def test_passing_cards_are_no_reason_to_ask_a_refusing_device_again(line: VirtualLine) -> None:
    line.peer.react = lambda _: Reaction(ShufflerResult.REFUSED_JAMMED, obeys=False)
    line.supervisor.apply(OPEN, line.now_s)
    for _ in range(5):
        line.run(1.0)
        line.peer.card_out(line.now_s)
    line.run(1.0)
    assert line.peer.commands == [UNTIL_1]


def test_an_event_is_reason_to_ask_a_refusing_device_again(line: VirtualLine) -> None:
    line.peer.change(jammed=True, jams=1, lamp_lit=True)
    line.peer.react = lambda _: Reaction(ShufflerResult.REFUSED_JAMMED, obeys=False)
    line.run(1.0)
    line.supervisor.apply(OPEN, line.now_s)
    line.run(1.0)
    line.peer.react = lambda _: Reaction()
    line.peer.post(JamEnded(), line.now_s, jammed=False, lamp_lit=False)
    line.run(0.01)
    assert line.peer.commands == [UNTIL_1, UNTIL_1]


def test_a_device_that_cannot_become_as_desired_is_not_asked_in_a_loop() -> None:
    line = line_to(SHOE)  # a reader without a lock answers OK and stays as it is
    line.peer.change(locked=False)
    line.peer.react = lambda _: Reaction(obeys=False)
    line.supervisor.apply(ShoeApply(locked=True), line.now_s)
    for _ in range(10):
        line.run(1.0)
        line.peer.card_passed(line.now_s)
    assert line.peer.commands == [ShoeApply(locked=True)]


def test_a_shoe_whose_lock_is_acknowledged_and_not_done_is_told_within_a_second_and_asked_again() -> None:
    line = VirtualLine(TdpPeer(SHOE, now_s=1000.0), ExpectedDevice(TDP_DEALING_SHOE, simulated=True))
    line.peer.change(locked=False)
    line.run(0.1)
    line.peer.react = lambda _: Reaction(obeys=False)
    line.supervisor.apply(ShoeApply(locked=True), line.now_s)
    told = of_type(line.run(1.0), CommandUndone)
    assert [one.times for one in told] == [1, 2]
    assert line.peer.commands == [ShoeApply(locked=True)] * 3
    line.supervisor.apply(ShoeApply(locked=True), line.now_s)
    assert of_type(line.run(10.0), CommandUndone) == []
    assert 7 <= len(line.peer.commands) <= 8  # every two seconds, and no flood
    line.peer.react = lambda _: Reaction()
    assert [one.times for one in of_type(line.run(2.5), CommandUndone)] == [0]
    line.supervisor.apply(ShoeApply(locked=True), line.now_s)
    count = len(line.peer.commands)
    line.run(10.0)
    assert len(line.peer.commands) == count


@pytest.mark.parametrize("part", [{"feed_open": True}, {"release_after": 0}, {"unload": True}])
def test_a_shuffler_that_says_ok_and_does_nothing_is_told(line: VirtualLine, part: dict[str, int]) -> None:
    line.peer.react = lambda _: Reaction(obeys=False)
    line.supervisor.apply(replace(LOCKED, **part), line.now_s)
    told = of_type(line.run(0.6), CommandUndone)
    assert [one.times for one in told] == [1]
    line.supervisor.apply(replace(LOCKED, **part), line.now_s)
    assert [one.times for one in of_type(line.run(0.5), CommandUndone)] == [2]


def test_a_stalled_line_while_a_command_is_undone_gives_the_processor_rest(line: VirtualLine) -> None:
    line.peer.react = lambda _: Reaction(obeys=False)
    line.supervisor.apply(replace(LOCKED, feed_open=True), line.now_s)
    line.run(0.3)
    line.to_device = lambda _: b""
    line.run(1.0)  # the command goes again in this second, and has no answer at its end
    assert line.supervisor.next_timeout_s() > line.now_s


def test_a_lamp_that_stays_dark_is_not_the_mouths_matter(line: VirtualLine) -> None:
    line.peer.react = lambda _: Reaction(obeys=False)
    line.supervisor.apply(replace(LOCKED, lamp=True), line.now_s)
    assert of_type(line.run(5.0), CommandUndone) == []


def test_a_feed_that_a_lid_stops_is_no_disobedience(line: VirtualLine) -> None:
    line.supervisor.apply(replace(LOCKED, feed_open=True), line.now_s)
    line.run(0.05)
    line.peer.change(feed_open=False, lid_open=True)
    assert of_type(line.run(5.0), CommandUndone) == []


def test_a_device_that_left_the_desired_state_by_itself_is_brought_back(line: VirtualLine) -> None:
    line.supervisor.apply(replace(LOCKED, lamp=True), line.now_s)
    line.run(1.0)
    line.peer.change(lamp_lit=False)
    line.run(1.0)
    assert len(line.peer.commands) == 2
    assert line.peer.status.lamp_lit


def test_another_kinds_desired_state_is_the_callers_mistake(line: VirtualLine) -> None:
    with pytest.raises(DriverError, match="SHUFFLER"):
        line.supervisor.apply(ShoeApply(locked=True), line.now_s)


# Permissions


def test_a_release_on_its_way_is_taken_back_under_its_own_number(line: VirtualLine) -> None:
    """The driver cancels a release that the device has not received under the same number, without a second command."""
    line.to_device = lambda _: b""
    line.supervisor.apply(OPEN, line.now_s)
    line.run(0.5)
    line.supervisor.apply(LOCKED, line.now_s)
    line.to_device = intact
    line.run(2.0)
    assert line.peer.commands == [UNTIL_0]


def test_a_release_that_was_executed_and_not_answered_is_taken_back_by_the_next_command(line: VirtualLine) -> None:
    line.to_host = lambda _: b""
    line.supervisor.apply(OPEN, line.now_s)
    line.run(0.5)
    line.supervisor.apply(LOCKED, line.now_s)
    line.to_host = intact
    line.run(2.0)
    assert line.peer.commands == [UNTIL_1, UNTIL_0]
    assert line.peer.status.release_until == 0


@pytest.mark.parametrize("count", [0, 4, 6, 2**32 - 1])
def test_a_release_goes_only_to_a_device_at_its_count(line: VirtualLine, count: int) -> None:
    line.peer.change(cards_out=count, release_until=count)
    line.supervisor.apply(replace(LOCKED, release_after=5), line.now_s)
    line.run(2.0)
    assert line.peer.commands == []
    line.peer.change(cards_out=5, release_until=5)
    line.run(2.0)
    assert line.peer.commands == [ShufflerApply(release_until=6)]


def test_a_lock_is_the_devices_own_newest_count(line: VirtualLine) -> None:
    line.peer.change(cards_out=7, release_until=9)
    line.supervisor.apply(LOCKED, line.now_s)
    line.run(2.0)
    assert line.peer.commands == [ShufflerApply(release_until=7)]


@pytest.mark.parametrize("part", [{"release_after": 0}, {"feed_open": True}, {"unload": True}, {"recount_request": 1}])
def test_what_permits_waits_for_the_answer_to_every_report(line: VirtualLine, part: dict[str, int]) -> None:
    line.answers = False
    line.peer.post(LidOpened(), line.now_s, lid_open=True)
    line.run(0.1)
    line.supervisor.receive_data(b"", line.now_s)
    line.peer.post(LidClosed(), line.now_s, lid_open=False)
    line.supervisor._driver.apply(replace(LOCKED, **part), line.now_s, is_answer=False)
    line.run(3.0)
    assert line.peer.commands == []
    line.supervisor.apply(replace(LOCKED, **part), line.now_s)
    line.run(0.5)
    assert len(line.peer.commands) == 1


def test_what_protects_waits_for_nothing(line: VirtualLine) -> None:
    line.answers = False
    line.peer.change(feed_open=True, unloading=True, release_until=3)
    line.peer.post(LidOpened(), line.now_s, lid_open=True)
    line.run(0.6)
    line.supervisor._driver.apply(replace(LOCKED, lamp=True), line.now_s, is_answer=False)
    line.run(0.5)
    assert line.peer.commands == [replace(UNTIL_0, lamp=True)]


def test_a_jam_is_not_ended_before_its_report_is_answered(line: VirtualLine) -> None:
    line.answers = False
    line.supervisor.apply(replace(LOCKED, jams_ended=1), line.now_s)
    line.peer.post(Jammed(Place.FEED, 1), line.now_s, jammed=True, lamp_lit=True, jams=1)
    line.run(3.0)
    assert line.peer.commands == []


def test_nothing_is_permitted_while_the_status_is_ahead_of_the_events(line: VirtualLine) -> None:
    line.to_host = frames_where(lambda header: header.kind != FrameKind.EVENT)
    line.peer.post(LidClosed(), line.now_s)
    line.run(1.0)
    line.supervisor.apply(OPEN, line.now_s)
    line.run(1.0)
    assert line.peer.commands == []
    line.to_host = intact
    line.run(2.0)
    assert line.peer.commands == [UNTIL_1]


@pytest.mark.parametrize("basis", [Basis("SHUFFLER-2", 1, 1), Basis("SHUFFLER-1", 2, 1), Basis("SHUFFLER-1", 1, 2)])
def test_a_wish_for_another_device_boot_or_connection_only_locks(line: VirtualLine, basis: Basis) -> None:
    line.answers = False
    line.supervisor.apply(replace(OPEN, lamp=True), line.now_s, basis)
    line.run(1.0)
    assert line.peer.commands == [replace(UNTIL_0, lamp=True)]
    line.supervisor.apply(OPEN, line.now_s, Basis("SHUFFLER-1", 1, 1))
    line.run(1.0)
    assert line.peer.commands[1:] == [UNTIL_1]


def test_a_wish_of_before_waits_for_the_answer_to_the_new_connection(line: VirtualLine) -> None:
    line.supervisor.apply(OPEN, line.now_s)
    line.run(0.5)
    line.answers = False
    line.unplug()
    line.peer.change(release_until=0)
    line.peer.commands.clear()
    line.plugged = True
    line.run(5.0)
    assert line.peer.commands == []
    line.supervisor.apply(OPEN, line.now_s)
    line.run(0.5)
    assert line.peer.commands == [UNTIL_1]


# Unknown outcomes


def test_a_command_of_unknown_outcome_is_not_resent_when_the_status_says_that_it_was_done(
    line: VirtualLine,
) -> None:
    line.peer.react = lambda _: Reaction(answers=False)
    line.supervisor.apply(OPEN, line.now_s)
    lost, connected = line.run(20.0)  # done, by a heartbeat; and still unanswered
    assert isinstance(lost, DeviceLost)
    assert (lost.reason, lost.command_unknown) == (LostReason.COMMAND_UNANSWERED, True)
    assert isinstance(connected, DeviceConnected)
    assert line.peer.commands == [UNTIL_1]


def test_a_command_of_unknown_outcome_is_sent_again_when_the_status_says_that_it_was_not_done(
    line: VirtualLine,
) -> None:
    line.peer.react = lambda _: Reaction(obeys=False, answers=False)
    line.supervisor.apply(OPEN, line.now_s)
    line.run(3.0)
    line.peer.react = lambda _: Reaction()
    line.run(20.0)
    assert line.peer.commands == [UNTIL_1, UNTIL_1]


def test_a_lost_answer_costs_a_repetition_and_one_execution(line: VirtualLine) -> None:
    swallowed: list[bytes] = []

    def swallow(data: bytes) -> bytes:
        if data and len(swallowed) < 3:
            swallowed.append(data)
            return b""
        return data

    line.to_host = swallow
    line.supervisor.apply(OPEN, line.now_s)
    assert of_type(line.run(2.0), DeviceLost) == []
    assert line.peer.commands == [UNTIL_1]
    assert line.supervisor.stats.retransmissions >= 1


def test_unplugging_with_a_command_on_its_way_says_that_its_outcome_is_unknown(line: VirtualLine) -> None:
    line.to_device = lambda _: b""
    line.supervisor.apply(OPEN, line.now_s)
    line.run(0.05)
    line.unplug()
    (lost,) = line.run(0.0)
    assert lost == DeviceLost(LostReason.PORT_LOST, "/dev/device: hung up", command_unknown=True)


# Events


def test_events_come_in_order_with_the_status_after_each(line: VirtualLine) -> None:
    for _ in range(3):
        line.peer.card_out(line.now_s)
    events = line.run(0.1)
    assert reported(events) == [1, 2, 3]
    outs = [event.status.cards_out for event in events if isinstance(event, Reported)]
    assert outs == [1, 2, 3]


def test_an_unacknowledged_event_is_told_once_and_kept_by_the_device(line: VirtualLine) -> None:
    line.peer.card_out(line.now_s)
    assert reported(line.run(10.0)) == [1]
    assert line.peer.link.waiting_events == 1
    line.commit(1, 1)
    line.run(0.1)
    assert line.peer.link.waiting_events == 0


def test_events_not_yet_durable_when_the_line_broke_are_told_once_and_acknowledged_later(
    line: VirtualLine,
) -> None:
    for _ in range(3):
        line.peer.card_out(line.now_s)
    assert reported(line.run(0.1)) == [1, 2, 3]
    line.commit(1, 1)
    line.run(0.1)
    line.unplug()
    line.run(1.0)
    line.plugged = True
    line.peer.card_out(line.now_s)
    assert reported(line.run(5.0)) == [4]
    line.commit(1, 4)
    line.run(0.1)
    assert line.peer.link.waiting_events == 0


def test_a_commit_during_the_reconnect_is_acknowledged_as_soon_as_the_events_are_there_again(
    line: VirtualLine,
) -> None:
    for _ in range(3):
        line.peer.card_out(line.now_s)
    line.run(0.1)
    line.unplug()
    line.plugged = True
    line.to_host = lambda _: b""
    line.run(1.0)
    line.supervisor.acknowledge(1, 3)  # the new connection was opened with (0, 0)
    line.to_host = intact
    assert reported(line.run(2.0)) == []
    assert line.peer.link.waiting_events == 0


def test_a_commit_is_acknowledged_only_as_far_as_its_events_have_come_again(line: VirtualLine) -> None:
    for _ in range(3):
        line.peer.card_out(line.now_s)
    line.run(0.1)
    line.unplug()
    line.plugged = True
    line.to_host = frames_where(lambda header: header.kind != FrameKind.EVENT)
    assert of_type(line.run(1.0), DeviceConnected)
    line.supervisor.acknowledge(1, 3)
    line.to_host = frames_where(lambda header: header.kind != FrameKind.EVENT or header.number == 1)
    line.run(1.5)
    assert line.peer.link.waiting_events == 2
    line.to_host = intact
    line.run(1.5)
    assert line.peer.link.waiting_events == 0


def test_an_acknowledgement_of_another_boot_does_nothing(line: VirtualLine) -> None:
    line.peer.card_out(line.now_s)
    line.run(0.1)
    line.supervisor.acknowledge(9, 1)
    line.run(0.1)
    assert line.peer.link.waiting_events == 1


def test_after_a_restart_only_what_was_not_durable_comes_again() -> None:
    peer = TdpPeer(SHUFFLER, boot=3, now_s=1000.0)
    before = VirtualLine(peer)
    before.run(0.1)
    for _ in range(3):
        peer.card_out(before.now_s)
    assert reported(before.run(0.1)) == [1, 2, 3]
    restarted = VirtualLine(peer, start_number=2, committed=(3, 2), now_s=before.now_s)
    assert reported(restarted.run(1.0)) == [3]


def test_events_that_the_device_no_longer_has_are_a_gap_told_once(line: VirtualLine) -> None:
    line.unplug()
    for _ in range(EVENTS_KEPT + 2):
        line.peer.card_out(line.now_s)
    line.run(1.0)
    line.plugged = True
    events = line.run(5.0)
    assert of_type(events, EventsMissed) == [EventsMissed(1, 2)]
    line.commit(1, reported(events)[-1])
    line.unplug()
    line.plugged = True
    assert of_type(line.run(5.0), EventsMissed) == []


def test_a_flood_is_slowed_by_acknowledgement_and_not_lost() -> None:
    line = line_to(SHOE)
    line.run(0.1)
    told: list[int] = []
    for _ in range(40):
        while line.peer.link.waiting_events < EVENTS_KEPT:
            line.peer.card_passed(line.now_s)
        events = line.run(0.05)
        told += reported(events)
        line.commit(1, told[-1])
    assert told == list(range(1, told[-1] + 1))
    assert told[-1] >= 4 * EVENTS_KEPT


def test_a_rebooted_device_is_lost_and_connects_anew(line: VirtualLine) -> None:
    line.peer.card_out(line.now_s)
    line.run(0.1)
    line.peer.reboot(line.now_s)
    line.peer.card_out(line.now_s)
    events = line.run(5.0)
    kinds = [type(event).__name__ for event in events]
    assert kinds == ["DeviceLost", "DeviceConnected", "Reported"]
    assert isinstance(events[0], DeviceLost)
    assert events[0].reason is LostReason.REBOOTED
    assert isinstance(events[2], Reported)
    assert (events[2].boot, events[2].number) == (2, 1)


def test_a_device_gone_silent_is_lost_once(line: VirtualLine) -> None:
    line.to_host = lambda _: b""
    (lost,) = line.run(30.0)
    assert isinstance(lost, DeviceLost)
    assert lost.reason is LostReason.SILENT


# Status


def test_a_status_is_told_when_it_changed(line: VirtualLine) -> None:
    assert line.run(5.0) == []
    line.peer.change(hopper_loaded=True)
    assert line.run(5.0) == [StatusHeard(line.peer.status, 0)]


def test_a_reader_tells_each_status() -> None:
    """A reader reports each status, since even one without a new card is evidence about a counted, unread card."""
    line = line_to(DeviceKind.SHOE)
    line.run(0.1)
    assert line.run(2.0) == [StatusHeard(line.peer.status, 0)] * 4


def test_what_a_command_brought_about_is_known_and_no_news(line: VirtualLine) -> None:
    line.supervisor.apply(OPEN, line.now_s)
    assert line.run(5.0) == []
    assert line.peer.commands == [UNTIL_1]
    assert line.supervisor.status == line.peer.status


_TOLD_TO_BE = {"release_until", "mouth_open", "feed_open", "unloading", "lamp_lit"}


@pytest.mark.parametrize("name", ShufflerStatus.__struct_fields__)
def test_all_but_what_it_is_told_to_be_is_news_of_a_shuffler(name: str, line: VirtualLine) -> None:
    before = getattr(line.peer.status, name)
    line.peer.change(**{name: not before if isinstance(before, bool) else before + 1})
    heard = [event for event in line.run(1.0) if isinstance(event, StatusHeard)]
    assert [getattr(event.status, name) != before for event in heard] == ([] if name in _TOLD_TO_BE else [True])


def test_an_answer_with_other_news_tells_it(line: VirtualLine) -> None:
    line.peer.change(hopper_loaded=True)
    line.supervisor.apply(OPEN, line.now_s)
    assert line.run(0.01) == [StatusHeard(line.peer.status, 0)]


def test_a_resent_event_of_the_past_does_not_hide_the_present(line: VirtualLine) -> None:
    """After a resent event, whose status is of the past, the driver reports the present status again."""
    line.to_host = lambda _: b""
    line.peer.post(Jammed(Place.FEED, 1), line.now_s, jammed=True, lamp_lit=True, jams=1)
    line.run(0.01)
    line.peer.change(lid_open=True)
    line.to_host = intact
    events = line.run(2.0)
    assert reported(events) == [1]
    assert isinstance(events[-1], StatusHeard)
    assert events[-1] == StatusHeard(line.peer.status, 1)


def test_the_present_is_told_again_when_an_event_of_the_past_came_between(line: VirtualLine) -> None:
    line.to_host = frames_where(lambda header: header.kind != FrameKind.EVENT)
    line.peer.post(Jammed(Place.FEED, 1), line.now_s, jammed=True, lamp_lit=True, jams=1)
    line.peer.change(lid_open=True)
    now = StatusHeard(line.peer.status, 1)
    assert line.run(1.0) == [now]
    line.to_host = intact
    event, again = line.run(2.0)
    assert isinstance(event, Reported)
    assert not event.status.lid_open
    assert again == now


def test_a_status_that_was_overtaken_by_an_event_is_not_told(line: VirtualLine) -> None:
    held: list[bytes] = []
    line.peer.change(hopper_loaded=True)

    def hold(data: bytes) -> bytes:
        held.append(data)
        return b""

    line.to_host = hold
    line.run(0.5)  # one heartbeat's reply
    line.to_host = intact
    line.peer.post(CardOut(), line.now_s, cards_out=1, hopper_loaded=False)
    assert reported(line.run(0.01)) == [1]
    line.supervisor.receive_data(b"".join(held), line.now_s)
    assert line.run(0.01) == []


def test_a_desired_state_is_compared_with_the_present_and_not_with_an_old_event(line: VirtualLine) -> None:
    line.supervisor.apply(replace(LOCKED, lamp=True), line.now_s)
    line.run(0.1)
    line.unplug()
    line.peer.post(Jammed(Place.FEED, 1), line.now_s, jammed=True, jams=1, lamp_lit=False)
    line.peer.change(lamp_lit=True)
    line.plugged = True
    line.run(5.0)
    assert len(line.peer.commands) == 1


# A device that breaks the protocol


def test_an_event_that_makes_no_sense_ends_the_connection_and_is_never_acknowledged(line: VirtualLine) -> None:
    line.peer.link.post_event(b"\xee nonsense", line.now_s)
    (lost,) = line.run(0.1)
    assert isinstance(lost, DeviceLost)
    assert lost.reason is LostReason.PROTOCOL_BROKEN
    assert "0xee" in lost.detail
    assert line.peer.link.waiting_events == 1


def test_a_result_that_no_table_knows_ends_the_connection(line: VirtualLine) -> None:
    line.peer.react = lambda _: Reaction(result=99)
    line.supervisor.apply(OPEN, line.now_s)
    (lost,) = of_type(line.run(0.1), DeviceLost)
    assert isinstance(lost, DeviceLost)
    assert lost.reason is LostReason.PROTOCOL_BROKEN


def test_a_status_of_wrong_length_ends_the_connection(line: VirtualLine) -> None:
    line.peer.link.set_status(b"\0\0\0")
    (lost,) = of_type(line.run(1.0), DeviceLost)
    assert isinstance(lost, DeviceLost)
    assert lost.reason is LostReason.PROTOCOL_BROKEN


def test_an_odd_device_is_not_reopened_in_a_loop(line: VirtualLine) -> None:
    line.peer.link.post_event(b"\xee", line.now_s)
    line.run(60.0)
    assert len(line.openings_s) < 20


# Numbers


def test_each_connection_opens_a_session_of_its_own_and_each_start_a_newer_one() -> None:
    line = line_to(SHUFFLER)
    line.run(0.1)
    line.unplug()
    line.plugged = True
    line.run(5.0)
    restarted = VirtualLine(line.peer, start_number=2, now_s=line.now_s)
    restarted.run(1.0)
    assert line.peer.sessions == [(1 << 12) + 1, (1 << 12) + 2, (2 << 12) + 1]


def test_openings_stay_within_their_start_and_within_32_bits() -> None:
    assert session_opening(1, 4095) == 0x1FFF
    assert session_opening(1, 4096) == 0x1000
    assert session_opening(2**20 + 1, 1) == 0x1001


def test_stats_speak_of_frames_rejections_and_round_trip(line: VirtualLine) -> None:
    line.supervisor.receive_data(b"noise\0", line.now_s)
    line.run(2.0)
    stats = line.supervisor.stats
    assert stats.good > 3
    assert sum(stats.rejected.values()) == 1
    assert set(stats.rejected) <= {"bad-cobs", "bad-length", "bad-crc"}
    assert stats.rtt_ms == 0.0
    assert stats.last_good_s is not None
    assert line.now_s - stats.last_good_s < 1.0


def test_the_committed_event_is_asked_for_at_each_connection() -> None:
    asked: list[int] = []

    def committed() -> tuple[int, int]:
        asked.append(1)
        return 0, 0

    make = make_tdp_driver(ExpectedDevice(TDP_SHOE, simulated=True), start_number=1, committed=committed)
    make(1, 0.0)
    make(2, 1.0)
    assert len(asked) == 2


def test_a_card_read_by_the_shoe_is_told_as_it_is() -> None:
    line = line_to(SHOE)
    line.run(0.1)
    line.peer.card_passed(line.now_s, card=0x4A)
    (passed,) = line.run(0.1)
    assert passed == Reported(1, 1, CardPassed(1, 0x4A), line.peer.status)
    assert ShoeResult.OK == ShufflerResult.OK == 0
    assert isinstance(line.peer.status, type(passed.status))
    assert not isinstance(passed.status, ShufflerStatus)


def test_what_a_sensor_says_comes_once_behind_its_connection_and_again_when_it_changes() -> None:
    expected = ExpectedDevice(sensor(TDP_SHOE.schema), simulated=True)
    line = VirtualLine(TdpPeer(SHOE, now_s=1000.0), expected)
    connected, first = line.run(3.0)
    assert isinstance(connected, DeviceConnected)
    assert first == StatusHeard(line.peer.status, 0)
    line.peer.change(passages=7)
    assert line.run(3.0) == [StatusHeard(line.peer.status, 0)]
