"""The writer's durable batches, their order, and the state after a crash or a failing disk, by steps and by thread."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue

import pytest
from journal_kit import SEGMENT_1, batch, entry, heard_from, small_journal, write

from controller.journal.errors import Damage, JournalDamaged, JournalError, Reason, StorageFailed, StorageReason
from controller.journal.recovery import Recovery, Tip, recover
from controller.journal.seals import SEAL_SIZE
from controller.journal.storage import DirectoryReader, DirectoryStorage, Storage
from controller.journal.writer import JournalWriter
from controller.journal.writer_logic import Append, Restore, Step, Sync, WriterLogic, perform
from simulators.disk import Call, MemoryStorage, Verb
from tests.endings import HANGS_S

pytestmark = pytest.mark.waits

SEALS_1 = "00000001.seals"
SEAL = bytes(SEAL_SIZE)


def seqs(storage: MemoryStorage) -> list[int]:
    recovery = Recovery(storage)
    assert recovery.damage is None
    return [found.seq for found in recovery.entries()]


def perform_all(storage: MemoryStorage, steps: tuple[Step, ...]) -> None:
    for step in steps:
        perform(storage, step)


# --- the logic


def test_the_steps_of_a_batch_are_seals_then_records() -> None:
    steps = WriterLogic(Tip()).begin(batch(1, 2, (SEAL, SEAL)))
    assert steps[0] == Append(SEALS_1, SEAL + SEAL)
    assert steps[1] == Sync(SEALS_1)
    assert isinstance(steps[2], Append)
    assert steps[2].name == SEGMENT_1
    assert steps[3:] == (Sync(SEGMENT_1, back_to=0),)


def test_nothing_is_durable_before_the_last_step_and_only_one_batch_is_out() -> None:
    logic = WriterLogic(Tip())
    logic.begin(batch(1, 2))
    assert logic.durable == Tip()
    with pytest.raises(ValueError, match="out already"):
        logic.begin(batch(3, 3))
    assert logic.succeeded() == 2
    assert logic.durable.next_seq == 3
    with pytest.raises(ValueError, match="no batch"):
        logic.succeeded()


@pytest.mark.parametrize(("first", "last"), [(2, 2), (4, 4), (3, 2)])
def test_a_batch_must_follow_what_is_durable(first: int, last: int) -> None:
    logic = write(MemoryStorage(), [batch(1, 2)])
    with pytest.raises(ValueError, match="next entry is 3"):
        logic.begin(batch(first, last))


def test_a_full_segment_is_followed_by_the_next() -> None:
    storage = MemoryStorage()
    write(storage, [batch(1, 2), batch(3, 3), batch(4, 4)], segment_limit=400)
    assert [file.name for file in storage.list()] == [SEGMENT_1, "00000002.segment"]
    assert seqs(storage) == [1, 2, 3, 4]


def test_after_a_failure_the_first_step_restores() -> None:
    storage = MemoryStorage()
    logic = write(storage, [batch(1, 1)])
    logic.begin(batch(2, 2))
    logic.failed()
    assert logic.begin(batch(2, 3))[0] == Restore(logic.durable)
    logic.failed()
    assert logic.begin(batch(2, 3))[0] == Restore(logic.durable)
    logic.succeeded()
    assert isinstance(logic.begin(batch(4, 4))[0], Append)


# --- crashes: the process or the power ends before or after each step, at every byte


def crash_points(segment_limit: int) -> Iterator[tuple[MemoryStorage, int, int]]:
    """Yields each disk that a crash can leave while entries 1 to 5 are written; and the last durable and begun one."""
    storage, begun = MemoryStorage(), 0
    logic = WriterLogic(Tip(), segment_limit=segment_limit)
    for first, last in ((1, 2), (3, 3), (4, 5)):
        begun = last
        durable = logic.durable.next_seq - 1
        for step in logic.begin(batch(first, last, (SEAL,))):
            perform(storage, step)
            for disk in (storage.after_kill(), *storage.power_cuts()):
                yield disk, durable, begun
        logic.succeeded()
        yield storage.after_power_cut(), last, last


@pytest.mark.parametrize("segment_limit", [1, 1 << 20])
def test_after_any_crash_everything_durable_is_there_and_nothing_but_what_was_begun(segment_limit: int) -> None:
    points = 0
    for disk, durable, begun in crash_points(segment_limit):
        recovery = recover(disk)
        assert recovery.damage is None
        found = list(recovery.entries())
        assert found == [entry(seq) for seq in range(1, len(found) + 1)]
        assert durable <= len(found) <= begun
        assert not any(name.endswith(".segment") for name in disk.unsynced())
        write(disk, [batch(len(found) + 1, len(found) + 1)])
        assert seqs(disk.after_power_cut()) == list(range(1, len(found) + 2))
        points += 1
    assert points > 1500


# --- a failing disk


@pytest.mark.parametrize("verb", [Verb.APPEND, Verb.SYNC])
@pytest.mark.parametrize("keeps", [0, 1, 91, 92, 93, 150, 300])
def test_a_failed_batch_is_cut_back_and_written_again(verb: Verb, keeps: int) -> None:
    storage = MemoryStorage()
    logic = write(storage, [batch(1, 2)])
    storage.fail(verb, StorageReason.FULL, keeps=keeps, drops=True)
    with pytest.raises(StorageFailed):
        perform_all(storage, logic.begin(batch(3, 4)))
    logic.failed()
    storage.heal()
    perform_all(storage, logic.begin(batch(3, 5)))
    assert logic.succeeded() == 5
    assert seqs(storage) == [1, 2, 3, 4, 5]
    assert seqs(storage.after_power_cut()) == [1, 2, 3, 4, 5]


def test_without_the_restore_a_failed_sync_would_leave_a_hole() -> None:
    storage = MemoryStorage()
    logic = write(storage, [batch(1, 2)])
    steps = logic.begin(batch(3, 4))
    storage.fail(Verb.SYNC, StorageReason.IO_ERROR, drops=True)
    perform(storage, steps[0])
    with pytest.raises(StorageFailed):
        perform(storage, Sync(SEGMENT_1))
    storage.heal()
    perform(storage, Sync(SEGMENT_1))
    assert seqs(storage) == [1, 2, 3, 4]
    assert Recovery(storage.after_power_cut()).damage == Damage(3, 1, logic.durable.size, Reason.LENGTH)


def test_a_process_that_dies_after_a_failed_sync_leaves_nothing_that_the_power_takes() -> None:
    storage = MemoryStorage()
    logic = write(storage, [batch(1, 2)])
    storage.fail(Verb.SYNC, StorageReason.IO_ERROR, drops=True)
    with pytest.raises(StorageFailed):
        perform_all(storage, logic.begin(batch(3, 4)))
    found = storage.after_kill()
    recover(found)
    assert seqs(found) == seqs(found.after_power_cut()) == [1, 2]


def test_a_failure_while_a_segment_begins_is_cut_back_too() -> None:
    storage = MemoryStorage()
    logic = write(storage, [batch(1, 2)], segment_limit=1)
    storage.fail(Verb.SYNC, StorageReason.IO_ERROR, drops=True)
    with pytest.raises(StorageFailed):
        perform_all(storage, logic.begin(batch(3, 3)))
    logic.failed()
    storage.heal()
    perform_all(storage, logic.begin(batch(3, 3)))
    logic.succeeded()
    assert seqs(storage.after_power_cut()) == [1, 2, 3]


@pytest.mark.parametrize("cut", [0, 92, 200])
def test_a_restore_that_does_not_find_what_is_durable_cuts_nothing(cut: int) -> None:
    storage = MemoryStorage()
    logic = write(storage, [batch(1, 3)])
    storage.append(SEGMENT_1, b"torn")
    storage.replace(SEGMENT_1, storage.read(SEGMENT_1)[:cut])
    logic.failed()
    step = logic.begin(batch(4, 4))[0]
    calls = heard_from(storage)
    with pytest.raises(JournalDamaged):
        perform(storage, step)
    assert calls == []


@pytest.mark.parametrize("keeps", [0, 1, SEAL_SIZE, SEAL_SIZE + 1])
def test_a_failure_within_the_seals_leaves_the_next_seal_in_its_place(keeps: int) -> None:
    storage = MemoryStorage()
    logic = write(storage, [batch(1, 1, (b"a" * SEAL_SIZE,))])
    storage.fail(Verb.APPEND, StorageReason.FULL, keeps=keeps)
    with pytest.raises(StorageFailed):
        perform_all(storage, logic.begin(batch(2, 2, (b"b" * SEAL_SIZE, b"c" * SEAL_SIZE))))
    logic.failed()
    storage.heal()
    perform_all(storage, logic.begin(batch(2, 2, (b"b" * SEAL_SIZE, b"c" * SEAL_SIZE))))
    seals = storage.after_power_cut().read(SEALS_1)
    assert len(seals) % SEAL_SIZE == 0
    assert seals.startswith(b"a" * SEAL_SIZE)
    assert seals.endswith(b"b" * SEAL_SIZE + b"c" * SEAL_SIZE)


# --- the thread


class Loop:
    """The loop of the writer's caller: runs the queued calls in this thread."""

    def __init__(self) -> None:
        self.calls: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self.heard: list[int | JournalError] = []
        self.writers: list[JournalWriter] = []

    def run_one(self) -> int | JournalError:
        self.calls.get(timeout=HANGS_S)()
        return self.heard[-1]

    def writer(self, storage: Storage) -> JournalWriter:
        writer = JournalWriter(
            storage,
            recover(storage).tip(),
            call_in_loop=self.calls.put,
            on_durable=self.heard.append,
            on_failure=self.heard.append,
        )
        self.writers.append(writer)
        return writer


@pytest.fixture
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    for writer in loop.writers:
        writer.close()


def test_the_thread_writes_in_order_and_calls_back_in_the_loop(loop: Loop, tmp_path: Path) -> None:
    storage = DirectoryStorage(tmp_path / "journal")
    writer = loop.writer(storage)
    writer.submit(batch(1, 3, (SEAL,)))
    assert loop.run_one() == 3
    writer.submit(batch(4, 4))
    assert loop.run_one() == 4
    assert writer.durable.next_seq == 5
    writer.close()
    storage.close()
    with DirectoryReader(tmp_path / "journal") as reader:
        assert [found.seq for found in Recovery(reader).entries()] == [1, 2, 3, 4]
        assert reader.read(SEALS_1) == SEAL


def test_seals_are_synced_before_records_are_appended_and_records_before_the_callback(loop: Loop) -> None:
    order: list[object] = []
    storage = MemoryStorage(on_call=order.append)
    writer = loop.writer(storage)
    writer._call_in_loop = lambda call: (order.append("callback"), loop.calls.put(call))
    writer.submit(batch(1, 1, (SEAL,)))
    loop.run_one()
    writer.close()
    size = len(storage.read(SEGMENT_1))
    assert order == [
        Call(Verb.APPEND, SEALS_1, SEAL_SIZE),
        Call(Verb.SYNC, SEALS_1),
        Call(Verb.APPEND, SEGMENT_1, size),
        Call(Verb.SYNC, SEGMENT_1),
        "callback",
    ]


def test_a_slow_sync_holds_up_nobody_who_submits(loop: Loop) -> None:
    release, syncing = threading.Event(), threading.Event()

    def slow(call: Call) -> None:
        if call.verb is Verb.SYNC:
            syncing.set()
            assert release.wait(HANGS_S)

    storage = MemoryStorage(on_call=slow)
    writer = loop.writer(storage)
    writer.submit(batch(1, 1))
    assert syncing.wait(HANGS_S)
    assert loop.calls.empty()
    assert writer.durable.next_seq == 1
    release.set()
    assert loop.run_one() == 1
    writer.close()


def test_closing_finishes_the_batch_that_is_out(loop: Loop) -> None:
    storage = MemoryStorage()
    writer = loop.writer(storage)
    writer.submit(batch(1, 2))
    writer.close()
    assert loop.run_one() == 2
    assert seqs(storage.after_power_cut()) == [1, 2]


def test_a_failure_is_told_once_and_nothing_is_tried_again_unasked(loop: Loop) -> None:
    storage = MemoryStorage()
    calls = heard_from(storage)
    writer = loop.writer(storage)
    storage.fail(Verb.SYNC, StorageReason.READ_ONLY, drops=True)
    writer.submit(batch(1, 2))
    failure = loop.run_one()
    assert isinstance(failure, StorageFailed)
    assert failure.reason is StorageReason.READ_ONLY
    told = len(calls)
    assert calls[-1].verb is Verb.TRUNCATE
    assert loop.calls.empty()
    assert len(calls) == told
    storage.heal()
    writer.submit(batch(1, 3))
    assert loop.run_one() == 3
    writer.close()
    assert seqs(storage.after_power_cut()) == [1, 2, 3]


def test_a_journal_that_changed_under_the_writer_is_reported(loop: Loop) -> None:
    storage = small_journal(3)
    writer = loop.writer(storage)
    storage.fail(Verb.APPEND, StorageReason.FULL)
    writer.submit(batch(4, 4))
    loop.run_one()
    storage.heal()
    storage.flip(SEGMENT_1, 1000)
    writer.submit(batch(4, 4))
    assert isinstance(loop.run_one(), JournalDamaged)
    writer.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_the_loop_hears_of_a_thread_that_ended(loop: Loop) -> None:
    def broken(_: Call) -> None:
        raise RuntimeError("not an error of the storage")

    writer = loop.writer(MemoryStorage(on_call=broken))
    writer.submit(batch(1, 1))
    failure = loop.run_one()
    assert isinstance(failure, StorageFailed)
    assert "thread ended" in str(failure)
    writer.close()
