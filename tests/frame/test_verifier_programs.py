"""An inspector's programs and texts of a release: the same bytes from another place and time, and a digest of each."""

import json
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "systemd/debian"))

import verifier

from controller.machine.support import SUPPORTED_UNTIL
from tests.night import IS_NIGHT

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / verifier.SOURCE
LINUX, WINDOWS = "sabot-verify-linux-amd64", "sabot-verify-windows-amd64.exe"
NAMES = tuple(verifier.TARGETS) if IS_NIGHT else (LINUX,)
"""The programs that are built here: by night each, since every system's library is compiled twice."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """By day the libraries that this computer's Go has compiled already are used."""
    out = tmp_path_factory.mktemp("first")
    own = subprocess.run(["go", "env", "GOCACHE"], capture_output=True, text=True, check=True).stdout.strip()
    verifier.build(out, SOURCE.read_bytes(), NAMES, None if IS_NIGHT else Path(own))
    return out


@pytest.mark.waits
@pytest.mark.skipif(not IS_NIGHT, reason="the library of each system is compiled once more: by night")
def test_two_builds_are_equal_in_every_byte(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second build has another home, another working directory and an empty cache."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    verifier.build(tmp_path / "second", SOURCE.read_bytes(), NAMES)
    assert {one.name for one in built.iterdir()} == {*NAMES, verifier.TEXTS, "SHA256SUMS", "BUILT-WITH", verifier.BILL}
    for one in built.iterdir():
        assert one.read_bytes() == (tmp_path / "second" / one.name).read_bytes(), one.name


@pytest.mark.waits
def test_each_is_a_program_of_its_system_with_its_digest_and_without_a_path_of_this_computer(built: Path) -> None:
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=built, check=True)
    assert len((built / "SHA256SUMS").read_text().splitlines()) == len((*NAMES, verifier.TEXTS))
    machines = {LINUX: b"\x3e\0", "sabot-verify-linux-arm64": b"\xb7\0"}
    for name in NAMES:
        begins = (built / name).read_bytes()[:20]
        assert begins.startswith(b"MZ") if name == WINDOWS else begins[18:20] == machines[name]
        assert str(Path.home()).encode() + b"/" not in (built / name).read_bytes()
        assert b"/tmp/" not in (built / name).read_bytes()


@pytest.mark.waits
def test_the_texts_and_the_programs_that_they_name_are_one_folder(built: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(built / verifier.TEXTS) as file:
        assert {one.external_attr >> 16 for one in file.infolist()} == {0o644}
        file.extractall(tmp_path)
    names = {Path(one).name for one in verifier.IN_TEXTS}
    assert {one.name for one in tmp_path.iterdir()} == names
    for path in verifier.IN_TEXTS:
        show = ["git", "-C", str(ROOT), "show", f"HEAD:{path}"]
        data = SOURCE.read_bytes() if path == verifier.SOURCE else subprocess.run(show, capture_output=True).stdout
        assert (tmp_path / Path(path).name).read_bytes() == data, path
    for text in ("AUDIT.md", "AUDIT.pt.md"):
        page = (ROOT / "controller/journal" / text).read_text()
        cells = re.findall(r"^\| (`[^|]+)", page, re.MULTILINE)
        assert {one for cell in cells for one in re.findall(r"`([^`]+)`", cell)} == names - {"LICENSE"}
    for program in sorted(tmp_path.glob("*.py")):
        ran = subprocess.run(
            [sys.executable, "-c", f"import {program.stem}"], cwd=tmp_path, capture_output=True, env={}
        )
        assert (ran.returncode, ran.stderr) == (0, b""), program


@pytest.mark.waits
def test_its_bill_names_what_the_program_says_that_it_was_made_of(built: Path) -> None:
    bill = json.loads((built / verifier.BILL).read_text())
    named = {one["name"]: one["version"] for one in bill["components"]}
    said = subprocess.run(["go", "version", built / LINUX], capture_output=True, text=True, check=True).stdout
    assert (bill["bomFormat"], set(named)) == ("CycloneDX", {"stdlib", "golang.org/x/mod"})
    assert said.split(": ")[1].strip() == f"go{named['stdlib']}"
    imported = set(re.findall(r'"(golang\.org/[a-z/]+)"', SOURCE.read_text()))
    assert {one.rsplit("/", 2)[0] for one in imported} == {"golang.org/x/mod"}
    (month,) = bill["metadata"]["component"]["properties"]
    assert month == {"name": "sabot:supported-until", "value": SUPPORTED_UNTIL}


@pytest.mark.waits
def test_the_program_refuses_what_is_no_proof(built: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "none.txt"
    wrong.write_bytes(b"no proof\n")
    program = built / LINUX
    done = subprocess.run([program, "-key", "00" * 32, wrong], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "not well: no proof\n")


def test_it_is_built_with_each_release_and_signed_with_its_packages() -> None:
    makefile = (ROOT / "Makefile").read_text()
    workflow = (ROOT / ".github/workflows/ci.yml").read_text()
    assert "systemd/debian/verifier.py" in makefile
    assert "systemd/debian/verifier.py" in workflow
    assert "upload-artifact" in workflow
    assert "make verifier" in (ROOT / ".github/VERSIONS.md").read_text()


def test_the_guide_builds_it_by_hand_as_the_release_does() -> None:
    lines = (ROOT / "controller/journal/AUDIT.md").read_text().splitlines()
    built = [shlex.split(line) for line in lines if " go build " in line]
    assert {one[-1] for one in built} == {"verify.go"}
    assert {tuple(word for word in one if word.startswith("-") and word != "-o") for one in built} == {verifier.FLAGS}
