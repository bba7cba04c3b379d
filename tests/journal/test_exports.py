"""An export at the command line replaces no file, is signed rightly, and is true."""

from pathlib import Path
from typing import Any

import pytest
from forms import plain
from journal_kit import SIGNER, to_directory

from controller.cli.main import main
from controller.journal import export as exports
from controller.journal.errors import StorageFailed
from controller.journal.export import Exported, export, whole_text
from controller.journal.signing import Signer, key_path
from simulators.disk import MemoryStorage

OTHER_KEY = bytes([1]) * 32


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = to_directory(plain(), tmp_path / "journal")
    key_path(path).write_bytes(bytes(32))
    return path


def changed(text: bytes) -> dict[str, bytes]:
    """An export's text after each change by error or forgery, by the change's name."""
    lines = text.splitlines(keepends=True)
    return {
        "cut": text[:-1],
        "without its last line": b"".join(lines[:-1]),
        "signed otherwise": text[:-150] + (b"1" if text[-150:-149] == b"0" else b"0") + text[-149:],
        "edited": text.replace(b'"kind":"confirm-deck-check"', b'"kind":"confirm-deck-shock"'),
        "joined": text + text,
        "of another key": whole_text(plain(), Signer(OTHER_KEY)),
    }


@pytest.mark.parametrize(
    "what", ["cut", "without its last line", "signed otherwise", "edited", "joined", "of another key"]
)
def test_an_export_that_does_not_verify_has_no_code(
    journal: Path, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command prints no code for an export that does not verify, since a code permits a removal of its entries."""
    out = journal.with_name("evening.txt")
    export(journal, out, SIGNER)
    assert main(["journal", "code", str(out), "--json"]) == 0
    assert '"code"' in capsys.readouterr().out
    text = out.read_bytes()
    out.write_bytes(changed(text)[what])
    assert out.read_bytes() != text
    assert main(["journal", "code", str(out)]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert f"{out} is damaged from entry" in told.err


def test_an_export_that_another_process_has_begun_meanwhile_is_not_put_in_place(
    journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else this command says well, and the file is the half of the other one."""
    out, write = journal.with_name("evening.txt"), exports._write

    def overtaken(*given: Any) -> Exported:  # noqa: ANN401 - as `_write` takes them
        exported = write(*given)
        out.with_name("evening.txt.new").unlink()
        out.with_name("evening.txt.new").write_bytes(b"half")
        return exported

    monkeypatch.setattr(exports, "_write", overtaken)
    with pytest.raises(StorageFailed):
        export(journal, out, SIGNER)
    assert not out.exists()


def test_a_damaged_journal_has_no_code(journal: Path) -> None:
    path = journal / "00000001.segment"
    path.write_bytes(path.read_bytes()[:150] + b"\0" + path.read_bytes()[151:])
    assert main(["journal", "code", str(journal)]) == 1


def test_no_export_is_written_over_another_file(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, seal_key = journal.with_name("evening.txt"), journal.with_name("seal.key")
    export_to = ["journal", "export", str(journal), "--out"]
    assert main([*export_to, str(out)]) == 0
    kept = out.read_bytes()
    seal_key.write_bytes(b"key of the seals")
    (link := journal.with_name("link")).symlink_to(journal.with_name("nowhere"))
    for there in (out, seal_key, link):
        assert main([*export_to, str(there)]) == 2
        assert f"{there} is there already" in capsys.readouterr().err
    assert (out.read_bytes(), seal_key.read_bytes(), link.is_symlink()) == (kept, b"key of the seals", True)


@pytest.mark.parametrize("command", ["export", "prune"])
def test_a_key_that_the_last_start_does_not_name_signs_nothing(
    journal: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    other, out = journal.with_name("other.key"), journal.with_name("evening.txt")
    other.write_bytes(OTHER_KEY)
    export(journal, out, SIGNER)
    assert main(["journal", "code", str(out)]) == 0
    code = capsys.readouterr().out.splitlines()[0]
    words = {"export": ["--out", f"{out}.2"], "prune": ["--export", str(out), "--acknowledged", code]}[command]
    before = sorted(path.name for path in journal.parent.rglob("*"))
    assert main(["journal", command, str(journal), *words, "--key", str(other)]) == 2
    told = capsys.readouterr().err
    assert f"({Signer(OTHER_KEY).public_key}) is not the one that the last start" in told
    assert SIGNER.public_key in told
    assert sorted(path.name for path in journal.parent.rglob("*")) == before
    assert main(["journal", command, str(journal), *words]) == {"export": 0, "prune": 1}[command], "of no true table"


def test_a_journal_that_names_no_key_is_exported_with_any(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    to_directory(MemoryStorage(), path)
    assert export(path, tmp_path / "out", Signer(OTHER_KEY)).entries == 0
