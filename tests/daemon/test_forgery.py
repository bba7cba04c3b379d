"""A thief of the medium changes one byte between stop and start: the start reports the change, or is unaffected.

Each start is compared with a start from the untouched files: its state, and its journaled entry.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from random import Random

import msgspec
import pytest

from controller.catalogue import Language
from controller.config import ConfigRefused
from controller.daemon.prepare import prepare
from controller.journal.approval import Approval, Why, clear_approval, write_approval
from controller.journal.epoch import epoch_path
from controller.journal.format import scan
from controller.journal.mark import Mark, begun_path, decode_mark, encode_mark
from controller.journal.signing import key_path, read_signer
from controller.journal.storage import DirectoryReader
from controller.machine import software
from controller.machine.exits import CliFailure
from controller.machine.software import program_digest
from controller.record.findings import found_at_start
from controller.runtime.checkpoint import encode_checkpoint, newest_checkpoint
from controller.runtime.start import Start
from controller.staff import StaffRefused
from tests.core.parts import changed
from tests.daemon.rig import DEALER, Rig
from tests.night import IS_NIGHT

pytestmark = pytest.mark.waits

CHECKPOINT = "journal/00000002.checkpoint"
FILES = (CHECKPOINT, "journal/00000002.seals", "journal.begun", "staff.toml", "table.toml", "seal.key")
BESIDE = ("journal.begun", "journal.epoch", "journal.restored", "journal.approval", "journal.key", "journal.pub")
BY_DAY = 12  # places in each file


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a table that stopped in its second session, with a checkpoint and a sealed card."""
    with Rig(tmp_path_factory.mktemp("table")) as rig:
        rig.start()
        rig.connected()
        rig.act("sign-in", DEALER, operation="table")
        for act in ("open-session", "abandon-opening", "open-session"):
            assert rig.act(act).ok
        rig.host.call(lambda now_s: rig.shoe.card_passed("AS", now_s))
        rig.until(lambda _: rig.journal_has("card-read", 1) and rig.journal_has("staff-changed", 1))
        assert rig.stop()[0] == 0
        return rig.directory


@pytest.fixture
def table(left: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory of `left` itself; each test restores the file that it changes."""
    monkeypatch.setattr(software, "ARCHIVED", "0" * 40)  # git takes longer than the rest of the test
    return left


def started(table: Path) -> Start:
    """Prepares a controller's start at the table without running it; returns the start."""
    prepared = prepare(table / "table.toml", {})
    prepared.storage.close()
    prepared.listener.close()
    prepared.socket_path.unlink()
    return prepared.booted.start


def found(table: Path, name: str, untouched: Start) -> str:
    """Starts at the table and returns the start's refusal, or its findings about the file `name`.

    Returns "" where the start equals `untouched`, and "taken without a word" where it differs without a finding.
    """
    try:
        start = started(table)
    except (CliFailure, ConfigRefused, StaffRefused) as refused:
        return repr(refused)
    said = [finding for finding in start.started.findings if Path(name).name in finding or "key-replaced" in finding]
    differs = msgspec.structs.replace(start.started, findings=()) != untouched.started or start.state != untouched.state
    return "; ".join(said) or ("taken without a word" if differs else "")


@pytest.mark.parametrize("name", FILES)
def test_a_byte_that_was_changed_is_found_or_changes_nothing(table: Path, name: str) -> None:
    path, random = table / name, Random(name)  # noqa: S311
    whole, untouched = path.read_bytes(), started(table)
    assert untouched.started.findings == ()
    places = range(len(whole)) if IS_NIGHT else sorted(random.sample(range(len(whole)), BY_DAY))
    said = 0
    try:
        for place in places:
            changed = bytearray(whole)
            changed[place] ^= random.randint(1, 255)
            path.write_bytes(changed)
            told = found(table, name, untouched)
            assert told != "taken without a word", place
            said += told != ""
    finally:
        path.write_bytes(whole)
    assert said > len(places) // 2


def with_another(table: Path, name: str, data: bytes | None) -> tuple[str, ...]:
    """The findings of a start with `data` in the file `name`, or without that file for None; restores the file."""
    path = table / name
    whole = path.read_bytes()
    try:
        path.unlink()
        if data is not None:
            path.write_bytes(data)
        return started(table).started.findings
    finally:
        path.write_bytes(whole)


NO_FILES: dict[str, Callable[[Path], object]] = {
    "a pipe": os.mkfifo,
    "what never ends": lambda path: path.symlink_to("/dev/zero"),
    "a circle": lambda path: path.symlink_to(path),
    "nonsense": lambda path: path.write_bytes(b"\xff\xfe"),
}


@pytest.mark.drawn(12)
@pytest.mark.parametrize("odd", NO_FILES)
@pytest.mark.parametrize("name", [*BESIDE, "seal.key", "staff.toml", "table.toml"])
def test_what_is_no_file_of_the_table_neither_blocks_a_start_nor_crashes_it(table: Path, name: str, odd: str) -> None:
    path = table / name
    whole = path.read_bytes() if path.exists() else None
    path.unlink(missing_ok=True)
    NO_FILES[odd](path)
    try:
        with suppress(CliFailure, ConfigRefused, StaffRefused):
            started(table)
    finally:
        for made in (path, table / "journal.epoch"):  # another epoch begins after each "restored"
            made.unlink(missing_ok=True)
        if whole is not None:
            path.touch(mode=0o600)
            path.write_bytes(whole)


def test_a_mark_that_is_gone_is_told_and_a_lost_seal_key_too(table: Path) -> None:
    assert with_another(table, "journal.begun", None) == ("mark-missing journal.begun",)
    unreadable, replaced = with_another(table, "seal.key", None)
    assert replaced.startswith("seal-key-replaced ")
    assert unreadable == "seals-unreadable 00000002.seals"
    told = [*found_at_start([unreadable, replaced], 9, Language.EN)]
    assert told[0].endswith("00000002.seals")
    assert "no card that was sealed before can be read" in told[1]


@contextmanager
def put_back(table: Path) -> Iterator[None]:
    """Takes the last entry off the journal meanwhile, as if an older copy of the directory had been put back."""
    segment = max((table / "journal").glob("*.segment"))
    whole = segment.read_bytes()
    segment.write_bytes(whole[: scan(whole).records[-2].end])
    try:
        yield
    finally:
        segment.write_bytes(whole)


@contextmanager
def beside_the_second_copy(table: Path) -> Iterator[Path]:
    """Moves the mark beside a configured second copy meanwhile; yields the mark's new path."""
    config, mark = table / "table.toml", begun_path(table / "journal")
    text, begun = config.read_text(), mark.read_bytes()
    config.write_text(text.replace('path = "journal"', 'path = "journal"\nsecond_copy = "second"'))
    (table / "second").mkdir()
    try:
        yield mark.rename(begun_path(table / "second"))
    finally:
        config.write_text(text)
        begun_path(table / "second").unlink()
        (table / "second").rmdir()
        mark.write_bytes(begun)


@contextmanager
def beside_the_journal(table: Path) -> Iterator[Path]:
    yield begun_path(table / "journal")


@pytest.mark.parametrize("place", [beside_the_journal, beside_the_second_copy])
def test_a_journal_that_is_behind_its_mark_waits_for_two_people_who_say_why(
    table: Path, place: Callable[[Path], AbstractContextManager[Path]]
) -> None:
    untouched = started(table)
    with put_back(table), place(table) as mark:
        with pytest.raises(CliFailure) as refused:
            started(table)
        assert (refused.value.error, refused.value.values["mark"]) == ("journal-behind", str(mark))
        known = decode_mark(mark.read_bytes(), untouched.started.public_key)
        assert known is not None
        assert (known.seq, known.head) == (untouched.last_seq, untouched.head.hex())
        write_approval(table / "journal", Approval(21, "00" * 32, 41, Why.OTHER_MEDIUM))
        with pytest.raises(CliFailure):
            started(table)
        write_approval(table / "journal", Approval(21, known.head, 41, Why.OTHER_MEDIUM))
        start = started(table)
        clear_approval(table / "journal")
        assert "epoch 2" in start.started.findings  # another tree must have another name
        epoch_path(table / "journal").unlink()
        said = f"behind-mark entry {known.seq} last {known.seq - 1} why other-medium technician 41 chief-supervisor 21"
        assert said in start.started.findings
        assert start.last_seq == known.seq - 1


def test_another_history_up_to_the_same_number_is_behind_the_mark_too(table: Path) -> None:
    signer, path = read_signer(key_path(table / "journal")), begun_path(table / "journal")
    known = decode_mark(path.read_bytes(), signer.public_key)
    assert known is not None
    other = encode_mark(Mark("ab" * 32, known.seq - 3, known.session, known.table, known.root), signer)
    with pytest.raises(CliFailure) as refused:
        with_another(table, "journal.begun", other)
    assert refused.value.error == "journal-behind"
    of_another_table = encode_mark(Mark("ab" * 32, known.seq + 3, known.session, "T9", known.root), signer)
    assert with_another(table, "journal.begun", of_another_table) == ()


def test_a_state_that_nobody_signed_is_not_believed(table: Path) -> None:
    """A checkpoint that an attacker without the key changed, with a right SHA-256, is not used."""
    with DirectoryReader(table / "journal") as storage:
        newest = newest_checkpoint(storage).checkpoint
    assert newest is not None
    assert newest.folded.state is not None
    forged = msgspec.structs.replace(newest.folded, state=changed(newest.folded.state, session_number=7))
    data = encode_checkpoint(forged, newest.tip.head)
    (finding,) = with_another(table, CHECKPOINT, data)
    assert finding == "checkpoint-refused 00000002.checkpoint"


def test_a_journal_that_begins_anew_beside_older_keys_is_told(table: Path) -> None:
    """A start names the older keys beside a new journal: one changed byte in the configuration hides all entries."""
    text = (table / "table.toml").read_bytes()
    findings = with_another(table, "table.toml", text.replace(b'path = "journal"', b'path = "kournal"'))
    assert findings == ("journal-begun-anew kournal table.toml",)
    told = [*found_at_start([*findings], 1, Language.PT)]
    assert told[0].startswith("kournal começa de novo")


def test_a_journal_that_begins_anew_with_the_key_of_one_before_is_another_tree(table: Path, tmp_path: Path) -> None:
    """With journal and mark gone and the key kept, a new journal begins epoch 2: a witness may know the first."""
    away = [(path, tmp_path / path.name) for path in (table / "journal", begun_path(table / "journal"))]
    for path, aside in away:
        path.rename(aside)
    try:
        start = started(table)
    finally:
        shutil.rmtree(table / "journal")
        epoch_path(table / "journal").unlink(missing_ok=True)
        for path, aside in away:
            aside.rename(path)
    assert start.last_seq == 0
    assert "epoch 2" in start.started.findings


def test_a_journal_without_its_first_segment_is_damaged_and_none_that_begins_anew(table: Path) -> None:
    first = table / "journal/00000001.segment"
    whole = first.read_bytes()
    first.unlink()
    try:
        start = started(table)
    finally:
        first.write_bytes(whole)
    assert start.damage == "missing-segment, #1"
    assert not [finding for finding in start.started.findings if finding.startswith("journal-begun-anew")]


def test_each_start_says_which_program_runs(table: Path) -> None:
    assert started(table).started.software.endswith(f" program {program_digest()[:16]}")
