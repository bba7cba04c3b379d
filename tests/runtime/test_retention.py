"""Retention: only whole sessions of an acknowledged export are removed; the rest verifies, starts and replays."""

import json

import pytest

from controller.cli.main import main
from controller.journal.codec import canonical_digest
from controller.journal.errors import BadNotedCode, JournalDamaged, JournalLocked, Reason
from controller.journal.export import export, whole_text
from controller.journal.noted_code import code_of, read_noted
from controller.journal.progress import Check, Wanted
from controller.journal.removed import removed_name
from controller.journal.storage import DirectoryReader, DirectoryStorage
from controller.journal.verify import noted_now, tip_now, verify
from controller.record.retention import NotAcknowledged, prune
from controller.runtime.boot import inspect_journal
from controller.runtime.checkpoint import folded_before
from controller.runtime.replay import replay
from tests.runtime.bench import Bench
from tests.runtime.evening import OTHER, SIGNER, Evening, evening, stored

__all__ = ["evening"]  # the fixture


def test_what_is_left_verifies_starts_and_replays_as_the_whole_did(evening: Evening) -> None:
    whole, digest = evening.verified(), canonical_digest(evening.bench.durable)
    assert whole.ok
    *_, tree = tip_now(evening.path)
    assert [name for name in evening.names() if name.endswith(".segment")] == [
        f"0000000{n}.segment" for n in range(1, 4)
    ]
    found = prune(evening.path, evening.out, evening.code, SIGNER)
    assert found.entries == found.first_seq - 1 > 0
    assert found.bytes_freed > 0
    assert evening.names() == ["00000003.checkpoint", "00000003.removed", "00000003.segment"]

    left = evening.verified()
    assert (left.ok, left.head, left.entries) == (True, whole.head, whole.entries - found.entries)
    assert left.removed is not None
    assert left.removed.first_seq == found.first_seq
    with DirectoryReader(evening.path) as storage:
        looked = inspect_journal(storage)
    assert looked.misfit is None
    assert looked.folded.tree == tree == tip_now(evening.path)[2]
    assert looked.folded.state is not None
    assert canonical_digest(looked.folded.state) == digest
    assert looked.recovery.damage is None
    replayed = replay(evening.path, folded_before(evening.path))
    assert (replayed.ok, replayed.state_digest) == (True, digest)
    export(evening.path, evening.out, SIGNER)  # has no state to go on from
    assert "replay the export that was acknowledged" in str(replay(evening.out).reason)


def test_the_last_removed_entry_and_every_later_one_can_still_be_found_by_its_code(evening: Evening) -> None:
    prune(evening.path, evening.out, evening.code, SIGNER)
    assert evening.verified(Wanted(SIGNER.public_key, read_noted(evening.code))).anchor is Check.VALID
    removed = evening.verified().removed
    assert removed is not None
    assert evening.verified(Wanted(SIGNER.public_key, read_noted(removed.head))).anchor is Check.VALID
    assert evening.verified(Wanted(OTHER.public_key)).reason is Reason.KEY


def test_a_code_of_the_removed_part_is_for_the_acknowledged_export(evening: Evening) -> None:
    prune(evening.path, evening.out, evening.code, SIGNER)
    found = evening.verified(Wanted(SIGNER.public_key, read_noted(code_of(1, 3, b"\1" * 32))))
    assert (found.ok, found.first_bad, found.reason) == (False, 3, Reason.REMOVED)
    assert found.anchor is Check.NOT_CHECKED


def test_a_journal_goes_on_after_it_and_is_pruned_again(evening: Evening) -> None:
    prune(evening.path, evening.out, evening.code, SIGNER)
    for session in (4, 5):
        evening.session()
        for name in evening.names_of(evening.bench.storage):
            if name >= f"0000000{session - 1}":
                (evening.path / name).write_bytes(evening.bench.storage.read(name))
    third = prune(evening.path, evening.out, evening.code, SIGNER)
    assert third.entries > 0, "the last session of the export is followed by another now"
    assert prune(evening.path, evening.out, evening.code, SIGNER).entries == 0, "the new ones are in no export"
    first = evening.verified().removed
    out = evening.out.with_name("next.txt")
    export(evening.path, out, SIGNER)
    code = noted_now(out)
    assert verify(out, Wanted(SIGNER.public_key, read_noted(code))).ok
    assert prune(evening.path, out, code, SIGNER).entries > 0
    second = evening.verified()
    assert second.ok
    assert second.removed is not None
    assert first is not None
    assert second.removed.first_seq > first.first_seq
    assert [name for name in evening.names() if name.endswith(".removed")] == [removed_name(second.removed.segment)]


def test_what_nobody_has_acknowledged_stays(evening: Evening) -> None:
    before = evening.names()
    other = evening.out.with_name("other.txt")
    other.write_bytes(whole_text(evening.bench.storage, OTHER))
    cut = evening.out.with_name("cut.txt")
    cut.write_bytes(evening.out.read_bytes()[:-1])
    evening.session()
    evening.store()
    later = noted_now(evening.path)
    for out, code in ((other, evening.code), (cut, evening.code), (evening.out, later)):
        with pytest.raises(NotAcknowledged):
            prune(evening.path, out, code, SIGNER)
    for no_code in ("7", evening.verified().head):
        with pytest.raises(BadNotedCode):
            prune(evening.path, evening.out, no_code, SIGNER)
    with DirectoryStorage(evening.path), pytest.raises(JournalLocked):
        prune(evening.path, evening.out, evening.code, SIGNER)
    assert [name for name in evening.names() if name in before] == before


def test_only_the_sessions_up_to_the_code_go(evening: Evening) -> None:
    """The code of an entry in the second session: only the first session is acknowledged whole."""
    lines = evening.out.read_bytes().splitlines()
    opened = [n for n, line in enumerate(lines) if b'"kind":"open-session"' in line]
    head = json.loads(lines[opened[1]])["chain"]
    code = code_of(2, opened[1] + 1, bytes.fromhex(head))
    found = prune(evening.path, evening.out, code, SIGNER)
    assert 0 < found.entries <= opened[1]
    assert evening.verified().ok


@pytest.mark.parametrize("what", ["00000003.removed", "00000003.segment"])
def test_a_statement_or_a_segment_that_is_changed_or_gone_is_found(evening: Evening, what: str) -> None:
    prune(evening.path, evening.out, evening.code, SIGNER)
    path = evening.path / what
    data = path.read_bytes()
    for byte in range(0, len(data), 7):
        path.write_bytes(data[:byte] + bytes([data[byte] ^ 1]) + data[byte + 1 :])
        assert not evening.verified().ok, byte
    path.unlink()
    assert not evening.verified().ok


def test_without_its_checkpoint_or_with_another_nothing_is_made_up(evening: Evening) -> None:
    prune(evening.path, evening.out, evening.code, SIGNER)
    (evening.path / "00000003.checkpoint").unlink()
    with DirectoryReader(evening.path) as storage:
        looked = inspect_journal(storage)
    removed = evening.verified().removed
    assert removed is not None
    assert looked.misfit == f"no-state-behind, #{removed.first_seq}"
    assert evening.verified().ok, "the chain needs no checkpoint"


def test_a_replay_says_how_many_entries_it_had_and_what_was_removed_before(
    evening: Evening, capsys: pytest.CaptureFixture[str]
) -> None:
    found = prune(evening.path, evening.out, evening.code, SIGNER)
    left = evening.verified().entries
    assert main(["journal", "replay", str(evening.path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["entries"], told["removed"]) == (left, found.entries)
    assert main(["journal", "replay", str(evening.path)]) == 0
    said = capsys.readouterr().out
    assert f"Entries 1 to {found.entries} were removed" in said
    assert f"Well: {left} entries replayed" in said


def test_a_death_in_the_middle_leaves_files_that_count_for_nothing(evening: Evening) -> None:
    kept = {name: (evening.path / name).read_bytes() for name in evening.names()}
    prune(evening.path, evening.out, evening.code, SIGNER)
    for name in kept:  # as after a death before the first file was deleted
        (evening.path / name).write_bytes(kept[name])
    left = evening.verified()
    assert left.ok
    assert left.removed is not None
    prune(evening.path, evening.out, evening.code, SIGNER)
    assert evening.names() == ["00000003.checkpoint", "00000003.removed", "00000003.segment"]


def test_a_statement_that_the_table_did_not_sign_removes_nothing(evening: Evening) -> None:
    prune(evening.path, evening.out, evening.code, SIGNER)
    path = evening.path / "00000003.removed"
    path.write_bytes(path.read_bytes().replace(b'"sessions":2', b'"sessions":1'))
    before = stored(evening.path)
    with pytest.raises(JournalDamaged, match="signature"):
        prune(evening.path, evening.out, evening.code, SIGNER)
    assert stored(evening.path) == before


def test_an_entry_takes_as_much_of_the_medium_as_the_documents_say() -> None:
    """A loading, the burn, a deal and the putting back, with seals: the basis of the figures for months of play."""
    bench = Bench()
    bench.play()
    bench.deal()
    files = [file for file in bench.storage.list() if not file.name.endswith(".checkpoint")]
    assert sum(file.size for file in files) < 600 * len(bench.entries())
