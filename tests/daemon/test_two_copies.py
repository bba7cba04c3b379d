"""A real controller's second copy has the same bytes, does not disturb play, and is used at a start."""

import os
import shutil
import threading
import time
from pathlib import Path

import pytest

from controller.config import read_config
from controller.daemon import copies
from controller.daemon.copies import Matched, match_copies
from controller.journal.errors import Reason
from controller.journal.format import HEADER_SIZE
from controller.journal.mark import begun_path
from controller.journal.progress import Wanted
from controller.journal.signing import key_path, read_public_key, read_signer
from controller.journal.storage import DirectoryStorage
from controller.journal.verify import entries_of, verify
from tests.daemon.rig import DEALER, Rig
from tests.endings import HANGS_S

pytestmark = pytest.mark.waits


def configured(rig: Rig, second: Path) -> Path:
    text = rig.config.read_text()
    rig.config.write_text(text.replace('path = "journal"', f'path = "journal"\nsecond_copy = "{second}"'))
    return second


def stored(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir() if not path.name.endswith(".checkpoint")}


def in_step(rig: Rig) -> bool:
    status = rig.until(lambda status: status["journal"]["second_copy"]["condition"] == "in-step")
    return bool(status["journal"]["second_copy"]["behind"] == 0)


def findings(rig: Rig) -> list[str]:
    starts = [entry for entry in entries_of(rig.journal) if entry.kind == "controller-started"]
    return bytes(starts[-1].body).decode().split('"findings":[')[1].split("]")[0].split(",")


def test_both_copies_have_the_same_bytes_and_a_lost_first_one_is_restored(rig: Rig, tmp_path: Path) -> None:
    second = configured(rig, tmp_path / "second")
    rig.start()
    rig.connected()
    rig.act("sign-in", DEALER, operation="table")
    rig.act("open-session")
    assert in_step(rig)
    assert rig.stop()[0] == 0
    whole = stored(rig.journal)
    assert whole == stored(second)

    shutil.rmtree(rig.journal)
    rig.start()
    rig.connected()
    assert rig.status()["session"] == "opened"
    assert in_step(rig)
    rig.stop()
    assert findings(rig) == ['"second-copy-taken-over entry 1"']
    assert verify(rig.journal).ok
    assert stored(rig.journal) == stored(second)
    assert stored(second)["00000001.segment"].startswith(whole["00000001.segment"])


def test_a_start_with_another_key_says_so_in_journal_and_log(rig: Rig) -> None:
    """A start with another signing key, as after a replaced card, reports the key in journal and log."""
    rig.start()
    rig.stop()
    public_key = next(entries_of(rig.journal)).body
    rig.journal.with_name("journal.key").unlink()
    rig.start()
    rig.stop()
    mark, finding = findings(rig)
    assert mark == '"mark-unreadable journal.begun"'
    assert finding.strip('"').split()[0] == "signing-key-replaced"
    assert finding.strip('"').split()[1].encode() in bytes(public_key)
    told = [line["finding"] for line in rig.log_lines() if line["event"] == "journal-finding"]
    assert told == [mark.strip('"'), finding.strip('"')]
    found = verify(rig.journal)
    assert (found.ok, found.reason) == (False, Reason.KEY)

    handed_over = rig.journal.with_name("journal.pub")
    before = finding.strip('"').split()[1]
    assert read_public_key(handed_over) == read_signer(key_path(rig.journal)).public_key
    assert read_public_key(rig.journal.with_name(f"journal.{before[:16]}.pub")) == before
    rig.journal.rename(rig.directory / "kept")  # a new journal is begun
    rig.journal.with_name("journal.begun").unlink()
    rig.start()
    rig.stop()
    assert verify(rig.journal, Wanted(read_public_key(handed_over))).ok
    assert len(list(rig.directory.glob("*.pub"))) == 2


@pytest.mark.parametrize("begun", [0, 1], ids=["nothing", "a header"])  # the first copy's header is no table's
def test_the_second_copy_of_another_table_is_not_taken_over(rig: Rig, tmp_path: Path, begun: int) -> None:
    second = configured(rig, tmp_path / "second")
    rig.start()
    assert in_step(rig)
    rig.stop()
    header = (rig.journal / "00000001.segment").read_bytes()[: HEADER_SIZE * begun]
    shutil.rmtree(rig.journal)
    begun_path(rig.journal).unlink()
    rig.journal.mkdir(mode=0o700)
    (rig.journal / "00000001.segment").write_bytes(header)
    before = stored(second)
    rig.config.write_text(rig.config.read_text().replace('id = "T1"', 'id = "T2"'))
    code, said = rig.refused()
    assert (code, f"The journal {second} belongs to table T1; the configuration says T2." in said) == (2, True)
    assert (stored(rig.journal), stored(second)) == ({"00000001.segment": header}, before)
    second.rename(tmp_path / "away")
    rig.start()
    assert rig.status()["holds"] == []
    rig.stop()


def test_a_fork_holds_the_table_says_from_which_entry_on_and_touches_neither_copy(rig: Rig, tmp_path: Path) -> None:
    second = configured(rig, tmp_path / "second")
    rig.start()
    rig.connected()
    in_step(rig)
    rig.stop()
    name = "00000001.segment"
    data = bytearray((second / name).read_bytes())
    data[-1] ^= 1
    (second / name).write_bytes(bytes(data))
    before = stored(rig.journal), stored(second)
    entries = verify(rig.journal).entries

    rig.start()
    status = rig.status()
    assert [hold["kind"] for hold in status["holds"]] == ["journal-fault"]
    assert f"the two copies of the journal differ, #{entries}" in status["holds"][0]["text"]
    answer = rig.act("sign-in", DEALER, operation="table")
    assert answer.error is not None
    rig.stop()
    assert (stored(rig.journal), stored(second)) == before


def test_a_medium_that_is_not_there_stops_nothing_and_is_said(rig: Rig, tmp_path: Path) -> None:
    medium = tmp_path / "medium"
    second = configured(rig, medium / "second")
    rig.start()
    rig.connected()
    copy = rig.until(lambda status: status["journal"]["second_copy"]["condition"] == "failed")["journal"]["second_copy"]
    assert copy["reason"] == "gone"
    assert copy["behind"] > 0
    assert rig.act("sign-in", DEALER, operation="table").ok
    assert rig.act("open-session").ok
    assert rig.status()["holds"] == []
    rig.stop()
    entries = [entry.kind for entry in entries_of(rig.journal)]
    assert entries[-2:] == ["second-copy-failed", "controller-stopped"]

    medium.mkdir()
    rig.start()
    assert in_step(rig)
    rig.stop()
    assert stored(rig.journal) == stored(second)


def test_a_start_waits_for_a_medium_that_hangs_no_longer_than_it_may(
    rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A start waits a bounded time for a hanging medium, whose later result has no effect."""
    second = configured(rig, tmp_path / "second")
    second.mkdir()
    answers, look = threading.Event(), os.scandir

    def hangs(path: int) -> object:
        if Path(f"/proc/self/fd/{path}").readlink() == second:
            assert answers.wait(HANGS_S)
        return look(path)

    monkeypatch.setattr(os, "scandir", hangs)
    monkeypatch.setattr(copies, "ANSWERED_WITHIN_S", 0.2)
    config = read_config(rig.config, ports_may_be_missing=True)
    with DirectoryStorage(rig.journal) as first:
        began_s = time.monotonic()
        assert match_copies(config, first, "none") == Matched()
        assert 0.2 <= time.monotonic() - began_s < 10
        let_look_end(answers)


def let_look_end(answers: threading.Event) -> None:
    answers.set()
    for thread in [thread for thread in threading.enumerate() if thread.name == "look-at-copy"]:
        thread.join(HANGS_S)


def test_a_longer_copy_that_stops_answering_holds_the_table(
    rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = configured(rig, tmp_path / "second")
    rig.start()
    assert in_step(rig)
    rig.stop()
    shutil.rmtree(rig.journal)
    answers, open_ = threading.Event(), os.open

    def hangs(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if path == "00000001.segment" and Path(f"/proc/self/fd/{dir_fd}").readlink() == second:
            assert answers.wait(HANGS_S)
        return open_(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", hangs)
    monkeypatch.setattr(copies, "ANSWERED_WITHIN_S", 0.2)
    with DirectoryStorage(rig.journal) as first:
        assert match_copies(read_config(rig.config, ports_may_be_missing=True), first, "none").damage == "no-answer"
        let_look_end(answers)
        assert not any(file.name.endswith(".segment") for file in first.list())
