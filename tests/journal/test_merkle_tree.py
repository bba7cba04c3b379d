"""The tree over the entries has the head of RFC 6962, however it was built, and signed notes about it are C2SP's."""

from base64 import b64decode
from hashlib import sha256
from pathlib import Path

import pytest
from journal_kit import SIGNER, entry, small_journal, to_directory

from controller.journal.entry import encode_entry
from controller.journal.errors import CodecError
from controller.journal.mark import Mark, decode_mark, decode_marks, encode_mark, encode_marks, log_key, mark_note
from controller.journal.note import (
    KeyKind,
    Note,
    NoteKey,
    NoteSignature,
    cosigned,
    decode_note,
    encode_note,
    is_note_by,
    read_key,
    time_of,
    with_signatures,
)
from controller.journal.tree import (
    EMPTY_ROOT,
    NO_TREE,
    GrowingTree,
    Tree,
    filled,
    leaf_hash,
    tree_of,
    with_entry,
)
from controller.journal.verify import tip_now
from tests.oracles.merkle import head_of

MARK = Mark("ab" * 32, 3, 1, "BJ 07", "cd" * 32, 2)

EXAMPLE_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
EXAMPLE = (
    "This is an example message.\n\n"
    "— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n"
).encode()
"""The example of C2SP signed-note."""


@pytest.mark.parametrize("size", [*range(20), 255, 256, 257])
def test_the_head_is_the_one_of_the_rfc(size: int) -> None:
    payloads = [b"%d" % number for number in range(size)]
    tree, growing = NO_TREE, GrowingTree(NO_TREE)
    for seq, payload in enumerate(payloads, 1):
        tree = with_entry(tree, seq, payload)
        growing.add([payload])
    assert tree == growing.now()
    assert (tree.size, tree.root()) == (size, head_of(payloads))


def test_no_entry_has_the_head_of_the_empty_string() -> None:
    assert NO_TREE.root() == EMPTY_ROOT == sha256(b"").digest()


@pytest.mark.parametrize("first", range(10))
@pytest.mark.parametrize("lost", range(10))
def test_numbers_that_were_lost_are_empty_leaves(first: int, lost: int) -> None:
    payloads = [b"%d" % number for number in range(first)]
    tree = NO_TREE
    for seq, payload in enumerate(payloads, 1):
        tree = with_entry(tree, seq, payload)
    expected = head_of([*payloads, *[b""] * lost, b"next"])
    assert with_entry(tree, first + lost + 1, b"next").root() == expected
    assert filled(tree, first + lost).root() == head_of([*payloads, *[b""] * lost])


def test_of_a_program_that_kept_no_tree_all_leaves_count_as_lost() -> None:
    assert tree_of(5, ()).root() == head_of([b""] * 5)
    kept = tuple(leaf_hash(b"%d" % number) for number in range(2))
    assert tree_of(5, kept) == Tree(5, kept)


def test_a_journals_tree_is_over_its_payloads(tmp_path: Path) -> None:
    tip, _sessions, tree = tip_now(to_directory(small_journal(11), tmp_path / "journal"))
    assert tip.next_seq == 12
    assert tree.root() == head_of([encode_entry(entry(seq)) for seq in range(1, 12)])


# --- notes


def test_the_example_of_the_specification_verifies() -> None:
    key = read_key(EXAMPLE_KEY)
    assert key.text == EXAMPLE_KEY
    note = decode_note(EXAMPLE)
    assert encode_note(note) == EXAMPLE
    assert is_note_by(note, key)
    assert not is_note_by(note, NoteKey("example.com/bar", key.kind, key.public_key))


def test_a_mark_is_a_checkpoint_by_the_tables_key() -> None:
    data = encode_mark(MARK, SIGNER)
    assert decode_mark(data, SIGNER.public_key) == MARK
    origin, size, root, *rest = data.decode().split("\n\n")[0].split("\n")
    assert origin == f"sabot/{SIGNER.public_key[:16]}/BJ%2007/2"
    assert (size, b64decode(root).hex()) == ("3", MARK.root)
    assert rest == [f"chain {MARK.head}", "session 1"]


def test_a_file_of_two_marks_gives_both_and_half_a_mark_is_none() -> None:
    later = Mark("ba" * 32, 5, 1, "BJ 07", "dc" * 32, 2)
    data = encode_marks((MARK, later), SIGNER)
    assert decode_marks(data, SIGNER.public_key) == (MARK, later)
    one = len(encode_mark(MARK, SIGNER))
    for cut in range(len(data)):
        assert decode_marks(data[:cut], SIGNER.public_key) in ((), (MARK,), (MARK, later))
        assert (decode_marks(data[:cut], SIGNER.public_key) == ()) is (cut < one - 1)


def test_every_bit_of_a_mark_is_signed_or_read() -> None:
    data = encode_mark(MARK, SIGNER)
    for at in range(8 * len(data)):
        changed = bytearray(data)
        changed[at // 8] ^= 1 << at % 8
        assert decode_mark(bytes(changed), SIGNER.public_key) is None, at


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"text\n",
        b"text\n\n",
        b"text\n\n\xe2\x80\x94 name AAAA\n",
        b"te\txt\n\n\xe2\x80\x94 name AAAAAAAA\n",
        b"text\n\n\xe2\x80\x94 na+me AAAAAAAA\n",
        b"text\n\n\xe2\x80\x94 name AAAAAAB=\n",
        b"text\n\n\xe2\x80\x94 name AAAAAAAA",
        b"text\xff\n\n\xe2\x80\x94 name AAAAAAAA\n",
        b"text\n\n" + b"\xe2\x80\x94 name AAAAAAAA\n" * 33,
    ],
)
def test_what_is_no_note_is_refused(data: bytes) -> None:
    with pytest.raises(CodecError):
        decode_note(data)


def test_a_wrong_line_of_a_known_key_spoils_the_note_and_one_of_another_says_nothing() -> None:
    note = mark_note(MARK, SIGNER)
    key = log_key(MARK.table, MARK.epoch, SIGNER.public_key)
    others = with_signatures(note, (NoteSignature("another", key.key_id, bytes(64)),))
    assert is_note_by(others, key)
    assert not is_note_by(Note(note.text, (*note.signatures, NoteSignature(key.name, key.key_id, bytes(64)))), key)
    assert not is_note_by(Note(note.text, others.signatures[1:]), key)


def test_a_cosignature_is_over_time_and_text() -> None:
    """A cosignature covers time and text (C2SP tlog-cosignature), and is not valid as an ordinary signature."""
    key = NoteKey("witness.example/w1", KeyKind.COSIGNATURE, SIGNER.public_key)
    text = mark_note(MARK, SIGNER).text
    signature = SIGNER.cosignature(text, key, 1679315147)
    assert time_of(signature) == 1679315147
    assert cosigned(b"text\n", 7) == b"cosignature/v1\ntime 7\ntext\n"
    assert is_note_by(Note(text, (signature,)), key)
    assert not is_note_by(Note(text + b"more\n", (signature,)), key)
    later = NoteSignature(key.name, key.key_id, bytes(7) + b"\1" + signature.signature[8:])
    assert not is_note_by(Note(text, (later,)), key)
    as_note = NoteKey(key.name, KeyKind.NOTE, key.public_key)
    assert not is_note_by(Note(text, (NoteSignature(key.name, as_note.key_id, signature.signature),)), as_note)
