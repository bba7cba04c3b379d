"""A checkpoint goes to a witness and comes back as a QR code, read by a scanner that types."""

import io
import json
import sys
from pathlib import Path

import pytest
import segno

from controller.catalogue import Language
from controller.cli.main import main
from controller.cli.qr import scanned
from controller.journal.asked import decode_request
from controller.journal.cosigned import read_cosigned
from controller.journal.mark import begun_path, log_key
from controller.journal.note import decode_note, encode_note, with_signatures
from controller.journal.request import MOST_IN_A_CODE, request_for_any
from controller.journal.signing import Signer, public_path
from controller.protocol.record import RecordDocument, RecordKind
from controller.record.names import names_of
from controller.record.read import Wish, read
from controller.witness.place import add_log, make, opened
from tests.runtime.bench import Bench
from tests.runtime.shown import written
from tests.witness.test_two_histories import SIGNER, Place


@pytest.fixture(scope="module")
def evening() -> Bench:
    bench = Bench(signer=SIGNER)
    bench.play()
    return bench


@pytest.fixture
def journal(tmp_path: Path, evening: Bench) -> Path:
    path = Path(written(evening.storage, tmp_path / "journal"))
    public_path(path).write_bytes(SIGNER.public_file())
    Place.mark(Place.__new__(Place), path)
    return path


@pytest.fixture
def key(tmp_path: Path) -> str:
    make(tmp_path / "witness", "inspection.example/w1")
    add_log(tmp_path / "witness", log_key("T1", 1, SIGNER.public_key))
    with opened(tmp_path / "witness") as witness:
        return witness.key.text


def code_of(text: str) -> str:
    """The code of the text as a terminal shows it."""
    picture = io.StringIO()
    segno.make(text, micro=False, error="l", boost_error=False).terminal(picture, compact=True)
    return picture.getvalue().rstrip("\n")


def typed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def shown_by(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main([*words]) == 0
    return capsys.readouterr().out


def asked(capsys: pytest.CaptureFixture[str], journal: Path, key: str) -> str:
    """The request in the code that the table shows."""
    words = ("journal", "cosign", str(journal), "--witness", key, "--qr")
    request = str(json.loads(shown_by(capsys, *words, "--json"))["request"])
    assert shown_by(capsys, *words).startswith(code_of(request))
    return request


@pytest.mark.parametrize("ends", [b"\n", b"\r\n", b"\r"])
def test_it_goes_there_and_back_by_scanners(
    journal: Path, key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    ends: bytes,
) -> None:  # fmt: skip
    request = asked(capsys, journal, key)
    typed(monkeypatch, request.encode().replace(b"\n", ends))
    out = shown_by(capsys, "witness", "sign", str(tmp_path / "witness"), "-", "--qr")
    with opened(tmp_path / "witness") as witness:
        signed = witness.add_checkpoint(request.replace("old 0", f"old {size_in(request)}").encode())
    assert signed.body
    head = next((tmp_path / "witness/heads").iterdir()).read_bytes()
    typed(monkeypatch, head.removesuffix(b"\n").replace(b"\n", ends))
    assert shown_by(capsys, "journal", "cosign", str(journal), "--witness", key, "--take", "-")
    ((mark, _note),) = read_cosigned(journal, SIGNER.public_key)
    assert (mark.seq, out.startswith(("█", "▄", "▀", " "))) == (size_in(request), True)


def size_in(request: str) -> int:
    return int(decode_request(request.encode()).note.text.splitlines()[1])


def test_a_text_that_is_too_long_for_a_code_is_said_to_be(
    journal: Path, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    note = decode_note(begun_path(journal).read_bytes())
    others = [Signer(bytes([at]) * 32) for at in range(1, 30)]
    lines = tuple(one.cosignature(note.text, log_key(f"W{at}", 1, one.public_key), 7) for at, one in enumerate(others))
    begun_path(journal).write_bytes(encode_note(with_signatures(note, lines)))
    assert main(["journal", "cosign", str(journal), "--witness", key, "--qr"]) == 1
    told = capsys.readouterr()
    assert f"bytes are too long for one code, which has {MOST_IN_A_CODE} at most" in told.err
    assert told.out == ""
    assert "are too long for one code" in panel(journal).text


def test_the_bound_is_that_of_the_codes() -> None:
    segno.make("—".encode() + b"x" * (MOST_IN_A_CODE - 3), micro=False, error="l", boost_error=False)
    with pytest.raises(segno.DataOverflowError):
        segno.make(b"\xe2" + b"x" * MOST_IN_A_CODE, micro=False, error="l", boost_error=False)


def panel(journal: Path) -> RecordDocument:
    wish = Wish(journal, RecordKind.CHECKPOINT, 1, 0, Language.EN, names_of([], Language.EN))
    return read(wish, lambda _percent: None)


def test_the_panel_shows_the_same_request(journal: Path, key: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert panel(journal).page == asked(capsys, journal, key)
    begun_path(journal).unlink()
    assert (panel(journal).page, "no checkpoint of these entries" in panel(journal).text) == ("", True)


def test_what_a_scanner_types_has_line_feeds_alone() -> None:
    assert scanned(b"a\r\nb\rc") == b"a\nb\nc\n"
    assert scanned(b"") == b"\n"


@pytest.mark.parametrize("dash", ["- ", "? ", " ", "", "â€” ", "— "])
def test_a_dash_that_a_keyboard_has_not_is_no_other_text(journal: Path, key: str, dash: str) -> None:
    assert key
    request = request_for_any(journal, SIGNER.public_key)
    note = begun_path(journal).read_bytes()
    for text in (request, note):
        assert text.count("\n— ".encode()) == 1
        assert scanned(text.replace("— ".encode(), dash.encode())) == text
        assert scanned(text[:-1].replace(b"\n", b"\r")) == text


def test_a_signature_of_another_form_stays_as_it_was_typed() -> None:
    assert scanned(b"a b\n\nc\nd e f g\n") == b"a b\n\nc\nd e f g\n"
