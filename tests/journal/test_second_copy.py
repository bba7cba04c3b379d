"""Two copies of one journal: the shorter is completed, a fork is named, a medium that fails is told and tried again."""

import errno
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from journal_kit import batch, seal_file, small_journal, to_directory, write

from controller.journal import second_copy
from controller.journal.copies import (
    Compared,
    Longer,
    Position,
    Verified,
    compare,
    copy_behind,
    settle_shorter,
    verified_end,
)
from controller.journal.format import scan
from controller.journal.recovery import Tip, inspect
from controller.journal.second_copy import CopyCondition, SecondCopy
from controller.journal.storage import StoredFile
from simulators.disk import MemoryStorage

ENTRIES, PER_SEGMENT = 6, 3


def files(storage: MemoryStorage) -> dict[str, bytes]:
    return {file.name: storage.read(file.name) for file in storage.list()}


def cut_to(storage: MemoryStorage, size: int) -> MemoryStorage:
    """What is left of a journal whose bytes, one segment behind the other, end after `size`."""
    left = MemoryStorage()
    for name, data in files(storage).items():
        if kept := data[: max(0, size)]:
            left.replace(name, kept)
        size -= len(data)
    return left


def size_of(storage: MemoryStorage) -> int:
    return sum(map(len, files(storage).values()))


def complete(source: MemoryStorage, target: MemoryStorage, compared: Compared) -> None:
    settle_shorter(target, compared)
    copy_behind(source, target, Position(compared.segment, compared.size), verified_end(source, compared).until)


def test_a_copy_that_ends_at_any_byte_is_the_shorter_one_and_becomes_the_same_again() -> None:
    whole = small_journal(ENTRIES, per_segment=PER_SEGMENT)
    for size in range(size_of(whole)):
        short = cut_to(whole, size)
        entries = inspect(short).next_seq
        for here, there, longer in ((whole, short, Longer.FIRST), (short, whole, Longer.SECOND)):
            compared = compare(here, there)
            assert (compared.fork, compared.longer, compared.next_seq) == (None, longer, entries), size
        complete(whole, short, compared)
        assert files(short) == files(whole)
    assert compare(whole, whole).longer is Longer.NEITHER
    assert compare(MemoryStorage(), MemoryStorage()) == Compared()


class Growing(MemoryStorage):
    """A first copy whose next segment begins as soon as somebody has looked."""

    def list(self) -> tuple[StoredFile, ...]:
        found = super().list()
        self.replace("00000003.segment", b"begins")
        return found


def test_a_segment_that_begins_while_two_copies_are_compared_is_left_for_later() -> None:
    whole = small_journal(ENTRIES, per_segment=PER_SEGMENT)
    growing, short = Growing(), cut_to(whole, 200)
    for name, data in files(whole).items():
        growing.replace(name, data)
    assert list(files(whole)) == ["00000001.segment", "00000002.segment"]
    assert compare(growing, short) == compare(whole, short)


def test_a_medium_that_lost_its_power_may_leave_zeros_behind_the_second_copy() -> None:
    whole, short = small_journal(2), small_journal(1)
    short.replace("00000001.segment", short.read("00000001.segment") + bytes(512))
    compared = compare(whole, short)
    assert (compared.fork, compared.longer, compared.next_seq) == (None, Longer.FIRST, 2)
    assert compare(short, whole).fork is not None, "the first copy's own bytes are damage whatever they are"


@pytest.mark.parametrize("zeros", [5, 512])
@pytest.mark.parametrize("behind", ["00000002.segment", "00000003.segment"])
def test_zeros_behind_the_longer_copy_do_not_come_into_the_other(behind: str, zeros: int) -> None:
    whole, zeroed = small_journal(ENTRIES, per_segment=PER_SEGMENT), small_journal(ENTRIES, per_segment=PER_SEGMENT)
    zeroed.replace(behind, files(zeroed).get(behind, b"") + bytes(zeros))
    for size in range(0, size_of(whole) + 1, 53):
        first = cut_to(whole, size)
        compared = compare(first, zeroed)
        assert compared.longer is (Longer.SECOND if size < size_of(whole) else Longer.NEITHER)
        complete(zeroed, first, compared)
        assert files(first) == files(whole), size
    complete(first, zeroed, compare(first, zeroed))
    assert {name: data for name, data in files(zeroed).items() if data} == files(whole)


def test_what_does_not_verify_in_the_longer_copy_stays_there_and_its_entry_is_named() -> None:
    """As where a medium that lost its power has old bytes of something else in a file."""
    whole = small_journal(ENTRIES, per_segment=PER_SEGMENT)
    name, last = "00000002.segment", ENTRIES
    spoilt, begins = small_journal(ENTRIES, per_segment=PER_SEGMENT), scan(whole.read(name)).records[-2].end
    spoilt.flip(name, 8 * (begins + 20))
    for first in (MemoryStorage(), cut_to(whole, 300), cut_to(whole, size_of(whole) - 150)):
        compared = compare(first, spoilt)
        assert compared.longer is Longer.SECOND
        assert verified_end(spoilt, compared) == Verified(Position(2, begins), last)
        complete(spoilt, first, compared)
        assert (inspect(first).next_seq, inspect(first).damage, inspect(first).torn) == (last, None, None)


def test_damage_that_both_copies_have_is_the_same_in_both() -> None:
    spoilt = small_journal(ENTRIES, per_segment=PER_SEGMENT)
    spoilt.flip("00000001.segment", 8 * 200)
    first = cut_to(spoilt, size_of(spoilt) - 10)
    complete(spoilt, first, compare(first, spoilt))
    assert files(first) == files(spoilt)


@pytest.mark.parametrize("lost", range(1, ENTRIES))
def test_histories_that_went_apart_are_a_fork_that_names_the_first_entry(lost: int) -> None:
    """Each goes on by itself behind the same beginning: none is a prefix of the other, whichever is longer."""
    one, other = small_journal(lost, per_segment=PER_SEGMENT), small_journal(lost, per_segment=PER_SEGMENT)
    write(one, [batch(lost + 1, lost + 1)])
    other_batch = batch(lost + 2, lost + 3)
    write(other, [type(other_batch)(lost + 1, (other_payload(lost + 1),))])
    assert compare(one, other).fork == compare(other, one).fork == lost + 1
    write(one, [batch(lost + 2, lost + 2)], segment_limit=1)
    assert compare(one, other).fork == compare(other, one).fork == lost + 1


def other_payload(seq: int) -> bytes:
    return batch(seq, seq).payloads[0].replace(b'"boot":1', b'"boot":2')


def test_any_byte_that_differs_in_the_last_segment_or_a_header_is_a_fork() -> None:
    whole = small_journal(ENTRIES, per_segment=PER_SEGMENT)
    name = files(whole).keys().__iter__()
    last = [*name][-1]
    for byte in range(len(whole.read(last))):
        other = MemoryStorage()
        for file, data in files(whole).items():
            other.replace(file, data)
        other.flip(last, 8 * byte)
        assert compare(whole, other).fork is not None, byte


def test_a_segment_that_only_one_copy_has_in_full_is_a_fork() -> None:
    whole, other = small_journal(ENTRIES, per_segment=PER_SEGMENT), small_journal(ENTRIES, per_segment=PER_SEGMENT)
    other.replace("00000001.segment", other.read("00000001.segment")[:-10])
    assert compare(whole, other).fork == 1 or compare(whole, other).fork is not None


# ---- the thread


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_copy, "ROUND_S", 0.001)
    monkeypatch.setattr(second_copy, "RETRY_S", 0.02)
    monkeypatch.setattr(second_copy, "LOOK_S", 0.02)


class Table:
    """A first copy in a directory, and the thread of the second."""

    def __init__(self, directory: Path) -> None:
        self.first, self.second = directory / "first", directory / "medium" / "second"
        self.second.parent.mkdir()
        self.storage = small_journal(2)
        to_directory(self.storage, self.first)
        self.changes = 0
        self.copy = SecondCopy(self.first, self.second, self.tip(), self._changed)

    def _changed(self) -> None:
        self.changes += 1

    def tip(self) -> Tip:
        return inspect(self.storage).tip()

    def goes_on(self) -> None:
        """One entry more in the first copy."""
        seq = self.tip().next_seq
        write(self.storage, [batch(seq, seq)], segment_limit=600)
        for name, data in files(self.storage).items():
            with (self.first / name).open("ab") as file:
                file.write(data[file.tell() :])
        self.copy.durable(self.tip())

    def until(self, what: Callable[[], bool]) -> None:
        deadline_s = time.monotonic() + 10
        while not what():
            assert time.monotonic() < deadline_s, self.copy.state()
            time.sleep(0.002)

    def is_in_step(self) -> bool:
        return self.copy.state().condition is CopyCondition.IN_STEP

    def same_bytes(self) -> bool:
        return {p.name: p.read_bytes() for p in self.first.iterdir()} == {
            p.name: p.read_bytes() for p in self.second.iterdir()
        }


@pytest.fixture
def table(tmp_path: Path, quick: None) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.copy.close()


def test_a_new_medium_is_filled_and_what_becomes_durable_follows(table: Table) -> None:
    table.copy.start()
    for _ in range(8):
        table.goes_on()
    table.until(table.is_in_step)
    assert table.same_bytes()
    assert (table.copy.state().behind, table.copy.state().since_s, table.changes) == (0, None, 0)
    assert table.copy.shares_medium


def test_only_what_is_durable_is_copied(table: Table) -> None:
    durable = (table.first / "00000001.segment").read_bytes()
    write(table.storage, [batch(3, 3)])
    (table.first / "00000001.segment").write_bytes(table.storage.read("00000001.segment"))
    table.copy.start()
    table.until(table.is_in_step)
    assert (table.second / "00000001.segment").read_bytes() == durable


def test_a_medium_that_is_away_is_told_and_filled_when_it_is_back(table: Table) -> None:
    table.copy.start()
    table.until(table.is_in_step)
    aside = table.second.parent.with_name("aside")
    table.second.parent.rename(aside)
    table.until(lambda: table.copy.state().reason == "gone")
    table.goes_on()
    state = table.copy.state()
    assert (state.condition, state.behind) == (CopyCondition.FAILED, 1)
    aside.rename(table.second.parent)
    table.until(table.is_in_step)
    assert table.same_bytes()
    assert table.changes == 2


@pytest.mark.parametrize(("error", "told"), [(errno.EIO, "io-error"), (errno.ESTALE, "other"), (errno.ENOTDIR, "gone")])
def test_a_look_at_the_place_that_fails_is_told_and_tried_again(
    table: Table, monkeypatch: pytest.MonkeyPatch, error: int, told: str
) -> None:
    table.copy.start()
    table.until(table.is_in_step)
    look, fails = Path.stat, threading.Event()

    def stat(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        if fails.is_set() and path == table.second:
            raise OSError(error, os.strerror(error), str(path))
        return look(path, follow_symlinks=follow_symlinks)

    monkeypatch.setattr(Path, "stat", stat)
    fails.set()
    table.until(lambda: table.copy.state().reason == told)
    fails.clear()
    table.goes_on()
    table.until(table.is_in_step)
    assert table.same_bytes()


def test_another_history_on_the_medium_is_left_as_it_is_and_told(table: Table) -> None:
    other = small_journal(1)
    write(other, [type(batch(2, 2))(2, (other_payload(2),))])
    to_directory(other, table.second)
    table.copy.start()
    table.until(lambda: table.copy.state().reason == "copies-differ, #2")
    assert (table.second / "00000001.segment").read_bytes() == other.read("00000001.segment")


def test_a_spoilt_seal_file_of_the_first_leaves_the_second_as_it_is_and_is_told(table: Table) -> None:
    good, name = seal_file(1, 2), "00000001.seals"
    table.second.mkdir()
    (table.second / name).write_bytes(good)
    (table.first / name).write_bytes(good[:-60] + bytes([good[-60] ^ 1]) + good[-59:])
    table.copy.start()
    table.goes_on()
    table.until(lambda: table.copy.state().reason == f"seals-differ, {name}" and table.copy.state().behind == 0)
    assert (table.second / name).read_bytes() == good
    assert table.changes == 1


def test_a_copy_that_another_writes_is_told(table: Table) -> None:
    table.copy.start()
    table.until(table.is_in_step)
    rival = SecondCopy(table.first, table.second, table.tip(), lambda: None)
    rival.start()
    table.until(lambda: rival.state().reason == "locked")
    rival.close()
    assert table.is_in_step()


def test_the_last_round_is_made_at_an_orderly_end(table: Table) -> None:
    table.copy.start()
    table.until(table.is_in_step)
    table.goes_on()
    table.copy.close()
    assert table.same_bytes()
    shutil.rmtree(table.second.parent)


# ---- a medium that hangs: it answers no call, and no call to it can be taken back


class Hanging:
    """From `begin` to `end` every sync of a file on this medium waits."""

    def __init__(self, medium: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._medium = medium
        self._answers = threading.Event()
        self._answers.set()
        self.waits = threading.Event()
        self._sync = os.fdatasync
        monkeypatch.setattr(os, "fdatasync", self._wait)

    def begin(self) -> None:
        self._answers.clear()

    def end(self) -> None:
        self._answers.set()

    def _wait(self, descriptor: int) -> None:
        if Path(f"/proc/self/fd/{descriptor}").readlink().is_relative_to(self._medium) and not self._answers.is_set():
            self.waits.set()
            assert self._answers.wait(WITHIN_S)
        self._sync(descriptor)


WITHIN_S = 20


def test_nobody_waits_for_a_medium_that_hangs_and_what_it_lacks_is_told(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    hanging = Hanging(table.second, monkeypatch)
    table.copy.start()
    table.until(table.is_in_step)
    hanging.begin()
    table.goes_on()
    assert hanging.waits.wait(WITHIN_S)
    began_s = time.monotonic()
    for _ in range(5):
        table.goes_on()
    assert time.monotonic() - began_s < WITHIN_S / 2, "handing over does not wait"
    state = table.copy.state()
    assert (state.condition, state.behind) == (CopyCondition.BEHIND, 6)
    assert state.since_s is not None
    hanging.end()
    table.until(table.is_in_step)
    assert table.same_bytes()


def test_an_orderly_end_waits_for_a_hanging_medium_no_longer_than_it_may(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    hanging = Hanging(table.second, monkeypatch)
    table.copy.start()
    table.until(table.is_in_step)
    hanging.begin()
    table.goes_on()
    assert hanging.waits.wait(WITHIN_S)
    began_s = time.monotonic()
    table.copy.close()
    took_s = time.monotonic() - began_s
    assert second_copy.LEAVE_S <= took_s < second_copy.LEAVE_S + WITHIN_S / 2
    hanging.end()
    table.until(lambda: not table.copy._thread.is_alive())
