"""Words that people type lie beside the chain, which has a commitment to them: the words can be deleted for good."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from journal_kit import entry, small_journal, to_directory, write
from proof_kit import SIGNER, GoVerifier, in_directory, marked, proof_of
from standalone_verifier import check_export

from controller.cli.main import main
from controller.journal.copies import Position, copy_behind
from controller.journal.entry import encode_entry
from controller.journal.errors import Reason
from controller.journal.export import export
from controller.journal.lines import FORMAT_NAME, WITHOUT_WORDS, LastLine, last_line
from controller.journal.proof import check_proof
from controller.journal.recovery import recover
from controller.journal.verify import verify
from controller.journal.words import (
    DELETED,
    LONGEST_TEXT,
    WORDS_SIZE,
    Words,
    commitment_in,
    delete_words,
    join_words,
    seal_words,
    words_in,
    words_name,
    words_of,
)
from controller.journal.writer_logic import Batch
from controller.record.retention import _clean
from simulators.disk import MemoryStorage
from simulators.oracles.export_reader import read_export

pytestmark = pytest.mark.waits  # for the verifier in Go

SALT = bytes(range(32))
TEXT = "Zoraida Quintão says: 17, not 18"
NAME = words_name(1)


def complained(storage: MemoryStorage, text: str = TEXT, salt: bytes = SALT) -> str:
    """Adds one entry with words to the journal; returns the words' commitment."""
    seq = recover(storage).next_seq
    sealed, words = seal_words(text, salt)
    body = msgspec.Raw(msgspec.json.encode({"person": 11, "words": sealed}))
    made = encode_entry(msgspec.structs.replace(entry(seq), kind="record-complaint", body=body))
    write(storage, [Batch(seq, (made,), words=(words,))])
    commitment = commitment_in(sealed)
    assert commitment is not None
    return commitment


@pytest.fixture
def storage() -> MemoryStorage:
    storage = small_journal(3)
    complained(storage)
    return storage


def exported(journal: Path, out: Path) -> bytes:
    export(journal, out, SIGNER)
    return out.read_bytes()


def files_with(directory: Path, text: str) -> Iterator[str]:
    yield from (one.name for one in sorted(directory.rglob("*")) if one.is_file() and text.encode() in one.read_bytes())


def test_the_chain_has_a_commitment_and_the_words_lie_beside_it(storage: MemoryStorage, tmp_path: Path) -> None:
    journal = in_directory(storage, tmp_path / "journal")
    assert list(files_with(tmp_path, "Zoraida")) == [NAME]
    assert list(words_of(storage).values()) == [Words(SALT, TEXT)]
    assert len(storage.read(NAME)) == WORDS_SIZE, "each of one size, so that none tells how long it is"
    assert verify(journal).ok


def test_deleted_words_are_nowhere_and_chain_and_proof_hold(
    storage: MemoryStorage, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    journal = marked(storage, tmp_path / "journal")
    in_go, before = GoVerifier(tmp_path_factory.mktemp("go")), proof_of(journal, 4, 4)
    head = verify(journal).head
    assert delete_words(journal, words_of(storage)) == 1
    assert list(files_with(tmp_path, "Zoraida")) == []
    assert SALT not in (journal / NAME).read_bytes(), "with the salt a guess could be tried"
    assert (verify(journal).ok, verify(journal).head) == (True, head)
    assert proof_of(journal, 4, 4) == before
    assert check_proof(before, SIGNER.public_key).wrong is None
    assert in_go.says([before])[0].startswith("well: entries 4 to 4 ")
    assert list(words_in((journal / NAME).read_bytes()).values()) == [DELETED]


def test_an_export_has_the_words_or_says_that_they_are_forgotten_or_lost(
    storage: MemoryStorage, tmp_path: Path
) -> None:
    journal, commitment = in_directory(storage, tmp_path / "journal"), next(iter(words_of(storage)))
    texts = {"kept": exported(journal, tmp_path / "kept.txt")}
    delete_words(journal, [commitment])
    texts["forgotten"] = exported(journal, tmp_path / "forgotten.txt")
    (journal / NAME).unlink()
    texts["lost"] = exported(journal, tmp_path / "lost.txt")
    for state, text in texts.items():
        path = tmp_path / f"{state}.txt"
        assert text.count(b'{"words":') == text.count(f'"state":"{state}"'.encode()) == 1
        assert (TEXT.encode() in text) is (state == "kept")
        assert (verify(path).ok, verify(path).without_words) == (True, () if state == "kept" else ((4, state),))
        assert check_export(path)[:2] == (4, verify(journal).head)
        read = read_export(text)
        assert (read.faults, read.words) == ([], {commitment: TEXT if state == "kept" else None})


@pytest.mark.parametrize(("state", "said"), [("forgotten", "said to be forgotten"), ("lost", "LOST")])
def test_the_check_of_journal_and_export_names_the_entries_whose_words_are_gone(
    storage: MemoryStorage, tmp_path: Path, capsys: pytest.CaptureFixture[str], state: str, said: str
) -> None:
    journal, out = in_directory(storage, tmp_path / "journal"), tmp_path / "out.txt"
    if state == "forgotten":
        delete_words(journal, words_of(storage))
    else:
        (journal / NAME).unlink()
    exported(journal, out)
    for path in (journal, out):
        assert main(["journal", "verify", str(path)]) == 0
        assert f"{said} in the entries: 4." in capsys.readouterr().out


def signed_again(lines: list[bytes], form: str = FORMAT_NAME) -> bytes:
    """An export of these lines with the table's own right signature, whatever the lines say."""
    text = b"".join(lines)
    head = bytes.fromhex(msgspec.json.decode(next(one for one in reversed(lines) if b'"chain"' in one))["chain"])
    made = last_line(sum(b'"chain"' in one for one in lines), head, sha256(text).digest(), SIGNER)
    if form == FORMAT_NAME:
        return text + made
    last = msgspec.json.decode(made, type=LastLine)
    statement = {"count": last.count, "format": form, "head": last.head, "public_key": last.public_key}
    said = msgspec.json.encode(statement | {"text": last.text}, order="sorted")
    whole = statement | {"text": last.text, "signature": SIGNER.sign(said)}
    return text + msgspec.json.encode(whole, order="sorted") + b"\n"


def test_an_export_whose_words_are_left_out_changed_or_moved_is_refused(storage: MemoryStorage, tmp_path: Path) -> None:
    journal, path = in_directory(storage, tmp_path / "journal"), tmp_path / "other.txt"
    *lines, _ = exported(journal, tmp_path / "kept.txt").splitlines(keepends=True)
    *entries, words = lines
    others = {
        "left out": entries,
        "twice": [*lines, words],
        "before their entry": [*entries[:-1], words, entries[-1]],
        "others": [*entries, words.replace(b"17, not 18", b"18, not 17")],
        "of another entry": [*entries, words.replace(b'"entry":4', b'"entry":3')],
        "kept and forgotten": [*entries, words.replace(b'"kept"', b'"forgotten"')],
    }
    for what, changed in others.items():
        path.write_bytes(signed_again(changed))
        assert verify(path).reason in {Reason.LINE, Reason.LAST_LINE}, what
        assert read_export(path.read_bytes()).faults, what
    path.write_bytes(signed_again(lines, WITHOUT_WORDS))
    assert not verify(path).ok, "a format without words has none"
    path.write_bytes(signed_again(lines))
    assert verify(path).ok


def test_an_export_of_a_program_before_has_no_such_lines(tmp_path: Path) -> None:
    journal, path = in_directory(small_journal(3), tmp_path / "journal"), tmp_path / "earlier.txt"
    *lines, _ = exported(journal, tmp_path / "now.txt").splitlines(keepends=True)
    path.write_bytes(signed_again(lines, WITHOUT_WORDS))
    assert (verify(path).ok, read_export(path.read_bytes()).faults) == (True, [])


def test_a_second_copy_gets_the_words_and_never_brings_deleted_ones_back(
    storage: MemoryStorage, tmp_path: Path
) -> None:
    second = MemoryStorage()
    copy_behind(storage, second, Position(1, 0), Position(1, len(storage.read("00000001.segment"))))
    assert second.read(NAME) == storage.read(NAME)
    journal = to_directory(storage, tmp_path / "journal")
    delete_words(journal, words_of(storage))
    cut = (journal / NAME).read_bytes()
    assert (join_words(storage.read(NAME), cut).rest, join_words(cut, b"").rest) == (b"", cut)


def test_torn_and_spoilt_words_are_none_and_are_copied_again(storage: MemoryStorage) -> None:
    whole = storage.read(NAME)
    for there in (whole[:100], whole[:64].ljust(WORDS_SIZE, b"\0"), bytes(WORDS_SIZE)):
        assert words_in(there) == {}
        joined = join_words(whole, there)
        assert words_in(there[: joined.keep] + joined.rest) == words_in(whole)
    storage.append(NAME, whole[:100])
    recover(storage)
    complained(storage, "another", bytes(32))
    assert [one.text for one in words_of(storage).values()] == [TEXT, "another"]


def test_the_commitment_of_a_text_that_a_rule_finds_too_long_is_too_long_itself() -> None:
    assert [len(seal_words("x" * size, SALT)[0]) <= 80 for size in (1, 80, 81, LONGEST_TEXT)] == [
        True,
        True,
        False,
        False,
    ]
    assert {commitment_in(seal_words("x" * size, SALT)[0]) is None for size in (1, LONGEST_TEXT)} == {False}
    largest = "\U0001f0a1" * LONGEST_TEXT
    assert words_in(seal_words(largest, SALT)[1]).popitem()[1].text == largest
    with pytest.raises(ValueError, match="560"):
        seal_words("x" * (LONGEST_TEXT + 1), SALT)


def test_words_go_with_the_sessions_that_retention_removes(storage: MemoryStorage, tmp_path: Path) -> None:
    journal = to_directory(storage, tmp_path / "journal")
    (journal / words_name(2)).write_bytes(seal_words("kept", SALT)[1])
    _clean(journal, 2)
    assert [one.name for one in journal.glob("*.words")] == [words_name(2)]
