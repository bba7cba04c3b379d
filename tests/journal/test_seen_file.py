"""`verify --seen FILE` compares the file, or says in plain words why nothing was compared; no file is passed over."""

import json
from pathlib import Path

import pytest
from forms import Cards
from journal_kit import batch, entry, small_journal, to_directory, write
from msgspec import structs
from proof_kit import OF_WITNESS, SIGNER, WITNESS, mark_now, marked, proof_of, seen

from controller.cli.main import main
from controller.journal.cosigned import cosigned_path
from controller.journal.entry import EntryRefusal, encode_entry
from controller.journal.export import export
from controller.journal.mark import begun_path, encode_mark, mark_note
from controller.journal.note import Note, NoteKey, decode_note, encode_note
from controller.journal.proof import decode_proof, encode_proof, prove_alone
from controller.journal.signing import Signer, public_path
from controller.journal.storage import DirectoryReader
from controller.journal.writer_logic import Batch
from simulators.disk import MemoryStorage

OTHER = Signer(bytes([9]) * 32)
SIZE = 9


def forged() -> MemoryStorage:
    """The journal of `small_journal` with another entry 7, properly chained."""
    storage = small_journal(6)
    write(storage, [Batch(7, (batch(7, 7).payloads[0].replace(b'"boot":1', b'"boot":2'),))])
    write(storage, [batch(seq, seq) for seq in range(8, SIZE + 1)])
    return storage


class Desk:
    """The inspector's desk: exports and proofs of the table, the files of the witness, and the two public keys."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.honest = marked(small_journal(SIZE), path / "honest")
        self.forged = marked(forged(), path / "forged")
        self.early = marked(small_journal(6), path / "early")
        self.later = marked(small_journal(SIZE + 2), path / "later")
        self.public = str(public_path(self.honest))

    def exported(self, journal: Path) -> Path:
        export(journal, out := self.path / f"{journal.name}.txt", SIGNER)
        return out

    def proof(self, journal: Path) -> Path:
        (out := self.path / f"{journal.name}.proof").write_bytes(proof_of(journal, 5, 8))
        return out

    def witnessed(self, journal: Path) -> bytes:
        """The checkpoint of this journal as the witness has signed it."""
        return encode_note(seen(mark_now(journal), (WITNESS, OF_WITNESS)))

    def file(self, data: bytes) -> Path:
        (out := self.path / "seen.txt").write_bytes(data)
        return out


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def said(capsys: pytest.CaptureFixture[str], desk: Desk, path: Path, *words: str) -> tuple[int, str]:
    ended = main(["journal", "verify", str(path), "--public-key", desk.public, *words])
    return ended, capsys.readouterr().out


def document(capsys: pytest.CaptureFixture[str], desk: Desk, path: Path, *words: str) -> dict[str, object]:
    return json.loads(said(capsys, desk, path, *words, "--json")[1])


BY_WITNESS = ("--witness", WITNESS.text)


def changed(data: bytes) -> dict[str, bytes]:
    """A witness's file after each damage, by the damage's name."""
    note = decode_note(data)
    return {
        "cut": data[:-20],
        "a digit": data.replace(b"\n9\n", b"\n8\n"),
        "a witness's bit": data[:-10] + (b"B" if data[-10:-9] == b"A" else b"A") + data[-9:],
        "another file": b"hello\n",
        "empty": b"",
        "more behind it": data + b"\nPaid in full.\n",
        "the table's own": encode_note(Note(note.text, note.signatures[:1])),
    }


@pytest.mark.parametrize("kind", ["export", "proof"])
@pytest.mark.parametrize(
    "damage", ["cut", "a digit", "a witness's bit", "another file", "empty", "more behind it", "the table's own"]
)
def test_a_damaged_file_is_not_passed_over(
    desk: Desk, capsys: pytest.CaptureFixture[str], damage: str, kind: str
) -> None:
    """The forged export has the witness's line under its own early mark: by itself it would be well."""
    cosigned_path(desk.forged).write_bytes(desk.witnessed(desk.early))
    path = desk.exported(desk.forged) if kind == "export" else desk.proof(desk.forged)
    words = BY_WITNESS if kind == "export" else ()
    assert said(capsys, desk, path, *words)[0] == 0
    file = desk.file(changed(desk.witnessed(desk.honest))[damage])
    ended, text = said(capsys, desk, path, *words, "--seen", str(file))
    if words or damage not in {"a witness's bit", "the table's own"}:  # without a key a witness's line is not checked
        assert (ended, text.splitlines()[0].split(",")[0]) == (1, "NOT WELL")
        assert f"NOT COMPARED: {file} " in text
        assert "Nothing was compared." in text
    else:
        assert (ended, f"ANOTHER HISTORY: {file}" in text) == (1, True)


def test_a_proof_is_no_file_of_a_witness(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (desk.exported(desk.honest), desk.proof(desk.honest)):
        ended, text = said(capsys, desk, path, "--seen", str(desk.proof(desk.later)))
        assert (ended, "is neither a checkpoint nor the code of a printed round" in text) == (1, True)


def test_a_file_of_another_table_or_witness_is_not_compared(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    cosigned_path(desk.honest).write_bytes(desk.witnessed(desk.honest))
    out = desk.exported(desk.honest)
    stranger = NoteKey(WITNESS.name, WITNESS.kind, OTHER.public_key)
    for data, outcome in (
        (encode_note(mark_note(mark_now(desk.honest), OTHER)), "table"),
        (encode_note(seen(mark_now(desk.honest), (stranger, OTHER))), "witness"),
    ):
        found = document(capsys, desk, out, *BY_WITNESS, "--seen", str(desk.file(data)))
        assert (found["ok"], found["seen"]["outcome"]) == (False, outcome)


@pytest.mark.parametrize("ends", [b"\n", b"\r\n"])
def test_what_was_compared_is_said_whatever_the_line_ends(
    desk: Desk, capsys: pytest.CaptureFixture[str], ends: bytes
) -> None:
    file = desk.file(desk.witnessed(desk.honest).replace(b"\n", ends))
    ended, text = said(capsys, desk, desk.exported(desk.honest), *BY_WITNESS, "--seen", str(file))
    assert (ended, text.startswith("Well: ")) == (0, True)
    assert f"Compared with {file}: the entries up to {SIZE} are those that were signed there." in text
    ended, text = said(capsys, desk, desk.exported(desk.forged), *BY_WITNESS, "--seen", str(file))
    assert (ended, text.startswith("NOT WELL")) == (1, True)
    assert f"ANOTHER HISTORY: {WITNESS.name} has seen entries up to {SIZE}" in text


@pytest.mark.parametrize("words", [(), BY_WITNESS])
def test_an_export_that_is_older_than_the_witnesss_file_is_not_called_another_history(
    desk: Desk, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    cosigned_path(desk.honest).write_bytes(desk.witnessed(desk.honest))
    file = desk.file(desk.witnessed(desk.later))
    ended, text = said(capsys, desk, desk.exported(desk.honest), *words, "--seen", str(file))
    assert (ended, text.startswith("OPEN, ")) == (1, True)
    assert f"{SIZE + 2} entries of this table, and here are {SIZE}" in text
    assert [word for word in ("ANOTHER", "NOT WELL", "Two histories") if word in text] == []


def test_a_proof_is_compared_with_a_checkpoint_of_its_size_alone(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    for journal, checkpoint, outcome in (
        (desk.honest, desk.honest, "same"),
        (desk.forged, desk.honest, "other"),
        (desk.honest, desk.later, "other-size"),
        (desk.honest, desk.early, "other-size"),
    ):
        file = desk.file(desk.witnessed(checkpoint))
        found = document(capsys, desk, desk.proof(journal), "--seen", str(file))
        assert (found["ok"], found["seen"]["outcome"]) == (outcome == "same", outcome)
    assert "cannot be compared" in said(capsys, desk, desk.proof(desk.honest), "--seen", str(file))[1]


def test_the_entries_that_a_witness_has_not_seen_are_named(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    cosigned_path(desk.honest).write_bytes(desk.witnessed(desk.early))
    out = desk.exported(desk.honest)
    ended, text = said(capsys, desk, out, *BY_WITNESS)
    assert (ended, f"NOT SEEN BY IT: entries 7 to {SIZE}. Ask the witness itself" in text) == (0, True)
    file = desk.file(desk.witnessed(desk.honest))
    assert "NOT SEEN" not in said(capsys, desk, out, *BY_WITNESS, "--seen", str(file))[1]


def test_an_older_epochs_checkpoint_behind_the_break_is_not_compared(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    cards = Cards()
    cards.add("controller-started", {"findings": ["epoch 2"], "public_key": SIGNER.public_key})
    journal = to_directory(cards.storage, desk.path / "restored")
    begun_path(journal).write_bytes(encode_mark(mark_now(journal, epoch=2), SIGNER))
    file = desk.file(desk.witnessed(desk.honest))
    found = document(capsys, desk, desk.exported(journal), "--seen", str(file))
    assert (found["ok"], found["seen"]["outcome"]) == (False, "untold")


def test_a_missing_file_is_named(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    missing = desk.path / "none.txt"
    for words in (
        ["verify", str(desk.honest), "--seen", str(missing)],
        ["cosign", str(desk.honest), *BY_WITNESS, "--take", str(missing)],
    ):
        assert main(["journal", *words]) == 2
        assert f"The file {missing} cannot be read" in capsys.readouterr().err


def test_a_refused_act_in_a_proof_is_printed_as_refused(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    storage, refusal = MemoryStorage(), EntryRefusal(reason="no", clause="pt.bj.5", rule="r")
    write(storage, [Batch(1, (encode_entry(structs.replace(entry(1), refusal=refusal)),)), batch(2, 2)])
    journal = marked(storage, desk.path / "refused")
    (proof := desk.path / "refused.proof").write_bytes(proof_of(journal, 1, 2))
    first, second = said(capsys, desk, proof)[1].splitlines()[-2:]
    assert "UTC  REFUSED, not done (r; clause pt.bj.5): noted {" in first
    assert "REFUSED" not in second
    assert document(capsys, desk, proof)["refused"] == [1]


# --- what is said of a bad file, and of a good one


def test_the_verdict_of_a_bad_export_comes_first_and_names_the_line(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    out = desk.exported(desk.honest)
    lines = out.read_bytes().splitlines(keepends=True)
    last = len(lines)
    for changed_lines, place in (
        (
            [*lines[:3], lines[3].replace(b'"boot":1', b'"boot":2'), *lines[4:]],
            "entry 3 (line 4 of the export) does not",
        ),
        (
            [*lines[:-1], lines[-1].replace(b'"count":9', b'"count":8')],
            f"line {last} of the export, which is no entry,",
        ),
        (lines[1:], f"line {last - 1} of the export, which is no entry, does not: the last line of the export"),
        (lines[:-1], f"line {last} of the export, which is no entry, does not: the last line of the export is missing"),
        ([lines[0], b"Paid.\n", *lines[1:]], "line 2 of the export, which is no entry, does not: a line of the export"),
    ):
        out.write_bytes(b"".join(changed_lines))
        ended, text = said(capsys, desk, out, *BY_WITNESS)
        assert ended == 1
        assert text.startswith("NOT WELL: ")
        assert place in text.splitlines()[0]


def test_a_proof_with_other_line_ends_is_still_judged_as_a_proof(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, data in (("a", proof_of(desk.honest, 3, 4)), ("b", alone(desk.honest, 3))):
        (path := desk.path / name).write_bytes(data.replace(b"\n", b"\r\n"))
        ended, text = said(capsys, desk, path)
        assert (ended, "its line ends were changed on the way" in text) == (1, True)


def alone(journal: Path, seq: int) -> bytes:
    with DirectoryReader(journal) as storage:
        return prove_alone(storage, seen(mark_now(journal)), seq)


def test_a_doubled_or_swapped_entry_of_a_proof_is_not_called_missing(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    (first, second), note = decode_proof(proof_of(desk.honest, 3, 4))
    for parts in ((first, first, second), (second, first)):
        (path := desk.path / "other").write_bytes(encode_proof(parts, note))
        assert "one is missing, doubled or out of place" in said(capsys, desk, path)[1]


def test_a_proof_may_be_cut_at_its_ends_and_then_says_which_entries_it_has(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    parts, note = decode_proof(proof_of(desk.honest, 3, 6))
    for left, first, last in ((parts[1:], 4, 6), (parts[:-1], 3, 5)):
        (path := desk.path / "smaller").write_bytes(encode_proof(left, note))
        ended, text = said(capsys, desk, path)
        assert (ended, text.startswith(f"Well: entries {first} to {last} are in")) == (0, True)
        assert "Nor whether entries of the round stand before the first or behind the last." in text


def test_times_name_their_zone_and_a_clock_that_was_not_synchronised_is_said(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    cosigned_path(desk.honest).write_bytes(desk.witnessed(desk.honest))
    text = said(capsys, desk, desk.exported(desk.honest), *BY_WITNESS)[1]
    assert "at 2023-11-14 22:13:20 UTC by its own clock" in text
    assert "In 5 of 9 entries the computer's clock was not synchronised" in text
    text = said(capsys, desk, desk.proof(desk.honest))[1]
    assert "In 2 of 4 entries" in text
    assert "#5  2023-11-14 22:13:20 UTC  noted {" in text


def test_a_proof_that_is_written_says_whose_mark_it_has(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["journal", "prove", str(desk.honest), "--entry", "3", "--out"]
    assert main([*words, str(desk.path / "alone")]) == 0
    assert f"Its mark is of {SIZE} entries, signed by the table alone." in capsys.readouterr().out
    cosigned_path(desk.honest).write_bytes(desk.witnessed(desk.honest))
    assert main([*words, str(desk.path / "witnessed")]) == 0
    assert f"behind the table's own it has lines of: {WITNESS.name}." in capsys.readouterr().out
    assert main([*words, str(desk.path / "json"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["witnesses"] == [WITNESS.name]


def test_a_noted_code_beside_a_proof_is_not_passed_over(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--public-key", desk.public, "--head", "0-9-00000-00000-00000-00000-00"]
    assert main(["journal", "verify", str(desk.proof(desk.honest)), *words]) == 2
    assert "no proof can be compared with a noted code" in capsys.readouterr().err
