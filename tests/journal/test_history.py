"""A mark belongs to a journal's own history, or to another history, or cannot be judged."""

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
import standalone_verifier
from forms import Cards, closed, pruned
from journal_kit import SIGNER, small_journal
from msgspec import structs
from proof_kit import mark_now, marked, seen

from controller.journal.codec import encode_canonical
from controller.journal.export import export, whole_text
from controller.journal.history import Fit, History
from controller.journal.lines import WITHOUT_MARKS, LastLine, last_line
from controller.journal.mark import Mark, mark_note
from controller.journal.progress import Wanted
from controller.journal.verify import verify, verify_storage
from simulators.disk import MemoryStorage
from simulators.oracles.export_reader import read_export
from tests.oracles.merkle import head_of

SIZE = 11


def history_of(storage: MemoryStorage, *marks: Mark) -> History:
    return verify_storage(storage, marks=[mark_note(one, SIGNER) for one in marks]).history


def payloads(storage: MemoryStorage) -> list[bytes]:
    lines = whole_text(storage, SIGNER).splitlines()[:-1]
    return [msgspec.json.encode(msgspec.json.decode(line)["entry"], order="sorted") for line in lines]


def mark_of_size(size: int, root: str, epoch: int = 1) -> Mark:
    return Mark("ab" * 32, size, 1, "BJ-07", root, epoch)


@pytest.mark.parametrize("size", range(1, SIZE + 1))
def test_the_head_at_each_size_is_the_one_of_the_definition(size: int) -> None:
    storage = small_journal(SIZE)
    root = head_of(payloads(storage)[:size]).hex()
    right, wrong = mark_of_size(size, root), mark_of_size(size, "cd" * 32)
    history = history_of(storage, right, wrong)
    assert (history.fit(right), history.fit(wrong)) == (Fit.SAME, Fit.OTHER)
    assert history.tree is not None
    assert history.tree.root() == head_of(payloads(storage))
    assert history.other_tree(SIGNER.public_key) == wrong
    assert history_of(storage, right).other_tree(SIGNER.public_key) is None


def test_without_a_mark_there_is_nothing_to_hold_a_tree_against() -> None:
    assert history_of(small_journal(SIZE)).tree is None


def test_a_journal_that_ends_earlier_is_neither_another_history_nor_another_tree() -> None:
    mark = mark_of_size(SIZE + 1, "cd" * 32)
    history = history_of(small_journal(SIZE), mark)
    assert history.fit(mark) is Fit.BEYOND
    assert history.other_tree(SIGNER.public_key) is None  # the mark of a second copy is written before its entries


def test_of_entries_that_retention_has_removed_nothing_can_be_told(tmp_path: Path) -> None:
    journal = marked(pruned(), tmp_path / "journal")
    now, found = mark_now(journal), verify(journal)
    begins = found.history.begins
    assert begins > 1
    before = mark_of_size(begins - 1, "cd" * 32)
    history = verify(journal, Wanted(marks=(seen(before),))).history
    expected = [Fit.SAME, Fit.UNTOLD, Fit.OTHER]
    assert [history.fit(one) for one in (now, before, structs.replace(now, root="cd" * 32))] == expected


def test_of_entries_that_were_lost_with_a_closed_damage_nothing_can_be_told() -> None:
    storage = closed()
    found = verify_storage(storage)
    (fault,) = found.closed
    lost = mark_of_size(fault.first_bad, "cd" * 32)
    assert history_of(storage, lost).fit(lost) is Fit.UNTOLD
    before = mark_of_size(fault.first_bad - 1, "cd" * 32)
    assert history_of(storage, before).fit(before) is Fit.OTHER


def test_three_readers_take_the_marks_of_an_export_and_none_behind_an_entry(tmp_path: Path) -> None:
    journal, out = marked(small_journal(3), tmp_path / "journal"), tmp_path / "out"
    export(journal, out, SIGNER)
    mark, *entries, _last = out.read_bytes().splitlines(keepends=True)
    assert mark.startswith(b'{"mark":"sabot/')
    assert standalone_verifier.check_export(out, SIGNER.public_key)[0] == len(entries)
    assert (verify(out).ok, read_export(out.read_bytes()).faults) == (True, [])
    for lines in ([entries[0], mark, *entries[1:]], [b'{"mark":"none"}\n', *entries]):
        text = b"".join(lines)
        signed = last_line(len(entries), bytes.fromhex(verify(out).head), sha256(text).digest(), SIGNER)
        out.write_bytes(text + signed)
        assert not verify(out).ok
    out.write_bytes(b"".join([*entries, mark, signed]))
    with pytest.raises(ValueError, match="no line of the format"):
        standalone_verifier.check_export(out)
    assert read_export(out.read_bytes()).faults


def test_an_earlier_format_has_no_marks(tmp_path: Path) -> None:
    journal, out = marked(small_journal(3), tmp_path / "journal"), tmp_path / "out"
    export(journal, out, SIGNER)
    text = b"".join(out.read_bytes().splitlines(keepends=True)[:-1])
    earlier = LastLine(3, WITHOUT_MARKS, verify(out).head, SIGNER.public_key, "", sha256(text).hexdigest())
    values = {name: getattr(earlier, name) for name in ("count", "format", "head", "public_key", "text")}
    signed = replace(earlier, signature=SIGNER.sign(encode_canonical(values)))
    out.write_bytes(text + encode_canonical(signed) + b"\n")
    assert not verify(out).ok
    assert read_export(out.read_bytes()).faults


def restored() -> MemoryStorage:
    """A restored journal: two entries of the first epoch, the start of the second epoch, and one more entry."""
    cards = Cards()
    cards.add("controller-started", {"public_key": SIGNER.public_key})
    cards.add("noted", {})
    cards.add("controller-started", {"findings": ["epoch 2"], "public_key": SIGNER.public_key})
    cards.add("noted", {})
    return cards.storage


@pytest.mark.parametrize(
    ("size", "epoch", "expected"),
    [(2, 1, Fit.OTHER), (3, 1, Fit.UNTOLD), (9, 1, Fit.UNTOLD), (3, 2, Fit.OTHER), (9, 2, Fit.BEYOND)],
)
def test_an_older_epochs_other_history_is_a_fork_before_the_break_alone(size: int, epoch: int, expected: Fit) -> None:
    mark = mark_of_size(size, "cd" * 32, epoch)
    assert history_of(restored(), mark).fit(mark) is expected
