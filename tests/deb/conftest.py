"""The packages in a bare Debian tree: `make deb-test`, as root; `DEB='--release trixie --arch arm64'` for others.

An arm64 tree runs under the kernel's emulator. `make test` skips this folder.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from machine import Chroot, Machine, overlay
from packages import Packages, newer
from trees import Target, Trees

ROOT = Path(__file__).parents[2]
BUILD = Path(os.environ.get("SABOT_DEB_TREES", ROOT / "build/deb"))

collect_ignore_glob = [] if os.environ.get("SABOT_DEB_TEST") else ["test_*.py"]


@pytest.fixture(scope="session")
def target() -> Target:
    """Release and architecture, from the make variable DEB."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--release", default="bookworm")
    parser.add_argument("--arch", default="amd64")
    given = parser.parse_args(os.environ.get("SABOT_DEB", "").split())
    return Target(given.release, given.arch)


@pytest.fixture(scope="session")
def trees() -> Trees:
    return Trees(BUILD)


@pytest.fixture(scope="session")
def packages(target: Target, trees: Trees) -> Packages:
    """Builds the packages of the last commit."""
    build = [sys.executable, str(ROOT / "systemd/debian/build.py"), "--out", str(BUILD)]
    options = ["--release", target.release, "--arch", target.arch, "--interpreter", str(trees.interpreter(target))]
    made = subprocess.run([*build, *options], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    return Packages(*map(Path, made))


@pytest.fixture(scope="session")
def newer_packages(packages: Packages, tmp_path_factory: pytest.TempPathFactory) -> Packages:
    """The same packages under the next version's number."""
    return newer(packages, tmp_path_factory.mktemp("newer"))


@pytest.fixture(scope="session")
def bare(target: Target, trees: Trees) -> Path:
    """A bare Debian of the release, made once."""
    return trees.bare(target)


@pytest.fixture
def chroot(bare: Path, tmp_path: Path) -> Iterator[Chroot]:
    """The bare tree with a writable layer that is dropped at the end."""
    with overlay(bare, tmp_path) as tree:
        yield Chroot(tree)


@pytest.fixture
def machine(bare: Path, tmp_path: Path) -> Iterator[Machine]:
    """The bare tree, booted, without network."""
    with overlay(bare, tmp_path) as tree, Machine(tree) as booted:
        yield booted
