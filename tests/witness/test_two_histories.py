"""Root at the table keeps one history for the witness and another for the inspector: a message reveals the fraud."""

import json
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.cli.main import main
from controller.core.custody.turning import TurnHoleCard
from controller.core.games.blackjack.decisions.turns import DrawCard
from controller.journal.cosigned import cosigned_path
from controller.journal.mark import begun_path, decode_mark_notes, encode_mark, log_key, mark_at
from controller.journal.note import encode_note, read_key, with_signatures
from controller.journal.signing import Signer, key_path, public_path
from controller.journal.verify import tip_now
from controller.witness.place import add_log, make, opened
from controller.witness.witness import log_name
from simulators.oracles.export_reader import read_export
from tests.runtime import bench as benches
from tests.runtime.bench import DEALER, Bench
from tests.runtime.shown import written
from tests.witness.serving import served

pytestmark = pytest.mark.waits  # for the witness over HTTP

SIGNER = Signer(bytes(32))
"""The table's key: root has it, and can sign anything."""


@pytest.fixture(scope="module")
def histories() -> tuple[Bench, Bench]:
    """The evening as played, and as root has rewritten it with another card for the same seat."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(benches, "BINDING", replace(benches.BINDING, public_key=SIGNER.public_key))
        played, rewritten = Bench(signer=SIGNER), Bench(signer=SIGNER)
    for bench, card in ((played, "7D"), (rewritten, "KD")):
        bench.play()
        bench.deal((1,), ("3C", "4C", "5C", "6C"))
        bench.act(DrawCard, DEALER, seat=1)
        bench.draw(card)
    rewritten.run(5)
    rewritten.act(TurnHoleCard, DEALER)
    return played, rewritten


class Place:
    """The table's computer in root's hands, and the witness elsewhere."""

    def __init__(self, directory: Path, histories: tuple[Bench, Bench], url: str) -> None:
        self.url = url
        self.directory = directory
        self.played, self.rewritten = (
            self.signed(bench, name) for bench, name in zip(histories, ("played", "rewritten"), strict=True)
        )

    def signed(self, bench: Bench, name: str) -> Path:
        journal = Path(written(bench.storage, self.directory / name))
        public_path(journal).write_bytes(SIGNER.public_file())
        self.mark(journal)
        return journal

    def mark(self, journal: Path) -> None:
        tip, sessions, tree = tip_now(journal)
        mark = mark_at(tip, tree, session=sessions, table="T1", epoch=1)
        begun_path(journal).write_bytes(encode_mark(mark, SIGNER))


@pytest.fixture
def key(tmp_path: Path) -> str:
    make(tmp_path / "witness", "inspection.example/w1")
    add_log(tmp_path / "witness", log_key("T1", 1, SIGNER.public_key))
    with opened(tmp_path / "witness") as witness:
        return witness.key.text


@pytest.fixture
def place(tmp_path: Path, key: str, histories: tuple[Bench, Bench]) -> Iterator[Place]:
    assert key
    with served(tmp_path / "witness") as port:
        yield Place(tmp_path, histories, f"http://127.0.0.1:{port}")


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, object]]:
    """Runs a command; returns its exit code and its document, for a refusal only the reason's word."""
    ended = main(["journal", *words, "--json"])
    document = json.loads(capsys.readouterr().out)
    return ended, {"error": document["error"]["code"]} if "error" in document else document


def cosigned(capsys: pytest.CaptureFixture[str], journal: Path, key: str, url: str) -> tuple[int, dict[str, object]]:
    return told(capsys, "cosign", str(journal), "--witness", key, "--url", url)


def verified(capsys: pytest.CaptureFixture[str], path: Path, journal: Path, key: str) -> tuple[int, dict[str, object]]:
    return told(capsys, "verify", str(path), "--public-key", str(public_path(journal)), "--witness", key)


def last_of(journal: Path) -> int:
    return tip_now(journal)[0].next_seq - 1


def test_of_one_history_witness_and_inspector_see_the_same(
    place: Place, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    last = last_of(place.played)
    ended, document = cosigned(capsys, place.played, key, place.url)
    assert (ended, document["entry"]) == (0, last)
    assert cosigned(capsys, place.played, key, place.url)[0] == 0  # any number of times
    ended, document = verified(capsys, place.played, place.played, key)
    assert (ended, document["ok"]) == (0, True)
    (seen,) = document["witnesses"]
    assert (seen["entry"], seen["other"]) == (last, None)
    out = place.directory / "round.proof"
    assert told(capsys, "prove", str(place.played), "--round", "1", "--out", str(out))[0] == 0
    assert verified(capsys, out, place.played, key)[0] == 0


def test_both_histories_verify_by_themselves(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    """Both histories verify: without a witness or a noted code no check reveals the fraud, since root has the key."""
    for journal in (place.played, place.rewritten):
        ended, document = told(capsys, "verify", str(journal), "--public-key", str(public_path(journal)))
        assert (ended, document["signed"]) == (0, last_of(journal))


def test_the_witness_does_not_sign_the_second_history(
    place: Place, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert last_of(place.rewritten) > last_of(place.played)
    assert cosigned(capsys, place.played, key, place.url)[0] == 0
    assert cosigned(capsys, place.rewritten, key, place.url) == (1, {"error": "cosign-forked"})
    assert not cosigned_path(place.rewritten).exists()


def test_nor_a_history_that_was_put_back(place: Place, key: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cosigned(capsys, place.rewritten, key, place.url)[0] == 0
    assert cosigned(capsys, place.played, key, place.url) == (1, {"error": "cosign-ahead"})


def test_a_proof_from_the_second_history_has_no_line_of_the_witness(
    place: Place, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    cosigned(capsys, place.played, key, place.url)
    out = place.directory / "round.proof"
    assert told(capsys, "prove", str(place.rewritten), "--round", "1", "--out", str(out))[0] == 0
    ended, document = verified(capsys, out, place.rewritten, key)
    assert (ended, document["reason"]) == (1, "witness")


def test_a_line_of_the_witness_under_the_second_history_is_wrong(
    place: Place, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The witness's line for the first history is wrong under the second."""
    cosigned(capsys, place.played, key, place.url)
    ((_mark, seen),) = decode_mark_notes(cosigned_path(place.played).read_bytes(), SIGNER.public_key)
    line = seen.by(read_key(key))
    assert line is not None
    ((_mark, own),) = decode_mark_notes(begun_path(place.rewritten).read_bytes(), SIGNER.public_key)
    cosigned_path(place.rewritten).write_bytes(encode_note(with_signatures(own, (line,))))
    out = place.directory / "round.proof"
    assert told(capsys, "prove", str(place.rewritten), "--round", "1", "--out", str(out))[0] == 0
    assert verified(capsys, out, place.rewritten, key)[1]["reason"] == "witness"
    ended, document = verified(capsys, place.rewritten, place.rewritten, key)
    assert (ended, document["ok"], document["witnesses"][0]["entry"]) == (1, False, 0)


def test_the_inspector_sees_that_the_witness_has_seen_another_history(
    place: Place, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The inspector compares the journal with the witness's signatures, and sees that the histories differ."""
    cosigned(capsys, place.played, key, place.url)
    cosigned_path(place.rewritten).write_bytes(cosigned_path(place.played).read_bytes())
    ended, document = verified(capsys, place.rewritten, place.rewritten, key)
    (seen,) = document["witnesses"]
    assert (ended, document["ok"], seen["entry"], seen["other"]) == (1, False, 0, last_of(place.played))
    assert main(["journal", "verify", str(place.rewritten), "--public-key", str(public_path(place.played)),
                 "--witness", key]) == 1  # fmt: skip
    assert "ANOTHER HISTORY: inspection.example/w1 has seen entries up to" in capsys.readouterr().out


# --- an export at the inspector's own desk


def exported(capsys: pytest.CaptureFixture[str], journal: Path) -> Path:
    key_path(journal).write_bytes(bytes(32))
    out = journal.with_suffix(".export")
    assert told(capsys, "export", str(journal), "--out", str(out))[0] == 0
    return out


def given(url: str, out: Path) -> Path:
    """Saves the witness's answer to any visitor, the last head of this table that it has signed; returns the file."""
    with closing(HTTPConnection(url.removeprefix("http://"), timeout=10)) as connection:
        connection.request("GET", f"/{log_name(log_key('T1', 1, SIGNER.public_key).name)}/checkpoint")
        out.write_bytes(connection.getresponse().read())
    return out


def test_an_export_carries_what_witnesses_have_signed(
    place: Place, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    cosigned(capsys, place.played, key, place.url)
    out = exported(capsys, place.played)
    cosigned_path(place.played).unlink()
    ended, document = verified(capsys, out, place.played, key)
    (seen,) = document["witnesses"]
    assert (ended, seen["entry"], seen["other"]) == (0, last_of(place.played), None)
    reader = read_export(out.read_bytes())
    assert (reader.faults, len(reader.marks)) == ([], 1)
    assert told(capsys, "verify", str(out), "--witness", key)[1] == {"error": "witness-needs-key"}


def test_root_answers_the_witness_with_one_and_the_inspector_with_an_export_of_the_other(
    place: Place, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    cosigned(capsys, place.played, key, place.url)
    out, seen = exported(capsys, place.rewritten), given(place.url, place.directory / "seen.txt")
    ended, document = verified(capsys, out, place.rewritten, key)
    assert (ended, document["ok"], document["witnesses"][0]["entry"]) == (1, False, 0), "by the export alone: not seen"
    words = ["journal", "verify", str(out), "--public-key", str(public_path(place.rewritten)), "--witness", key]
    assert main(words) == 1
    told_of_it = capsys.readouterr().out
    assert "NOT SEEN: nothing that is here shows that inspection.example/w1 has seen this history" in told_of_it
    assert "Well" not in told_of_it
    assert main([*words, "--seen", str(seen)]) == 1
    assert "ANOTHER HISTORY: inspection.example/w1 has seen entries up to" in capsys.readouterr().out
    honest = exported(capsys, place.played)
    words[2] = str(honest)
    assert main([*words, "--seen", str(seen)]) == 0
    assert "has seen this history up to entry" in capsys.readouterr().out


def test_a_mark_with_the_chain_of_one_history_and_the_tree_of_the_other_is_found_without_a_witness(
    place: Place, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Root has the witness sign the tree of the first, and shows the inspector the chain of the second."""
    tip, sessions, _tree = tip_now(place.rewritten)
    mark = replace(mark_at(tip, tip_now(place.rewritten)[2], session=sessions, table="T1", epoch=1), root="ab" * 32)
    begun_path(place.rewritten).write_bytes(encode_mark(mark, SIGNER))
    for path in (place.rewritten, exported(capsys, place.rewritten)):
        assert main(["journal", "verify", str(path)]) == 1, "not even with a key"
        assert f"ANOTHER TREE: a mark of this table for entry {tip.next_seq - 1}" in capsys.readouterr().out


def test_the_mark_of_the_first_history_beside_the_second_is_signed_for_none_of_its_entries(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    begun_path(place.rewritten).write_bytes(begun_path(place.played).read_bytes())
    assert main(["journal", "verify", str(place.rewritten), "--public-key", str(public_path(place.played))]) == 1
    said = capsys.readouterr().out
    assert f"ANOTHER TREE: a mark of this table for entry {last_of(place.played)}" in said
    assert "No mark beside it is signed for any of these entries" in said


def test_of_a_journal_that_ends_before_the_witness_has_seen_it_no_other_history_is_said(
    place: Place, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    cosigned(capsys, place.rewritten, key, place.url)
    seen = given(place.url, place.directory / "seen.txt")
    words = ("verify", str(place.played), "--public-key", str(public_path(place.played)), "--witness", key)
    ended, document = told(capsys, *words, "--seen", str(seen))
    (seen_by,) = document["witnesses"]
    assert (ended, seen_by["other"], seen_by["beyond"]) == (1, None, last_of(place.rewritten))


# --- by hand


def test_by_files_that_people_carry_it_is_the_same(
    tmp_path: Path, key: str, histories: tuple[Bench, Bench], capsys: pytest.CaptureFixture[str]
) -> None:
    place = Place(tmp_path, histories, "")
    asked, signed = tmp_path / "request.txt", tmp_path / "signed.txt"
    beside = place.played.with_name(place.played.name + ".key")
    assert main(["journal", "cosign", str(place.played), "--witness", key, "--out", str(beside)]) == 2
    capsys.readouterr()
    ended, document = told(capsys, "cosign", str(place.played), "--witness", key, "--out", str(asked))
    assert (ended, document["log"]) == (0, log_key("T1", 1, SIGNER.public_key).text)
    assert main(["witness", "sign", str(tmp_path / "witness"), str(asked), "--out", str(signed)]) == 0
    ended, document = (
        told(capsys, "cosign", str(place.played), "--witness", key, "--take", str(signed))
        if (capsys.readouterr())
        else (1, {})
    )
    assert (ended, document["entry"]) == (0, last_of(place.played))
    before = cosigned_path(place.played).read_bytes()
    answer = told(capsys, "cosign", str(place.rewritten), "--witness", key, "--take", str(signed))
    assert answer == (1, {"error": "cosign-other-history"})
    assert not cosigned_path(place.rewritten).exists()
    public = str(public_path(place.rewritten))
    words = ("verify", str(place.rewritten), "--public-key", public, "--witness", key, "--seen", str(signed))
    assert told(capsys, *words)[1]["witnesses"][0]["other"] == last_of(place.played)
    assert cosigned_path(place.played).read_bytes() == before
    signed.write_bytes(signed.read_bytes().replace(b"session 1", b"session 2"))
    ended, document = told(capsys, "cosign", str(place.played), "--witness", key, "--take", str(signed))
    assert (ended, document["error"]) == (1, "cosign-not-theirs")


def test_a_fork_without_what_was_signed_is_told_apart_by_the_witnesss_own_head(
    tmp_path: Path, key: str, histories: tuple[Bench, Bench], capsys: pytest.CaptureFixture[str]
) -> None:
    place = Place(tmp_path, histories, "")

    def signs(journal: Path) -> tuple[int, str]:
        asked = tmp_path / "request.txt"
        assert main(["journal", "cosign", str(journal), "--witness", key, "--out", str(asked)]) == 0
        capsys.readouterr()
        ended = main(["witness", "sign", str(tmp_path / "witness"), str(asked), "--out", str(tmp_path / "signed.txt")])
        return ended, capsys.readouterr().out

    assert signs(place.played)[0] == 0
    head = tmp_path / "witness/heads" / log_name(log_key("T1", 1, SIGNER.public_key).name)
    other = "or this is another history of the table"
    for journal, (code, said) in ((place.rewritten, (1, other)), (place.played, (0, "Signed"))):
        ended, text = signs(journal)
        assert ended == 1
        assert "or this is another history of the table" in text
        assert f"bring {head} to the table" in text
        assert main(["journal", "cosign", str(journal), "--witness", key, "--take", str(head)]) == code
        taken = capsys.readouterr()
        expected = "over other entries than those here" if code else f"{last_of(place.played)} entries of this table"
        assert expected in taken.out + taken.err
        ended, text = signs(journal)
        assert ended == code, text
        assert said in text


def test_a_tables_public_key_is_no_key_of_its_log_and_the_refusal_says_where_that_is(
    tmp_path: Path, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    public = tmp_path / "journal.pub"
    public.write_bytes(SIGNER.public_file())
    assert key
    for given in (str(public), public.read_text("ascii"), SIGNER.public_key):
        assert main(["witness", "add", str(tmp_path / "witness"), given]) == 2
        said = capsys.readouterr().err
        assert "sabot journal cosign PATH --witness KEY --out FILE says it. A file journal.pub is none." in said


def test_where_nobody_answers_that_is_said(
    tmp_path: Path, key: str, histories: tuple[Bench, Bench], capsys: pytest.CaptureFixture[str]
) -> None:
    place = Place(tmp_path, histories, "")
    for url in ("http://127.0.0.1:9", "nonsense", "http://[bad"):
        assert cosigned(capsys, place.played, key, url) == (1, {"error": "cosign-away"})
    (tmp_path / "witness/logs").write_bytes(b"")
    with served(tmp_path / "witness") as port:
        assert cosigned(capsys, place.played, key, f"http://127.0.0.1:{port}") == (1, {"error": "cosign-unknown-log"})
