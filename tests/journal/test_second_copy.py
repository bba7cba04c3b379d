"""The thread of the second copy: durable entries follow, a failing medium is reported and tried again."""

import errno
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from journal_kit import batch, files, other_payload, seal_file, small_journal, to_directory, write

from controller.journal import second_copy
from controller.journal.copies import Longer, Position, compare, end_of, verified_end
from controller.journal.mark import Mark, begun_path, decode_marks
from controller.journal.recovery import Recovery, Tip
from controller.journal.second_copy import CopyCondition, Goal, SecondCopy
from controller.journal.signing import KEY_SIZE, Signer
from controller.journal.storage import DirectoryReader, ReadableStorage, Storage
from simulators.disk import MemoryStorage
from tests.endings import HANGS_S
from tests.waiting import wait_for

pytestmark = pytest.mark.waits


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_copy, "ROUND_S", 0.001)
    monkeypatch.setattr(second_copy, "RETRY_S", 0.02)
    monkeypatch.setattr(second_copy, "LOOK_S", 0.02)


SIGNER = Signer(bytes(KEY_SIZE))


class Table:
    """A first copy in a directory, and the thread of the second."""

    def __init__(self, directory: Path) -> None:
        self.first, self.second = directory / "first", directory / "medium" / "second"
        self.second.parent.mkdir()
        self.storage = small_journal(2)
        to_directory(self.storage, self.first)
        self.changes = 0
        self.copy = SecondCopy(self.first, self.second, self.goal(), self._changed, SIGNER)

    def _changed(self) -> None:
        self.changes += 1

    def tip(self) -> Tip:
        return Recovery(self.storage).tip()

    def goal(self) -> Goal:
        tip = self.tip()
        return Goal(tip, Mark(tip.head.hex(), tip.next_seq - 1, 1, "T1", "cd" * 32))

    def goes_on(self, entries: int = 1) -> None:
        """Adds `entries` durable entries to the first copy."""
        seq = self.tip().next_seq
        write(self.storage, [batch(seq, seq + entries - 1)], segment_limit=600)
        for name, data in files(self.storage).items():
            with (self.first / name).open("ab") as file:
                file.write(data[file.tell() :])
        self.copy.durable(self.goal())

    def until(self, what: Callable[[], bool]) -> None:
        wait_for(what, self.copy.state)

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


def test_a_mark_lies_beside_it_of_what_it_has_and_before_a_round_of_what_it_gets(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy's mark covers its entries, and those of a round before they are copied, so that none is unsigned."""
    place, has = begun_path(table.second), table.goal().mark
    said: list[tuple[int, list[int]]] = []
    copied = second_copy.copy_behind

    def before(source: ReadableStorage, target: Storage, at: Position, until: Position) -> str:
        said.append((end_of_copy(table), [mark.seq for mark in said_by(place)]))
        return copied(source, target, at, until)

    monkeypatch.setattr(second_copy, "copy_behind", before)
    table.copy.start()
    table.until(table.is_in_step)
    table.until(lambda: said_by(place) == [has])
    table.goes_on()
    table.until(lambda: len(said) == 2)
    table.until(lambda: said_by(place) == [table.goal().mark])
    assert said == [(0, []), (2, [2, 3])]


def said_by(place: Path) -> list[Mark]:
    return [*decode_marks(place.read_bytes() if place.exists() else b"", SIGNER.public_key)]


ROUNDS = (1, 1, 3, 1, 2)
"""The number of entries in each round."""


def test_where_the_power_goes_at_any_byte_no_whole_round_is_unsigned(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a power cut at any byte, and a lost first copy, no entry of a whole round is unsigned."""
    table.copy.start()
    table.until(table.is_in_step)
    table.until(lambda: said_by(begun_path(table.second)) == [table.goal().mark])
    cuts: list[tuple[int, bytes, dict[str, bytes]]] = []
    monkeypatch.setattr(second_copy, "copy_behind", recorded(table, cuts))
    for entries in ROUNDS:
        table.goes_on(entries)
        table.until(table.is_in_step)
    table.copy.close()
    points = unsigned_points = 0
    for entries, mark, left in cuts:
        marks = {mark.seq: mark.head for mark in decode_marks(mark, SIGNER.public_key)}
        for lost_to in (0, 1, 3, 6):
            found = unsigned_of(table, left, lost_to, marks)
            points += 1
            unsigned_points += found > 0
            assert found < entries, "a whole round that nobody has signed"
    assert points > 5_000
    assert 0 < unsigned_points < points / 2, "a round of several entries that was torn"


def recorded(table: Table, cuts: list[tuple[int, bytes, dict[str, bytes]]]) -> Callable[..., str]:
    """A replacement of `copy_behind` that also adds to `cuts` each state in which a power cut can leave the medium."""
    copied = second_copy.copy_behind

    def copy(source: ReadableStorage, target: Storage, at: Position, until: Position) -> str:
        began, before, mark = end_of_copy(table), contents(target), begun_path(table.second).read_bytes()
        differing = copied(source, target, at, until)
        entries = end_of_copy(table) - began
        for name, data in contents(target).items():
            for size in range(len(before.get(name, b"")), len(data) + 1):
                before[name] = data[:size]
                cuts.append((entries, mark, dict(before)))
        return differing

    return copy


def contents(storage: ReadableStorage) -> dict[str, bytes]:
    return {file.name: storage.read(file.name) for file in storage.list() if file.name.endswith(".segment")}


def unsigned_of(table: Table, left: dict[str, bytes], lost_to: int, marks: dict[int, str]) -> int:
    """The number of unsigned entries on the medium `left`, where the first copy lost those after `lost_to`."""
    first, second = MemoryStorage(), MemoryStorage()
    end = end_of(table.storage, lost_to)
    for name, data in contents(table.storage).items():
        number = int(name.split(".")[0])
        if end is not None and number <= end.segment:
            first.replace(name, data[: end.size] if number == end.segment else data)
    for name, data in left.items():
        second.replace(name, data)
    compared = compare(first, second)
    assert compared.fork is None
    if compared.longer is not Longer.SECOND:
        return 0
    verified = verified_end(second, compared, marks)
    assert verified.bad is None
    return 0 if verified.unsigned is None else verified.unsigned.last - verified.unsigned.first + 1


def end_of_copy(table: Table) -> int:
    with DirectoryReader(table.second) as copy:
        return Recovery(copy).next_seq - 1


def test_a_mark_that_cannot_be_written_is_told_and_the_copy_goes_on(table: Table) -> None:
    begun_path(table.second).with_name("second.begun.new").mkdir(parents=True)
    table.copy.start()
    table.until(lambda: table.copy.state().reason != "")
    table.goes_on()
    table.until(lambda: end_of_copy(table) == 3)
    assert not begun_path(table.second).exists()


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
    rival = SecondCopy(table.first, table.second, table.goal(), lambda: None, SIGNER)
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
    """Makes every sync of a file on this medium wait, from `begin` to `end`."""

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


WITHIN_S = HANGS_S


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
