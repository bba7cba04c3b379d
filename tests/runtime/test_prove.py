"""`sabot journal prove`: one round or one hold as a text, without hidden faces; checked by `verify` alone."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.catalogue import Language
from controller.cli.main import main
from controller.core.games.blackjack.decisions.turns import DrawCard
from controller.journal.cosigned import cosigned_path, keep_cosigned, read_cosigned
from controller.journal.entry import encode_entry
from controller.journal.mark import begun_path, mark_at, mark_note
from controller.journal.note import KeyKind, NoteKey, NoteSignature, encode_note, with_signatures
from controller.journal.page import decode_page
from controller.journal.proof import check_proof, decode_proof
from controller.journal.signing import Signer, public_path
from controller.journal.verify import tip_now
from controller.protocol.record import RecordKind
from controller.record.names import names_of
from controller.record.read import Wish, read
from controller.runtime.boot import inspect_journal
from tests.found import stands_in
from tests.oracles.merkle import head_of
from tests.runtime.bench import DEALER, Bench
from tests.runtime.shown import signed, written

HOLE = "6C"
SIGNER, OF_WITNESS = Signer(bytes(32)), Signer(bytes([7]) * 32)
WITNESS = NoteKey("inspection.example/w1", KeyKind.COSIGNATURE, OF_WITNESS.public_key)


@pytest.fixture(scope="module")
def bench() -> Bench:
    """Plays the beginning of a round, a jam that people end, and leaves a card face down."""
    bench = Bench(segment_limit=8192)
    bench.play()
    bench.deal((1,), ("3C", "4C", "5C", HOLE))
    bench.act(DrawCard, DEALER, seat=1)
    bench.draw("7D")
    bench.shuffler.jam(bench.now_s)
    bench.run(0.3)
    return bench


@pytest.fixture
def journal(bench: Bench, tmp_path: Path) -> Path:
    """Writes the journal with its public key and mark beside it, like a table's; returns its path."""
    return signed(Path(written(bench.storage, tmp_path / "journal")), SIGNER)


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, object]]:
    """Runs `sabot` with these words; returns exit code and document, for a refusal only the refusal's word."""
    try:
        ended = main(["journal", *words, "--json"])
    except SystemExit as usage:
        return int(str(usage.code)), {"error": "usage"}
    document = json.loads(capsys.readouterr().out)
    return ended, {"error": document["error"]["code"]} if "error" in document else document


def proved(capsys: pytest.CaptureFixture[str], journal: Path, *which: str) -> Path:
    out = journal.with_name("-".join(which).replace("--", "") + ".proof")
    ended, document = told(capsys, "prove", str(journal), *which, "--out", str(out))
    assert (ended, document["ok"]) == (0, True)
    return out


def test_a_tables_tree_is_the_one_over_its_entries(bench: Bench, journal: Path) -> None:
    """Three trees agree: the growing tree, a start's tree, and the tree by the definition."""
    expected = head_of([encode_entry(entry) for entry in bench.entries()])
    assert bench.runtime.tree.root() == inspect_journal(bench.storage).folded.tree.root() == expected
    assert bench.runtime.tree == tip_now(journal)[2]
    assert bench.latest.house.holds
    again = Bench(segment_limit=8192)
    again.storage = bench.storage
    again.start()
    again.run(1)
    assert again.runtime.tree.root() == head_of([encode_entry(entry) for entry in again.entries()])


def test_a_round_is_proved_from_its_bets_on_and_hides_what_lies_hidden(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = proved(capsys, journal, "--round", "1")
    text = out.read_text("utf-8")
    ended, document = told(capsys, "verify", str(out), "--public-key", str(public_path(journal)))
    assert (ended, document["ok"], document["table"]) == (0, True, "T1")
    proven, _note = decode_proof(out.read_bytes())
    kinds = [json.loads(one.payload)["kind"] for one in proven]
    assert kinds[0] == "take-bets"
    assert "shuffler-jammed" in kinds
    assert '"commitment":"' in text
    assert '"7D"' in text
    assert f'"{HOLE}"' not in text


def test_the_story_that_is_printed_has_the_code_of_the_same_entries(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wish = Wish(journal, RecordKind.STORY, 1, 1, Language.EN, names_of([], Language.EN))
    found = read(wish, lambda _percent: None)
    page = decode_page(found.page.encode())
    proof = proved(capsys, journal, "--round", "1").read_bytes()
    assert check_proof(proof, SIGNER.public_key, (), page).wrong is None
    assert not stands_in(HOLE, found.page)
    begun_path(journal).unlink()
    unsigned = read(wish, lambda _percent: None)
    assert (unsigned.page, unsigned.rows) == ("", found.rows)
    assert "Without a code to print" in unsigned.text
    assert "Without a code" not in found.text


def test_a_hold_is_proved_from_its_cause_on(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    proven, _note = decode_proof(proved(capsys, journal, "--hold", "H1").read_bytes())
    assert json.loads(proven[0].payload)["kind"] in {"shuffler-jammed", "device-connected", "device-lost"}


def test_an_inspector_reads_the_entries_in_what_is_printed(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = proved(capsys, journal, "--round", "1")
    assert main(["journal", "verify", str(out), "--public-key", str(public_path(journal))]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Well: entries ")
    assert any("  draw-card {" in line for line in lines)


@pytest.mark.parametrize("command", ["show", "summary", "replay", "code"])
def test_a_proof_is_said_to_be_one_where_a_journal_is_read(
    command: str, journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = proved(capsys, journal, "--round", "1")
    assert told(capsys, command, str(out)) == (2, {"error": "is-a-proof"})
    assert main(["journal", command, str(out)]) == 2
    assert f"sabot journal verify {out} --public-key" in capsys.readouterr().err


def test_the_help_of_a_command_names_what_it_takes(capsys: pytest.CaptureFixture[str]) -> None:
    for command, is_export in (("prove", False), ("cosign", False), ("show", True)):
        with pytest.raises(SystemExit):
            main(["journal", command, "--help"])
        assert ("or an exported file" in " ".join(capsys.readouterr().out.split())) is is_export, command


@pytest.mark.parametrize(
    ("words", "ended", "error"),
    [
        (("--round", "7"), 1, "prove-none-such"),
        (("--hold", "H77"), 1, "prove-none-such"),
        (("--entry", "1:999999"), 1, "prove-not-signed-yet"),
        (("--entry", "5:4"), 2, "usage"),
        (("--hold", "K1"), 2, "usage"),
    ],
)
def test_what_cannot_be_proved_is_refused_and_leaves_no_file(
    journal: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], ended: int, error: str
) -> None:
    out = journal.with_name("none.proof")
    assert told(capsys, "prove", str(journal), *words, "--out", str(out)) == (ended, {"error": error})
    assert not out.exists()


def test_without_a_mark_nothing_is_proved_and_without_a_key_nothing_checked(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = proved(capsys, journal, "--entry", "2")
    assert told(capsys, "verify", str(out))[1]["error"] == "proof-needs-key"
    assert told(capsys, "prove", str(journal), "--entry", "2", "--out", str(out))[1]["error"] == "export-exists"
    begun_path(journal).unlink()
    other = str(journal.with_name("other"))
    assert told(capsys, "prove", str(journal), "--entry", "2", "--out", other)[1]["error"] == "prove-no-mark"


def _with_a_bit_changed(line: NoteSignature) -> NoteSignature:
    return replace(line, signature=line.signature[:-1] + bytes([line.signature[-1] ^ 1]))


def test_of_two_checkpoints_the_one_that_a_witness_has_seen_is_taken(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tip, sessions, tree = tip_now(journal)
    note = mark_note(mark_at(tip, tree, session=sessions, table="T1", epoch=1), SIGNER)
    keep_cosigned(journal, SIGNER.public_key, note, [OF_WITNESS.cosignature(note.text, WITNESS, 7)])
    out, key = proved(capsys, journal, "--round", "1"), str(public_path(journal))
    ended, document = told(capsys, "verify", str(out), "--public-key", key, "--witness", WITNESS.text)
    assert (ended, document["witnesses"]) == (0, [{"witness": WITNESS.name, "entry": tip.next_seq - 1, "time": 7}])
    assert document["others"] == 0
    unknown = out.with_name("unknown.proof")
    line = OF_WITNESS.cosignature(note.text, WITNESS, 7)
    there, changed = (encode_note(with_signatures(note, (one,))) for one in (line, _with_a_bit_changed(line)))
    unknown.write_bytes(out.read_bytes().replace(there, changed))
    assert unknown.read_bytes() != out.read_bytes()
    assert main(["journal", "verify", str(unknown), "--public-key", key]) == 0
    assert "NOT CHECKED: lines of witnesses whose keys were not given: 1." in capsys.readouterr().out
    assert told(capsys, "verify", str(unknown), "--public-key", key, "--witness", WITNESS.text)[0] == 1
    cosigned_path(journal).unlink()
    assert read_cosigned(journal, SIGNER.public_key) == ()
    out.unlink()
    out = proved(capsys, journal, "--round", "1")
    ended, document = told(capsys, "verify", str(out), "--public-key", key, "--witness", WITNESS.text)
    assert (ended, document["reason"]) == (1, "witness")
