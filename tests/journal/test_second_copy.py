"""The thread of the second copy: what is durable follows, a medium that fails is told and tried again."""

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
from controller.journal.mark import begun_path
from controller.journal.recovery import Tip, inspect
from controller.journal.second_copy import CopyCondition, SecondCopy
from tests.endings import HANGS_S
from tests.waiting import wait_for

pytestmark = pytest.mark.waits


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


def test_a_mark_lies_beside_it_as_soon_as_it_has_that_entry(table: Table) -> None:
    """Before that it would say of a journal that is taken over from here that there was more."""
    place = begun_path(table.second)
    last = table.tip().next_seq - 1
    table.copy.mark(last, b"of what there is")
    table.copy.start()
    table.until(place.exists)
    table.copy.mark(last + 1, b"of the next")
    table.until(table.is_in_step)
    assert place.read_bytes() == b"of what there is"
    table.goes_on()
    table.until(lambda: place.read_bytes() == b"of the next")


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
