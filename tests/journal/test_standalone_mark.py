"""A program written from FORMAT.md alone decides as ours does if an export and a mark are one history."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import standalone_mark
from forms import FORMS, Cards, pruned
from journal_kit import SIGNER, small_journal, to_directory
from msgspec.structs import replace
from proof_kit import OF_WITNESS, WITNESS, mark_now, seen

from controller.journal.export import export
from controller.journal.history import Fit
from controller.journal.mark import Mark, encode_mark, mark_note
from controller.journal.note import encode_note
from controller.journal.recovery import Walk
from controller.journal.removed import read_removed, removed_line, removed_name, sign_removed, tree_behind
from controller.journal.signing import Signer
from controller.journal.tree import NO_TREE, with_entry
from controller.journal.verify import verify_storage
from simulators.disk import MemoryStorage
from tests.endings import HANGS_S

OTHER = Signer(bytes([9]) * 32)


def marks_of(storage: MemoryStorage) -> Iterator[Mark]:
    """A mark for each entry that is there, by our own tree."""
    tree = tree_behind(read_removed(storage))
    for one in Walk(storage):
        tree = with_entry(tree, one.record.seq, one.record.payload)
        yield Mark(one.record.chain.hex(), tree.size, 1, "T 1", tree.root().hex())


class Desk:
    """An export of a journal, and the answer for each mark beside it."""

    def __init__(self, storage: MemoryStorage, path: Path) -> None:
        self.path, self.exported, self.mark = path, path / "evening.txt", path / "signed.txt"
        self.journal = to_directory(storage, path / "journal")
        export(self.journal, self.exported, SIGNER)

    def says(self, mark: Mark, signer: Signer = SIGNER) -> str:
        """The verdict's words in capitals."""
        self.mark.write_bytes(encode_mark(mark, signer))
        is_one, said = standalone_mark.compare(self.exported, SIGNER.public_key, self.mark)
        verdict = " ".join(said.replace(":", "").replace(",", "").split()[:2])
        assert is_one is (verdict == "ONE HISTORY")
        return verdict


@pytest.mark.parametrize("form", FORMS)
def test_each_entrys_mark_is_of_the_same_history_and_no_other_one(form: str, tmp_path: Path) -> None:
    storage = FORMS[form]()
    desk, marks = Desk(storage, tmp_path), list(marks_of(storage))
    assert len(marks) >= 3
    for mark in marks:
        assert desk.says(mark) == "ONE HISTORY"
        assert desk.says(replace(mark, root="cd" * 32)) == "ANOTHER HISTORY"
        assert desk.says(replace(mark, head="cd" * 32)) == "ANOTHER HISTORY"
        assert desk.says(replace(mark, root="cd" * 32), OTHER) == "NOT COMPARED", "the wrong table's file"
    gone = {*range(1, marks[-1].seq + 2)} - {mark.seq for mark in marks}
    assert {desk.says(replace(marks[-1], seq=seq)) for seq in gone} == {"NOT COMPARED"}


def test_a_statement_of_removal_without_hashes_counts_each_leaf_as_empty(tmp_path: Path) -> None:
    storage = pruned()
    removed = read_removed(storage)
    assert removed is not None
    values = {name: getattr(removed, name) for name in ("acknowledged", "first_seq", "segment", "sessions", "state")}
    earlier = sign_removed(**values, head=bytes.fromhex(removed.head), signer=SIGNER, tree=NO_TREE)
    storage.replace(removed_name(removed.segment), removed_line(earlier))
    desk, marks = Desk(storage, tmp_path), list(marks_of(storage))
    assert {desk.says(mark) for mark in marks} == {"ONE HISTORY"}
    assert desk.says(next(marks_of(pruned()))) == "ANOTHER HISTORY"


def restored() -> MemoryStorage:
    """A restored journal: two entries of the first epoch, the start of the second epoch, and one more entry."""
    cards = Cards()
    cards.add("controller-started", {"public_key": SIGNER.public_key})
    cards.add("noted", {})
    cards.add("controller-started", {"findings": ["torn-tail", "epoch 2"], "public_key": SIGNER.public_key})
    cards.add("noted", {})
    return cards.storage


VERDICTS = {Fit.OTHER: "ANOTHER HISTORY", Fit.BEYOND: "NOT COMPARED", Fit.UNTOLD: "NOT COMPARED"}


@pytest.mark.parametrize(("size", "epoch"), [(2, 1), (3, 1), (9, 1), (3, 2), (9, 2)])
def test_a_mark_of_an_older_epoch_accuses_nobody_behind_the_break(size: int, epoch: int, tmp_path: Path) -> None:
    storage = restored()
    mark = Mark("ab" * 32, size, 1, "T1", "cd" * 32, epoch)
    ours = verify_storage(storage, marks=[mark_note(mark, SIGNER)]).history.fit(mark)
    assert Desk(storage, tmp_path).says(mark) == VERDICTS[ours]


def test_behind_a_removal_the_first_start_that_is_kept_says_the_epoch(tmp_path: Path) -> None:
    storage = pruned()
    Cards(storage).add("controller-started", {"findings": ["epoch 2"], "public_key": SIGNER.public_key})
    desk, first = Desk(storage, tmp_path), next(marks_of(storage))
    for epoch in (1, 2):
        mark = replace(first, root="cd" * 32, epoch=epoch)
        ours = verify_storage(storage, marks=[mark_note(mark, SIGNER)]).history.fit(mark)
        assert (epoch, desk.says(mark)) == (epoch, VERDICTS[ours])


@pytest.mark.parametrize("data", [b"", b"sabot-proof-1\n", b"\xff\n\n"])
def test_another_file_is_no_mark(data: bytes, tmp_path: Path) -> None:
    desk = Desk(small_journal(3), tmp_path)
    desk.mark.write_bytes(data)
    is_one, said = standalone_mark.compare(desk.exported, SIGNER.public_key, desk.mark)
    assert (is_one, said) == (False, "NOT COMPARED: the file does not begin with a mark")


@pytest.mark.waits
def test_the_command_of_the_guide_compares_a_witnesss_checkpoint(tmp_path: Path) -> None:
    desk = Desk(small_journal(5), tmp_path)
    desk.mark.write_bytes(encode_note(seen(mark_now(desk.journal), (WITNESS, OF_WITNESS))))
    (tmp_path / "journal.pub").write_bytes(SIGNER.public_file())
    command = [sys.executable, str(standalone_mark.__file__), "evening.txt", "journal.pub", "signed.txt"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=HANGS_S)
    assert (ran.returncode, ran.stdout[:29]) == (0, "ONE HISTORY up to entry 5, ta")
    desk.exported.write_bytes(desk.exported.read_bytes().replace(b'"seq":2', b'"seq":7'))
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=HANGS_S)
    assert (ran.returncode, ran.stdout, ran.stderr[:18]) == (1, "", "NOT WELL: entry 2:")


def test_it_is_short_and_stands_alone() -> None:
    text = Path(str(standalone_mark.__file__)).read_text("utf-8")
    assert len(text.splitlines()) < 100
    imported = {node.module for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)}
    beside = {"standalone_verifier", "cryptography.hazmat.primitives.serialization"}
    assert imported == {"base64", "hashlib", "pathlib"} | beside
