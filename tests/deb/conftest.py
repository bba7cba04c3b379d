"""The packages in a bare Debian tree: `make deb-test`, as root, with mmdebstrap and systemd-container.

`make test` passes over this folder.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from machine import Chroot, Machine, overlay
from packages import Packages, newer

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build/deb"
BARE = "systemd,systemd-sysv,udev,dbus,python3"

collect_ignore_glob = [] if os.environ.get("SABOT_DEB_TEST") else ["test_*.py"]


@pytest.fixture(scope="session")
def packages() -> Packages:
    """Of the last commit, for this Debian release."""
    build = [sys.executable, str(ROOT / "systemd/debian/build.py"), "--out", str(BUILD)]
    made = subprocess.run(build, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    return Packages(Path(made[0]), Path(made[1]))


@pytest.fixture(scope="session")
def newer_packages(packages: Packages, tmp_path_factory: pytest.TempPathFactory) -> Packages:
    """The same program under the next version."""
    return newer(packages, tmp_path_factory.mktemp("newer"))


@pytest.fixture(scope="session")
def bare() -> Path:
    """A bare Debian of the release, made once: from the mirror that this machine's apt knows."""
    tree, archive = BUILD / "bookworm", BUILD / "bookworm.tar"
    if not tree.exists():
        BUILD.mkdir(parents=True, exist_ok=True)
        options = ["--variant=apt", f"--include={BARE}", "--components=main"]
        subprocess.run(["mmdebstrap", "--quiet", *options, "bookworm", str(archive)], check=True)
        unpacked = BUILD / "bookworm.new"
        unpacked.mkdir()
        subprocess.run(["tar", "-C", str(unpacked), "-xf", str(archive)], check=True)
        unpacked.rename(tree)
    return tree


@pytest.fixture
def chroot(bare: Path, tmp_path: Path) -> Iterator[Chroot]:
    """The bare tree, to be written to; nothing of it lasts."""
    with overlay(bare, tmp_path) as tree:
        yield Chroot(tree)


@pytest.fixture
def machine(bare: Path, tmp_path: Path) -> Iterator[Machine]:
    """The bare tree, booted, without network."""
    with overlay(bare, tmp_path) as tree, Machine(tree) as booted:
        yield booted
