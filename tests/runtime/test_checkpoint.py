"""A start from a checkpoint: the same state as from the first entry, and never from one that cannot be believed."""

from hashlib import sha256

import pytest

from controller.core.state import State
from controller.journal.codec import canonical_digest
from controller.journal.writer_logic import checkpoint_name
from controller.replay import Folded, fold
from controller.runtime.boot import look
from controller.runtime.checkpoint import encode_checkpoint, newest_checkpoint
from simulators.disk import MemoryStorage
from tests.runtime.bench import Bench


@pytest.fixture
def bench() -> Bench:
    bench = Bench(segment_limit=4096)
    bench.play()
    bench.shuffler.jam(bench.now_s)
    bench.run(0.3)
    return bench


def folded_from_the_first(bench: Bench) -> Folded:
    folded = Folded()
    for entry in bench.entries():
        folded = fold(folded, entry)
    return folded


def digest(state: State | None) -> str:
    return canonical_digest(state)


def newest(storage: MemoryStorage) -> str:
    return max(file.name for file in storage.list() if file.name.endswith(".checkpoint"))


def test_it_leads_to_the_same_as_all_the_entries(bench: Bench) -> None:
    checkpoint = newest_checkpoint(bench.storage)
    assert checkpoint is not None
    assert checkpoint.tip.segment > 2
    looked, whole = look(bench.storage), folded_from_the_first(bench)
    assert looked.misfit is None
    assert (looked.folded, digest(looked.folded.state)) == (whole, digest(whole.state))
    assert look(bench.storage).recovery.head == bench.runtime.head


def test_every_checkpoint_is_the_fold_of_what_stands_before_it(bench: Bench) -> None:
    tried, folded, entries = 0, Folded(), iter(bench.entries())
    for file in bench.storage.list():
        if not file.name.endswith(".checkpoint"):
            continue
        text = bench.storage.read(file.name)
        while folded.last_seq + 1 < seq_behind(text):
            folded = fold(folded, next(entries))
        assert folded.state is not None
        assert text == encode_checkpoint(folded, head_of(text))
        tried += 1
    assert tried > 2


def seq_behind(text: bytes) -> int:
    return int(text.split(b'"last_seq":')[1].split(b",")[0]) + 1


def head_of(text: bytes) -> bytes:
    return bytes.fromhex(text.split(b'"head":"')[1][:64].decode())


def test_one_that_does_not_verify_is_passed_over(bench: Bench) -> None:
    name, before = newest(bench.storage), look(bench.storage).folded
    data = bench.storage.read(name)
    for changed in (b"", data[:-2], data.replace(b'"format":1', b'"format":2'), b"\n" + b"0" * 64 + b" {}\n"):
        bench.storage.replace(name, changed)
        found = newest_checkpoint(bench.storage)
        assert found is not None
        assert checkpoint_name(found.tip.segment) != name
        assert look(bench.storage).folded == before


def test_a_line_cut_short_and_written_again_counts(bench: Bench) -> None:
    name, before = newest(bench.storage), newest_checkpoint(bench.storage)
    data = bench.storage.read(name)
    bench.storage.replace(name, data[:40] + data)
    assert newest_checkpoint(bench.storage) == before


def test_one_of_another_journal_is_not_believed(bench: Bench) -> None:
    name = newest(bench.storage)
    data = bench.storage.read(name)
    head = head_of(data).hex().encode()
    text = data.strip().split(b" ", 1)[1].replace(head, b"00" * 32)
    bench.storage.replace(name, b"\n" + sha256(text).hexdigest().encode() + b" " + text + b"\n")
    found = newest_checkpoint(bench.storage)
    assert found is None or checkpoint_name(found.tip.segment) != name


def test_a_bit_that_turned_over_earlier_in_the_session_is_found_at_the_start(bench: Bench) -> None:
    bench.storage.flip("00000002.segment", 8 * 200)
    assert newest_checkpoint(bench.storage) is None
    damage = look(bench.storage).recovery.damage
    assert damage is not None
    assert damage.segment == 2


def test_a_segment_that_is_gone_is_damage_for_all_the_checkpoints(bench: Bench) -> None:
    bench.storage.replace("00000001.segment", b"")
    assert newest_checkpoint(bench.storage) is None
    damage = look(bench.storage).recovery.damage
    assert damage is not None
    assert damage.first_bad_seq == 1


def test_under_other_rules_old_refusals_are_not_judged_again(bench: Bench) -> None:
    for file in bench.storage.list():
        if file.name.endswith(".checkpoint"):
            bench.storage.remove(file.name)
    assert look(bench.storage, rules="others").misfit is None
