"""The code under a printed round binds the table to the printed entries, and to their history."""

from pathlib import Path

import pytest
import segno
from forms import Cards, plain
from journal_kit import small_journal
from proof_kit import SIGNER, mark_now, marked, proof_of, seen

from controller.cli.main import main
from controller.journal.entry import encode_entry
from controller.journal.errors import CodecError
from controller.journal.mark import mark_note
from controller.journal.page import Page, decode_page, digest_of, encode_page
from controller.journal.proof import Wrong, check_proof
from controller.journal.signing import Signer, public_path
from controller.journal.verify import entries_of

KEY = SIGNER.public_key


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return marked(small_journal(11), tmp_path / "journal")


def page_of(journal: Path, first: int, last: int) -> Page:
    payloads = [encode_entry(entry) for entry in entries_of(journal) if first <= entry.seq <= last]
    return Page(first, last, digest_of(payloads), seen(mark_now(journal)))


def test_a_proof_made_later_is_of_the_entries_that_were_printed(journal: Path, tmp_path: Path) -> None:
    page = decode_page(encode_page(page_of(journal, 3, 5)).removesuffix(b"\n"))  # as a camera may give it
    later = marked(small_journal(20), tmp_path / "later")
    assert check_proof(proof_of(later, 3, 5), KEY, (), page).wrong is None
    for first, last in ((3, 4), (4, 6), (2, 5)):
        assert check_proof(proof_of(later, first, last), KEY, (), page).wrong is Wrong.PAGE


def test_other_entries_and_another_tables_mark_are_not_the_page(journal: Path) -> None:
    page, data = page_of(journal, 3, 5), proof_of(journal, 3, 5)
    other = Page(3, 5, "ab" * 32, page.note)
    strange = Page(3, 5, page.digest, mark_note(mark_now(journal), Signer(bytes([9]) * 32)))
    for wrong in (other, strange):
        assert check_proof(data, KEY, (), wrong).wrong is Wrong.PAGE


@pytest.mark.parametrize("change", [(b"page-1", b"page-2"), (b"entries 3", b"entries 03"), (b"digest ", b"digest A")])
def test_what_is_no_page_is_none(journal: Path, change: tuple[bytes, bytes]) -> None:
    data = encode_page(page_of(journal, 3, 5))
    assert encode_page(decode_page(data)) == data
    with pytest.raises(CodecError):
        decode_page(data.replace(*change))


def test_the_command_holds_a_journal_and_a_proof_against_the_paper(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal, page, proof = marked(plain(), tmp_path / "table"), tmp_path / "page.txt", tmp_path / "round.txt"
    page.write_bytes(encode_page(page_of(journal, 2, 4)))
    words = ["--public-key", str(public_path(journal)), "--seen", str(page)]
    proof.write_bytes(proof_of(journal, 2, 4))
    assert main(["journal", "verify", str(proof), *words]) == 0
    assert "These are the entries of the printed round." in capsys.readouterr().out
    proof.write_bytes(proof_of(journal, 2, 5))
    assert main(["journal", "verify", str(proof), *words]) == 1
    assert "entries that were printed" in capsys.readouterr().out
    assert main(["journal", "verify", str(journal), *words]) == 0
    rewritten = Cards()
    rewritten.add("controller-started", {"public_key": KEY})
    for _ in range(9):
        rewritten.add("noted", {})
    assert main(["journal", "verify", str(marked(rewritten.storage, tmp_path / "rewritten")), *words]) == 1
    assert "ANOTHER TREE" in capsys.readouterr().out


def test_it_is_small_enough_for_a_camera(journal: Path) -> None:
    assert segno.make(encode_page(page_of(journal, 3, 5)).decode(), micro=False).version <= 20
