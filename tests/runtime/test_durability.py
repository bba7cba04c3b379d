"""A permission leaves after its entry is durable; a protection leaves at once (DESIGN 3.4)."""

import pytest
from msgspec.structs import replace

from controller.core.custody.mixing import ConfirmMixing
from controller.core.custody.opening import BeginLoading, ClosePacket, ConfirmDisplay, NumberDeckSet, OpenPacket
from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.deal import AnnounceNoMoreBets
from controller.core.house.attendance import SignIn
from controller.core.house.plain_session import OpenSession
from controller.core.words import Device, HoldKind, Operation
from controller.journal.writer_logic import Batch
from controller.runtime.answers import Done, Refused
from controller.runtime.kernel import Runtime, SpokenTo
from drivers.events import Reported, StatusHeard
from firmware_protocols.tdp.shuffler import CardIn
from tests.runtime.bench import CHIEF, DEALER, Bench

SYNC_S = 5.0


@pytest.fixture
def bench() -> Bench:
    return Bench()


def kinds(bench: Bench) -> list[HoldKind]:
    return [hold.kind for hold in bench.latest.house.holds]


def test_devices_connect_and_are_as_desired(bench: Bench) -> None:
    bench.run(1)
    assert all(supervisor.connected for supervisor in bench.supervisors.values())
    assert not bench.shuffler.mouth_is_open
    assert bench.shoe.status.locked


def test_a_whole_opening_and_a_deal(bench: Bench) -> None:
    bench.play()
    bench.deal()
    assert len(bench.latest.game.dealt) == 4
    assert bench.latest.house.holds == ()
    assert bench.latest.game.dealt[3].card is None
    assert bench.latest.game.dealt[3].commitment is not None


def first_outputs(bench: Bench, device: Device) -> list[type[Batch | SpokenTo]]:
    """The kinds of the outputs of the step that takes what this device has said."""
    bench.supervisors[device].receive_data(bench.peers[device].data_to_send(), bench.now_s)
    return [type(output) for output in bench.runtime.step(bench.now_s)]


def test_a_card_in_its_turn_goes_to_the_disk_first(bench: Bench) -> None:
    bench.play()
    bench.act(TakeBets, DEALER, seats=(1,))
    bench.act(AnnounceNoMoreBets, DEALER)
    bench.shuffler.card_out(bench.now_s)
    assert first_outputs(bench, Device.SHUFFLER) == [Batch, SpokenTo]


def test_a_lock_leaves_before_the_disk_gets_its_entry(bench: Bench) -> None:
    bench.play()
    bench.shuffler.jam(bench.now_s)
    assert first_outputs(bench, Device.SHUFFLER) == [SpokenTo, Batch]


def test_an_event_is_acknowledged_only_once_it_is_durable(bench: Bench) -> None:
    bench.play()
    bench.deal()
    bench.disk_s, before = SYNC_S, bench.shuffler.acknowledged
    at_s = bench.now_s
    bench.shuffler.jam(at_s)
    bench.run(SYNC_S - 0.1)
    assert bench.latest.devices.shuffler.link.taken == bench.shuffler.posted
    assert bench.shuffler.acknowledged == before
    bench.run(0.3)
    assert bench.shuffler.acknowledged == bench.shuffler.posted
    assert bench.shuffler.acknowledged_at[-1][0] >= at_s + SYNC_S


def test_an_act_is_answered_only_once_it_is_durable(bench: Bench) -> None:
    bench.run(1)
    bench.disk_s, at_s = SYNC_S, bench.now_s
    ticket = bench.ask(SignIn, DEALER, operation=Operation.TABLE)
    bench.run(SYNC_S - 0.1)
    assert bench.answer_to(ticket) is None
    bench.run(0.2)
    assert isinstance(bench.answer_to(ticket), Done)
    assert next(when for when, number, _ in bench.answers if number == ticket) >= at_s + SYNC_S


def test_a_refusal_too_is_answered_only_once_it_is_durable(bench: Bench) -> None:
    bench.run(1)
    bench.disk_s = SYNC_S
    ticket = bench.ask(OpenSession, DEALER)
    bench.run(SYNC_S - 0.1)
    assert bench.answer_to(ticket) is None
    bench.run(0.2)
    assert isinstance(bench.answer_to(ticket), Refused)


def test_the_mouth_opens_only_once_the_announcement_is_durable(bench: Bench) -> None:
    bench.play()
    bench.act(TakeBets, DEALER, seats=(1,))
    bench.disk_s = SYNC_S
    bench.ask(AnnounceNoMoreBets, DEALER)
    bench.run(SYNC_S - 0.1)
    assert not bench.shuffler.mouth_is_open
    assert bench.shoe.status.locked
    bench.run(0.3)
    assert bench.shuffler.mouth_is_open
    assert not bench.shoe.status.locked


def test_the_next_card_is_let_go_only_once_the_last_is_durable(bench: Bench) -> None:
    bench.play()
    bench.act(TakeBets, DEALER, seats=(1,))
    bench.act(AnnounceNoMoreBets, DEALER)
    bench.disk_s = SYNC_S
    bench.shuffler.card_out(bench.now_s)
    bench.shoe.card_passed("9C", bench.now_s)
    bench.run(SYNC_S - 0.1)
    assert not bench.shuffler.mouth_is_open
    bench.run(SYNC_S)
    assert bench.shuffler.mouth_is_open


def test_the_feed_opens_only_once_the_packet_is_durable(bench: Bench) -> None:
    bench.run(1)
    for kind, who, values in (
        (SignIn, DEALER, {"operation": Operation.TABLE}),
        (OpenSession, DEALER, {}),
        (NumberDeckSet, CHIEF, {"deck_set": 1}),
        (ConfirmDisplay, DEALER, {}),
        (ConfirmMixing, DEALER, {}),
        (SignIn, CHIEF, {"operation": Operation.LOADING}),
        (BeginLoading, DEALER, {}),
    ):
        bench.act(kind, who, **values)
    bench.disk_s = SYNC_S
    bench.ask(OpenPacket, CHIEF)
    bench.run(SYNC_S - 0.1)
    assert not bench.shuffler.status.feed_open
    bench.run(0.3)
    assert bench.shuffler.status.feed_open
    bench.ask(ClosePacket, CHIEF)
    bench.run(0.1)
    assert not bench.shuffler.status.feed_open, "closing protects: it does not wait for the disk"


def test_what_may_be_done_next_is_told_only_from_what_is_durable(bench: Bench) -> None:
    bench.run(1)
    bench.act(SignIn, DEALER, operation=Operation.TABLE)
    bench.disk_s = SYNC_S
    bench.ask(OpenSession, DEALER)
    bench.run(SYNC_S - 0.1)
    assert "number-deck-set" not in allowed(bench.runtime)
    bench.run(0.2)
    assert "number-deck-set" in allowed(bench.runtime)


def allowed(runtime: Runtime) -> set[str]:
    return {one.act for one in runtime.permitted() if one.refusal is None}


def test_a_jam_locks_and_lights_the_lamp_within_100_ms_while_a_sync_takes_5_s(bench: Bench) -> None:
    bench.play()
    bench.act(TakeBets, DEALER, seats=(1,))
    bench.act(AnnounceNoMoreBets, DEALER)
    assert bench.shuffler.mouth_is_open
    bench.disk_s = SYNC_S
    bench.shuffler.jam(bench.now_s)
    bench.run(0.1)
    assert bench.shuffler.status.lamp_lit
    assert not bench.shuffler.mouth_is_open
    assert bench.shoe.status.locked
    assert bench.display.status.fault_shown
    assert kinds(bench) == [HoldKind.JAM]
    assert bench.durable.house.holds == ()


def test_a_sync_of_5_s_loses_no_device(bench: Bench) -> None:
    bench.play()
    bench.disk_s = SYNC_S
    bench.shuffler.jam(bench.now_s)
    bench.run(3 * SYNC_S)
    assert kinds(bench) == [HoldKind.JAM]
    assert all(supervisor.stats.reconnects == 0 for supervisor in bench.supervisors.values())


def test_a_slow_sync_at_the_start_loses_no_device() -> None:
    bench = Bench(disk_s=SYNC_S)
    bench.run(4 * SYNC_S)
    assert kinds(bench) == []
    assert bench.durable.devices.shuffler.link.connected


def test_a_flood_of_events_is_slowed_by_acknowledgement_and_none_is_lost(bench: Bench) -> None:
    bench.run(1)
    bench.disk_s = 1.0
    for _ in range(60):
        bench.shuffler.card_in(bench.now_s)
    bench.run(0.9)
    assert bench.latest.devices.shuffler.link.taken <= 16
    bench.run(60)
    assert bench.latest.devices.shuffler.link.taken == 60
    assert bench.shuffler.acknowledged == 60


def test_an_event_decided_while_a_batch_is_out_waits_for_its_own(bench: Bench) -> None:
    bench.play()
    bench.disk_s, before = SYNC_S, bench.shuffler.posted
    bench.shuffler.card_in(bench.now_s)
    bench.run(0.1)
    bench.shuffler.jam(bench.now_s)
    bench.run(SYNC_S)
    assert bench.shuffler.acknowledged == before + 1
    assert HoldKind.JAM not in [hold.kind for hold in bench.durable.house.holds]
    bench.run(SYNC_S)
    assert bench.shuffler.acknowledged == before + 2


def test_a_device_that_is_plugged_in_again_is_not_told_of_more_than_is_durable(bench: Bench) -> None:
    bench.play()
    bench.disk_s, before = SYNC_S, bench.shuffler.acknowledged
    bench.shuffler.card_in(bench.now_s)
    bench.run(0.2)
    bench.unplug(Device.SHUFFLER)
    bench.run(0.05)
    bench.plug(Device.SHUFFLER)
    bench.run(1)
    assert bench.supervisors[Device.SHUFFLER].connected
    assert bench.shuffler.acknowledged == before


def test_the_event_of_an_unplugged_device_is_taken_once(bench: Bench) -> None:
    bench.play()
    bench.disk_s = SYNC_S
    bench.shuffler.card_in(bench.now_s)
    bench.run(0.2)
    taken, seq = bench.latest.devices.shuffler.link.taken, bench.runtime.ledger.next_seq
    assert taken == bench.shuffler.posted
    bench.unplug(Device.SHUFFLER)
    bench.run(0.05)
    bench.plug(Device.SHUFFLER)
    bench.run(1)
    assert bench.latest.devices.shuffler.link.taken == taken
    assert bench.runtime.ledger.next_seq == seq + 2, "lost and connected, and no card again"


def test_an_event_that_the_table_has_is_not_taken_again(bench: Bench) -> None:
    bench.play()
    link, inside, seq = (
        bench.latest.devices.shuffler.link,
        bench.latest.custody.book.inside,
        bench.runtime.ledger.next_seq,
    )
    again = Reported(link.boot, link.taken, CardIn(), bench.shuffler.status)
    bench.hears(Device.SHUFFLER, again)
    bench.run(0.1)
    assert bench.latest.custody.book.inside == inside
    assert bench.runtime.ledger.next_seq == seq


def test_figures_that_run_ahead_of_their_event_are_left_to_it(bench: Bench) -> None:
    bench.play()
    seq, book = bench.runtime.ledger.next_seq, bench.latest.custody.book
    ahead = replace(bench.shuffler.status, cards_out=bench.shuffler.status.cards_out + 1)
    bench.hears(Device.SHUFFLER, StatusHeard(ahead, bench.latest.devices.shuffler.link.taken + 1))
    bench.run(0.1)
    assert bench.kinds()[seq - 1 :] == ["events-awaited"]
    assert bench.latest.custody.book == book
    bench.hears(Device.SHUFFLER, StatusHeard(ahead, bench.latest.devices.shuffler.link.taken))
    bench.run(0.1)
    assert bench.kinds()[seq:] == ["shuffler-status-heard"]


def test_figures_that_say_nothing_new_make_no_entry(bench: Bench) -> None:
    bench.play()
    bench.run(30)
    assert "shuffler-status-heard" not in bench.kinds()
