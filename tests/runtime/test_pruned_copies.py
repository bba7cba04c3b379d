"""Retention and the second copy: it is pruned by itself, can replace the journal, and keeps what the first has lost."""

import shutil
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.daemon.copies import Believed, completed
from controller.journal.copies import Position, compare, copy_behind, copy_statement, verified_end
from controller.journal.entry import Entry
from controller.journal.format import scan
from controller.journal.recovery import Walk
from controller.journal.storage import DirectoryReader, DirectoryStorage
from controller.journal.verify import verify
from controller.record import retention
from controller.record.retention import prune
from controller.runtime.boot import inspect_journal
from controller.runtime.checkpoint import folded_before
from controller.runtime.folded import Folded
from controller.runtime.replay import Misfit, ReplayError, replay
from tests.runtime.evening import SIGNER, WANTED, Evening, evening, stored

__all__ = ["evening"]  # the fixture


def test_a_state_that_the_first_copy_has_lost_stays_in_the_second(evening: Evening, tmp_path: Path) -> None:
    prune(evening.path, evening.out, evening.code, SIGNER)
    second = tmp_path / "second"
    with DirectoryReader(evening.path) as source, DirectoryStorage(second) as target:
        copy_statement(source, target)
        (evening.path / "00000003.checkpoint").unlink()
        copy_statement(source, target)
    assert (second / "00000003.checkpoint").stat().st_size > 0


def test_a_copy_of_what_is_left_can_stand_for_the_journal(evening: Evening, tmp_path: Path) -> None:
    prune(evening.path, evening.out, evening.code, SIGNER)
    second = tmp_path / "second"
    with DirectoryReader(evening.path) as source, DirectoryStorage(second) as target:
        compared = compare(source, target)
        copy_statement(source, target)
        heads = {one.record.seq: one.record.chain.hex() for one in Walk(source)}
        until = verified_end(source, compared, heads).until
        copy_behind(source, target, Position(compared.segment, compared.size), until)
    assert sorted(path.name for path in second.iterdir()) == evening.names()
    assert verify(second, WANTED).ok
    assert replay(second, folded_before(second)).ok


def second_copy(evening: Evening, path: Path) -> Path:
    """Writes a second copy with the same segments and seals; second copies have no checkpoints."""
    path.mkdir()
    for name in evening.names():
        if not name.endswith(".checkpoint"):
            (path / name).write_bytes((evening.path / name).read_bytes())
    return path


def test_a_second_copy_is_pruned_by_itself_and_can_stand_for_the_journal(evening: Evening, tmp_path: Path) -> None:
    second = second_copy(evening, tmp_path / "second")
    found = prune(second, evening.out, evening.code, SIGNER)
    with DirectoryReader(evening.path) as here, DirectoryReader(second) as there:
        assert compare(here, there).fork is None, "the first was not pruned yet"
        assert inspect_journal(there).misfit is None
    assert prune(evening.path, evening.out, evening.code, SIGNER).entries == found.entries > 0
    assert stored(second) == stored(evening.path), "the state, too, is the one that the controller kept"


def test_what_was_removed_before_is_said_to_be_deleted(
    evening: Evening, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first copy was pruned, and a start has brought statement and state to the second copy."""
    second, key = second_copy(evening, tmp_path / "second"), tmp_path / "journal.key"
    key.write_bytes(bytes(32))
    prune(evening.path, evening.out, evening.code, SIGNER)
    with DirectoryReader(evening.path) as source, DirectoryStorage(second) as target:
        copy_statement(source, target)
    words = ["journal", "prune", str(second), "--key", str(key), "--export", str(evening.out)]
    assert main([*words, "--acknowledged", evening.code]) == 0
    assert "2 files deleted of sessions that were removed before" in capsys.readouterr().out
    assert stored(second) == stored(evening.path)
    assert main([*words, "--acknowledged", evening.code]) == 0
    assert "Nothing to remove" in capsys.readouterr().out


def test_an_export_that_is_not_there_is_named(evening: Evening, capsys: pytest.CaptureFixture[str]) -> None:
    out = evening.path / "no-export.txt"
    assert main(["journal", "prune", str(evening.path), "--export", str(out), "--acknowledged", evening.code]) == 2
    assert f"There is no export at {out}" in capsys.readouterr().err


def test_where_no_state_can_be_had_nothing_is_removed(
    evening: Evening, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another version began the journal: only the first copy has the states, until a start copies them."""
    second, key = second_copy(evening, tmp_path / "second"), tmp_path / "journal.key"
    key.write_bytes(bytes(32))
    before = stored(second)
    monkeypatch.setattr(retention, "fold", otherwise)
    words = ["journal", "prune", str(second), "--key", str(key), "--export", str(evening.out)]
    assert main([*words, "--acknowledged", evening.code]) == 1
    assert "prune the first, start the controller once" in capsys.readouterr().err
    assert stored(second) == before


def otherwise(_folded: object, entry: Entry) -> Folded:
    raise ReplayError(Misfit.OTHERWISE, f"entry {entry.seq}")


def test_a_spoilt_state_of_the_longer_copy_does_not_take_the_place_of_a_good_one(
    evening: Evening, tmp_path: Path
) -> None:
    """A thief of the second copy's medium cannot take from the first one the state that it needs to start."""
    prune(evening.path, evening.out, evening.code, SIGNER)
    second, name = tmp_path / "second", "00000003.checkpoint"
    shutil.copytree(evening.path, second)
    good = (evening.path / name).read_bytes()
    (second / name).write_bytes(b"nothing of the kind")
    segment = max(evening.path.glob("*.segment"))
    segment.write_bytes(segment.read_bytes()[: scan(segment.read_bytes()).records[-2].end])
    with DirectoryStorage(evening.path) as first, DirectoryReader(second) as other:
        heads = {one.record.seq: one.record.chain.hex() for one in Walk(other)}
        matched = completed(first, other, compare(first, other), Believed(heads, SIGNER.public_key))
    assert matched.damage is None
    assert len(matched.findings) == 1
    assert (evening.path / name).read_bytes() == good
    assert stored(evening.path) == stored(second) | {name: good}
