"""The simulated shuffler as its host sees it: orders, counts, dead man, power; in virtual time."""

import pytest
from table_of_one import Table, jammed_table

from firmware_protocols.tdp.common import Query, StartCause
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shuffler import CardIn, CardOut, LidOpened, ShufflerResult, ShufflerStarted
from simulators.devices.base import seeded
from simulators.devices.cards import Place as InMachine
from simulators.devices.cards import make_cards
from simulators.devices.faults import (
    Hang,
    Reboot,
)
from simulators.devices.shuffler import SimulatedShuffler
from simulators.devices.shuffler_firmware import FAST_PACE, ShufflerPace

# ---- starting


def test_it_says_what_it_is_and_that_it_is_simulated() -> None:
    table = Table()
    identity = table.host.identity
    assert identity is not None
    assert (identity.kind, identity.simulated, identity.serial) == (DeviceKind.SHUFFLER, True, "SIM-SHUFFLER")
    assert table.host.events == [ShufflerStarted(StartCause.POWER_ON)]


def test_a_new_shuffler_is_empty_and_locked() -> None:
    status = Table().status
    assert (status.cards_in, status.cards_out, status.inside, status.release_until) == (0, 0, 0, 0)
    assert not any((status.feed_open, status.mouth_open, status.unloading, status.jammed, status.lamp_lit))
    assert not status.host_silent


# ---- intake


def test_cards_stay_in_the_hopper_until_the_feed_is_opened() -> None:
    table = Table()
    table.shuffler.put_cards_in_hopper(make_cards(1), table.now_s)
    assert table.status.hopper_loaded
    assert table.host.of_kind(CardIn) == []
    assert len(table.shuffler.take_from_hopper(table.now_s)) == 52
    assert not table.status.hopper_loaded


def test_each_card_taken_in_is_one_event_with_the_counts_after_it() -> None:
    table = Table()
    table.load()
    counts = [(s.cards_in, s.inside) for event, s in table.host.told if isinstance(event, CardIn)]
    assert counts == [(number, number) for number in range(1, 53)]
    status = table.status
    assert (status.cards_in, status.inside, status.hopper_loaded, status.feed_open) == (52, 52, False, True)


def test_feeding_takes_its_time() -> None:
    table = Table()
    table.shuffler.put_cards_in_hopper(make_cards(1), table.now_s)
    table.order(feed_open=True)
    table.host.run(10 * FAST_PACE.feed_s + 0.001)
    assert len(table.host.of_kind(CardIn)) == 10


def test_closing_the_feed_stops_it_at_once() -> None:
    table = Table()
    table.shuffler.put_cards_in_hopper(make_cards(1), table.now_s)
    table.order(feed_open=True)
    table.host.run(0.2)
    taken = len(table.host.of_kind(CardIn))
    table.order(feed_open=False)
    table.host.run(1.0)
    assert 0 < len(table.host.of_kind(CardIn)) == taken
    assert len(table.shuffler.take_from_hopper(table.now_s)) == 52 - taken


# ---- output


def test_the_mouth_gives_what_is_released_and_no_card_more() -> None:
    table = Table()
    table.load()
    assert table.pull() == ()
    table.release(2)
    assert table.shuffler.status.mouth_open
    cards = table.pull() + table.pull()
    assert len(cards) == 2
    assert table.pull() == ()
    status = table.status
    assert (status.cards_out, status.inside, status.release_until, status.mouth_open) == (2, 50, 2, False)
    assert list(cards) == table.passed
    assert [(s.cards_out, s.inside) for e, s in table.host.told if isinstance(e, CardOut)] == [(1, 51), (2, 50)]


def test_the_next_card_needs_its_time_to_stand_in_the_mouth() -> None:
    table = Table()
    table.load()
    table.release(2)
    assert len(table.shuffler.pull_cards(table.now_s)) == 1
    assert table.shuffler.pull_cards(table.now_s) == ()
    table.host.run(FAST_PACE.present_s)
    assert len(table.shuffler.pull_cards(table.now_s)) == 1


def test_a_release_can_be_withdrawn() -> None:
    table = Table()
    table.load()
    table.release(5)
    assert len(table.pull()) == 1
    table.order(release_until=1)
    assert table.pull() == ()
    assert not table.status.mouth_open


def test_releases_count_on_past_the_end_of_32_bits() -> None:
    table = Table()
    table.load()
    table.shuffler._memory.cards_out = 2**32 - 2
    assert len(table.draw(4)) == 4
    status = table.status
    assert (status.cards_out, status.release_until) == (2, 2)


def test_a_release_that_lies_behind_is_a_lock() -> None:
    table = Table()
    table.load()
    table.draw(3)
    assert table.order(release_until=2) is ShufflerResult.OK
    assert table.pull() == ()


def test_taking_in_goes_before_giving_out() -> None:
    table = Table()
    table.load()
    table.shuffler.put_cards_in_hopper(table.draw(10), table.now_s)
    table.order(feed_open=True, release_until=20)
    table.host.run(FAST_PACE.feed_s + 0.001)
    assert table.pull() == ()
    table.host.run(1.0)
    assert table.status.inside == 52
    assert len(table.pull()) == 1


def test_unloading_runs_every_card_out_through_the_mouth() -> None:
    table = Table()
    table.load()
    assert table.order(unload=True) is ShufflerResult.OK
    table.host.run(3.0)
    status = table.status
    assert (status.unloading, status.inside, status.cards_out) == (True, 0, 52)
    assert len(table.host.of_kind(CardOut)) == 52
    tray = table.shuffler.take_from_tray(table.now_s)
    assert list(tray) == table.passed
    assert sorted(card.number for card in tray) == list(range(1, 53))


# ---- the dead man


def test_a_silent_host_locks_the_device_after_two_seconds() -> None:
    table = Table()
    table.load()
    table.release(5)
    table.host.cable_in = False
    table.host.run(1.4)  # the last heartbeat may be half a second old
    assert table.shuffler.status.mouth_open
    table.host.run(0.7)
    status = table.shuffler.status
    assert (status.host_silent, status.mouth_open, status.release_until, status.jammed) == (True, False, 0, False)
    assert table.shuffler.pull_cards(table.now_s) == ()


def test_a_silent_host_stops_the_feed_and_leaves_the_lamp() -> None:
    table = Table(pace=ShufflerPace(feed_s=0.5, present_s=0.1, unload_s=0.5, retry_s=0.1, recount_s=1.0))
    table.shuffler.put_cards_in_hopper(make_cards(1), table.now_s)
    table.order(feed_open=True, lamp=True)
    table.host.cable_in = False
    table.host.run(30.0)
    status = table.shuffler.status
    assert status.cards_in <= 4
    assert (status.feed_open, status.lamp_lit) == (False, True)


def test_before_any_host_the_device_is_locked() -> None:
    shuffler = SimulatedShuffler(rng=seeded(1), now_s=0.0)
    assert shuffler.status.host_silent
    assert shuffler.next_time_s() is None


def test_a_new_session_withdraws_what_the_old_one_permitted() -> None:
    table = Table()
    table.load()
    table.release(5)
    table.host.connect()
    status = table.status
    assert (status.release_until, status.mouth_open, status.host_silent) == (0, False, False)
    assert table.pull() == ()
    assert len(table.draw(1)) == 1


def test_with_48_events_waiting_it_locks_itself_until_they_are_durable() -> None:
    table = Table()
    table.host.acknowledges = False
    table.shuffler.put_cards_in_hopper(make_cards(2), table.now_s)
    table.order(feed_open=True)
    table.host.run(5.0)
    status = table.status
    assert (status.host_silent, status.feed_open, status.cards_in) == (True, False, 48)
    assert table.order(feed_open=True) is ShufflerResult.REFUSED_HOST_SILENT
    table.host.acknowledges = True
    table.host.acknowledge(8)
    table.host.run(2.0)
    assert not table.status.host_silent
    table.order(feed_open=True)
    table.host.run(3.0)
    assert (table.status.cards_in, table.host.missed) == (104, [])
    assert len(table.host.of_kind(CardIn)) == 104


# ---- power


def test_counts_survive_a_loss_of_power_and_permissions_do_not() -> None:
    table = Table()
    table.load()
    table.draw(3)
    table.release(5)
    table.order(release_until=8, lamp=True)
    table.shuffler.reboot(table.now_s, off_s=0.5)
    assert table.shuffler.pull_cards(table.now_s) == ()
    table.host.run(3.0)
    assert table.host.down is not None
    table.host.connect()
    table.host.run(1.0)
    status, identity = table.status, table.host.identity
    assert identity is not None
    assert (identity.boot, table.host.events[-1]) == (2, ShufflerStarted(StartCause.POWER_ON))
    assert (status.cards_in, status.cards_out, status.inside, status.counts_unknown) == (52, 3, 49, False)
    assert (status.release_until, status.mouth_open, status.lamp_lit) == (3, False, True)


def test_a_jam_survives_a_loss_of_power_with_its_lamp() -> None:
    table = jammed_table()
    table.shuffler.reboot(table.now_s)
    table.host.run(3.0)
    table.host.connect()
    status = table.status
    assert (status.jams, status.jammed, status.path_blocked, status.lamp_lit) == (1, True, True, True)


def test_forgotten_counts_are_said_to_be_unknown_until_a_recount() -> None:
    table = Table()
    table.load()
    table.shuffler.reboot(table.now_s, forget_counts=True)
    table.host.run(3.0)
    table.host.connect()
    status = table.status
    assert (status.counts_unknown, status.inside, status.cards_in) == (True, 0xFFFF, 0)
    assert table.order(release_until=1) is ShufflerResult.REFUSED_COUNTS_UNKNOWN
    assert table.order(feed_open=True) is ShufflerResult.OK
    table.order(recount_request=1)
    table.host.run(1.0)
    assert (table.status.counts_unknown, table.status.inside) == (False, 52)
    assert len(table.draw(1)) == 1


def test_planned_reboots_and_hangs_come_after_their_operation() -> None:
    table = Table(Reboot(at=10, off_s=0.2), Hang(at=20, for_s=0.3))
    table.shuffler.put_cards_in_hopper(make_cards(1), table.now_s)
    table.order(feed_open=True)
    table.host.run(3.0)
    assert table.shuffler.status.cards_in == 10
    table.host.connect()
    table.order(feed_open=True)
    table.host.run(5.0)
    assert (table.status.cards_in, table.host.down) == (52, None)
    assert table.shuffler.faults_met == {"Reboot": 1, "Hang": 1}


def test_a_hanging_device_is_deaf_and_mute_and_loses_what_is_sent() -> None:
    table = Table()
    table.load()
    table.release(5)
    table.shuffler.hang(table.now_s, for_s=3.0)
    assert table.shuffler.pull_cards(table.now_s) == ()
    table.host.run(2.5)
    assert table.host.down is not None
    table.shuffler.open_lid(table.now_s)
    table.host.run(1.0)
    table.host.connect()
    assert table.status.lid_open
    assert table.host.events[-1] == LidOpened()


def test_hands_reach_a_device_without_power() -> None:
    table = jammed_table()
    table.shuffler.reboot(table.now_s, off_s=10.0)
    table.shuffler.open_lid(table.now_s)
    assert len(table.shuffler.take_jammed(table.now_s)) == 1
    assert len(table.shuffler.take_all_inside(table.now_s)) == 51
    table.shuffler.close_lid(table.now_s)
    table.host.run(11.0)
    table.host.connect()
    status = table.status
    assert (status.jammed, status.path_blocked, status.lid_open, status.inside) == (True, False, False, 52)
    assert table.shuffler.machine.cards_by_place()[InMachine.BUFFER] == ()


# ---- words


def test_a_query_changes_nothing() -> None:
    table = Table()
    table.load()
    table.release(2)
    before = table.shuffler.status
    assert table.host.ask(Query()) == ShufflerResult.OK
    assert table.shuffler.status == before


@pytest.mark.parametrize("payload", [b"\x7f", b"\x01", b"\x01" + bytes(12), b"\x01\0\0\0\0\x02" + bytes(6)])
def test_nonsense_is_answered_as_nonsense_and_does_nothing(payload: bytes) -> None:
    table = Table()
    before = table.shuffler.status
    assert table.host.send_raw(payload) == ShufflerResult.BAD_COMMAND
    assert table.shuffler.status == before
