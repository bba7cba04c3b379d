"""A journal that cannot be written: the table is held at once, nothing is acknowledged or answered, and all of it comes
back.
"""

import pytest

from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.deal import AnnounceNoMoreBets
from controller.core.house.attendance import SignIn
from controller.core.house.hold_acts import AttendHold, ClearHold, ConfirmHold
from controller.core.words import Device, HoldKind, HoldPhase, Operation
from controller.journal.errors import StorageReason
from controller.runtime.answers import Done, Failed, Trouble
from controller.runtime.health import Journaling
from controller.runtime.kernel import MOST_WAITING
from simulators.disk import Verb
from tests.runtime.bench import CHIEF, DEALER, Bench


@pytest.fixture
def bench() -> Bench:
    bench = Bench()
    bench.play()
    bench.act(TakeBets, DEALER, seats=(1,))
    bench.act(AnnounceNoMoreBets, DEALER)
    assert bench.shuffler.mouth_is_open
    return bench


def fail(bench: Bench) -> None:
    """Fills the disk, and makes the table write an entry."""
    bench.storage.fail(Verb.SYNC, StorageReason.FULL)
    bench.shuffler.change(path_blocked=True)
    bench.run(0.7)
    bench.shuffler.change(path_blocked=False)
    bench.run(0.7)


def test_the_table_holds_at_once_when_the_journal_fails(bench: Bench) -> None:
    bench.storage.fail(Verb.SYNC, StorageReason.FULL)
    ticket = bench.ask(SignIn, CHIEF, operation=Operation.HOLD)
    bench.run(0.1)
    assert [hold.kind for hold in bench.latest.house.holds] == [HoldKind.JOURNAL_FAULT]
    assert not bench.shuffler.mouth_is_open
    assert bench.shoe.status.locked
    answer = bench.answer_to(ticket)
    assert isinstance(answer, Failed)
    assert answer.trouble is Trouble.JOURNAL_FAULT


def test_nothing_is_acknowledged_while_the_journal_fails(bench: Bench) -> None:
    before = bench.shuffler.acknowledged
    fail(bench)
    bench.shuffler.jam(bench.now_s)
    bench.run(30)
    assert bench.latest.devices.shuffler.link.taken == bench.shuffler.posted
    assert bench.shuffler.acknowledged == before
    assert bench.shuffler.status.lamp_lit, "what protects goes on"
    assert all(supervisor.stats.reconnects == 0 for supervisor in bench.supervisors.values())


def test_acts_are_refused_with_the_fault_and_change_nothing(bench: Bench) -> None:
    fail(bench)
    seq, digest = bench.runtime.ledger.next_seq, bench.digest()
    answer = bench.failed(SignIn, CHIEF, operation=Operation.HOLD)
    assert answer.trouble is Trouble.JOURNAL_FAULT
    assert (bench.runtime.ledger.next_seq, bench.digest()) == (seq, digest)


def test_everything_is_written_once_the_journal_can_be_written_again(bench: Bench) -> None:
    fail(bench)
    bench.shuffler.jam(bench.now_s)
    bench.run(20)
    bench.storage.heal()
    bench.run(11)
    kinds = bench.kinds()
    assert kinds.count("journal-failed") == 1
    assert kinds.index("journal-failed") < kinds.index("shuffler-jammed") < kinds.index("journal-restored")
    assert bench.shuffler.acknowledged == bench.shuffler.posted
    assert bench.durable == bench.latest
    assert not bench.latest.house.journal_failed


def test_the_hold_stays_until_people_have_ended_it(bench: Bench) -> None:
    fail(bench)
    bench.storage.heal()
    bench.run(11)
    hold = next(hold for hold in bench.latest.house.holds if hold.kind is HoldKind.JOURNAL_FAULT)
    assert hold.phase is HoldPhase.RAISED
    assert not bench.shuffler.mouth_is_open
    bench.act(AttendHold, CHIEF, hold=hold.id)
    bench.act(ClearHold, CHIEF, hold=hold.id)
    bench.act(ConfirmHold, CHIEF, hold=hold.id)
    assert bench.shuffler.mouth_is_open


@pytest.mark.parametrize("drops", [False, True])
@pytest.mark.parametrize("verb", [Verb.SYNC, Verb.APPEND])
def test_no_entry_is_lost_or_doubled_by_a_failure(bench: Bench, verb: Verb, *, drops: bool) -> None:
    bench.storage.fail(verb, StorageReason.IO_ERROR, keeps=17, drops=drops)
    bench.shuffler.jam(bench.now_s)
    bench.run(5)
    bench.storage.heal()
    bench.run(11)
    assert [entry.seq for entry in bench.entries()] == list(range(1, bench.runtime.ledger.next_seq))
    assert bench.kinds().count("shuffler-jammed") == 1


@pytest.mark.slow
def test_a_failing_journal_bounds_what_is_kept(bench: Bench) -> None:
    fail(bench)
    for _ in range(500):
        bench.unplug(Device.SHOE)
        bench.run(0.01)
        bench.plug(Device.SHOE)
        bench.run(5.5)
    assert MOST_WAITING <= bench.runtime.ledger.waiting <= MOST_WAITING + 20
    bench.storage.heal()
    bench.run(60)  # a device with too many events is ignored for half a minute
    assert bench.runtime.ledger.waiting == 0
    assert bench.latest.devices.reader.link.connected


@pytest.mark.slow
def test_more_than_a_batch_waits_and_is_written(bench: Bench) -> None:
    bench.disk_s = 900.0
    for _ in range(150):
        bench.unplug(Device.SHOE)
        bench.run(0.01)
        bench.plug(Device.SHOE)
        bench.run(5.5)
    assert bench.runtime.ledger.waiting > 256
    bench.disk_s = 0.001
    bench.run(901)
    assert bench.runtime.ledger.waiting == 0
    assert bench.durable == bench.latest


@pytest.mark.slow
def test_with_too_much_waiting_acts_are_told_to_wait(bench: Bench) -> None:
    bench.disk_s = 1e9
    for _ in range(300):
        bench.unplug(Device.SHOE)
        bench.run(0.01)
        bench.plug(Device.SHOE)
        bench.run(5.5)
    assert bench.failed(SignIn, CHIEF, operation=Operation.HOLD).trouble is Trouble.BUSY


def test_a_journal_that_no_longer_verifies_is_not_written_again(bench: Bench) -> None:
    bench.storage.fail(Verb.SYNC, StorageReason.IO_ERROR)
    bench.ask(SignIn, CHIEF, operation=Operation.HOLD)
    bench.run(0.1)
    bench.storage.heal()
    bench.storage.flip("00000001.segment", 8 * 200)
    bench.run(30)
    assert bench.runtime.health.condition is Journaling.DAMAGED
    before = bench.storage.read("00000001.segment")
    bench.shuffler.jam(bench.now_s)
    bench.run(30)
    assert bench.storage.read("00000001.segment") == before
    assert bench.shuffler.status.lamp_lit


def test_a_damaged_journal_starts_held_and_is_not_touched(bench: Bench) -> None:
    bench.kill()
    bench.storage.flip("00000001.segment", 8 * 200)
    before = bench.storage.read("00000001.segment")
    bench.start()
    bench.run(5)
    bench.shuffler.jam(bench.now_s)
    bench.run(5)
    fault = next(hold for hold in bench.latest.house.holds if hold.kind is HoldKind.JOURNAL_FAULT)
    assert dict(fault.details)["reason"] == "record-crc, #1"
    assert bench.failed(SignIn, CHIEF, operation=Operation.HOLD).trouble is Trouble.JOURNAL_FAULT
    assert bench.storage.read("00000001.segment") == before
    assert bench.runtime.ledger.waiting == 0
    assert not bench.shuffler.mouth_is_open
    assert bench.shuffler.status.lamp_lit
    assert bench.shuffler.acknowledged < bench.shuffler.posted


def test_the_log_of_a_damaged_journal_does_not_say_that_a_device_has_forgotten_events(bench: Bench) -> None:
    bench.kill()
    bench.storage.flip("00000001.segment", 4 * len(bench.storage.read("00000001.segment")))
    bench.start()
    bench.run(5)
    assert "events-missed" not in {log_event.name for log_event in bench.runtime.log.drain()}


def test_devices_obey_a_start_that_the_journal_cannot_record() -> None:
    """The start's number would be an earlier start's, and a device answers old commands from memory."""
    bench = Bench()
    bench.shuffler.change(lamp_lit=True)
    bench.run(1)
    assert not bench.shuffler.status.lamp_lit, "the first command of the first start"
    bench.kill()
    bench.storage.flip("00000001.segment", 8 * 200)  # in the first entry: this start would be the first one again
    bench.shuffler.change(lid_open=True)
    bench.start()
    bench.run(3)  # a session that is not newer is accepted after 2 s of silence
    assert bench.shuffler.status.lamp_lit


def test_a_disk_that_cannot_be_written_at_the_start_shows_the_table_held(bench: Bench) -> None:
    bench.kill()
    bench.storage.fail(Verb.SYNC, StorageReason.READ_ONLY)
    bench.start()
    bench.run(5)
    assert HoldKind.JOURNAL_FAULT in [hold.kind for hold in bench.latest.house.holds]
    assert bench.latest.house.session is not None
    assert not bench.shuffler.mouth_is_open


def test_a_disk_that_cannot_be_written_at_the_start_has_nothing_acknowledged(bench: Bench) -> None:
    """The bytes of a process that died before its sync can be read, and may be lost with the power."""
    bench.storage.fail(Verb.SYNC, StorageReason.IO_ERROR)
    before = bench.shuffler.acknowledged
    bench.shuffler.jam(bench.now_s)
    bench.run(0.5)
    assert bench.shuffler.posted > before
    bench.kill()
    bench.storage.fail(Verb.SYNC, StorageReason.IO_ERROR)
    bench.start()
    bench.run(5)
    assert bench.shuffler.acknowledged == before


def test_stopping_is_the_last_entry_and_takes_no_more_acts(bench: Bench) -> None:
    bench.runtime.stop(bench.now_s)
    bench.runtime.stop(bench.now_s)
    assert bench.failed(SignIn, CHIEF, operation=Operation.HOLD).trouble is Trouble.STOPPING
    assert bench.kinds()[-1] == "controller-stopped"
    assert bench.kinds().count("controller-stopped") == 1


def test_a_failed_sync_at_the_start_is_made_good() -> None:
    storage = Bench().storage
    storage.fail(Verb.SYNC, StorageReason.FULL)
    bench = Bench(storage=storage)
    bench.run(3)
    assert bench.runtime.health.condition is not Journaling.WRITING
    storage.heal()
    bench.run(11)
    assert isinstance(bench.outcome(SignIn, DEALER, operation=Operation.TABLE), Done)
