"""All journaled events share one budget: a device that floods is cut off, counted or slowed, and the others play on."""

import pytest

from controller.core.house.plain_session import OpenSession
from controller.core.words import Device, DutyKind, HoldKind, Role
from controller.journal.errors import StorageFailed, StorageReason
from controller.runtime.answers import Refused
from controller.runtime.budget import REFUSALS_AT_ONCE, Budget
from controller.runtime.devices import EVENTS_AT_ONCE, EVENTS_PER_S, FIGURES_AT_ONCE, FIGURES_PER_S
from controller.runtime.kernel import MOST_WAITING
from drivers.events import StatusHeard
from drivers.supervisor import AFTER_FLOOD_S, MOST_EVENTS
from firmware_protocols.tdp.display import DisplayFaulted
from firmware_protocols.tdp.shuffler import CardOut
from tests.runtime.bench import CHIEF, Bench
from tests.runtime.flooding import flood

REFUSED = OpenSession(CHIEF, Role.CHIEF_SUPERVISOR)


@pytest.fixture
def bench() -> Bench:
    bench = Bench()
    bench.run(1)
    return bench


def test_a_budget_fills_with_time_and_never_beyond_its_burst() -> None:
    budget = Budget(burst=3, per_s=2)
    for _ in range(3):
        assert budget.has_some(100.0)
        budget.spend(100.0)
    assert not budget.has_some(100.4)
    assert budget.wait_s(100.4) == pytest.approx(0.1)
    assert budget.has_some(100.5)
    budget.spend(1000.0, amount=7)
    assert budget.wait_s(1000.0) == pytest.approx(2.5)
    assert not budget.has_some(999.0), "a clock that goes back fills nothing"


def test_a_display_that_floods_is_cut_off_a_duty_and_no_hold(bench: Bench) -> None:
    before = len(bench.entries())
    for _ in range(20):
        flood(bench.peers[Device.JACKPOT_DISPLAY], DisplayFaulted(7), 1000)
        bench.run(0.2)
    assert not bench.supervisors[Device.JACKPOT_DISPLAY].connected
    assert bench.durable.house.holds == ()
    assert [(duty.kind, duty.who) for duty in bench.durable.house.duties] == [
        (DutyKind.LOOK_INTO_DISPLAY, Role.ROOM_MANAGER)
    ]
    assert len(bench.entries()) - before < EVENTS_AT_ONCE + 4 * EVENTS_PER_S + MOST_EVENTS
    connections = bench.kinds().count("device-connected")
    bench.run(AFTER_FLOOD_S - 5)
    assert bench.kinds().count("device-connected") == connections, "it is left alone"
    bench.run(10)
    assert bench.supervisors[Device.JACKPOT_DISPLAY].connected


def test_cards_are_never_summed_what_is_too_much_stays_unacknowledged_and_the_link_ends_with_a_hold(
    bench: Bench,
) -> None:
    bench.load()
    shuffler = bench.peers[Device.SHUFFLER]
    for number in range(10):
        flood(shuffler, CardOut(), 200, cards_out=shuffler.status.cards_out + number)
        bench.run(0.01)
    assert bench.kinds().count("card-counted-out") <= EVENTS_AT_ONCE + EVENTS_PER_S
    bench.run(5)
    (lost,) = [hold for hold in bench.durable.house.holds if hold.kind is HoldKind.DEVICE_LOST]
    assert lost.device is Device.SHUFFLER
    taken = [
        entry.source.event_number for entry in bench.entries() if entry.source and entry.kind == "card-counted-out"
    ]
    assert len(set(taken)) == len(taken) <= EVENTS_AT_ONCE + MOST_EVENTS + EVENTS_PER_S * 5
    assert bench.durable.devices.shuffler.link.taken < shuffler.link._next_event - 1, "the rest is not acknowledged"


def test_the_shoe_has_its_turn_while_the_shuffler_floods(bench: Bench) -> None:
    flood(bench.peers[Device.SHUFFLER], CardOut(), 200)
    bench.peers[Device.SHOE].card_passed("QD", bench.now_s)
    bench.run(0.01)
    assert bench.kinds().count("card-read") == 1


def test_an_unloading_of_eight_decks_at_the_simulators_pace_is_no_flood(bench: Bench) -> None:
    shuffler = bench.peers[Device.SHUFFLER]
    for _ in range(416):
        shuffler.card_in(bench.now_s)
        bench.run(1 / 50)
    assert bench.kinds().count("card-counted-in") == 416
    assert bench.supervisors[Device.SHUFFLER].connected


def test_figures_that_change_with_every_heartbeat_are_counted_in_one_entry_a_minute(bench: Bench) -> None:
    before = bench.kinds().count("reader-status-heard")
    supervisor = bench.supervisors[Device.SHOE]
    for number in range(2000):
        status = bench.peers[Device.SHOE].status
        supervisor._take(StatusHeard(type(status)(passages=501 + number % 2), 0), bench.now_s)
        bench._step()
        bench.now_s += 0.001
    heard = bench.kinds()
    bench.runtime.minute_passed(bench.now_s)
    bench.run(0.1)
    assert bench.kinds().count("reader-status-heard") - before <= FIGURES_AT_ONCE + 3 * FIGURES_PER_S
    told = [bytes(entry.body) for entry in bench.entries()[len(heard) :] if entry.kind == "summed"]
    assert len(told) == 1
    assert b'"source":"shoe","what":"figures"' in told[0]


def test_refused_acts_of_one_user_are_counted_and_answered_all_the_same(bench: Bench) -> None:
    for ticket in range(1, 501):
        bench.runtime.act(ticket, REFUSED, bench.now_s, "1001/x" if ticket % 2 else "1001/y")
    bench.run(0.2)
    assert isinstance(bench.answer_to(500), Refused)
    refused = [entry for entry in bench.entries() if entry.refusal is not None]
    assert len(refused) <= REFUSALS_AT_ONCE + 1
    bench.runtime.minute_passed(bench.now_s)
    bench.run(0.1)
    counted = [bytes(entry.body) for entry in bench.entries() if entry.kind == "summed"]
    assert len(counted) == 2
    bench.runtime.act(501, REFUSED, bench.now_s, "1002")
    bench.run(0.1)
    assert bench.entries()[-1].refusal is not None, "another user has a budget of his own"


def test_while_the_journal_cannot_be_written_what_waits_is_bounded_whatever_a_device_tells(bench: Bench) -> None:
    bench.runtime.journal_failed(StorageFailed("sync", "x", StorageReason.FULL, "full"), bench.now_s)
    bench.runtime.health._retry_at_s = None  # for the whole test
    display = bench.peers[Device.JACKPOT_DISPLAY]
    for _ in range(60):
        flood(display, DisplayFaulted(7), 1000)
        bench.run(1.0)
    assert bench.runtime.ledger.waiting <= MOST_WAITING + 10
    assert all(len(one.reported) <= MOST_EVENTS + 300 for one in bench.supervisors.values())


def test_a_supervisor_whose_events_nobody_takes_keeps_the_last_status_only(bench: Bench) -> None:
    supervisor = bench.supervisors[Device.SHOE]
    status = bench.peers[Device.SHOE].status
    for number in range(5 * MOST_EVENTS):
        supervisor._take(StatusHeard(type(status)(passages=number), 0), bench.now_s)
    assert len(supervisor.reported) <= MOST_EVENTS
    assert supervisor.reported[-1].status.passages == 5 * MOST_EVENTS - 1
