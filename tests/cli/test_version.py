"""The program knows its version and commit from a checkout or from an archive, and its version without either."""

import json
import re
import shutil
import subprocess
import tarfile
from io import BytesIO
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.machine import software as module
from controller.machine.software import Software, program_digest, software
from tests.endings import HANGS_S

pytestmark = pytest.mark.waits

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def git_has_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives git enough time: a start goes on without a slow git, and these tests need its answer."""
    monkeypatch.setattr(module, "_GIT_WITHIN_S", HANGS_S)


def git(*words: str, folder: Path = ROOT) -> str:
    identity = ("-c", "user.name=t", "-c", "user.email=t@t")
    return subprocess.run(
        ["git", "-C", str(folder), *identity, *words], capture_output=True, text=True, check=True
    ).stdout


def test_the_command_names_version_and_commit(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert re.fullmatch(r"sabot \d+\.\d+\.\d+(rc\d+)? \([0-9a-f]{12}\+?\)\n", capsys.readouterr().out)
    assert main(["--version", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["commit"] == git("rev-parse", "HEAD")[:12]


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Makes the program's root a new checkout with one file in it."""
    (tmp_path / "controller/machine").mkdir(parents=True)
    shutil.copy(ROOT / "controller/machine/software.py", tmp_path / "controller/machine")
    shutil.copy(ROOT / ".gitattributes", tmp_path)
    git("init", "-q", folder=tmp_path)
    git("add", ".", folder=tmp_path)
    git("commit", "-q", "-m", "one", folder=tmp_path)
    monkeypatch.setattr(module, "__file__", str(tmp_path / "controller/machine/software.py"))
    return tmp_path


def test_a_changed_file_is_said(checkout: Path) -> None:
    commit = git("rev-parse", "HEAD", folder=checkout)[:12]
    assert software() == Software(software().version, commit)
    with (checkout / "controller/machine/software.py").open("a") as file:
        file.write("\n")
    assert software() == Software(software().version, commit, changed=True)
    assert str(software()).endswith(f"({commit}+)")


def test_an_archive_carries_its_commit(checkout: Path) -> None:
    data = subprocess.run(["git", "-C", str(checkout), "archive", "HEAD"], capture_output=True, check=True).stdout
    with tarfile.open(fileobj=BytesIO(data)) as archive:
        member = archive.extractfile("controller/machine/software.py")
        assert member is not None
        assert git("rev-parse", "HEAD", folder=checkout).strip() in member.read().decode()


def test_an_archived_program_asks_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ARCHIVED", "0123456789abcdef" * 2 + "01234567")
    monkeypatch.setenv("PATH", "")
    assert software().commit == "0123456789ab"


def test_where_nobody_knows_that_is_said(checkout: Path) -> None:
    shutil.rmtree(checkout / ".git")
    assert software().commit == "unknown"


def test_every_file_of_the_program_counts_and_what_python_makes_of_it_does_not(tmp_path: Path) -> None:
    """The program's digest changes with every file of the program, and not with the files that Python makes of them."""
    for name in ("controller/runtime/gate.py", "drivers/lamp.py", "firmware_protocols/cobs.py", "controller/en.toml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("one")
    before = program_digest(tmp_path)
    (tmp_path / "drivers/__pycache__").mkdir()
    (tmp_path / "drivers/__pycache__/lamp.cpython-311.pyc").write_bytes(b"made")
    (tmp_path / "notes.txt").write_text("beside")
    assert program_digest(tmp_path) == before
    known = {before}
    for path in (*sorted(tmp_path.rglob("*.py")), tmp_path / "controller/en.toml"):
        path.write_text("two")
        known.add(program_digest(tmp_path))
    (tmp_path / "drivers/lamp.py").rename(tmp_path / "drivers/buzzer.py")
    known.add(program_digest(tmp_path))
    assert len(known) == 6
    assert program_digest() == program_digest() != before
