"""A thief without the key writes on the second copy's medium: no hold ends by that, and two people must see it."""

import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from controller.cli.main import main
from controller.core.words import HoldCause, HoldKind
from controller.daemon.prepare import prepare
from controller.journal.approval import approval_path, read_approval, write_approval
from controller.journal.mark import begun_path, decode_marks, encode_mark
from controller.journal.progress import Wanted
from controller.journal.recovery import Recovery
from controller.journal.removed import removed_line, removed_name, sign_removed
from controller.journal.signing import Signer, key_path, read_signer
from controller.journal.storage import DirectoryReader
from controller.journal.verify import entries_of, verify
from controller.journal.writer_logic import checkpoint_name
from controller.machine import software
from controller.runtime.boot import inspect_journal
from controller.runtime.checkpoint import encode_checkpoint
from controller.runtime.replay import replay
from controller.runtime.start import Start
from tests.core.parts import changed
from tests.daemon.rig import CHIEF, DEALER, PINS, TECHNICIAN, Rig
from tests.daemon.written_on import ENDS_THE_HOLD, last_of, lengthen

pytestmark = pytest.mark.waits

FIRST, LAST = 1, len(ENDS_THE_HOLD)


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a table that stopped in an open session with a hold; both copies are equal and signed."""
    with Rig(tmp_path_factory.mktemp("table")) as rig:
        text = rig.config.read_text()
        rig.config.write_text(text.replace('path = "journal"', 'path = "journal"\nsecond_copy = "second"'))
        rig.start()
        rig.connected()
        assert rig.act("sign-in", DEALER, operation="table").ok
        assert rig.act("open-session").ok
        rig.unplug("shoe")
        rig.until(lambda status: [hold["kind"] for hold in status["holds"]] == ["device-lost"])
        rig.plug("shoe")
        rig.connected()
        rig.until(lambda status: status["journal"]["second_copy"]["condition"] == "in-step")
        assert rig.stop()[0] == 0
        return rig.directory


@pytest.fixture
def table(left: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of those files in another directory."""
    monkeypatch.setattr(software, "ARCHIVED", "0" * 40)  # git takes longer than the rest of the test
    for path in left.iterdir():
        if path.is_dir():
            shutil.copytree(path, tmp_path / path.name)
        elif path.suffix not in {".sock", ""} and not path.is_symlink():
            shutil.copy2(path, tmp_path / path.name)
    text = (tmp_path / "table.toml").read_text()
    (tmp_path / "table.toml").write_text(text.replace(str(left), str(tmp_path)))
    return tmp_path


def started(table: Path) -> Start:
    """Prepares a controller's start at the table without running it; returns the start."""
    prepared = prepare(table / "table.toml", {})
    prepared.storage.close()
    prepared.listener.close()
    prepared.socket_path.unlink()
    return prepared.booted.start


def said(start: Start) -> list[str]:
    """The findings of a start, without the finding that the configuration lies at another place."""
    return [finding for finding in start.started.findings if finding != "file-changed table.toml"]


def kinds(start: Start) -> list[HoldKind]:
    return [hold.kind for hold in start.state.house.holds]


def seal(table: Path, *words: str, pins: Sequence[int] = (TECHNICIAN, CHIEF), journal: str = "journal") -> int:
    """Runs `sabot journal seal` with the PINs of technician and chief supervisor; returns the exit code."""
    reader, writer = os.pipe()
    os.write(writer, "".join(f"{PINS[person]}\n" for person in pins).encode())
    os.close(writer)
    people = ["--technician", str(TECHNICIAN), "--chief", str(CHIEF), "--pin-fd", str(reader)]
    staff = ["--staff", str(table / "staff.toml")]
    try:
        return main(["journal", "seal", str(table / journal), *staff, *people, *words])
    finally:
        os.close(reader)


def unsigned(table: Path, *words: str, pins: Sequence[int] = (TECHNICIAN, CHIEF)) -> int:
    return seal(table, "--unsigned", str(table / "second"), *words, pins=pins)


def aside(table: Path) -> list[Path]:
    return [path for path in table.iterdir() if ".unsigned-" in path.name]


def stored(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


# --- the attack


def signed_entries(table: Path, capsys: pytest.CaptureFixture[str]) -> int:
    """The number of signed entries, as `verify` reports it for the second copy."""
    capsys.readouterr()
    words = ["journal", "verify", str(table / "second"), "--public-key", str(table / "journal.pub"), "--json"]
    assert main(words) == 0
    return int(json.loads(capsys.readouterr().out)["signed"])


def test_a_lengthened_second_copy_ends_no_hold_and_holds_the_table(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    last, before = last_of(table / "journal"), stored(table / "journal")
    lengthen(table / "second")
    assert verify(table / "second").ok, "everything but a signature is right"
    assert signed_entries(table, capsys) == last
    longer = stored(table / "second")
    start = started(table)
    assert start.damage == f"unsigned-entries, #{last + 1}"
    assert kinds(start) == [HoldKind.DEVICE_LOST]
    assert start.last_seq == last
    assert (stored(table / "journal"), stored(table / "second")) == (before, longer)


def test_two_people_see_the_story_of_these_entries_and_say_each_once_that_they_never_happened(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    last = last_of(table / "journal")
    lengthen(table / "second")
    head = stored(table / "second")
    assert unsigned(table) == 2
    told = capsys.readouterr()
    for seq in range(last + FIRST, last + LAST + 1):
        assert f"{seq}" in told.out
    assert f"{CHIEF}" in told.out
    assert "--entries" in told.err
    for pins in ((TECHNICIAN, TECHNICIAN), (DEALER, CHIEF), (CHIEF, TECHNICIAN)):
        assert unsigned(table, "--entries", "set-aside", pins=pins) == 1
    assert not approval_path(table / "journal").exists()
    assert unsigned(table, "--entries", "set-aside") == 0

    start = started(table)
    assert start.damage is None
    seen = f"unsigned-entries entry {last + FIRST} last {last + LAST} kept {last} technician 41 chief-supervisor 21"
    assert said(start) == [seen]
    assert kinds(start) == [HoldKind.DEVICE_LOST]
    (kept,) = aside(table)
    assert stored(kept) == head
    assert not (table / "second").exists()


def test_what_happened_is_taken_over_up_to_the_first_entry_that_would_end_something(table: Path) -> None:
    last = last_of(table / "journal")
    lengthen(table / "second")
    assert unsigned(table, "--entries", "take-over") == 0
    start = started(table)
    seen = f"unsigned-entries entry {last + FIRST} last {last + LAST} kept {last + 1} technician 41 chief-supervisor 21"
    assert (start.damage, said(start), start.last_seq) == (None, [seen], last + 1)
    assert kinds(start) == [HoldKind.DEVICE_LOST]
    assert [entry.kind for entry in entries_of(table / "journal")][-1] == "frames-rejected"
    assert len(aside(table)) == 1


def test_where_nothing_would_end_all_of_it_is_taken_over(table: Path) -> None:
    last = last_of(table / "journal")
    lengthen(table / "second", ENDS_THE_HOLD[:1])
    assert unsigned(table, "--entries", "take-over") == 0
    assert started(table).last_seq == last + 1
    assert aside(table) == []
    assert (table / "second").is_dir()


@pytest.mark.first
def test_the_real_start_is_held_until_both_have_seen_it_and_says_so_once(rig: Rig, left: Path) -> None:
    """A real start after the attack stays held until two people have seen the finding, which is reported once."""
    for name in ("journal", "second"):
        shutil.copytree(left / name, rig.directory / name)
    for name in ("journal.key", "journal.pub", "journal.begun", "second.begun", "seal.key", "staff.toml", "table.toml"):
        shutil.copy2(left / name, rig.directory / name)
    rig.config.write_text(rig.config.read_text().replace(str(left), str(rig.directory)))
    last = last_of(rig.journal)
    lengthen(rig.directory / "second")
    rig.start()
    status = rig.status()
    assert [hold["kind"] for hold in status["holds"]] == ["device-lost", "journal-fault"]
    assert f"this table has not signed, #{last + 1}" in status["holds"][1]["text"]
    assert any("the other medium has entries" in step for step in status["holds"][1]["steps"])
    assert rig.act("sign-in", CHIEF, operation="hold").error is not None
    assert unsigned(rig.directory, "--entries", "take-over") == 2, "the controller has the journal"
    rig.stop()
    assert last_of(rig.journal) == last

    assert unsigned(rig.directory, "--entries", "take-over") == 0
    rig.start()
    rig.connected()
    assert [hold["kind"] for hold in rig.status()["holds"]] == ["device-lost"]
    rig.until(lambda status: status["journal"]["second_copy"]["condition"] == "in-step")
    assert rig.stop()[0] == 0
    assert not approval_path(rig.journal).exists()
    assert len(aside(rig.directory)) == 1
    assert verify(rig.journal, Wanted(read_signer(key_path(rig.journal)).public_key)).ok
    assert replay(rig.journal).ok
    assert last_of(rig.journal) > last + 1
    rig.start()
    assert [hold["kind"] for hold in rig.status()["holds"]] == ["device-lost"]
    assert [finding for finding in rig.log_lines() if "kept" in str(finding.get("finding"))][1:] == [], "said once"


@pytest.mark.first
def test_a_table_that_loses_its_power_and_its_journal_finds_all_of_the_second_copy_signed(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(software, "ARCHIVED", "0" * 40)
    text = rig.config.read_text()
    rig.config.write_text(text.replace('path = "journal"', 'path = "journal"\nsecond_copy = "second"'))
    rig.start()
    rig.connected()
    assert rig.act("sign-in", DEALER, operation="table").ok
    assert rig.act("open-session").ok
    rig.until(lambda status: status["journal"]["second_copy"]["condition"] == "in-step")
    last = last_of(rig.directory / "second")
    rig.kill()
    shutil.rmtree(rig.journal)
    begun_path(rig.journal).unlink()
    start = started(rig.directory)
    assert (start.damage, start.last_seq) == (None, last)
    assert "second-copy-taken-over entry 1" in said(start)


# --- the cover of a mark


def sign(place: Path, signer: Signer, **other: object) -> None:
    """Writes a mark over all entries of the second copy, beside it."""
    with DirectoryReader(place / "second") as storage:
        recovery = Recovery(storage)
    (known, *_) = decode_marks(begun_path(place / "journal").read_bytes(), own(place).public_key)
    mark = replace(known, head=recovery.head.hex(), seq=recovery.next_seq - 1)
    with begun_path(place / "second").open("ab") as file:
        file.write(b"\n" + encode_mark(replace(mark, **other), signer))


def own(table: Path) -> Signer:
    return read_signer(key_path(table / "journal"))


def test_a_mark_by_this_tables_key_covers_what_stands_before_it(table: Path) -> None:
    last = last_of(table / "journal")
    lengthen(table / "second", ENDS_THE_HOLD[:1])
    sign(table, own(table))
    start = started(table)
    assert (start.damage, start.last_seq) == (None, last + 1)
    assert said(start) == [f"second-copy-taken-over entry {last + 1}"]


def test_were_they_signed_the_hold_would_be_over(table: Path) -> None:
    """With a signature the forged entries would end the hold, so nothing else about them is wrong."""
    lengthen(table / "second")
    sign(table, own(table))
    start = started(table)
    assert (start.damage, kinds(start)) == (None, [])


FORGED = ("another key", "another head", "another table", "an older epoch", "none at all", "replayed")


@pytest.mark.parametrize("how", FORGED)
def test_any_other_mark_covers_nothing(table: Path, how: str) -> None:
    last, genuine = last_of(table / "journal"), begun_path(table / "second").read_bytes()
    lengthen(table / "second", ENDS_THE_HOLD[:1])
    match how:
        case "another key":
            sign(table, Signer(bytes(range(32))))
        case "another head":
            sign(table, own(table), head="ab" * 32)
        case "another table":
            sign(table, own(table), table="T9")
        case "an older epoch":
            sign(table, own(table))
            (table / "journal.epoch").write_text("2\n")
        case "none at all":
            begun_path(table / "second").unlink()
        case _:
            begun_path(table / "second").write_bytes(genuine * 2)
    assert started(table).damage == f"unsigned-entries, #{last + 1}"
    assert last_of(table / "journal") == last


def test_a_journal_that_is_gone_comes_back_as_far_as_it_is_signed(table: Path) -> None:
    """A lost journal comes back from the second copy up to its newest mark, also with an older mark beside the copy."""
    last = last_of(table / "journal")
    lengthen(table / "second")
    shutil.rmtree(table / "journal")
    start = started(table)
    assert (start.damage, start.last_seq) == (f"unsigned-entries, #{last + 1}", last)
    assert kinds(start) == [HoldKind.DEVICE_LOST]


def test_a_state_behind_a_removal_that_nobody_signed_does_not_come_along(table: Path) -> None:
    """A forged statement of a removal, whose state has no hold, is not taken over."""
    other = Signer(bytes(range(32)))
    before = started(table)
    with DirectoryReader(table / "second") as storage:
        recovery = Recovery(storage)
    with DirectoryReader(table / "journal") as storage:
        folded = inspect_journal(storage).folded
    assert folded.state is not None
    forged = msgspec.structs.replace(folded, state=changed(folded.state, holds=()))
    tip = recovery.tip()
    state = encode_checkpoint(forged, tip.head, other)
    digest = state.split()[0].decode()
    removed = sign_removed(
        acknowledged="x",
        first_seq=tip.next_seq,
        head=tip.head,
        segment=1,
        sessions=1,
        state=digest,
        signer=other,
        tree=folded.tree,
    )
    lengthen(table / "second", ENDS_THE_HOLD[:1])
    sign(table, own(table))
    (table / "second" / removed_name(1)).write_bytes(removed_line(removed))
    (table / "second" / checkpoint_name(1)).write_bytes(state)
    files = sorted(stored(table / "journal"))
    start = started(table)
    assert start.damage is not None
    assert sorted(stored(table / "journal")) == files
    assert kinds(start) == kinds(before)


# --- the approval


def test_what_people_said_of_other_entries_lets_these_not_in(table: Path) -> None:
    last = last_of(table / "journal")
    lengthen(table / "second", ENDS_THE_HOLD[:1])
    assert unsigned(table, "--entries", "take-over") == 0
    lengthen(table / "second", ENDS_THE_HOLD[1:])
    start = started(table)
    assert (start.damage, start.last_seq) == (f"unsigned-entries, #{last + 1}", last)


def test_a_start_that_died_before_its_first_entry_leaves_it_to_the_next_to_say(table: Path) -> None:
    lengthen(table / "second")
    assert unsigned(table, "--entries", "take-over") == 0
    first = started(table)
    again = started(table)
    assert again.started.findings == first.started.findings != ()
    assert again.last_seq == first.last_seq


def test_a_second_seal_before_the_next_start_keeps_what_the_first_said(table: Path) -> None:
    lengthen(table / "second")
    assert unsigned(table, "--entries", "set-aside") == 0
    started(table)
    before = read_approval(table / "journal")
    assert before is not None
    path = begun_path(table / "journal")
    (mark,) = decode_marks(path.read_bytes(), own(table).public_key)
    path.write_bytes(encode_mark(replace(mark, seq=mark.seq + 5, head="ab" * 32), own(table)))
    assert seal(table, "--mark", str(path), "--why", "lost-entries") == 0
    approval = read_approval(table / "journal")
    assert approval is not None
    assert approval.seen == before.seen
    assert any(finding.startswith("unsigned-entries ") for finding in started(table).started.findings)


def test_where_nothing_is_unsigned_there_is_nothing_to_say(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert unsigned(table, "--entries", "set-aside") == 1
    assert "no entry" in capsys.readouterr().err
    lengthen(table / "second")
    assert unsigned(table, "--entries", "set-aside", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["last"] - document["first"] + 1 == LAST
    assert [entry["kind"] for entry in document["entries"]] == [kind for kind, _ in ENDS_THE_HOLD]
    approval = read_approval(table / "journal")
    assert approval is not None
    write_approval(table / "journal", approval)
    assert HoldCause.UNSIGNED_ENTRIES.value in started(table).started.findings[0]
