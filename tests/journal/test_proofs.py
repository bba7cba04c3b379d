"""Our verifier and an independent one accept a proof of entries, and both refuse a changed one."""

import re
from base64 import b64decode, b64encode
from collections.abc import Callable
from pathlib import Path

import pytest
from forms import Cards, closed, pruned
from journal_kit import small_journal
from msgspec.structs import replace
from proof_kit import OF_WITNESS, SIGNER, WITNESS, GoVerifier, mark_now, marked, proof_of, seen

from controller.cli.main import main
from controller.journal.entry import encode_entry
from controller.journal.errors import NotProved
from controller.journal.note import Note, NoteKey, encode_note
from controller.journal.proof import Wrong, check_proof, decode_proof, encode_proof, prove_alone
from controller.journal.signing import Signer, public_path
from controller.journal.storage import DirectoryReader
from controller.journal.verify import entries_of
from simulators.disk import MemoryStorage
from tests.night import IS_NIGHT

pytestmark = pytest.mark.waits  # for the verifier in Go

KEY = SIGNER.public_key
OTHER = Signer(bytes([9]) * 32)
SIZE = 11


@pytest.fixture(scope="module")
def in_go(tmp_path_factory: pytest.TempPathFactory) -> GoVerifier:
    """The verifier in Go, built once for all of these tests."""
    return GoVerifier(tmp_path_factory.mktemp("go"))


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return marked(small_journal(SIZE), tmp_path / "journal")


def test_it_shows_its_entries_to_both(journal: Path, in_go: GoVerifier) -> None:
    spans = [(first, last) for first in range(1, SIZE + 1) for last in range(first, SIZE + 1)]
    proofs = [proof_of(journal, first, last) for first, last in spans]
    for (first, last), data in zip(spans, proofs, strict=True):
        found = check_proof(data, KEY)
        assert (found.wrong, [one.seq for one in found.entries]) == (None, [*range(first, last + 1)])
        assert found.mark == mark_now(journal)
    here = f"of the signed entries 1 to {SIZE} in sabot/{KEY[:16]}/BJ-07/1; "
    here += "the round is not shown (its session's opening is not here)"
    expected = [f"well: entries {first} to {last} {here}" for first, last in spans]
    assert in_go.says(proofs) == expected


@pytest.mark.parametrize("size", [1, 2, 3, 64, 65])
def test_trees_of_other_sizes(tmp_path: Path, in_go: GoVerifier, size: int) -> None:
    journal = marked(small_journal(size), tmp_path / "journal")
    proofs = [proof_of(journal, seq, seq) for seq in range(1, size + 1)]
    assert all(check_proof(data, KEY).wrong is None for data in proofs)
    assert all(said.startswith("well: ") for said in in_go.says(proofs))


def alone(journal: Path, seq: int, note: Note | None = None) -> bytes:
    with DirectoryReader(journal) as storage:
        return prove_alone(storage, note or seen(mark_now(journal)), seq)


def test_one_entry_is_a_c2sp_tlog_proof_for_both(journal: Path, in_go: GoVerifier) -> None:
    """The lines are those of the specification, so that a program that knows it alone checks them."""
    proofs = [alone(journal, seq) for seq in range(1, SIZE + 1)]
    assert [check_proof(data, KEY).wrong for data in proofs] == [None] * SIZE
    assert [said[: len("well: entries 9")] for said in in_go.says(proofs)][8] == "well: entries 9"
    first, extra, index, *hashes = proofs[4].split(b"\n\n")[0].decode().split("\n")
    entry = list(entries_of(journal))[4]
    assert (first, index) == ("c2sp.org/tlog-proof@v1", "index 4")
    assert extra == "extra " + b64encode(encode_entry(entry)).decode()
    assert {len(b64decode(one)) for one in hashes} == {32}
    checkpoint = proofs[4].split(b"\n\n", 1)[1]
    assert checkpoint == encode_note(seen(mark_now(journal)))


def test_any_bit_that_is_changed_in_a_tlog_proof_is_refused_by_both(journal: Path, in_go: GoVerifier) -> None:
    data = alone(journal, 4, seen(mark_now(journal), (WITNESS, OF_WITNESS)))
    assert check_proof(data, KEY, (WITNESS,)).wrong is None
    changes = changes_of(data)
    assert [one for one in changes if check_proof(one, KEY, (WITNESS,)).wrong is None] == []
    assert [said for said in in_go.says(changes, WITNESS) if not said.startswith("not well: ")] == []
    torn = [data[:at] for at in range(0, len(data), 7)]
    assert {check_proof(one, KEY).wrong for one in torn} == {Wrong.FORM}
    assert all(said.startswith("not well: ") for said in in_go.says(torn))


def test_another_encoding_of_a_tlog_proof_is_refused_by_both(journal: Path, in_go: GoVerifier) -> None:
    data = alone(journal, 4)
    others = [
        data.replace(was, now, 1) for was, now in ((b"index 3", b"index 03"), (b"\nextra ", b"\n"), (b"index ", b""))
    ]
    assert all(one != data for one in others)
    assert [check_proof(one, KEY).wrong for one in others] == [Wrong.FORM] * len(others)
    assert all(said.startswith("not well: ") for said in in_go.says(others))


def changes_of(data: bytes) -> list[bytes]:
    """The copies of the data that have one flipped bit, for each bit."""
    bits = range(8 * len(data))
    return [data[: bit // 8] + bytes((data[bit // 8] ^ 1 << bit % 8,)) + data[bit // 8 + 1 :] for bit in bits]


CHANGED_SPAN = (3, 5) if IS_NIGHT else (4, 4)
"""The first and last entry of the proof that is changed bit by bit: by day one entry."""


def test_any_bit_that_is_changed_is_refused_by_both(journal: Path, in_go: GoVerifier) -> None:
    data = proof_of(journal, *CHANGED_SPAN, seen(mark_now(journal), (WITNESS, OF_WITNESS)))
    assert check_proof(data, KEY, (WITNESS,)).wrong is None
    assert in_go.says([data], WITNESS)[0].startswith("well: ")
    changes = changes_of(data)
    assert len(changes) == 8 * len(data)
    assert [one for one in changes if check_proof(one, KEY, (WITNESS,)).wrong is None] == []
    assert [said for said in in_go.says(changes, WITNESS) if not said.startswith("not well: ")] == []


def test_a_part_left_out_repeated_or_moved_is_refused_by_both(journal: Path, in_go: GoVerifier) -> None:
    proven, note = decode_proof(proof_of(journal, 3, 6))
    first, second, third, fourth = proven
    others = [
        encode_proof(parts, note)
        for parts in ((first, third, fourth), (first, first), (second, first), (first, second, fourth, third))
    ]
    assert {check_proof(data, KEY).wrong for data in others} == {Wrong.GAP}
    assert all(said.startswith("not well: ") for said in in_go.says(others))
    cut = proof_of(journal, 3, 6)
    torn = [cut[:at] for at in range(0, len(cut), 7)]
    assert {check_proof(data, KEY).wrong for data in torn} == {Wrong.FORM}
    assert all(said.startswith("not well: ") for said in in_go.says(torn))


def test_it_is_of_this_tables_key_alone(journal: Path, in_go: GoVerifier) -> None:
    data = proof_of(journal, 1, 2)
    assert check_proof(data, OTHER.public_key).wrong is Wrong.CHECKPOINT
    assert in_go.says([data], key=OTHER.public_key)[0].startswith("not well: ")


def test_the_program_in_go_takes_keys_as_files_and_says_what_it_did_not_check(
    journal: Path, tmp_path: Path, in_go: GoVerifier
) -> None:
    proof, public, witness = tmp_path / "proof.txt", str(public_path(journal)), tmp_path / "witness.pub"
    proof.write_bytes(proof_of(journal, 4, 5, seen(mark_now(journal), (WITNESS, OF_WITNESS))))
    witness.write_text(f"{WITNESS.text}\n")
    ended, said = in_go.answers("-key", public, str(proof))
    assert (ended, "NOT CHECKED: lines of witnesses whose keys were not given: 1" in said) == (0, True)
    for given in (str(witness), WITNESS.text):
        ended, said = in_go.answers("-key", public, "-witness", given, str(proof))
        verdict, fourth, fifth = said.splitlines()
        assert (ended, "NOT CHECKED" in said) == (0, False)
        assert f"; entries 1 to {SIZE} seen by {WITNESS.name} at 2023-11-14 22:13:20 UTC by its own clock" in verdict
        assert fourth.startswith("#4  2023-11-14 22:13:20 UTC  table time 4.000 s  REFUSED, not done {")
        assert fifth.startswith("#5  2023-11-14 22:13:20 UTC  table time 5.000 s  noted {")
    assert in_go.answers("-key", str(witness), str(proof)) == (
        *(2, f"not well: no public key of a table is in {witness}\n"),
    )
    assert in_go.answers(str(proof)) == (2, "not well: no key of a table was given (-key)\n")


def test_the_program_in_go_says_in_plain_words_what_is_wrong(journal: Path, in_go: GoVerifier) -> None:
    data = proof_of(journal, 4, 5)
    first, second = decode_proof(data)[0]
    note = decode_proof(data)[1]
    for changed, said in (
        (data.replace(b'"boot":1', b'"boot":2', 1), "entry 4 does not lead to the head that was signed"),
        (data.replace(b"\n", b"\r\n"), "its line ends were changed on the way (CR LF)"),
        (data + b"\n", "the mark at the end is missing, or its first line is damaged, or more stands behind it"),
        (
            data.rpartition(b"\n\nsabot/")[0],
            "the mark at the end is missing, or its first line is damaged, or more stands behind it",
        ),
        (data[data.rindex(b"\n\nsabot/") + 2 :] + b"\nmore\n", "it is not one mark: more stands in the file"),
        (data[:-1], "the mark at the end is damaged, or none"),
        (encode_proof((first, first), note), "entry 4 stands behind entry 4: one is missing, doubled or out of place"),
        (encode_proof((second, first), note), "entry 4 stands behind entry 5: one is missing, doubled or out of place"),
    ):
        (answer,) = in_go.says([changed])
        assert answer.startswith(f'not well: "{said}'), answer


def test_both_verifiers_say_that_the_journal_is_a_try(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], in_go: GoVerifier
) -> None:
    cards = Cards()
    cards.add("controller-started", {"config_digest": "ab" * 32, "rules_digest": "", "setup": {"simulated": False}})
    cards.add("controller-started", {"config_digest": "config"}, refused=True)
    cards.add("device-connected", {"simulated": True})
    cards.add("controller-started", {"config_digest": "ab" * 32, "rules_digest": "rules"})
    cards.add("open-session", {})
    cards.add("controller-started", {"setup": {"simulated": True}})
    cards.add("controller-started", {"seal_key": "key"})
    cards.add("open-session", {})
    journal = marked(cards.storage, tmp_path / "journal")
    proofs = [proof_of(journal, first, last) for first, last in ((1, 2), (2, 3), (1, 4), (4, 5), (6, 6), (7, 8))]
    said = in_go.says(proofs)
    tries = [one.partition("; A TRY and no evidence of play, by entry ")[2].partition(";")[0] for one in said]
    assert tries == ["", "3", "4", "4", "6", "7"]
    assert [_try_of(one, tmp_path, capsys) for one in proofs] == [None, 3, 4, 4, 6, 7]


def _try_of(proof: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> int | None:
    """The entry by which our own verifier says that the journal is a try; None where it does not say so."""
    (out := tmp_path / "one.proof").write_bytes(proof)
    assert main(["journal", "verify", str(out), "--public-key", str(public_path(tmp_path / "journal"))]) == 0
    found = re.search(r"^A TRY and no evidence of play: entry (\d+) says so\.$", capsys.readouterr().out, re.MULTILINE)
    return None if found is None else int(found[1])


def test_a_witness_that_is_named_must_have_seen_it(journal: Path, in_go: GoVerifier) -> None:
    data, with_line = proof_of(journal, 1, 2), proof_of(journal, 1, 2, seen(mark_now(journal), (WITNESS, OF_WITNESS)))
    assert check_proof(data, KEY, (WITNESS,)).wrong is Wrong.WITNESS
    found = check_proof(with_line, KEY, (WITNESS,))
    assert (found.wrong, [one.witness for one in found.seen], found.others) == (None, [WITNESS.name], 0)
    unknown = check_proof(with_line, KEY)
    assert (unknown.wrong, unknown.seen, unknown.others) == (None, (), 1)
    said = in_go.says([data, with_line], WITNESS)
    assert [one.split(":")[0] for one in said] == ["not well", "well"]
    another = NoteKey(WITNESS.name, WITNESS.kind, OTHER.public_key)
    assert check_proof(with_line, KEY, (another,)).wrong is Wrong.WITNESS


def test_the_program_in_go_takes_a_mark_alone(journal: Path, tmp_path: Path, in_go: GoVerifier) -> None:
    mark, out = mark_now(journal), tmp_path / "signed.txt"
    data = encode_note(seen(mark, (WITNESS, OF_WITNESS)))
    out.write_bytes(data)
    here = f"well: mark of {SIZE} entries, table BJ-07, epoch 1, in sabot/{KEY[:16]}/BJ-07/1"
    by_witness = f"; entries 1 to {SIZE} seen by {WITNESS.name} at 2023-11-14 22:13:20 UTC by its own clock"
    head = b64encode(bytes.fromhex(mark.root)).decode()
    said = f"{here}{by_witness}\nchain {mark.head}\nhead {head}\n"
    assert in_go.answers("-key", KEY, "-witness", WITNESS.text, str(out)) == (0, said)
    assert in_go.says([data]) == [f"{here}; NOT CHECKED: lines of witnesses whose keys were not given: 1"]
    assert in_go.says([data], key=OTHER.public_key) == ['not well: "the mark is not signed by this table\'s key"']
    assert in_go.says([encode_note(seen(mark))], WITNESS) == [f'not well: "the mark is not signed by {WITNESS.name}"']
    assert in_go.says([data + b"\n" + data])[0].startswith('not well: "it is not one mark')
    wrong = changes_of(data)
    assert [said for said in in_go.says(wrong, WITNESS) if not said.startswith("not well: ")] == []


def test_what_is_not_signed_yet_is_not_proved(journal: Path) -> None:
    with pytest.raises(NotProved, match="not-signed-yet"):
        proof_of(journal, 3, SIZE + 1)


def test_another_journal_than_the_signed_one_is_not_proved(journal: Path, tmp_path: Path) -> None:
    other = marked(small_journal(SIZE + 1), tmp_path / "other")
    forged = replace(mark_now(journal), root="ab" * 32)
    with pytest.raises(NotProved, match="other-tree"):
        proof_of(other, 1, 2, seen(forged))


@pytest.mark.parametrize("make", [pruned, closed])
def test_behind_a_removal_or_a_closed_damage_what_is_here_is_proved_and_nothing_else(
    tmp_path: Path, in_go: GoVerifier, make: Callable[[], MemoryStorage]
) -> None:
    journal = marked(make(), tmp_path / "journal")
    here = {entry.seq for entry in entries_of(journal)}
    last = max(here)
    gone = set(range(1, last + 1)) - here
    assert gone
    proofs = [proof_of(journal, seq, seq) for seq in sorted(here)]
    assert all(check_proof(data, KEY).wrong is None for data in proofs)
    assert all(said.startswith("well: ") for said in in_go.says(proofs))
    for seq in gone:
        with pytest.raises(NotProved, match="not-here"):
            proof_of(journal, seq, seq)


SYSTEMS = ("linux", "windows") if IS_NIGHT else ("linux",)
"""The systems for which the library is compiled: by night also Windows, which inspectors have."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_verifier_is_one_program_without_any_file_beside(tmp_path: Path, in_go: GoVerifier, system: str) -> None:
    built = in_go.built(tmp_path / "verify", GOOS=system, CGO_ENABLED="0").read_bytes()
    assert built.startswith(b"MZ" if system == "windows" else b"\x7fELF")
