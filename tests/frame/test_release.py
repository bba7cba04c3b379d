"""A release is signed with a key that is not here, and checked with tools of any Debian."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.waits

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "systemd/debian/release.py"


def told(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(PROGRAM), *map(str, words)], capture_output=True, text=True, check=False)


@pytest.fixture
def keys(tmp_path: Path) -> tuple[Path, Path]:
    """The paths of a secret and a public key, made by the README's commands."""
    secret, public = tmp_path / "release.key", tmp_path / "release.pub"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", secret], check=True)
    subprocess.run(["openssl", "pkey", "-in", secret, "-pubout", "-out", public], check=True)
    return secret, public


@pytest.fixture
def release(tmp_path: Path, keys: tuple[Path, Path]) -> Path:
    directory = tmp_path / "deb"
    directory.mkdir()
    for name in ("sabot_1_arm64.deb", "sabot-sim_1_arm64.deb", "sabot-verify-windows-amd64.exe"):
        (directory / name).write_bytes(name.encode() * 100)
    done = told("sign", directory, "--key", keys[0])
    assert (done.returncode, done.stderr) == (0, "")
    return directory


def test_what_was_signed_is_checked_with_openssl_alone(release: Path, keys: tuple[Path, Path]) -> None:
    assert told("check", release, "--key", keys[1]).returncode == 0
    of = ["-rawin", "-in", "SHA256SUMS", "-sigfile", "SHA256SUMS.sig"]
    subprocess.run(["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", keys[1], *of], cwd=release, check=True)
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=release, check=True)


def test_whatever_was_changed_is_named(release: Path, keys: tuple[Path, Path]) -> None:
    package = release / "sabot_1_arm64.deb"
    whole = package.read_bytes()
    package.write_bytes(whole[:-1] + b"X")
    assert "sabot_1_arm64.deb" in told("check", release, "--key", keys[1]).stdout
    package.unlink()
    assert told("check", release, "--key", keys[1]).returncode == 1
    package.write_bytes(whole)
    program = release / "sabot-verify-windows-amd64.exe"
    program.write_bytes(program.read_bytes() + b"X")
    assert program.name in told("check", release, "--key", keys[1]).stdout
    program.unlink()
    (release / "sabot_2_arm64.deb").write_bytes(b"another one")
    assert "sabot_2_arm64.deb" in told("check", release, "--key", keys[1]).stdout


def test_sums_that_nobody_signed_are_none(release: Path, keys: tuple[Path, Path], tmp_path: Path) -> None:
    sums = release / "SHA256SUMS"
    sums.write_bytes(sums.read_bytes().replace(b"0", b"1", 1))
    assert "not signed" in told("check", release, "--key", keys[1]).stdout
    other = tmp_path / "other.key"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", other], check=True)
    assert told("sign", release, "--key", other).returncode == 0
    assert "not signed" in told("check", release, "--key", keys[1]).stdout
    (release / "SHA256SUMS.sig").unlink()
    assert told("check", release, "--key", keys[1]).returncode == 1


def test_no_secret_key_is_in_the_tree() -> None:
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    words = (b"BEGIN " + b"PRIVATE KEY", b"BEGIN OPENSSH " + b"PRIVATE", b"BEGIN ENCRYPTED " + b"PRIVATE")
    data = {name: (ROOT / name).read_bytes() for name in files.split("\0") if name and (ROOT / name).is_file()}
    found = [name for name, text in data.items() if any(word in text for word in words)]
    assert found == []
