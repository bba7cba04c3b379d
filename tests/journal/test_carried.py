"""A batch for the floor ends at the end of its segment, names the gap before it, and has a signature for this purpose
alone.
"""

import os
from pathlib import Path

import msgspec
import pytest
from journal_kit import SIGNER, batch, files, small_journal, to_directory, write

from controller.journal.carried import Segments, Stretch, is_signed_text, signed_statement
from controller.journal.format import scan
from controller.journal.lines import decode_last_line, is_signed_line, last_line
from controller.journal.mark import Mark, decode_mark, mark_note
from controller.journal.note import Note, NoteSignature, encode_note
from controller.journal.recovery import Recovery, Tip
from controller.journal.signing import Signer, is_signed
from controller.journal.storage import DirectoryReader
from controller.journal.writer_logic import WriterLogic, perform
from controller.protocol.carried import Gap, SignedStatement, Statement, statement_text
from simulators.disk import MemoryStorage

ENTRIES, PER_SEGMENT = 11, 3
NONCE = "00" * 16


def heads(storage: MemoryStorage) -> dict[int, bytes]:
    return {
        record.seq: record.chain
        for name, data in files(storage).items()
        if name.endswith(".segment")
        for record in scan(data).records
    }


@pytest.fixture
def whole() -> MemoryStorage:
    return small_journal(ENTRIES, per_segment=PER_SEGMENT)


def stretch(storage: MemoryStorage, path: Path, seq: int, tip: Tip | None = None) -> Stretch | None:
    path = path if path.is_dir() else to_directory(storage, path)
    with DirectoryReader(path) as journal:
        return Segments().stretch_behind(journal, Recovery(storage).tip() if tip is None else tip, seq)


def test_a_stretch_ends_with_its_segment_and_the_last_one_with_what_is_durable(
    whole: MemoryStorage, tmp_path: Path
) -> None:
    chain = heads(whole)
    for seq in range(ENTRIES):
        last = min((seq // PER_SEGMENT + 1) * PER_SEGMENT, ENTRIES)
        expected = Stretch(seq // PER_SEGMENT + 1, seq + 1, last, chain[last])
        assert stretch(whole, tmp_path / "journal", seq) == expected
    assert stretch(whole, tmp_path / "journal", ENTRIES) is None
    assert stretch(whole, tmp_path / "journal", ENTRIES + 5) is None


def test_an_entry_that_is_written_and_not_durable_is_in_none(whole: MemoryStorage, tmp_path: Path) -> None:
    """No batch has an entry that is written and not durable: the durable journal's end moves only after the sync."""
    durable = Recovery(whole).tip()
    write(whole, [batch(ENTRIES + 1, ENTRIES + 1)])
    found = stretch(whole, tmp_path / "journal", ENTRIES - 1, durable)
    assert found == Stretch(4, ENTRIES, ENTRIES, heads(whole)[ENTRIES])
    assert stretch(whole, tmp_path / "journal", ENTRIES, durable) is None


def damaged(whole: MemoryStorage) -> MemoryStorage:
    """A journal whose entries from 5 on are lost in a closed damage, and which goes on in segment 5."""
    data = bytearray(whole.read("00000002.segment"))
    data[-50] ^= 1  # in entry 6
    whole.replace("00000002.segment", bytes(data))
    tip = Recovery(whole).segment_after_damage()
    logic = WriterLogic(tip)
    for step in logic.begin(batch(tip.next_seq, tip.next_seq + 1)):
        perform(whole, step)
    logic.succeeded()
    return whole


def test_behind_a_closed_damage_the_gap_is_named_and_none_of_its_entries_is_signed(
    whole: MemoryStorage, tmp_path: Path
) -> None:
    storage = damaged(whole)
    recovery = Recovery(storage)
    sealed = recovery.sealed[0]
    before = stretch(storage, tmp_path / "journal", 3)
    assert before == Stretch(2, 4, 5, heads(storage)[5])
    behind = stretch(storage, tmp_path / "journal", 5)
    assert behind == Stretch(5, sealed.next_seq, sealed.next_seq + 1, recovery.head, Gap.DAMAGE)
    assert stretch(storage, tmp_path / "journal", 8) == behind
    assert stretch(storage, tmp_path / "journal", 10) == behind  # although its segment verifies by itself


def test_where_retention_has_removed_the_beginning_the_first_kept_entry_is_the_first(
    whole: MemoryStorage, tmp_path: Path
) -> None:
    path = to_directory(whole, tmp_path / "journal")
    tip = Recovery(whole).tip()
    (path / "00000001.segment").unlink()
    (path / "00000002.segment").unlink()
    assert stretch(whole, path, 2, tip) == Stretch(3, 7, 9, heads(whole)[9], Gap.REMOVED)
    assert stretch(whole, path, 6, tip) == Stretch(3, 7, 9, heads(whole)[9])


def test_no_descriptor_is_left_open(whole: MemoryStorage, tmp_path: Path) -> None:
    stretch(whole, tmp_path / "journal", 1)
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    for seq in range(ENTRIES):
        stretch(whole, tmp_path / "journal", seq)
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


STATEMENT = Statement(1, 1, Gap.NONE, "ab" * 32, 3, NONCE, "BJ-07")
CHANGED = [
    {"epoch": 2},
    {"first": 2},
    {"gap": Gap.DAMAGE},
    {"head": "ac" * 32},
    {"last": 4},
    {"nonce": "01" * 16},
    {"table": "BJ-08"},
]


def is_signed_statement(signed: SignedStatement, key: str) -> bool:
    return is_signed_text(statement_text(signed.statement), signed.signature, key)


@pytest.mark.parametrize("changed", CHANGED, ids=lambda one: next(iter(one)))
def test_each_field_is_signed(changed: dict[str, object]) -> None:
    signed = signed_statement(STATEMENT, SIGNER)
    assert is_signed_statement(signed, SIGNER.public_key)
    other = SignedStatement(signed.signature, msgspec.structs.replace(STATEMENT, **changed))
    assert not is_signed_statement(other, SIGNER.public_key)
    assert not is_signed_statement(signed, Signer(b"\1" * 32).public_key)


def test_every_field_of_a_statement_is_tried() -> None:
    assert {name for one in CHANGED for name in one} == set(Statement.__struct_fields__)


def test_its_signature_is_none_of_a_mark_or_an_export_and_theirs_are_none_of_a_batch() -> None:
    signature, key = signed_statement(STATEMENT, SIGNER).signature, SIGNER.public_key
    text = statement_text(STATEMENT)
    as_note = NoteSignature("sabot", bytes(4), bytes.fromhex(signature))
    assert decode_mark(encode_note(Note(text + b"\n", (as_note,))), key) is None
    for purpose in (b"", b"sabot mark 1\n", b"sabot checkpoint 1\n", b"sabot jackpot export 1\n"):
        assert not is_signed(key, signature, purpose + text)
        assert not is_signed_statement(SignedStatement(SIGNER.sign(purpose + text), STATEMENT), key)
    of_mark = mark_note(Mark("ab" * 32, 3, 1, "BJ-07", "cd" * 32), SIGNER).signatures[0].signature.hex()
    last = decode_last_line(last_line(3, b"\xab" * 32, bytes(32), SIGNER))
    assert is_signed_line(last)
    for other in (of_mark, last.signature):
        assert not is_signed_statement(SignedStatement(other, STATEMENT), key)
